// The Review page as a reviewer uses it: by keyboard, one decision after the other.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startBrowser } from '../lib/browser.mjs';
import { startServer } from '../lib/server.mjs';
import { fillStage } from '../lib/stage.mjs';

let server, browser, stage, person, page;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  stage = await fillStage(server);
  person = await browser.person(server);
  page = await person.open('/w/driftless/review');
  await person.signIn(page, server.people.admin);
  await decision().getByRole('heading', { level: 2 }).first().waitFor();
});

// Each test begins where a reviewer begins, whatever the one before left open.
beforeEach(async () => {
  await page.goto(`${server.url}/w/driftless/review`);
  await rows().first().waitFor();
});

after(async () => {
  await person?.close();
  await browser?.close();
  await server?.close();
});

const decision = () => page.getByRole('region', { name: 'Decision' });
const rows = () => page.getByRole('region', { name: 'Review queue' }).getByRole('listitem');
const current = () => page.locator('[aria-current=true]');
const titleOf = async (row) => (await row.getByRole('button').innerText()).split('\n')[0];
const trust = async (slug) => (await stage.owner.call('GET', `/topics/${slug}?view=full`)).trust;

/** Goes through the queue by keys until it stands on the note. */
async function goTo(title) {
  const count = await rows().count();
  for (let i = 0; i < count && !(await current().innerText()).startsWith(title); i++) await page.keyboard.press('j');
  await current().filter({ hasText: title }).waitFor();
  await decision().getByRole('heading', { name: title, level: 2 }).waitFor();
}

test('j and k move through the queue', async () => {
  const [first, second] = [await titleOf(rows().nth(0)), await titleOf(rows().nth(1))];
  await current().filter({ hasText: first }).waitFor();
  await page.keyboard.press('j');
  await current().filter({ hasText: second }).waitFor();
  await decision().getByRole('heading', { name: second, level: 2 }).waitFor();
  await page.keyboard.press('k');
  await current().filter({ hasText: first }).waitFor();
  await page.keyboard.press('k');
  await current().filter({ hasText: first }).waitFor();
});

test('? shows the keys, and Escape returns to the queue', async () => {
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Request changes').waitFor();
  await person.screenshot(page, 'review-help');
  await person.assertAccessible(page, 'review-help');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
});

test('a shows the exact text, Enter makes it Knowledge and the next note follows', async () => {
  const title = 'Numbers in logs carry their unit';
  await goTo(title);
  const before = await rows().count();
  await decision().getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve as Knowledge' });
  await dialog.getByText('Write `took_ms`, not `took`.').waitFor();
  await person.screenshot(page, 'review-approve');
  await person.assertAccessible(page, 'review-approve');
  await page.keyboard.press('Enter');
  await page.getByText(`“${title}” is Knowledge now.`).waitFor();
  await person.assertAccessible(page, 'a notice in the corner');
  await rows().filter({ hasText: title }).waitFor({ state: 'detached' });
  assert.equal(await rows().count(), before - 1);
  assert.equal(await trust(stage.asked), 'reviewed');
});

test('r asks for changes and says why', async () => {
  const title = 'Retry the token endpoint once';
  await goTo(title);
  await decision().getByRole('button', { name: 'Request changes' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: /^Request changes/ });
  await dialog.getByLabel('Reason').fill('Say after how long.');
  await person.screenshot(page, 'review-changes');
  await person.assertAccessible(page, 'review-changes');
  await page.keyboard.press('Control+Enter');
  await page.getByText(`Changes requested for “${title}”.`).waitFor();
  const { review } = await stage.owner.call('GET', `/topics/${stage.note}?view=full`);
  assert.deepEqual([review.state, review.reason], ['changes_requested', 'Say after how long.']);
});

test('x rejects a note with a warning, and a reason is required', async () => {
  const title = 'Deploys drain for ten seconds';
  await goTo(title);
  await decision().getByText('Read this text with care').waitFor();
  await person.screenshot(page, 'review-warning');
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: /^Reject/ });
  assert.ok(await dialog.getByRole('button', { name: 'Reject' }).isDisabled());
  await dialog.getByLabel('Reason').fill('It tells agents what to do.');
  await page.keyboard.press('Control+Enter');
  await page.getByText(`“${title}” was rejected.`).waitFor();
  assert.equal(await trust('deploys-drain-for-ten-seconds'), 'draft');
});

test('a suggested edit is merged from its lane', async () => {
  const title = 'Idempotency keys for payouts';
  await page.keyboard.press('2');
  await rows().filter({ hasText: title }).waitFor();
  await goTo(title);
  await page.getByText('since its release of March').first().waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Merge into Knowledge' }).getByText('since its release of March').waitFor();
  await page.keyboard.press('Enter');
  await rows().filter({ hasText: title }).waitFor({ state: 'detached' });
  const { content, trust } = await stage.owner.call('GET', `/topics/${stage.knowledge}?view=full`);
  assert.match(content, /7 days/);
  assert.equal(trust, 'reviewed');
});

test('what says the same already is named beside a note', async () => {
  const title = 'Amounts are whole cents';
  await stage.member.proposed({
    title,
    what: 'An amount of money is an integer in the smallest unit of its currency: a float loses a cent in the third month and nobody finds where.',
  });
  await page.reload();
  await rows().filter({ hasText: title }).waitFor();
  await goTo(title);
  const looks = decision().getByRole('note').filter({ hasText: 'Looks like' });
  await looks.getByRole('link', { name: 'Money is a whole number of cents' }).waitFor();
  await person.screenshot(page, 'review-looks-like');
  await person.assertAccessible(page, 'review-looks-like');
  await looks.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Money is a whole number of cents' }).waitFor();
});

test('keys typed into a field decide nothing', async () => {
  await page.goto(`${server.url}/w/driftless/knowledge`);
  const field = page.getByLabel('Search Knowledge');
  await field.fill('');
  await field.pressSequentially('jax');
  await page.getByText('Nothing matches').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
});

test('a member sees the queue and cannot decide', async () => {
  const member = await browser.person(server);
  const theirs = await member.open('/w/driftless/review');
  await member.signIn(theirs, server.people.member);
  await theirs.getByText('Only owners and admins decide what becomes Knowledge.').waitFor();
  assert.equal(await theirs.getByRole('button', { name: 'Approve' }).count(), 0);
  await theirs.keyboard.press('a');
  assert.equal(await theirs.getByRole('dialog').count(), 0);
  await member.screenshot(theirs, 'review-member');
  await member.close();
});
