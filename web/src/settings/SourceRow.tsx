import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { connectSource, type Connected } from '../api/repositories';
import type { Source } from '../api/sources';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { Row } from '../parts/Section';
import { Failure } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import css from './settings.module.css';

interface Props {
  source: Source;
  onEdit: () => void;
  onDisconnect: () => void;
  onConnected: (answer: Connected) => void;
}

/** One repository: its branches, what was heard of them last, and what can be done with it. */
export function SourceRow({ source, onEdit, onDisconnect, onConnected }: Props) {
  const { workspace, decides } = useHere();
  const t = useText();
  const again = useWrite(workspace.slug, (new_secret: boolean) =>
    connectSource(workspace.slug, { remote: source.name, new_secret }),
  );
  const ended = source.disconnected_at !== undefined;
  return (
    <Row
      name={<span className="mono">{source.name}</span>}
      badge={ended ? t('sources.ended') : t.word('provider', source.provider)}
      facts={
        <>
          <span>
            {ended ? t('sources.endedAt') : t('sources.since')}{' '}
            <When at={source.disconnected_at ?? source.connected_at} />
          </span>
          <span>
            {t('sources.tracks')}{' '}
            <span className="mono">{[source.default_branch, ...source.branches].join(', ')}</span>
          </span>
          {!ended && source.heads.length === 0 && <span>{t('sources.never')}</span>}
          {source.heads.map((head) => (
            <span key={head.branch} className={css.head}>
              <span className="mono">{head.branch}</span>{' '}
              <span className="mono">{head.head.slice(0, 10)}</span>{' '}
              {t.count('coverage.files', head.files)}, {t('sources.heard')}{' '}
              <When at={head.synced_at} />
            </span>
          ))}
          {again.error && <Failure error={again.error} />}
        </>
      }
    >
      {decides && ended && (
        <Button
          size="xs"
          variant="default"
          loading={again.isPending}
          onClick={() => {
            again.mutate(true, { onSuccess: onConnected });
          }}
        >
          {t('sources.again')}
        </Button>
      )}
      {decides && !ended && (
        <>
          <Button size="xs" variant="subtle" color="gray" onClick={onEdit}>
            {t('sources.edit')}
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={t('sources.more', { name: source.name })}
                loading={again.isPending}
              >
                <IconDots size={16} aria-hidden="true" />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                onClick={() => {
                  again.mutate(true, { onSuccess: onConnected });
                }}
              >
                {t('sources.newSecret')}
              </Menu.Item>
              <Menu.Item color="rust" onClick={onDisconnect}>
                {t('sources.disconnect')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </Row>
  );
}
