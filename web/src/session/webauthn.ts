// Passkeys, as the browser has them (WebAuthn level 3). The server writes the options
// and reads the credential; here both only pass through.

/** Why the browser gave no credential, in a word of the catalogue. */
export type PasskeyReason = 'cancelled' | 'exists' | 'failed';

export class PasskeyFailure extends Error {
  readonly reason: PasskeyReason;

  constructor(cause: unknown) {
    super('the browser gave no passkey', { cause });
    this.name = 'PasskeyFailure';
    this.reason = reasonOf(cause);
  }
}

function reasonOf(cause: unknown): PasskeyReason {
  if (!(cause instanceof DOMException)) return 'failed';
  // Browsers do not tell a refusal from a person who took too long.
  if (cause.name === 'NotAllowedError' || cause.name === 'AbortError') return 'cancelled';
  return cause.name === 'InvalidStateError' ? 'exists' : 'failed';
}

/** Whether this browser can make and use passkeys with options that come as JSON. */
export function hasPasskeys(): boolean {
  return (
    typeof window.PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

/** What the server sends as `options`. */
export interface Ceremony<Options> {
  options: { publicKey: Options };
}

async function credentialOf(asked: () => Promise<Credential | null>) {
  let credential: Credential | null;
  try {
    credential = await asked();
  } catch (cause) {
    throw new PasskeyFailure(cause);
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyFailure(credential);
  return credential.toJSON();
}

/** Makes a passkey; throws a PasskeyFailure when there is none in the end. */
export function makePasskey(asked: Ceremony<PublicKeyCredentialCreationOptionsJSON>) {
  return credentialOf(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked.options.publicKey),
    }),
  );
}

/** Uses a passkey; throws a PasskeyFailure when there is none in the end. */
export function askPasskey(asked: Ceremony<PublicKeyCredentialRequestOptionsJSON>) {
  return credentialOf(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked.options.publicKey),
    }),
  );
}
