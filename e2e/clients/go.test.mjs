// The client of the Go SDK over the life of a deployment: the server restarts, tokens are refreshed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser } from '../lib/browser.mjs';
import { startGoClient } from '../lib/gosdk.mjs';
import { connect, haveApproved, readBeforeYouTouch, writeBack } from '../lib/job.mjs';
import { startServer } from '../lib/server.mjs';

let stage;

before(async () => {
  // The SDK refreshes a token that has less than ten seconds left: with this life it does on every call.
  const server = await startServer({ demo: true, env: { DRIFTLESS_ACCESS_TOKEN_TTL: '5s' } });
  const browser = await startBrowser();
  stage = { server, browser, person: await browser.person(server), owner: server.people.owner };
  stage.client = await startGoClient(`${server.url}/mcp`);
});

after(async () => {
  await stage?.client?.close();
  await stage?.person?.close();
  await stage?.browser?.close();
  await stage?.server?.close();
});

test('Go SDK: it connects through the browser', () => connect(stage));

test('Go SDK: it reads by task and by files', () => readBeforeYouTouch(stage));

test('Go SDK: its note becomes Knowledge', async () => {
  const title = 'Refresh before the deadline';
  const slug = await writeBack(stage, { title, content: 'The Go client refreshes ten seconds before a token ends.' });
  await haveApproved(stage, slug, title);
});

test('Go SDK: tokens are refreshed without a person', async () => {
  const { client } = stage;
  const before = client.tokens.length;
  await client.call('driftless_context_list', {});
  const since = client.tokens.slice(before);
  assert.ok(since.length > 0, 'no token was refreshed');
  for (const { grant, status } of client.tokens.slice(1)) assert.deepEqual([grant, status], ['refresh_token', 200]);
});

test('Go SDK: after a restart of the server the same tokens work', async () => {
  await stage.server.restart();
  const topic = await stage.client.call('driftless_context_get', { topic: 'refresh-before-the-deadline' });
  assert.equal(topic.trust, 'reviewed');
  assert.equal(stage.client.tokens.filter(({ grant }) => grant === 'authorization_code').length, 1, 'nobody signed in again');
});
