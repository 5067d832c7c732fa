import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  identitiesQuery,
  linkIdentity,
  unlinkIdentity,
  type Identity,
  type WaysIn,
} from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import { isRedirectable } from '../door/redirect';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { Notice } from '../parts/Notice';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import css from './account.module.css';

interface Props {
  providers: WaysIn['providers'];
  /** Why the last attempt to link did not work, as the server says in the address. */
  problem?: string;
}

/** Who the person is at other servers, and may sign in as. */
export function Identities({ providers, problem }: Props) {
  const t = useText();
  const client = useQueryClient();
  const list = useQuery(identitiesQuery);
  const [ending, setEnding] = useState<Identity | null>(null);
  const link = useSingleMutation({
    mutationFn: (provider: string) => linkIdentity(provider, '/account'),
    onSuccess({ redirect_to }) {
      if (isRedirectable(redirect_to)) window.location.assign(redirect_to);
    },
  });
  const unlink = useSingleMutation({
    mutationFn: unlinkIdentity,
    onSuccess() {
      setEnding(null);
    },
    onSettled() {
      void client.invalidateQueries({ queryKey: identitiesQuery.queryKey });
    },
  });
  const identities = list.data?.results ?? [];
  const free = providers.filter(({ id }) => !identities.some(({ provider }) => provider === id));
  return (
    <Section title={t('identities.title')} text={t('identities.text')}>
      {problem && (
        <div role="alert" className={css.problem}>
          <Notice title={t.word('signIn.problem', problem)}>
            {t.word('signIn.problemText', problem)}
          </Notice>
        </div>
      )}
      {link.error && <Failure error={link.error} />}
      {list.isPending && <RowsSkeleton rows={1} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <Rows>
          {identities.map((identity) => (
            <Row
              key={identity.id}
              name={identity.name}
              badge={t('identities.linked')}
              tone="moss"
              facts={
                <>
                  <span>{identity.email}</span>
                  <span>
                    {t('identities.since')} <When at={identity.linked_at} />
                  </span>
                  {identity.last_used_at && (
                    <span>
                      {t('account.lastUsed')} <When at={identity.last_used_at} />
                    </span>
                  )}
                </>
              }
            >
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('identities.unlinkOf', { name: identity.name })}
                onClick={() => {
                  setEnding(identity);
                }}
              >
                {t('identities.unlink')}
              </Button>
            </Row>
          ))}
          {free.map(({ id, name }) => (
            <Row key={id} name={name} facts={t('identities.free')}>
              <Button
                variant="default"
                size="xs"
                aria-label={t('identities.linkOf', { name })}
                loading={link.isPending && link.variables === id}
                onClick={() => {
                  link.mutate(id);
                }}
              >
                {t('identities.link')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <ConfirmDialog
        opened={ending !== null}
        title={t('identities.unlinkOf', { name: ending?.name ?? '' })}
        action={t('identities.unlink')}
        pending={unlink.isPending}
        error={unlink.error}
        onClose={() => {
          setEnding(null);
          unlink.reset();
        }}
        onConfirm={() => {
          if (ending) unlink.mutate(ending.id);
        }}
      >
        {t('identities.unlinkText')}
      </ConfirmDialog>
    </Section>
  );
}
