// A morning's queue by keyboard: two hundred notes, edits and drifted topics, each read and decided.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

const counts = { notes: 130, edits: 40, drift: 30 };
const items = counts.notes + counts.edits + counts.drift;
// What a person takes to read one item. The browser's share comes on top of it.
const readingSeconds = 15;
const perHour = 200;

let server, browser, owner, member, decidedBefore;

/** Runs a job for each number from 1 to n, a few at once. */
async function each(n, job) {
  const numbers = Array.from({ length: n }, (_, i) => i + 1);
  const worker = async () => {
    for (let i = numbers.shift(); i !== undefined; i = numbers.shift()) await job(i);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

const words = ['kettle', 'ledger', 'anchor', 'harbour', 'lantern', 'meadow', 'saddle', 'violin', 'walnut', 'zephyr'];
const about = (kind, i) => ({
  title: `${kind} ${i}: the ${words[i % 10]} of the ${words[Math.floor(i / 10) % 10]}`,
  what: `The ${words[(i * 3) % 10]} waits for the ${words[(i * 7) % 10]}, ${i} times.`,
  content: `Number ${i} is about the ${words[(i * 3 + 1) % 10]}.\n\n- It holds.\n- It was tried ${i} times.`,
  anchors: [`${kind.toLowerCase()}/file${i}.go`],
});

before(async () => {
  [server, browser] = await Promise.all([
    startServer({ demo: true, env: { DRIFTLESS_LIMIT_CALLS: '100000', DRIFTLESS_LIMIT_WORKSPACE: '100000' } }),
    startBrowser(),
  ]);
  owner = await signIn(server, server.people.owner);
  member = await signIn(server, server.people.member);
  await each(counts.notes, (i) => member.proposed(about('Note', i)));
  await each(counts.edits, async (i) => {
    const slug = await owner.reviewed(about('Edited', i));
    const { revision } = await member.call('GET', `/topics/${slug}`);
    await member.call('POST', `/topics/${slug}/proposals`, {
      base_revision: revision,
      summary: `Tried once more, number ${i}`,
      content: `${about('Edited', i).content}\n- And once more.`,
    });
  });
  await each(counts.drift, (i) => owner.reviewed(about('Drifted', i)));
  const changes = Array.from({ length: counts.drift }, (_, i) => ({ path: `drifted/file${i + 1}.go`, status: 'D' }));
  await owner.call('POST', '/diff', { changes, mark: true });
  decidedBefore = await decided();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Seconds since a moment of performance.now(). */
const since = (begin) => (performance.now() - begin) / 1000;

test(`${items} items are decided at ${perHour} an hour or more, without a mouse`, async (t) => {
  const person = await browser.person(server);
  const page = await person.open('/w/driftless/review');
  await page.addInitScript(() => {
    window.mouseEvents = 0;
    for (const kind of ['mousedown', 'click', 'pointerdown']) {
      window.addEventListener(kind, (event) => (window.mouseEvents += event.isTrusted && event.detail > 0 ? 1 : 0), true);
    }
  });
  await person.signIn(page, server.people.admin);
  const decision = page.getByRole('region', { name: 'Decision' });
  const dialog = page.getByRole('dialog');
  const rows = page.getByRole('region', { name: 'Review queue' }).getByRole('listitem');
  const current = page.locator('[aria-current=true]').filter({ has: page.locator('span') });
  await decision.getByRole('heading', { level: 2 }).first().waitFor();
  await page.reload(); // the counter of mouse events begins after the sign-in

  /** Decides what the page stands on, and answers how long the page took for it. */
  const decide = async (key, { reason, send = 'Enter' } = {}) => {
    await decision.getByRole('button', { disabled: false }).filter({ hasText: new RegExp(`${key}$`) }).first().waitFor();
    const begin = performance.now();
    const left = (await rows.count()) - 1;
    await page.keyboard.press(key);
    await dialog.waitFor();
    if (reason) await page.keyboard.type(reason);
    else await dialog.locator(':focus').waitFor();
    await page.keyboard.press(send);
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(
      ([list, n]) => document.querySelectorAll(`${list} li`).length <= n,
      ['[aria-label="Review queue"]', left],
    );
    return since(begin);
  };

  const took = [];
  const lane = async (key, n, how) => {
    await page.keyboard.press(key);
    await current.first().waitFor();
    for (let i = 1; i <= n; i++) took.push(await decide(...how(i)));
  };
  const approve = ['a', { send: 'Enter' }];
  await lane('1', counts.notes, (i) => (i % 9 === 0 ? ['x', { reason: 'Known already.', send: 'Control+Enter' }] : approve));
  await lane('2', counts.edits, (i) => (i % 8 === 0 ? ['x', { reason: 'Once is enough.', send: 'Control+Enter' }] : approve));
  await lane('3', counts.drift, (i) => (i % 6 === 0 ? ['x', {}] : ['a', { reason: 'Looked at it.', send: 'Control+Enter' }]));

  const mean = took.reduce((sum, seconds) => sum + seconds, 0) / took.length;
  const rate = 3600 / (readingSeconds + mean);
  t.diagnostic(`${took.length} decisions, ${mean.toFixed(2)} s of the page each: ${rate.toFixed(0)} an hour with ${readingSeconds} s of reading`);
  assert.equal(took.length, items);
  assert.ok(rate >= perHour, `${rate.toFixed(0)} an hour`);
  assert.equal(await page.evaluate(() => window.mouseEvents), 0);

  // Each decision is in the log, under the name of the person who took it.
  assert.equal(await decided(), decidedBefore + items);
  await person.close();
});

const decisions = ['topic.approved', 'topic.rejected', 'edit.merged', 'edit.rejected', 'topic.verified', 'topic.archived'];

/** How many decisions of the admin are in the log. */
async function decided() {
  let n = 0;
  for (let cursor; ; ) {
    const query = new URLSearchParams([...decisions.map((type) => ['types', type]), ['limit', '100'], ...(cursor ? [['cursor', cursor]] : [])]);
    const page = await owner.call('GET', `/events?${query}`);
    n += page.results.filter(({ by }) => by?.email === server.people.admin.email).length;
    if (!page.has_more) return n;
    cursor = page.next_cursor;
  }
}
