// Two people in two browsers: what one does, the other sees.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

// What one does appears in the other's browser within this time, in milliseconds.
const within = 2000;

let server, browser, member, admin, owner;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  member = await signIn(server, server.people.member);
  [admin, owner] = [await opened(server.people.admin), await opened(server.people.owner)];
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** The review queue in a browser of its own, once it listens. */
async function opened(who) {
  const person = await browser.person(server);
  const page = await person.open('/sign-in');
  const listening = page.waitForResponse((answer) => answer.url().includes('/events/stream'));
  await person.signIn(page, who);
  await listening;
  return { person, page, rows: page.getByRole('region', { name: 'Review queue' }).getByRole('listitem') };
}

const row = ({ rows }, title) => rows.filter({ hasText: title });

test('what is proposed and decided appears in the other browser within two seconds', async (t) => {
  const title = 'Two people look at one queue';
  await member.proposed({ title, what: 'Each sees what the other does.' });
  let begin = performance.now();
  await Promise.all([admin, owner].map((person) => row(person, title).waitFor({ timeout: within })));
  t.diagnostic(`proposed: seen after ${(performance.now() - begin).toFixed(0)} ms`);

  await row(admin, title).getByRole('button').click();
  const { page } = admin;
  await page.getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog').locator(':focus').waitFor();
  await page.keyboard.press('Enter');
  await row(admin, title).waitFor({ state: 'detached' });
  begin = performance.now();
  await row(owner, title).waitFor({ state: 'detached', timeout: within });
  t.diagnostic(`decided: seen after ${(performance.now() - begin).toFixed(0)} ms`);
});

test('a text that changes while it is looked at is not approved as another one', async () => {
  const title = 'The text on the screen is the text';
  const slug = await member.proposed({ title, what: 'First words.', content: 'First words.' });
  await row(admin, title).waitFor();
  await row(admin, title).getByRole('button').click();
  const { page, person } = admin;
  await page.getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Approve as Knowledge' });
  await dialog.getByText('First words.').first().waitFor();
  const seen = page.waitForResponse((answer) => answer.url().includes(`/topics/${slug}?`));
  const { revision } = await member.call('GET', `/topics/${slug}`);
  await member.call('PATCH', `/topics/${slug}`, { content: 'Second words.', base_revision: revision, summary: 'Changed my mind' });
  await seen;
  assert.equal(await dialog.getByText('Second words.').count(), 0);
  person.expectRefusal(`/api/v1/workspaces/driftless/topics/${slug}/approve`);
  await page.keyboard.press('Enter');
  await dialog.getByText('The text changed since it was shown.').waitFor();
  assert.equal((await member.call('GET', `/topics/${slug}?view=full`)).trust, 'proposed');
  await page.keyboard.press('Escape');
  await page.getByText('Second words.').first().waitFor();
});

test('a stream that breaks catches up without loss', async () => {
  const { page, person } = owner;
  const title = 'Proposed while the wire was cut';
  // The server goes away and comes back; what happens before the browser is back is heard of all the same.
  for (const each of [person, admin.person]) each.expectRefusal('/api/v1/');
  const listening = page.waitForResponse((answer) => answer.url().includes('/events/stream') && answer.ok());
  await server.restart();
  await member.proposed({ title, what: 'Nobody heard of it.' });
  await listening;
  await row(owner, title).waitFor({ timeout: within });
});

test('the people close their browsers and nothing was complained about', async () => {
  await admin.person.close();
  await owner.person.close();
});
