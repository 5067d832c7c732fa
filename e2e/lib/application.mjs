// What an application brings to a TypeScript SDK, of either generation, so that it can sign in: an address that the browser
// returns to, and a memory.
import { once } from 'node:events';
import http from 'node:http';

/** Opens the loopback address that the browser returns to. */
export async function listen() {
  const server = http.createServer();
  const came = [];
  const waiting = [];
  let visits = 0;
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    if (pathname !== '/callback') return response.writeHead(404).end();
    visits++;
    const next = waiting.shift();
    if (next) next(searchParams);
    else came.push(searchParams);
    response.end('Signed in. You can close this page.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/callback`,
    /** What the browser brings next, or has brought already. */
    next: () => (came.length > 0 ? Promise.resolve(came.shift()) : new Promise((resolve) => waiting.push(resolve))),
    visits: () => visits,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What the SDK asks the application to keep. Whoever makes one gives it a `redirectToAuthorization`. */
export class Memory {
  constructor(redirectUrl, name) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    this.stateSent = crypto.randomUUID();
  }
  state() {
    return this.stateSent;
  }
  clientInformation() {
    return this.client;
  }
  saveClientInformation(client) {
    this.client = client;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens) {
    this.kept = tokens;
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  saveDiscoveryState(state) {
    this.discovered = state;
  }
  discoveryState() {
    return this.discovered;
  }
}
