import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { disconnectSource, type Connected } from '../api/repositories';
import { sourcesQuery, type Source } from '../api/sources';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { CopyLines } from '../parts/Copy';
import { SecretDialog } from '../parts/SecretDialog';
import { Rows, Section, SectionPage } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { SourceDialog } from './SourceDialog';
import { SourceRow } from './SourceRow';

/** Settings: the repositories that the workspace knows, and how it hears of them. */
export default function SourcesPage() {
  const { workspace, decides } = useHere();
  const t = useText();
  useTitle(t('settings.sources'));
  const list = useQuery(sourcesQuery(workspace.slug));
  const [editing, setEditing] = useState<Source | 'new' | null>(null);
  const [connected, setConnected] = useState<Connected | null>(null);
  const [leaving, setLeaving] = useState<Source | null>(null);
  const disconnect = useWrite(workspace.slug, (id: string) => disconnectSource(workspace.slug, id));
  const sources = list.data?.results ?? [];
  return (
    <SectionPage title={t('settings.sources')} lead={t('sources.text')}>
      <Section
        title={t('sources.title')}
        action={
          decides && (
            <Button
              variant="default"
              onClick={() => {
                setEditing('new');
              }}
            >
              {t('sources.connect')}
            </Button>
          )
        }
      >
        {list.isPending && <RowsSkeleton rows={2} height={74} />}
        {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
        {list.data && (
          <Rows none={sources.length === 0 && t(decides ? 'sources.none' : 'sources.noneYet')}>
            {sources.map((source) => (
              <SourceRow
                key={source.id}
                source={source}
                onEdit={() => {
                  setEditing(source);
                }}
                onDisconnect={() => {
                  setLeaving(source);
                }}
                onConnected={setConnected}
              />
            ))}
          </Rows>
        )}
      </Section>
      <Section title={t('sources.sync')} text={t('sources.syncText')}>
        <CopyLines text="driftless sync" label={t('sources.sync')} />
      </Section>
      <SourceDialog
        source={editing}
        onClose={() => {
          setEditing(null);
        }}
        onConnected={(answer) => {
          setEditing(null);
          if (answer.hook_secret) setConnected(answer);
        }}
      />
      <SecretDialog
        title={t('sources.connected', { name: connected?.name ?? '' })}
        text={t('sources.connectedText')}
        values={
          connected && [
            { label: t('sources.hookURL'), value: connected.hook_url },
            { label: t('sources.hookSecret'), value: connected.hook_secret ?? '' },
          ]
        }
        done={t('people.done')}
        onClose={() => {
          setConnected(null);
        }}
      />
      <ConfirmDialog
        opened={leaving !== null}
        title={t('sources.disconnectOf', { name: leaving?.name ?? '' })}
        typed={leaving?.name}
        action={t('sources.disconnect')}
        pending={disconnect.isPending}
        error={disconnect.error}
        onClose={() => {
          setLeaving(null);
          disconnect.reset();
        }}
        onConfirm={() => {
          if (!leaving) return;
          disconnect.mutate(leaving.id, {
            onSuccess() {
              setLeaving(null);
            },
          });
        }}
      >
        {t('sources.disconnectText')}
      </ConfirmDialog>
    </SectionPage>
  );
}
