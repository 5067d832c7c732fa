import { Anchor, Button, Modal, PasswordInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconFingerprint } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import { api, ok } from '../api/client';
import { hasCode } from '../api/problem';
import { sessionQuery } from '../api/queries';
import {
  identitiesQuery,
  passkeysQuery,
  proveByPasskey,
  proveByPassword,
  providerAddress,
} from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import type { Session } from '../api/types';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { useSignedIn } from './useSignedIn';
import { hasPasskeys } from './webauthn';

/** On what can have the focus: Escape closes this dialog alone, never one that lies below it. */
const own = { 'data-mantine-stop-propagation': 'true' };

/**
 * Asks for the password or a passkey. What was typed stays where it is; the request
 * that asked goes on by itself, or fails as refused when the person says no.
 */
export default function StepUpDialog({ onAnswer }: { onAnswer: (proven: boolean) => void }) {
  const t = useText();
  const session = useQuery(sessionQuery);
  const passkeys = useQuery({ ...passkeysQuery, retry: false });
  const identities = useQuery({ ...identitiesQuery, retry: false });
  const [password, setPassword] = useState('');
  const signedIn = useSignedIn();
  const prove = useSingleMutation({
    meta: { signsIn: true },
    mutationFn: (by: () => Promise<Session>) => by(),
    onSuccess(next) {
      signedIn(next);
      onAnswer(true);
    },
  });
  const wrong = hasCode(prove.error, 'WRONG_PASSWORD', 'UNAUTHENTICATED');
  const known = !session.isPending && !passkeys.isPending && !identities.isPending;
  const hasPassword = session.data?.person.has_password ?? false;
  const withPasskey = hasPasskeys() && (passkeys.data?.results.length ?? 0) > 0;
  const providers = identities.data?.results ?? [];
  const close = (): void => {
    onAnswer(false);
  };
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('stepUp.title')}
      closeButtonProps={{ 'aria-label': t('close'), ...own }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') close();
      }}
    >
      <p>{t('stepUp.text')}</p>
      {!known && <RowsSkeleton rows={1} height={62} />}
      {known && hasPassword && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            prove.mutate(() => proveByPassword(password));
          }}
        >
          <input
            type="email"
            name="email"
            autoComplete="username"
            value={session.data?.person.email ?? ''}
            readOnly
            hidden
          />
          <PasswordInput
            {...own}
            data-autofocus
            label={t('signIn.password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show'), ...own }}
            value={password}
            error={wrong && t('account.wrongPassword')}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
            }}
          />
          {prove.error && !wrong && <Failure error={prove.error} />}
          <DialogFoot>
            {withPasskey && <PasskeyButton prove={prove.mutate} pending={prove.isPending} />}
            <Button {...own} type="submit" loading={prove.isPending}>
              {t('stepUp.do')}
            </Button>
          </DialogFoot>
        </form>
      )}
      {known && !hasPassword && (
        <>
          {prove.error && <Failure error={prove.error} />}
          {withPasskey ? (
            <DialogFoot>
              <PasskeyButton prove={prove.mutate} pending={prove.isPending} main />
            </DialogFoot>
          ) : (
            <>
              <p className="soft">{t('stepUp.elsewhere')}</p>
              <Stack gap="xs">
                {providers.map(({ id, provider, name }) => (
                  <Anchor
                    {...own}
                    key={id}
                    href={providerAddress(provider, { returnTo: '/account' })}
                    target="_blank"
                  >
                    {t('stepUp.provider', { name })}
                  </Anchor>
                ))}
              </Stack>
              <DialogFoot>
                <Button
                  {...own}
                  loading={prove.isPending}
                  onClick={() => {
                    prove.mutate(() => ok<Session>(api.GET('/session')));
                  }}
                >
                  {t('stepUp.goOn')}
                </Button>
              </DialogFoot>
            </>
          )}
        </>
      )}
    </Modal>
  );
}

interface PasskeyButtonProps {
  prove: (by: () => Promise<Session>) => void;
  pending: boolean;
  /** There is no other way. */
  main?: boolean;
}

function PasskeyButton({ prove, pending, main = false }: PasskeyButtonProps) {
  const t = useText();
  return (
    <Button
      {...own}
      variant={main ? 'filled' : 'default'}
      data-autofocus={main || undefined}
      leftSection={<IconFingerprint size={16} />}
      disabled={pending}
      onClick={() => {
        prove(proveByPasskey);
      }}
    >
      {t('stepUp.passkey')}
    </Button>
  );
}
