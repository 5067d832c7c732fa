// The whole main job: a client of the Go SDK, a person in a real browser, the demo content.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startBrowser } from '../lib/browser.mjs';
import { startGoClient } from '../lib/gosdk.mjs';
import { connect, haveApproved, readBeforeYouTouch, writeBack } from '../lib/job.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

/** Instructions and decisions of an imaginary project; DRIFTLESS_IMPORT_DIR names a folder of a real one instead. */
const fixtures = fileURLToPath(new URL('../fixtures/import/', import.meta.url));

let stage;

before(async () => {
  const server = await startServer({ demo: true });
  const browser = await startBrowser();
  stage = { server, browser, person: await browser.person(server), owner: server.people.owner, shot: 'go' };
  stage.client = await startGoClient(`${server.url}/mcp`);
});

after(async () => {
  await stage?.client?.close();
  await stage?.browser?.close();
  await stage?.server?.close();
});

test('a client connects through sign-in and consent in the browser', async () => {
  const { protocol } = await connect(stage);
  assert.match(protocol, /^\d{4}-\d{2}-\d{2}$/);
});

test('it reads what is known about a task and about files, with the reasons', async () => {
  await readBeforeYouTouch(stage);
});

test('its note becomes Knowledge by an act of a person, and it reads it as reviewed', async () => {
  const title = 'Transactions carry the workspace';
  const slug = await writeBack(stage, {
    title,
    content: 'Every transaction sets the workspace before its first statement; without it row-level security shows no row.',
    anchors: ['internal/pg/tx.go'],
  });
  await haveApproved(stage, slug, title);
  const found = await stage.client.call('driftless_context_retrieve', { task: title, files: ['internal/pg/tx.go'] });
  const hit = found.results.find((topic) => topic.slug === slug);
  assert.ok(hit, 'the new Knowledge is found at once');
  assert.equal(hit.trust, 'reviewed');
});

test('a second note is approved on the Review page by keyboard alone', async () => {
  const { person, server, client } = stage;
  const title = 'Pools are per process';
  const slug = await writeBack(stage, { title, content: 'One pool of connections serves all workspaces of a process.' });
  const page = await person.open(`/w/driftless/review?item=${slug}`);
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByRole('button', { name: new RegExp(title) }).first().waitFor();
  await person.screenshot(page, 'job-review');
  await page.getByText('One pool of connections').first().waitFor();
  await page.getByRole('button', { name: 'Approve', exact: false }).and(page.locator(':enabled')).first().waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog').getByText('character for character').waitFor();
  await person.screenshot(page, 'job-review-approve');
  await page.keyboard.press('Enter');
  await page.getByText(`“${title}” is Knowledge now.`).waitFor();
  assert.equal((await client.call('driftless_context_get', { topic: slug })).trust, 'reviewed');
  assert.ok(page.url().startsWith(server.url));
});

test('what a folder of another project says is found by task and by files once it is imported', async () => {
  const folder = process.env.DRIFTLESS_IMPORT_DIR || fixtures;
  const { server, client, owner } = stage;
  const api = await signIn(server, owner);
  const before = new Set((await everyDraft(api)).map(({ slug }) => slug));
  const { secret } = await api.call('POST', '/keys', { name: 'Import', kind: 'personal', scopes: ['context:read', 'topics:create', 'topics:write', 'work:write'] });
  server.run(['import', '.'], {
    cwd: folder,
    env: { DRIFTLESS_URL: server.url, DRIFTLESS_API_KEY: secret, DRIFTLESS_WORKSPACE: api.workspace },
  });
  const imported = (await everyDraft(api)).filter(({ slug }) => !before.has(slug));
  assert.ok(imported.length > 0, 'nothing was imported');
  let asked = 0;
  for (const { slug, title } of imported) {
    const { anchors = [] } = await api.call('GET', `/topics/${slug}?view=full`);
    const file = anchors.map(fileUnder).find(Boolean);
    if (!file) continue;
    const byTask = await client.call('driftless_context_retrieve', { task: title, limit: 25 });
    assert.ok(byTask.results.some((topic) => topic.slug === slug), `${slug} is not found by its title`);
    await readBeforeYouTouch(stage, { task: title, files: [file] });
    if (++asked === 5) break;
  }
  assert.ok(asked > 0, 'nothing that was imported names a file');
});

test('no page complained', () => stage.person.assertQuiet());

/** A path that the anchor matches, for the anchors that are simple enough to tell. */
function fileUnder(anchor) {
  const path = anchor
    .replace(/#.*$/, '')
    .replaceAll('**', 'some/where')
    .replaceAll('*', 'thing')
    .replace(/\{([^,{}]+),[^{}]*\}/g, '$1');
  return /^[\w.][\w./-]*$/.test(path) ? path : undefined;
}

async function everyDraft(api) {
  const all = [];
  for (let cursor; ; ) {
    const page = await api.call('GET', `/topics?status=draft&limit=200${cursor ? `&cursor=${cursor}` : ''}`);
    all.push(...page.results);
    if (!page.has_more) return all;
    cursor = encodeURIComponent(page.next_cursor);
  }
}
