// A client on the TypeScript SDK alone, in this process; it has the same face as the one of the Go SDK.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { listen, Memory } from './application.mjs';

/** Registers, and asks for a sign-in at once. */
export async function startTypeScriptClient(mcpURL) {
  const callback = await listen();
  const client = new TypeScriptClient(mcpURL, callback);
  await client.start();
  return client;
}

class TypeScriptClient {
  #url;
  #callback;
  #memory;
  #session;
  #asked;

  constructor(url, callback) {
    this.name = 'Driftless e2e (TypeScript SDK)';
    /** Requests for tokens so far: {grant, status}. */
    this.tokens = [];
    this.#url = new URL(url);
    this.#callback = callback;
    this.#memory = new Memory(callback.url, this.name);
    this.#asked = new Promise((resolve) => (this.#memory.redirectToAuthorization = (url) => resolve(url.href)));
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
      const parameters = await this.#callback.next();
      assert.equal(parameters.get('state'), this.#memory.stateSent);
      await transport.finishAuth(parameters);
      return this.#connect(this.#transport());
    })();
    // Whoever waits for it hears of a failure; nobody may be waiting yet.
    this.#session.catch(() => {});
  }

  /** The address to open in a browser. */
  authorizeURL() {
    return this.#asked;
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
