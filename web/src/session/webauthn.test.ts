import { afterEach, describe, expect, it, vi } from 'vitest';
import { askPasskey, hasPasskeys, PasskeyFailure } from './webauthn';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A browser whose only credential is what `get` answers. */
function browser(get: () => Promise<unknown>): void {
  class Credential {
    static parseCreationOptionsFromJSON = (options: unknown) => options;
    static parseRequestOptionsFromJSON = (options: unknown) => options;
    toJSON = () => ({ id: 'c' });
  }
  vi.stubGlobal('PublicKeyCredential', Credential);
  vi.stubGlobal('navigator', {
    credentials: { get: async () => (await get()) ?? new Credential() },
  });
}

const asked = { options: { publicKey: { challenge: 'AA' } } };

it('knows browsers without passkeys, and those that cannot read the options', () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  expect(hasPasskeys()).toBe(false);
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  expect(hasPasskeys()).toBe(false);
  browser(() => Promise.resolve(null));
  expect(hasPasskeys()).toBe(true);
});

it('hands on what the browser answers', async () => {
  browser(() => Promise.resolve(null));
  expect(await askPasskey(asked)).toEqual({ id: 'c' });
});

describe('a failure', () => {
  it.each([
    ['NotAllowedError', 'cancelled'],
    ['AbortError', 'cancelled'],
    ['InvalidStateError', 'exists'],
    ['SecurityError', 'failed'],
  ])('%s reads as %s', async (name, reason) => {
    browser(() => Promise.reject(new DOMException('', name)));
    const failure = await askPasskey(asked).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PasskeyFailure);
    expect(failure).toMatchObject({ reason });
  });
});
