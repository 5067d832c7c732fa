import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { keysQuery } from '../api/queries';
import type { ApiKey } from '../api/types';
import { revokeKey, useWrite } from '../api/writes';
import { useText } from '../i18n';
import { CopyLines } from '../parts/Copy';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { NewKeyDialog } from './NewKeyDialog';
import css from './connect.module.css';

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
    <section className={css.keys}>
      <div className={css.keysHead}>
        <div>
          <h2>{t('keys.title')}</h2>
          <p className="soft">{t('keys.text')}</p>
        </div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => {
            setCreating(true);
          }}
        >
          {t('keys.new')}
        </Button>
      </div>
      {keys.isPending && <RowsSkeleton rows={2} height={62} />}
      {keys.isError && <Failure error={keys.error} retry={() => void keys.refetch()} />}
      {keys.data?.results.length === 0 && <p className={css.none}>{t('keys.none')}</p>}
      <ul>
        {keys.data?.results.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name}</strong> <span className="mono soft">{key.prefix}…</span>
              <div className={css.keyFacts}>
                <span>{t.word('keys.kind', key.kind)}</span>
                <span className="mono">{key.scopes.join(' ')}</span>
                <span>
                  {key.last_used_at ? (
                    <>
                      {t('keys.used')} <When at={key.last_used_at} />
                    </>
                  ) : (
                    t('keys.unused')
                  )}
                </span>
                {key.expires_at && (
                  <span>
                    {t('keys.expires')} <When at={key.expires_at} />
                  </span>
                )}
              </div>
            </div>
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
          </li>
        ))}
      </ul>
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
      <Modal
        opened={secret !== null}
        onClose={() => {
          setSecret(null);
        }}
        closeOnClickOutside={false}
        title={t('keys.created', { name: secret?.name ?? '' })}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <p>{t('keys.once')}</p>
        {secret && <CopyLines text={secret.secret} label={t('keys.secret')} />}
        <div className={css.dialogFoot}>
          <Button
            onClick={() => {
              setSecret(null);
            }}
          >
            {t('keys.stored')}
          </Button>
        </div>
      </Modal>
      <Modal
        opened={revoking !== null}
        onClose={() => {
          setRevoking(null);
          revoke.reset();
        }}
        title={t('keys.revokeName', { name: revoking?.name ?? '' })}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <p>{t('keys.revokeText')}</p>
        {revoke.error && <Failure error={revoke.error} />}
        <div className={css.dialogFoot}>
          <Button
            variant="default"
            onClick={() => {
              setRevoking(null);
            }}
          >
            {t('cancel')}
          </Button>
          <Button
            color="rust"
            loading={revoke.isPending}
            onClick={() => {
              if (!revoking) return;
              revoke.mutate(revoking.id, {
                onSuccess() {
                  setRevoking(null);
                },
              });
            }}
          >
            {t('keys.revoke')}
          </Button>
        </div>
      </Modal>
    </section>
  );
}
