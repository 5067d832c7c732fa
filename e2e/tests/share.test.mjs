// Sharing: Knowledge as a page on the web, topics sent to members, and the inbox that they land in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

/** Somebody whom the demo has told nothing. */
const newcomer = { email: 'noor@driftless.example', password: 'a quiet inbox is rare' };
let server, browser, owner, member, known;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  [owner, member] = await Promise.all([signIn(server, server.people.owner), signIn(server, server.people.member)]);
  server.run(['admin', 'member', '--workspace', 'driftless', '--email', newcomer.email, '--role', 'member', '--password-stdin', '--json'], {
    input: newcomer.password,
  });
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
  const name = await nameOf(newcomer.email);
  await choose(page, name);
  await dialog.getByRole('listitem').filter({ hasText: newcomer.email }).waitFor();

  const { person: other, page: theirs } = await opened(newcomer, '/inbox');
  const link = theirs.getByRole('link', { name: /^Not read: .*staging queue/ });
  await theirs.getByRole('navigation').getByText('1 not read').waitFor({ state: 'attached' });
  await link.click();
  await theirs.getByText('256 KB').first().waitFor();
  await theirs.getByRole('navigation').getByText(/not read/).waitFor({ state: 'detached' });
  await theirs.goBack();
  await theirs.getByRole('button', { name: /^Mark as not read: / }).waitFor();

  await dialog.getByRole('button', { name: `Take it back from ${name}` }).click();
  await dialog.getByRole('listitem').filter({ hasText: newcomer.email }).waitFor({ state: 'detached' });
  await theirs.reload();
  await theirs.getByText('Nothing has come yet').waitFor();
  await person.close();
  await other.close();
});

test('an item is kept as not read, and only those are shown', async () => {
  await owner.call('POST', `/topics/${known}/share`, { with_members: [newcomer.email] });
  const { person, page } = await opened(newcomer, '/inbox?unread=true');
  await page.getByRole('button', { name: /^Mark as read: How deploys/ }).click();
  await page.getByText('Everything is read').waitFor();
  await page.getByText('All', { exact: true }).click();
  await page.getByRole('button', { name: /^Mark as not read: How deploys/ }).click();
  await page.getByRole('button', { name: /^Mark as read: How deploys/ }).waitFor();
  const theirs = await signIn(server, newcomer);
  assert.equal((await theirs.call('GET', '/inbox?unread=true')).shown, 1);
  await person.close();
});

test('what waits and what was decided lead to where one acts, and are read at once', async () => {
  const theirs = await signIn(server, newcomer);
  const note = await theirs.proposed({ title: 'Webhooks are sent again for a day', what: 'One sentence.' });
  const mine = await owner.reviewed({ title: 'Nightly jobs run one at a time', what: 'One sentence.' });
  await theirs.call('PATCH', `/topics/${mine}`, { append_gotchas: ['A job that hangs holds up the others.'] });
  await theirs.call('POST', '/comments', { topic: mine, body: 'Which jobs are these?' });
  const { secret } = await owner.call('POST', '/keys', { name: 'Agent', kind: 'personal', scopes: ['work:write'] });
  const asked = await fetch(`${server.url}/api/v1/workspaces/driftless/topics/${note}/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { confirm_url } = await asked.json();

  const { person, page } = await opened(server.people.owner, '/inbox?unread=true');
  const item = (title, says) => page.getByRole('link', { name: new RegExp(`^Not read: ${title}.*${says}`) });
  await item('Webhooks', 'waits for your confirmation').waitFor();
  await person.screenshot(page, 'inbox-kinds');
  await item('Webhooks', 'asks for a review').click();
  await page.getByRole('heading', { level: 2, name: 'Webhooks are sent again for a day' }).waitFor();
  await page.goBack();
  await item('Nightly jobs', 'suggests an edit').click();
  await page.getByText('A job that hangs holds up the others.').waitFor();
  await page.goBack();
  await item('Nightly jobs', 'wrote a comment').click();
  await page.getByText('Which jobs are these?').waitFor();
  await page.goBack();
  await item('Webhooks', 'waits for your confirmation').click();
  await page.waitForURL(confirm_url);
  await page.getByRole('button', { name: 'Approve this text' }).click();
  await page.getByText('It is Knowledge now').waitFor();
  await page.goto(`${server.url}/w/driftless/inbox`);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('navigation').getByText(/not read/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' });
  await person.close();

  const { person: author, page: told } = await opened(newcomer, '/inbox');
  await told.getByRole('link', { name: /^Not read: Webhooks.*made it Knowledge/ }).click();
  await told.getByRole('heading', { level: 1, name: 'Webhooks are sent again for a day' }).waitFor();
  await author.close();
});

test('a kind of item that the console does not know is shown in plain words', async () => {
  const person = await browser.person(server);
  const page = await person.open('/sign-in');
  await person.signIn(page, newcomer);
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
