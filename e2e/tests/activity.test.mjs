// Activity: what happened, filtered by kind and topic, as it happens, and the check of the log.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function opened(who, { look, search = '' } = {}) {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless/activity${search}`);
  await person.signIn(page, who);
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
  await page.getByRole('listitem').first().waitFor();
  return { person, page };
}

const row = (page, text) => page.getByRole('listitem').filter({ hasText: text });

for (const look of looks) {
  test(`what happened shows, and is accessible: ${look.name}`, async () => {
    const { person, page } = await opened(server.people.owner, { look });
    await person.screenshot(page, 'activity');
    await person.assertAccessible(page, 'activity');
    await page.getByRole('button', { name: 'Check the log' }).click();
    await page.getByText('and nothing is missing').waitFor();
    await person.screenshot(page, 'activity-check');
    await person.assertAccessible(page, 'activity-check');
    await person.close();
  });
}

test('events are filtered by kind and by topic, in the address too', async () => {
  const slug = await owner.reviewed({ title: 'Filtering of events', what: 'One sentence.' });
  const { person, page } = await opened(server.people.owner);
  await page.getByRole('combobox', { name: 'Topic' }).fill('filtering of ev');
  await page.getByRole('option', { name: slug }).click();
  // Written, proposed, approved, and nothing of other topics.
  await page.waitForFunction(() => document.querySelectorAll('main ol > li').length === 3);
  await row(page, `proposed ${slug}`).waitFor();
  await page.getByRole('combobox', { name: 'Kinds of events' }).fill('approved');
  await page.getByRole('option', { name: 'approved', exact: true }).click();
  await row(page, `proposed ${slug}`).waitFor({ state: 'detached' });
  await row(page, `approved ${slug}`).waitFor();
  assert.match(page.url(), /topic\.approved/);
  await page.reload();
  await row(page, `approved ${slug}`).waitFor();
  await person.close();
});

test('what happens appears while somebody looks', async () => {
  const { person, page } = await opened(server.people.owner);
  const slug = await owner.proposed({ title: 'Seen as it happens', what: 'One sentence.' });
  // Sooner than a page that only looks now and then.
  await row(page, `proposed ${slug}`).waitFor({ timeout: 5_000 });
  await person.close();
});

test('where there is no stream, the page looks again by itself', async () => {
  const person = await browser.person(server);
  const page = await person.open('/w/driftless/activity');
  person.expectRefusal('/api/v1/workspaces/driftless/events/stream');
  await page.route('**/events/stream?*', (route) => route.fulfill({ status: 404 }));
  await person.signIn(page, server.people.owner);
  await page.getByRole('listitem').first().waitFor();
  const slug = await owner.proposed({ title: 'Seen a little later', what: 'One sentence.' });
  await row(page, `proposed ${slug}`).waitFor();
  await person.close();
});

test('a member reads what happened and is not offered the check', async () => {
  const { person, page } = await opened(server.people.member);
  assert.equal(await page.getByRole('button', { name: 'Check the log' }).count(), 0);
  await person.close();
});
