import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { keysQuery } from '../api/queries';
import type { ApiKey } from '../api/types';
import { revokeKey, useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { SecretDialog } from '../parts/SecretDialog';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { NewKeyDialog } from './NewKeyDialog';

/** API keys: made here, shown once, revocable at once. */
export function Keys() {
  const { workspace } = useHere();
  const t = useText();
  const keys = useQuery(keysQuery(workspace.slug));
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<{ name: string; secret: string } | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useWrite(workspace.slug, (id: string) => revokeKey(workspace.slug, id));
  return (
    <Section
      title={t('keys.title')}
      text={t('keys.text')}
      action={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => {
            setCreating(true);
          }}
        >
          {t('keys.new')}
        </Button>
      }
    >
      {keys.isPending && <RowsSkeleton rows={2} height={62} />}
      {keys.isError && !keys.data && (
        <Failure error={keys.error} retry={() => void keys.refetch()} />
      )}
      {keys.data && (
        <Rows none={keys.data.results.length === 0 && t('keys.none')}>
          {keys.data.results.map((key) => (
            <Row
              key={key.id}
              name={
                <>
                  {key.name} <span className="mono soft">{key.prefix}…</span>
                </>
              }
              facts={<KeyFacts apiKey={key} />}
            >
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('keys.revokeName', { name: key.name })}
                onClick={() => {
                  setRevoking(key);
                }}
              >
                {t('keys.revoke')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <NewKeyDialog
        opened={creating}
        onClose={() => {
          setCreating(false);
        }}
        onCreated={(key) => {
          setCreating(false);
          setSecret({ name: key.name, secret: key.secret });
        }}
      />
      <SecretDialog
        title={t('keys.created', { name: secret?.name ?? '' })}
        text={t('keys.once')}
        values={secret && [{ label: t('keys.secret'), value: secret.secret }]}
        done={t('keys.stored')}
        onClose={() => {
          setSecret(null);
        }}
      />
      <ConfirmDialog
        opened={revoking !== null}
        title={t('keys.revokeName', { name: revoking?.name ?? '' })}
        action={t('keys.revoke')}
        pending={revoke.isPending}
        error={revoke.error}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
        onConfirm={() => {
          if (!revoking) return;
          revoke.mutate(revoking.id, {
            onSuccess() {
              setRevoking(null);
            },
          });
        }}
      >
        {t('keys.revokeText')}
      </ConfirmDialog>
    </Section>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const t = useText();
  return (
    <>
      <span>{t.word('keys.kind', apiKey.kind)}</span>
      {apiKey.workspaces.length > 1 && (
        <span>{t('keys.reaches', { workspaces: apiKey.workspaces.join(', ') })}</span>
      )}
      <span className="mono">{apiKey.scopes.join(' ')}</span>
      <span>
        {apiKey.last_used_at ? (
          <>
            {t('keys.used')} <When at={apiKey.last_used_at} />
          </>
        ) : (
          t('keys.unused')
        )}
      </span>
      {apiKey.expires_at && (
        <span>
          {t('keys.expires')} <When at={apiKey.expires_at} />
        </span>
      )}
    </>
  );
}
