// The queue's third lane, what is decided together, and what of it is shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner, admin, storageState;
const gone = [];

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  await owner.call('POST', '/areas', { name: 'kettles', description: 'Hot water', reviewers: [server.people.admin.email] });
  for (const n of [1, 2, 3, 4]) {
    const anchors = [`kettle/boil${n}.go`];
    gone.push(await owner.reviewed({ title: `Kettle ${n} boils at ninety`, what: 'Green tea burns above.', anchors, area: 'kettles' }));
  }
  const changes = gone.map((_, i) => ({ path: `kettle/boil${i + 1}.go`, status: 'D' }));
  await owner.call('POST', '/diff', { changes, mark: true });
  for (const n of [1, 2, 3, 4, 5]) {
    await owner.proposed({ title: `Filter ${n} is rinsed first`, what: 'Paper tastes of paper.', content: `Rinse filter ${n}.`, area: 'kettles' });
  }
  await owner.proposed({ title: 'Cups are warmed', what: 'A cold cup takes the heat.', content: 'Warm the cup.' });
  admin = await browser.person(server);
  const page = await admin.open('/sign-in');
  await admin.signIn(page, server.people.admin);
  await page.getByRole('region', { name: 'Decision' }).getByRole('heading', { level: 2 }).first().waitFor();
  storageState = await admin.storageState();
  await admin.close();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens the queue as the admin. */
async function opened(search = '', look) {
  const person = await browser.person(server, { look, storageState });
  const page = await person.open(`/w/driftless/review${search}`);
  const list = page.getByRole('region', { name: 'Review queue' });
  // On a phone the list steps back behind what is decided.
  await page.locator('[aria-label="Review queue"] li').first().waitFor({ state: 'attached' });
  return { person, page, list, decision: page.getByRole('region', { name: 'Decision' }) };
}

const state = (slug) => owner.call('GET', `/topics/${slug}?view=full`);

for (const look of looks) {
  test(`what drifted shows with its evidence: ${look.name}`, async () => {
    const { person, page, list, decision } = await opened(`?lane=drift&item=drift:${gone[3]}`, look);
    await decision.getByText('kettle/boil4.go').first().waitFor();
    await person.screenshot(page, 'review-drift');
    await person.assertAccessible(page, 'review-drift');
    if (look.size === 'phone') {
      await page.getByRole('button', { name: 'Back to the queue' }).click();
      await list.getByRole('listitem').first().waitFor();
      await person.screenshot(page, 'review-drift-list');
    }
    await person.close();
  });
}

test('Knowledge that still holds is verified by keys alone, and what does not is archived', async () => {
  const { person, page, list, decision } = await opened();
  await page.keyboard.press('3');
  await list.getByRole('listitem').filter({ hasText: 'Kettle' }).nth(3).waitFor();
  await decision.getByText('kettle/boil1.go').first().waitFor();
  await page.keyboard.press('a');
  const verify = page.getByRole('dialog', { name: 'Verify “Kettle 1 boils at ninety”' });
  await verify.getByLabel('What you looked at').fill('The file moved into the firmware.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('“Kettle 1 boils at ninety” still holds, you said.').waitFor();
  assert.equal((await state(gone[0])).stale, false);

  await decision.getByText('kettle/boil2.go').first().waitFor();
  await page.keyboard.press('x');
  await page.getByRole('dialog', { name: 'Archive “Kettle 2 boils at ninety”?' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('“Kettle 2 boils at ninety” is archived.').waitFor();
  assert.equal((await state(gone[1])).status, 'archived');
  await person.close();
});

test('several notes are approved in one go, each with its text shown and an event of its own', async () => {
  const { person, page, list, decision } = await opened('?area=kettles');
  const row = (n) => list.getByRole('listitem').filter({ hasText: `Filter ${n} is rinsed first` });
  await row(5).waitFor();
  await decision.getByRole('heading', { name: 'Filter 1 is rinsed first' }).waitFor();
  await page.keyboard.press('s');
  await page.keyboard.press('j');
  await page.keyboard.press('s');
  await list.getByText('2 picked').waitFor();
  await person.screenshot(page, 'review-picked');
  await person.assertAccessible(page, 'review-picked');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve 2 texts' });
  await dialog.getByText('Rinse filter 1.').waitFor();
  await dialog.getByText('Rinse filter 2.').waitFor();
  await person.screenshot(page, 'review-together');
  await person.assertAccessible(page, 'review-together');
  await dialog.getByRole('button', { name: 'Approve 2 texts' }).and(page.locator(':enabled:focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 decided.').waitFor();
  await row(1).waitFor({ state: 'detached' });
  const { results } = await owner.call('GET', '/events?types=topic.approved&limit=2');
  assert.deepEqual(results.map(({ topic }) => topic).sort(), ['filter-1-is-rinsed-first', 'filter-2-is-rinsed-first']);
  await person.close();
});

test('several are rejected with one reason, and one that changed meanwhile stays with what went wrong', async () => {
  const { person, page, list } = await opened('?area=kettles');
  const row = (n) => list.getByRole('listitem').filter({ hasText: `Filter ${n} is rinsed first` });
  person.expectRefusal('/api/v1/workspaces/driftless/topics/filter-4-is-rinsed-first/reject');
  for (const n of [3, 4]) {
    await row(n).hover();
    await row(n).getByRole('checkbox').check();
  }
  await list.getByRole('group', { name: '2 picked' }).getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject 2' });
  await dialog.getByLabel('Reason').fill('Rinsing is in the manual.');
  // Its author takes one back before the reviewer sends.
  await page.route('**/topics/filter-4-is-rinsed-first/reject', async (route) => {
    await owner.call('POST', '/topics/filter-4-is-rinsed-first/withdraw', {});
    await route.continue();
  });
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 decided.').waitFor();
  await dialog.getByRole('heading', { name: 'Filter 4 is rinsed first' }).waitFor();
  await dialog.getByRole('alert').waitFor();
  await person.screenshot(page, 'review-together-failed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const { results } = await owner.call('GET', '/events?topic=filter-3-is-rinsed-first&types=topic.rejected');
  assert.deepEqual(results.map(({ detail }) => detail.reason), ['Rinsing is in the manual.']);
  assert.equal((await state('filter-4-is-rinsed-first')).status, 'draft');
  await person.close();
});

test('the queue is narrowed to an area, and to what is asked of me', async () => {
  const { person, page, list } = await opened();
  const cups = list.getByRole('listitem').filter({ hasText: 'Cups are warmed' });
  const filter = list.getByRole('listitem').filter({ hasText: 'Filter 5 is rinsed first' });
  await cups.waitFor();
  await list.getByLabel('Asked of me').check();
  await cups.waitFor({ state: 'detached' });
  await filter.waitFor();
  assert.match(page.url(), /mine=true/);
  await list.getByLabel('Asked of me').uncheck();
  await cups.waitFor();
  await list.getByPlaceholder('All areas').click();
  await page.getByRole('option', { name: 'kettles' }).click();
  await cups.waitFor({ state: 'detached' });
  await page.reload();
  await filter.waitFor();
  assert.equal(await cups.count(), 0);
  await person.close();
});

test('the third lane and several at once speak Spanish', async () => {
  const { person, page } = await opened('?lane=drift');
  await page.evaluate(() => localStorage.setItem('driftless-language', 'es'));
  await page.reload();
  await page.getByText('Qué cambió').waitFor();
  await page.keyboard.press('s');
  await page.getByText('1 elegido').waitFor();
  await person.screenshot(page, 'review-drift-es');
  await person.close();
});
