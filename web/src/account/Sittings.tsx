import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endSitting, sittingsQuery, type Sitting } from '../api/account';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useSignOut } from '../session/useSignOut';

/** Where a person is signed in; each place can be signed out from here. */
export function Sittings() {
  const t = useText();
  const client = useQueryClient();
  const list = useQuery(sittingsQuery);
  const [ending, setEnding] = useState<Sitting | null>(null);
  const signOut = useSignOut();
  const end = useSingleMutation({
    mutationFn: endSitting,
    onSuccess() {
      setEnding(null);
    },
    onSettled() {
      void client.invalidateQueries({ queryKey: sittingsQuery.queryKey });
    },
  });
  return (
    <Section title={t('account.sessions')} text={t('account.sessionsText')}>
      {list.isPending && <RowsSkeleton rows={2} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <Rows>
          {list.data.results.map((sitting) => (
            <Row
              key={sitting.id}
              name={sitting.device}
              badge={sitting.current && t('account.thisOne')}
              tone="moss"
              facts={
                <>
                  <span>
                    {t('account.signedInAt')} <When at={sitting.signed_in_at} />
                  </span>
                  <span>
                    {t('account.lastUsed')} <When at={sitting.last_used_at} />
                  </span>
                </>
              }
            >
              {sitting.current ? (
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  onClick={() => {
                    signOut.mutate();
                  }}
                >
                  {t('account.signOut')}
                </Button>
              ) : (
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  aria-label={t('account.endOf', { device: sitting.device })}
                  onClick={() => {
                    setEnding(sitting);
                  }}
                >
                  {t('account.end')}
                </Button>
              )}
            </Row>
          ))}
        </Rows>
      )}
      <ConfirmDialog
        opened={ending !== null}
        title={t('account.endOf', { device: ending?.device ?? '' })}
        action={t('account.end')}
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
        {t('account.endText')}
      </ConfirmDialog>
    </Section>
  );
}
