import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { share, type Shared, type Sharing } from '../api/sharing';
import type { Topic } from '../api/types';
import { useWrite } from '../api/writes';
import { useLanguage, useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { CopyLines } from '../parts/Copy';
import { Section } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import { dayOf, endOf, longDay } from './days';
import css from './share.module.css';

/** The page that whoever has its address can read: its address, its end, taking it back. */
export function WebPage({ topic, shared }: { topic: Topic; shared: Shared }) {
  const { workspace } = useHere();
  const t = useText();
  const [closing, setClosing] = useState(false);
  const write = useWrite(workspace.slug, (body: Sharing) =>
    share(workspace.slug, topic.slug, body),
  );
  const { url, markdown_url, expires_at } = shared;
  return (
    <Section title={t('share.web')} text={t(url ? 'share.web.open' : 'share.web.text')}>
      {!url && topic.status !== 'reviewed' && <p className={css.off}>{t('share.web.only')}</p>}
      {url && (
        <div className={css.addresses}>
          <Address label={t('share.address')} url={url} />
          {markdown_url && <Address label={t('share.markdown')} url={markdown_url} />}
        </div>
      )}
      {(url ?? (topic.status === 'reviewed' || null)) && (
        <EndForm
          key={expires_at ?? 'none'}
          open={Boolean(url)}
          ends={expires_at}
          pending={write.isPending && !closing}
          onSubmit={(end) => {
            write.mutate({ to_web: true, expires_at: end });
          }}
          onRevoke={() => {
            write.reset();
            setClosing(true);
          }}
        />
      )}
      {write.error && !closing && <Failure error={write.error} />}
      <ConfirmDialog
        opened={closing}
        title={t('share.revoke')}
        action={t('share.revoke')}
        pending={write.isPending}
        error={write.error}
        onClose={() => {
          setClosing(false);
          write.reset();
        }}
        onConfirm={() => {
          write.mutate(
            { to_web: true, revoke: true },
            {
              onSuccess() {
                setClosing(false);
              },
            },
          );
        }}
      >
        {t('share.revokeText')}
      </ConfirmDialog>
    </Section>
  );
}

function Address({ label, url }: { label: string; url: string }) {
  return (
    <div>
      <p className="soft">{label}</p>
      <CopyLines text={url} label={label} />
    </div>
  );
}

interface EndProps {
  open: boolean;
  ends?: string;
  pending: boolean;
  onSubmit: (end: string | undefined) => void;
  onRevoke: () => void;
}

function EndForm({ open, ends, pending, onSubmit, onRevoke }: EndProps) {
  const t = useText();
  const { locale } = useLanguage();
  const before = ends ? dayOf(new Date(ends)) : '';
  const [day, setDay] = useState(before);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(day ? endOf(day) : undefined);
      }}
    >
      <div className={css.line}>
        <TextInput
          type="date"
          className={css.day}
          label={t('share.ends')}
          min={dayOf(new Date())}
          value={day}
          onChange={(event) => {
            setDay(event.currentTarget.value);
          }}
        />
        <Group gap={8}>
          <Button
            type="submit"
            variant={open ? 'default' : 'filled'}
            loading={pending}
            disabled={open && day === before}
          >
            {t(open ? 'share.change' : 'share.make')}
          </Button>
          {open && (
            <Button variant="subtle" color="rust" onClick={onRevoke}>
              {t('share.revoke')}
            </Button>
          )}
        </Group>
      </div>
      {open && (
        <p className={`soft ${css.until ?? ''}`}>
          {ends ? t('share.until', { day: longDay(ends, locale) }) : t('share.always')}
        </p>
      )}
    </form>
  );
}
