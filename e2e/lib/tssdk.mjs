// A client on the TypeScript SDK alone, in this process; it has the same face as the one of the Go SDK.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

/** Registers, and asks for a sign-in at once. */
export async function startTypeScriptClient(mcpURL) {
  const callback = await listen();
  const client = new TypeScriptClient(mcpURL, callback);
  await client.start();
  return client;
}

/** The loopback address that the browser returns to. */
async function listen() {
  const server = http.createServer();
  let arrived;
  const parameters = new Promise((resolve) => (arrived = resolve));
  let visits = 0;
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    if (pathname !== '/callback') return response.writeHead(404).end();
    visits++;
    arrived(searchParams);
    response.end('Signed in. You can close this page.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/callback`,
    parameters,
    visits: () => visits,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What the SDK asks the application to keep. */
class Memory {
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
    this.authorizeURL = new Promise((resolve) => (this.redirectToAuthorization = (url) => resolve(url.href)));
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

class TypeScriptClient {
  #url;
  #callback;
  #memory;
  #session;

  constructor(url, callback) {
    this.name = 'Driftless e2e (TypeScript SDK)';
    /** Requests for tokens so far: {grant, status}. */
    this.tokens = [];
    this.#url = new URL(url);
    this.#callback = callback;
    this.#memory = new Memory(callback.url, this.name);
  }

  #transport() {
    return new StreamableHTTPClientTransport(this.#url, {
      authProvider: this.#memory,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        const grant = init?.body instanceof URLSearchParams ? init.body.get('grant_type') : null;
        if (grant) this.tokens.push({ grant, status: answer.status });
        return answer;
      },
    });
  }

  async #connect(transport) {
    const session = new Client(
      { name: 'driftless-e2e', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await session.connect(transport);
    return session;
  }

  async start() {
    const transport = this.#transport();
    await assert.rejects(this.#connect(transport), UnauthorizedError);
    this.#session = (async () => {
      const parameters = await this.#callback.parameters;
      assert.equal(parameters.get('state'), this.#memory.stateSent);
      await transport.finishAuth(parameters);
      return this.#connect(this.#transport());
    })();
    // Whoever waits for it hears of a failure; nobody may be waiting yet.
    this.#session.catch(() => {});
  }

  /** The address to open in a browser. */
  authorizeURL() {
    return this.#memory.authorizeURL;
  }

  /** Answers once it is connected: {server, protocol, tools}. */
  async ready() {
    const session = await this.#session;
    const { tools } = await session.listTools();
    return {
      server: session.getServerVersion().name,
      protocol: session.getNegotiatedProtocolVersion(),
      tools: tools.map((tool) => tool.name),
    };
  }

  /** Calls a tool; answers its structured content and wants no error. */
  async call(tool, args) {
    const session = await this.#session;
    const answer = await session.callTool({ name: tool, arguments: args });
    const text = answer.content.map((part) => part.text).join('');
    assert.ok(!answer.isError, `${tool}: ${text}`);
    assert.deepEqual(JSON.parse(text), answer.structuredContent, `${tool}: text and structure differ`);
    return answer.structuredContent;
  }

  /** Makes the access token worthless, as time would. */
  spoilAccessToken() {
    this.#memory.kept = { ...this.#memory.kept, access_token: 'spoiled' };
  }

  async close() {
    await (await this.#session.catch(() => null))?.close();
    await this.#callback.close();
    assert.ok(this.#callback.visits() <= 1, 'the browser came back more than once');
  }
}
