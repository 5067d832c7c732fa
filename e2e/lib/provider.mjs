// A provider to sign in with: the least of OpenID Connect that a relying party can check. Nobody is asked anything there.
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts a provider; whoever comes to it is the person that `signsIn` named last, and nobody is refused. */
export async function startProvider() {
  const provider = new Provider();
  provider.server.listen(0, '127.0.0.1');
  await once(provider.server, 'listening');
  return provider;
}

class Provider {
  #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  #codes = new Map();
  #person = null;

  constructor() {
    this.server = http.createServer((request, response) => this.#answer(request, response));
  }

  get issuer() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  /** An entry of DRIFTLESS_SIGNON. */
  entry(id, name) {
    return { id, name, issuer: this.issuer, client_id: 'driftless', client_secret: 'between us two' };
  }

  /** Who comes next; null refuses. */
  signsIn(person) {
    this.#person = person;
  }

  close() {
    this.server.close();
  }

  async #answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, this.issuer);
    if (pathname === '/authorize') return this.#authorize(searchParams, response);
    response.setHeader('content-type', 'application/json');
    const answers = {
      '/.well-known/openid-configuration': () => this.#metadata(),
      '/keys': () => ({ keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] }),
      '/token': async () => this.#token(new URLSearchParams(await text(request))),
    };
    const answer = await answers[pathname]?.();
    response.statusCode = answer ? 200 : 400;
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #authorize(asked, response) {
    const back = new URL(asked.get('redirect_uri'));
    back.searchParams.set('state', asked.get('state'));
    if (this.#person) {
      const code = randomUUID();
      this.#codes.set(code, { person: this.#person, nonce: asked.get('nonce'), challenge: asked.get('code_challenge') });
      back.searchParams.set('code', code);
    } else {
      back.searchParams.set('error', 'access_denied');
    }
    response.writeHead(302, { location: back.href }).end();
  }

  #token(asked) {
    const given = this.#codes.get(asked.get('code'));
    this.#codes.delete(asked.get('code'));
    const proof = createHash('sha256').update(asked.get('code_verifier') ?? '').digest('base64url');
    if (!given || (given.challenge && given.challenge !== proof)) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.issuer, aud: 'driftless', iat: now, exp: now + 300, nonce: given.nonce, ...given.person };
    const signed = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded(claims)}`;
    const signature = createSign('RSA-SHA256').update(signed).sign(this.#keys.privateKey, 'base64url');
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: `${signed}.${signature}` };
  }
}

async function text(stream) {
  let all = '';
  for await (const chunk of stream) all += chunk;
  return all;
}
