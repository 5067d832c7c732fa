import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connectionsQuery, disconnect, type Connection } from '../api/applications';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';

/** The applications that act for this person, in whichever workspace. */
export function Connections() {
  const t = useText();
  const client = useQueryClient();
  const list = useQuery(connectionsQuery);
  const [ending, setEnding] = useState<Connection | null>(null);
  const end = useSingleMutation({
    mutationFn: disconnect,
    onSuccess() {
      setEnding(null);
    },
    onSettled() {
      void client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    },
  });
  return (
    <Section title={t('apps.title')} text={t('apps.text')}>
      {list.isPending && <RowsSkeleton rows={2} height={62} />}
      {list.isError && !list.data && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.data && (
        <Rows none={list.data.results.length === 0 && t('apps.none')}>
          {list.data.results.map((connection) => {
            const { name, host } = connection.client;
            return (
              <Row
                key={connection.id}
                name={name}
                facts={
                  <>
                    {host && <span className="mono">{host}</span>}
                    <span>
                      {connection.workspaces.map((w) => w.name).join(', ') || t('apps.nowhere')}
                    </span>
                    <span className="mono">
                      {connection.scopes.map((scope) => scope.name).join(' ')}
                    </span>
                    <span>
                      {t('apps.used')} <When at={connection.last_used_at} />
                    </span>
                    <span>
                      {t('apps.since')} <When at={connection.created_at} />
                    </span>
                  </>
                }
              >
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  aria-label={t('apps.endOf', { name })}
                  onClick={() => {
                    setEnding(connection);
                  }}
                >
                  {t('apps.end')}
                </Button>
              </Row>
            );
          })}
        </Rows>
      )}
      <ConfirmDialog
        opened={ending !== null}
        title={t('apps.endOf', { name: ending?.client.name ?? '' })}
        action={t('apps.end')}
        pending={end.isPending}
        error={end.error}
        onClose={() => {
          setEnding(null);
          end.reset();
        }}
        onConfirm={() => {
          if (ending) end.mutate(ending.id);
        }}
      >
        {t('apps.endText')}
      </ConfirmDialog>
    </Section>
  );
}
