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

test('TypeScript SDK: every answer matches the schema of its tool', async () => {
  // The SDK validates structured content and refuses what does not match.
  const { client } = stage;
  const topic = 'consent-is-per-workspace';
  for (const [tool, args] of [
    ['driftless_workspaces', {}],
    ['driftless_context_search', { query: 'workspace' }],
    ['driftless_context_list', { limit: 5 }],
    ['driftless_context_get', { topic, view: 'summary' }],
    ['driftless_context_get', { topic, format: 'markdown' }],
    ['driftless_context_relations', { topic }],
    ['driftless_context_history', { topic }],
    ['driftless_context_events', { topic }],
    ['driftless_context_proposals', { kind: 'all' }],
    ['driftless_tags', { action: 'list' }],
    ['driftless_areas', { action: 'list' }],
    ['driftless_context_retrieve', { task: 'zebra crossing', explain: true }],
    ['driftless_context_create', { title: 'Validated answers', content: 'Answers match their schemas.', status: 'draft' }],
    ['driftless_context_update', { topic: 'validated-answers', append_gotchas: ['Also for lists.'], summary: 'One more' }],
    ['driftless_context_create_proposal', { topic, summary: 'One decision more', fields: { append_decisions: ['Ask.'] } }],
    ['driftless_context_archive', { topic: 'validated-answers' }],
    ['driftless_context_delete', { topic: 'validated-answers' }],
  ]) {
    await client.call(tool, args);
  }
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
