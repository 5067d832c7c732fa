// The whole job with the TypeScript SDK 2, then a restart of the server and a refresh.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser } from '../lib/browser.mjs';
import { connect, haveApproved, readBeforeYouTouch, writeBack } from '../lib/job.mjs';
import { startServer } from '../lib/server.mjs';
import { startTypeScriptClient } from '../lib/tssdk.mjs';

let stage;

before(async () => {
  const server = await startServer({ demo: true });
  const browser = await startBrowser();
  stage = { server, browser, person: await browser.person(server), owner: server.people.owner, shot: 'typescript' };
  stage.client = await startTypeScriptClient(`${server.url}/mcp`);
});

after(async () => {
  await stage?.client?.close();
  await stage?.person?.close();
  await stage?.browser?.close();
  await stage?.server?.close();
});

test('TypeScript SDK: it connects through the browser', () => connect(stage));

test('TypeScript SDK: it reads by task and by files', () => readBeforeYouTouch(stage));

test('TypeScript SDK: its note becomes Knowledge', async () => {
  const title = 'Consent is per workspace';
  const slug = await writeBack(stage, { title, content: 'A client enters the workspaces that were ticked, and no other.' });
  await haveApproved(stage, slug, title);
});

test('TypeScript SDK: after a restart of the server the same tokens work', async () => {
  const { client, server } = stage;
  const before = client.tokens.length;
  await server.restart();
  const topic = await client.call('driftless_context_get', { topic: 'consent-is-per-workspace' });
  assert.equal(topic.trust, 'reviewed');
  assert.equal(client.tokens.length, before, 'no token was needed');
});

test('TypeScript SDK: an access token that ended is refreshed without a person', async () => {
  const { client } = stage;
  client.spoilAccessToken();
  await client.call('driftless_context_list', {});
  assert.deepEqual(client.tokens.at(-1), { grant: 'refresh_token', status: 200 });
  client.spoilAccessToken();
  await client.call('driftless_context_list', {});
  assert.equal(client.tokens.length, 3, 'one sign-in, two refreshes');
});
