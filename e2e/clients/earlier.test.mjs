// A client of revision 2025-11-25 that opens addresses for its person, on two servers that take turns: what it is asked by one
// it answers to the other.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startPair } from '../lib/pair.mjs';
import { signIn } from '../lib/rest.mjs';

let server;
let api;
let client;
let transport;
/** What the person does with an address that the client opens. */
let person;

before(async () => {
  server = await startPair();
  api = await signIn(server, server.people.owner);
  const { secret } = await api.call('POST', '/keys', { name: 'earlier', scopes: ['context:read', 'work:write'] });
  client = new Client({ name: 'earlier', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  client.setRequestHandler('elicitation/create', ({ params }) => person(params));
  transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
  });
  await client.connect(transport);
});

after(async () => {
  await client?.close();
  await server?.close();
});

async function approve(title) {
  const slug = await api.proposed({ title, what: `About ${title}.`, message: 'Learned today.' });
  const answer = await client.callTool({ name: 'driftless_context_approve', arguments: { topic: slug } });
  return { slug, told: answer.structuredContent, failed: answer.isError ?? false };
}

const trust = async (slug) => (await api.call('GET', `/topics/${slug}`)).trust;

test('an earlier client on two servers has a session that both know', async () => {
  assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
  assert.ok(transport.sessionId);
  for (let turn = 0; turn < 4; turn++) await client.listTools();
  assert.ok(server.passed.every((requests) => requests > 2), `${server.passed}`);
});

test('an earlier client on two servers has its person approve while the call runs', async () => {
  let opened;
  person = async (params) => {
    opened = params;
    // The person decides after the client has said that it opened the address.
    setImmediate(() => api.decide(params.elicitationId, true));
    return { action: 'accept' };
  };
  const { slug, told, failed } = await approve('Queue limits');
  assert.equal(opened.mode, 'url');
  assert.equal(opened.url, `${server.url}/confirm/${opened.elicitationId}`);
  assert.deepEqual([failed, told.status, told.topic.trust], [false, 'approved', 'reviewed']);
  assert.equal(await trust(slug), 'reviewed');
});

test('an earlier client on two servers is told that its person declined', async () => {
  person = async ({ elicitationId }) => {
    await api.decide(elicitationId, false);
    return { action: 'accept' };
  };
  const { slug, told, failed } = await approve('Retry limits');
  assert.deepEqual([failed, told.code], [true, 'STATE_CONFLICT']);
  assert.equal(await trust(slug), 'proposed');
});

test('an earlier client on two servers whose person turns away is answered the address', async () => {
  person = () => ({ action: 'cancel' });
  const { slug, told } = await approve('Batch limits');
  assert.equal(told.status, 'awaiting_confirmation');
  assert.match(told.confirm_url, /\/confirm\//);
  assert.equal(await trust(slug), 'proposed');
});
