import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  addPasskey,
  deletePasskey,
  passkeysQuery,
  renamePasskey,
  type Passkey,
} from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { DialogFoot, Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { hasPasskeys } from '../session/webauthn';

/** Passkeys: added where the browser has them, renamed and removed anywhere. */
export function Passkeys() {
  const t = useText();
  const client = useQueryClient();
  const list = useQuery(passkeysQuery);
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Passkey | null>(null);
  const reread = (): void => {
    void client.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  };
  const remove = useSingleMutation({
    mutationFn: deletePasskey,
    onSuccess() {
      setDeleting(null);
    },
    onSettled: reread,
  });
  const able = hasPasskeys();
  return (
    <Section
      title={t('passkeys.title')}
      text={t(able ? 'passkeys.text' : 'passkeys.unable')}
      action={
        able && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              setNaming('new');
            }}
          >
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      {list.isPending && <RowsSkeleton rows={1} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <Rows none={list.data.results.length === 0 && t('passkeys.none')}>
          {list.data.results.map((passkey) => (
            <Row
              key={passkey.id}
              name={passkey.name}
              badge={passkey.cloned_at !== undefined && t('passkeys.cloned')}
              facts={
                <>
                  <span>
                    {t('passkeys.added')} <When at={passkey.created_at} />
                  </span>
                  <span>
                    {passkey.last_used_at ? (
                      <>
                        {t('account.lastUsed')} <When at={passkey.last_used_at} />
                      </>
                    ) : (
                      t('passkeys.unused')
                    )}
                  </span>
                </>
              }
            >
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('passkeys.renameOf', { name: passkey.name })}
                onClick={() => {
                  setNaming(passkey);
                }}
              >
                {t('passkeys.rename')}
              </Button>
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('passkeys.deleteOf', { name: passkey.name })}
                onClick={() => {
                  setDeleting(passkey);
                }}
              >
                {t('passkeys.delete')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <NameDialog
        naming={naming}
        onSettled={reread}
        onClose={() => {
          setNaming(null);
        }}
      />
      <ConfirmDialog
        opened={deleting !== null}
        title={t('passkeys.deleteOf', { name: deleting?.name ?? '' })}
        action={t('passkeys.delete')}
        pending={remove.isPending}
        error={remove.error}
        onClose={() => {
          setDeleting(null);
          remove.reset();
        }}
        onConfirm={() => {
          if (deleting) remove.mutate(deleting.id);
        }}
      >
        {t('passkeys.deleteText')}
      </ConfirmDialog>
    </Section>
  );
}

interface NameDialogProps {
  /** The one that gets another name, or a new one. */
  naming: Passkey | 'new' | null;
  onSettled: () => void;
  onClose: () => void;
}

function NameDialog({ naming, onSettled, onClose }: NameDialogProps) {
  const t = useText();
  return (
    <Modal
      opened={naming !== null}
      onClose={onClose}
      title={
        naming === null || naming === 'new'
          ? t('passkeys.add')
          : t('passkeys.renameOf', { name: naming.name })
      }
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {naming && <NameForm naming={naming} onSettled={onSettled} onClose={onClose} />}
    </Modal>
  );
}

function NameForm({ naming, onSettled, onClose }: NameDialogProps & { naming: Passkey | 'new' }) {
  const t = useText();
  const [name, setName] = useState(naming === 'new' ? '' : naming.name);
  const save = useSingleMutation({
    mutationFn: (called: string) =>
      naming === 'new' ? addPasskey(called) : renamePasskey(naming.id, called),
    onSuccess: onClose,
    onSettled,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(name.trim());
      }}
    >
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        maxLength={80}
        label={t('passkeys.name')}
        description={t('passkeys.nameHelp')}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      {save.error && <Failure error={save.error} />}
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
          {t(naming === 'new' ? 'passkeys.next' : 'passkeys.rename')}
        </Button>
      </DialogFoot>
    </form>
  );
}
