import { Checkbox, MultiSelect, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allTagsQuery } from '../api/curation';
import { changeSettings, settingsQuery, type PublicKnowledge as Public } from '../api/settings';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { CopyLines } from '../parts/Copy';
import { Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './settings.module.css';

type Change = Partial<Pick<Public, 'enabled' | 'all_reviewed' | 'tags'>>;

/** What anybody may read without an account. Owners open it, after they were asked. */
export function PublicKnowledge() {
  const { workspace } = useHere();
  const t = useText();
  const settings = useQuery(settingsQuery(workspace.slug));
  const tags = useQuery(allTagsQuery(workspace.slug));
  const [opening, setOpening] = useState<Change | null>(null);
  const change = useWrite(workspace.slug, (body: Change) =>
    changeSettings(workspace.slug, { public_knowledge: body }),
  );
  const owner = workspace.role === 'owner';
  const now = settings.data?.public_knowledge;
  const names = [...new Set([...(tags.data ?? []).map(({ name }) => name), ...(now?.tags ?? [])])];
  return (
    <Section title={t('public.title')} text={t('public.text')}>
      {settings.isPending && <RowsSkeleton rows={1} height={58} />}
      {change.error && !opening && <Failure error={change.error} />}
      {now && (
        <>
          {!owner && <p className="soft">{t('public.forOwners')}</p>}
          <Switch
            label={t('public.enabled')}
            description={t(now.saved ? 'public.enabledText' : 'public.configured')}
            disabled={!owner || change.isPending}
            checked={now.enabled}
            onChange={(event) => {
              if (event.currentTarget.checked) setOpening({ enabled: true });
              else change.mutate({ enabled: false });
            }}
          />
          {now.enabled && (
            <div className={`${css.field ?? ''} ${css.opened ?? ''}`}>
              <Checkbox
                label={t('public.all')}
                description={t('public.allText')}
                disabled={!owner || change.isPending}
                checked={now.all_reviewed}
                onChange={(event) => {
                  if (event.currentTarget.checked) setOpening({ all_reviewed: true });
                  else change.mutate({ all_reviewed: false });
                }}
              />
              <MultiSelect
                mt={14}
                label={t('public.tags')}
                description={t('public.tagsText')}
                placeholder={now.tags.length > 0 ? undefined : t('list.anyTag')}
                searchable
                limit={100}
                disabled={!owner || change.isPending}
                data={names}
                value={now.tags}
                onChange={(next) => {
                  // Taking the last tag away opens everything else.
                  if (next.length === 0) setOpening({ tags: [] });
                  else change.mutate({ tags: next });
                }}
              />
              {now.url && (
                <div className={css.address}>
                  <p className="soft">{t('public.address')}</p>
                  <CopyLines text={now.url} label={t('public.address')} />
                </div>
              )}
            </div>
          )}
        </>
      )}
      <ConfirmDialog
        opened={opening !== null}
        title={t('public.open')}
        action={t('public.openDo')}
        pending={change.isPending}
        error={change.error}
        onClose={() => {
          setOpening(null);
          change.reset();
        }}
        onConfirm={() => {
          if (!opening) return;
          change.mutate(opening, {
            onSuccess() {
              setOpening(null);
            },
          });
        }}
      >
        {t(
          opening?.all_reviewed
            ? 'public.openAll'
            : opening?.tags
              ? 'public.openTags'
              : 'public.openText',
        )}
      </ConfirmDialog>
    </Section>
  );
}
