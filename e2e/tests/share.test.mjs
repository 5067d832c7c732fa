// Sharing: Knowledge as a page on the web, topics sent to members, and the inbox that they land in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner, member, known;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  [owner, member] = await Promise.all([signIn(server, server.people.owner), signIn(server, server.people.member)]);
  known = await owner.reviewed({ title: 'How deploys are rolled back', what: 'Who may, and which command does it.' });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** A page as this person sees it. */
async function opened(who, at, look) {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless${at}`);
  await person.signIn(page, who);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { person, page };
}

const nameOf = async (email) =>
  (await owner.call('GET', '/members')).results.find((m) => m.person.email === email).person.name;

async function choose(page, name) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Send to').fill(name);
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
}

for (const look of looks) {
  test(`sharing and the inbox show, and are accessible: ${look.name}`, async () => {
    const slug = await owner.reviewed({ title: `Sharing as seen on ${look.name}`, what: 'One sentence.' });
    await owner.call('POST', `/topics/${slug}/share`, { to_web: true, expires_at: '2099-01-01T12:00:00Z' });
    await member.call('POST', `/topics/${known}/share`, { with_members: [server.people.owner.email] });
    const { person, page } = await opened(server.people.owner, `/t/${slug}`, look);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByLabel('Address of the page', { exact: true }).waitFor();
    await person.screenshot(page, 'share');
    await person.assertAccessible(page, 'share');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('navigation').getByRole('link', { name: /^Inbox/ }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.getByRole('link', { name: /How deploys are rolled back/ }).first().waitFor();
    await person.screenshot(page, 'inbox');
    await person.assertAccessible(page, 'inbox');
    await person.close();
  });
}

test('Knowledge is opened to the web, its end changed, and taken back', async () => {
  const { person, page } = await opened(server.people.owner, `/t/${known}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Share/ });
  await dialog.getByRole('button', { name: 'Make the page' }).click();
  const address = await dialog.getByLabel('Address of the page', { exact: true }).textContent();
  const markdown = await dialog.getByLabel('Address of its Markdown', { exact: true }).textContent();
  await dialog.getByText('until it is taken back').waitFor();
  assert.equal((await fetch(address)).status, 200);
  assert.match(await (await fetch(markdown)).text(), /How deploys are rolled back/);
  await dialog.getByLabel('Last day').fill('2099-03-05');
  await dialog.getByRole('button', { name: 'Change the end' }).click();
  await dialog.getByText('It can be read until March 5, 2099.').waitFor();
  assert.match((await owner.call('GET', `/topics/${known}/share`)).expires_at, /^2099-03-0[56]/);
  assert.equal(await dialog.getByLabel('Address of the page', { exact: true }).textContent(), address);
  await dialog.getByRole('button', { name: 'Take the page back' }).click();
  const asked = page.getByRole('dialog', { name: 'Take the page back' });
  await asked.getByText('for good').waitFor();
  await asked.getByRole('button', { name: 'Take the page back' }).click();
  await dialog.getByRole('button', { name: 'Make the page' }).waitFor();
  assert.equal((await fetch(address)).status, 404);
  await person.close();
});

test('a private draft is sent by name, is read from the inbox, and taken back', async () => {
  const { slug } = await owner.call('POST', '/notes', { content: 'The staging queue drops messages above 256 KB.' });
  const { person, page } = await opened(server.people.owner, `/t/${slug}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Only Knowledge is opened to the web').waitFor();
  const name = await nameOf(server.people.member.email);
  await choose(page, name);
  await dialog.getByRole('listitem').filter({ hasText: server.people.member.email }).waitFor();

  const { person: other, page: theirs } = await opened(server.people.member, '/inbox');
  const link = theirs.getByRole('link', { name: /^Not read: .*staging queue/ });
  await theirs.getByRole('navigation').getByText('1 not read').waitFor({ state: 'attached' });
  await link.click();
  await theirs.getByText('256 KB').first().waitFor();
  await theirs.getByRole('navigation').getByText(/not read/).waitFor({ state: 'detached' });
  await theirs.goBack();
  await theirs.getByRole('button', { name: /^Mark as not read: / }).waitFor();

  await dialog.getByRole('button', { name: `Take it back from ${name}` }).click();
  await dialog.getByRole('listitem').filter({ hasText: server.people.member.email }).waitFor({ state: 'detached' });
  await theirs.reload();
  await theirs.getByText('Nothing has come yet').waitFor();
  await person.close();
  await other.close();
});

test('an item is kept as not read, and only those are shown', async () => {
  await owner.call('POST', `/topics/${known}/share`, { with_members: [server.people.member.email] });
  const { person, page } = await opened(server.people.member, '/inbox?unread=true');
  await page.getByRole('button', { name: /^Mark as read: How deploys/ }).click();
  await page.getByText('Everything is read').waitFor();
  await page.getByText('All', { exact: true }).click();
  await page.getByRole('button', { name: /^Mark as not read: How deploys/ }).click();
  await page.getByRole('button', { name: /^Mark as read: How deploys/ }).waitFor();
  assert.equal((await member.call('GET', '/inbox?unread=true')).shown, 1);
  await person.close();
});

test('a kind of item that the console does not know is shown in plain words', async () => {
  const person = await browser.person(server);
  const page = await person.open('/sign-in');
  await person.signIn(page, server.people.member);
  await page.getByRole('navigation').first().waitFor();
  await page.route('**/inbox?*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const item of body.results) item.kind = 'something_new';
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(`${server.url}/w/driftless/inbox`);
  await page.getByRole('link', { name: /something new/ }).first().waitFor();
  await person.close();
});
