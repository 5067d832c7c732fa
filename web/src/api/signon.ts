// The ways to sign in, and to prove again who one is.

import { queryOptions } from '@tanstack/react-query';
import { askPasskey, makePasskey, type Ceremony } from '../session/webauthn';
import { api, ok } from './client';
import type { List, Session } from './types';

export interface WaysIn {
  password: boolean;
  passkeys: boolean;
  /** A forgotten password can be replaced by mail. */
  reset: boolean;
  providers: { id: string; name: string }[];
}

/** Who a person is at another server. */
export interface Identity {
  id: string;
  provider: string;
  /** The provider's. */
  name: string;
  email: string;
  linked_at: string;
  last_used_at?: string;
}

export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at?: string;
  /** Somebody has a copy of it; it opens nothing any more. */
  cloned_at?: string;
}

type CreationOptions = Ceremony<PublicKeyCredentialCreationOptionsJSON>;
type RequestOptions = Ceremony<PublicKeyCredentialRequestOptionsJSON>;

// The generated types know of a credential only that it is an object.
type Sent = Record<string, never>;

export const signonQuery = queryOptions({
  queryKey: ['signon'],
  staleTime: 60_000,
  queryFn: () => ok<WaysIn>(api.GET('/signon')),
});

export const identitiesQuery = queryOptions({
  queryKey: ['account', 'identities'],
  queryFn: () => ok<List<Identity>>(api.GET('/identities')),
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: () => ok<List<Passkey>>(api.GET('/passkeys')),
});

/** The mail that a new password is set through; the query says whose. */
export const resetQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset', token],
    retry: false,
    staleTime: Infinity,
    queryFn: () =>
      ok<{ email: string }>(api.GET('/password/reset/{token}', { params: { path: { token } } })),
  });

/**
 * Where a browser goes to sign in with a provider. The server answers it, not the
 * router: it needs a link that leaves the console.
 */
export function providerAddress(
  provider: string,
  { returnTo, invitation }: { returnTo: string; invitation?: string },
): string {
  const query = new URLSearchParams({ return_to: returnTo });
  if (invitation) query.set('invitation', invitation);
  return `/signon/${encodeURIComponent(provider)}/start?${query.toString()}`;
}

export function signInWithPassword(body: { email: string; password: string }) {
  return ok<Session>(api.POST('/session', { body }));
}

export async function signInWithPasskey() {
  const credential = await askPasskey(await ok<RequestOptions>(api.POST('/session/passkey/begin')));
  return ok<Session>(api.POST('/session/passkey', { body: { credential: credential as Sent } }));
}

export function proveByPassword(password: string) {
  return ok<Session>(api.POST('/session/step-up', { body: { password } }));
}

export async function proveByPasskey() {
  const credential = await askPasskey(await ok<RequestOptions>(api.POST('/session/step-up/begin')));
  return ok<Session>(api.POST('/session/step-up', { body: { credential: credential as Sent } }));
}

/** Asks for the mail; the answer is the same whether there is such an account or not. */
export function forgotPassword(email: string) {
  return ok(api.POST('/password/reset', { body: { email } }));
}

export function resetPassword(token: string, password: string) {
  return ok(
    api.POST('/password/reset/{token}', { params: { path: { token } }, body: { password } }),
  );
}

export async function addPasskey(name: string) {
  const credential = await makePasskey(await ok<CreationOptions>(api.POST('/passkeys/begin')));
  return ok<Passkey>(api.POST('/passkeys', { body: { name, credential: credential as Sent } }));
}

export function renamePasskey(passkey: string, name: string) {
  return ok<Passkey>(
    api.PATCH('/passkeys/{passkey}', { params: { path: { passkey } }, body: { name } }),
  );
}

export function deletePasskey(passkey: string) {
  return ok(api.DELETE('/passkeys/{passkey}', { params: { path: { passkey } } }));
}

/** Begins to link an identity; the browser goes on at the provider. */
export function linkIdentity(provider: string, return_to: string) {
  return ok<{ redirect_to: string }>(api.POST('/identities', { body: { provider, return_to } }));
}

export function unlinkIdentity(identity: string) {
  return ok(api.DELETE('/identities/{identity}', { params: { path: { identity } } }));
}
