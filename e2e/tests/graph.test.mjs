// Graph: the whole workspace and what lies around a topic, for the eye and as a list; and 2,000 topics that do not stop the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner;

/** How long the page may be held at once, in milliseconds. */
const limit = 200;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  const old = await owner.reviewed({ title: 'The old queue', what: 'How messages were kept.' });
  await owner.reviewed({ title: 'The new queue', what: 'How messages are kept.', rels: [{ type: 'supersedes', to: old }] });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function opened(look = looks[0], search = '') {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless/graph${search}`);
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Graph', level: 1 }).waitFor();
  await drawn(page);
  return { person, page };
}

const drawn = (page) => page.waitForFunction(() => document.querySelector('[role=img] canvas') && !document.querySelector('[aria-busy=true]'), null, { timeout: 60_000 });
/** How long the page's main thread worked without a break at most while something was done, in milliseconds of its own time. */
async function longestTask(page, act) {
  const chromium = page.context().browser();
  await chromium.startTracing(page, { categories: ['toplevel'] });
  await act();
  const { traceEvents } = JSON.parse(await chromium.stopTracing());
  const main = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, tdur, pid, tid }) => name.endsWith('RunTask') && tdur > 0 && main.some((one) => one.pid === pid && one.tid === tid),
  );
  assert.ok(tasks.length > 0, 'the trace has no tasks');
  return Math.round(Math.max(...tasks.map(({ tdur }) => tdur)) / 1000);
}

const list = (page) => page.getByRole('complementary', { name: 'Topics in the picture' });
const topic = (page, name) => list(page).getByRole('button', { name: new RegExp(name) }).first();

for (const look of looks) {
  test(`the graph shows, and is accessible: ${look.name}`, async () => {
    const { person, page } = await opened(look);
    await page.getByLabel('Find in the graph').fill('queue');
    await topic(page, 'The new queue').click();
    await page.getByLabel('Find in the graph').fill('');
    await page.getByText(/\d\d+ topics · \d+ edges/).waitFor();
    await page.getByRole('region', { name: 'The new queue' }).waitFor();
    await person.screenshot(page, 'graph');
    await person.assertAccessible(page, 'graph');
    await person.close();
  });
}

test('topics are found, filtered and followed with the keyboard', async () => {
  const { person, page } = await opened();
  await page.getByLabel('Find in the graph').fill('queue');
  await page.getByText(/^2 topics · 1 edge/).waitFor();
  await topic(page, 'The old queue').focus();
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'The old queue' });
  await card.getByText('superseded', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'The new queue' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'The new queue' }).waitFor();
  await page.getByLabel('Find in the graph').fill('');
  await page.getByRole('checkbox', { name: 'Drifted or superseded' }).focus();
  await page.keyboard.press('Space');
  await topic(page, 'The old queue').waitFor();
  assert.equal(await list(page).getByRole('button', { name: /The new queue/ }).count(), 0);
  await person.close();
});

test('a topic is put in the middle, and the picture zooms', async () => {
  const { person, page } = await opened();
  await page.getByLabel('Find in the graph').fill('queue');
  await topic(page, 'The new queue').click();
  await page.getByLabel('Find in the graph').fill('');
  await page.getByRole('link', { name: 'Around it' }).click();
  await page.waitForURL(/topic=the-new-queue/);
  await page.getByText(/^2 topics/).waitFor();
  await drawn(page);
  await page.getByLabel('How far around the topic').selectOption('1');
  await page.waitForURL(/depth=1/);
  await drawn(page);
  for (const name of ['Zoom in', 'Zoom out', 'Show all of it']) await page.getByRole('button', { name }).click();
  await page.getByRole('region', { name: 'The new queue' }).getByRole('link', { name: 'Open', exact: true }).click();
  await page.waitForURL(/\/t\/the-new-queue/);
  await person.close();
});

test('the graph speaks Spanish', async () => {
  const { person, page } = await opened();
  await page.evaluate(() => localStorage.setItem('driftless-language', 'es'));
  await page.reload();
  await page.getByRole('heading', { name: 'Grafo', level: 1 }).waitFor();
  await page.getByText('depende de').first().waitFor();
  await drawn(page);
  await person.screenshot(page, 'graph-es');
  await person.close();
});

test('2,000 topics are drawn, found and marked without holding the page for long', async () => {
  const areas = ['Ledger', 'Payouts', 'Sign-in', 'Search'];
  for (const name of areas) await owner.call('POST', '/areas', { name });
  const drafts = Array.from({ length: 2000 }, (_, i) => ({
    key: `k${i}`,
    slug: `seed-${i}`,
    title: `Seeded topic ${i}`,
    what: 'One of many.',
    content: i > 0 ? `See [[seed-${Math.floor(i / 3)}]].` : 'The first.',
    area: areas[i % areas.length],
  }));
  for (let i = 0; i < drafts.length; i += 100) {
    const part = drafts.slice(i, i + 100);
    const links = part.filter(({ key }) => key !== 'k0' && Number(key.slice(1)) % 2 === 0).map(({ key, slug }) => ({
      key,
      relations: [{ to: `seed-${Math.floor(Number(slug.slice(5)) / 2)}`, type: 'depends_on' }],
    }));
    await owner.call('POST', '/imports', { origin: 'seed', drafts: part, links });
  }
  const { person, page } = await opened();
  let best = Infinity;
  for (let run = 0; run < 3 && best > limit; run++) {
    const longest = await longestTask(page, async () => {
      await page.reload();
      await drawn(page);
      await page.getByText(/^2,?000 topics/).waitFor();
      await page.getByLabel('Find in the graph').fill('topic 19');
      await page.getByText(/^\d{2,3} topics/).waitFor();
      await topic(page, 'Seeded topic 19').click();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await page.getByRole('button', { name: 'Show all of it' }).click();
    });
    console.log(`the longest task took ${longest} ms`);
    best = Math.min(best, longest);
  }
  await person.screenshot(page, 'graph-2000');
  assert.ok(best <= limit, `the page was held for ${best} ms`);
  await person.close();
});
