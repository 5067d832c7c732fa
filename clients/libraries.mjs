// Clients that are libraries: the two of Go in a program of their own, the two generations of TypeScript in this process.
import assert from 'node:assert/strict';
import * as two from '@modelcontextprotocol/client';
import * as auth from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { listen, Memory } from '../e2e/lib/application.mjs';
import { startGoClient } from '../e2e/lib/gosdk.mjs';
import { goVersion, version } from './versions.mjs';

export const libraries = [
  { name: `go-sdk ${goVersion('github.com/modelcontextprotocol/go-sdk')}`, stepUp: 'asks', start: (stage) => startGo(stage, 'gosdk') },
  { name: `mcp-go ${goVersion('github.com/mark3labs/mcp-go')}`, stepUp: 'says', start: (stage) => startGo(stage, 'mcpgo') },
  {
    name: `TypeScript SDK ${version('@modelcontextprotocol/sdk')}`,
    without: 'step-up: on a refusal it refreshes what it has, and gives up',
    start: (stage) => startTypeScript(stage, {
      connect: async (transport) => {
        const session = new Client({ name: 'driftless-clients', version: '1' });
        await session.connect(transport);
        return session;
      },
      Transport: StreamableHTTPClientTransport,
      Unauthorized: auth.UnauthorizedError,
      finish: (transport, parameters) => transport.finishAuth(parameters.get('code')),
    }),
  },
  {
    name: `TypeScript SDK ${version('@modelcontextprotocol/client')}`,
    stepUp: 'asks',
    start: (stage) => startTypeScript(stage, {
      connect: async (transport) => {
        const session = new two.Client({ name: 'driftless-clients', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        await session.connect(transport);
        return session;
      },
      Transport: two.StreamableHTTPClientTransport,
      Unauthorized: two.UnauthorizedError,
      finish: (transport, parameters) => transport.finishAuth(parameters),
    }),
  },
];

async function startGo(stage, program) {
  const failed = Promise.withResolvers?.() ?? withResolvers();
  const client = await startGoClient(stage.mcp, { program, browse: (url) => stage.browse(url).catch(failed.reject) });
  const orFailed = (promise) => Promise.race([promise, failed.promise]);
  const { server, tools } = await orFailed(client.ready());
  assert.equal(server, 'driftless');
  return {
    tools: async () => tools,
    call: (tool, args) => orFailed(client.call(tool, args)),
    close: () => client.close(),
  };
}

function withResolvers() {
  const all = {};
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
}

/** Signs in and keeps the session; sdk is what differs between the generations. */
async function startTypeScript(stage, sdk) {
  const callback = await listen();
  const memory = new Memory(callback.url, 'Driftless clients (TypeScript SDK)');
  memory.redirectToAuthorization = (url) => stage.browse(url.href);
  const transport = new sdk.Transport(new URL(stage.mcp), { authProvider: memory });
  await assert.rejects(sdk.connect(transport), sdk.Unauthorized);
  await sdk.finish(transport, await callback.next());
  const lasting = new sdk.Transport(new URL(stage.mcp), { authProvider: memory });
  const session = await sdk.connect(lasting);
  assert.equal(session.getServerVersion().name, 'driftless');
  const call = async (tool, args) => {
    const answer = await session.callTool({ name: tool, arguments: args });
    assert.ok(!answer.isError, JSON.stringify(answer.content));
    return answer.structuredContent;
  };
  return {
    tools: async () => (await session.listTools()).tools.map(({ name }) => name),
    async call(tool, args) {
      try {
        return await call(tool, args);
      } catch (error) {
        // The SDK has sent the person to the browser; what comes back is for the application to hand on.
        if (!(error instanceof sdk.Unauthorized)) throw error;
        await sdk.finish(lasting, await callback.next());
        return call(tool, args);
      }
    },
    async close() {
      await session.close();
      await callback.close();
    },
  };
}
