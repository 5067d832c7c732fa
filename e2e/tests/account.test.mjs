// The account of a person: where they are signed in, and their password.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** The account page of this person, in a browser of its own. */
async function opened(who, look) {
  const person = await browser.person(server, { look });
  const page = await person.open('/account');
  await person.signIn(page, who);
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.getByText('This one').waitFor();
  return { person, page };
}

const section = (page, name) => page.getByRole('region', { name, exact: true });

for (const look of looks) {
  test(`the account shows, and is accessible: ${look.name}`, async () => {
    const { person, page } = await opened(server.people.admin, look);
    await person.screenshot(page, 'account', { fullPage: true });
    await person.assertAccessible(page, 'account');
    await person.close();
  });
}

test('the account is reached from the menu, and leads back', async () => {
  const person = await browser.person(server);
  const page = await person.open('/w/driftless/notes');
  await person.signIn(page, server.people.member);
  await page.getByRole('button', { name: /account and preferences/ }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.getByRole('link', { name: /^Back to/ }).click();
  await page.waitForURL(`${server.url}/w/driftless/**`);
  await person.close();
});

test('a session ended from another one is over', async () => {
  const { person: left, page: forgotten } = await opened(server.people.owner);
  const { person, page } = await opened(server.people.owner);
  const sessions = section(page, 'Sessions');
  const before = await sessions.getByRole('listitem').count();
  await sessions.getByRole('button', { name: /^End the session/ }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(
    (n) => document.querySelectorAll('[aria-label=Sessions] li').length === n,
    before - 1,
  );
  await forgotten.reload();
  await forgotten.getByRole('heading', { name: 'Sign in' }).waitFor();
  await left.close();
  await person.close();
});

test('a changed password ends the other sessions; a wrong one changes nothing', async () => {
  const who = server.people.member;
  const { person: elsewhere, page: other } = await opened(who);
  const { person, page } = await opened(who);
  const form = section(page, 'Password');
  person.expectRefusal('/api/v1/password');
  await form.getByLabel('Current password').fill('not the password');
  await form.getByLabel('New password').fill('a whole new sentence');
  await form.getByRole('button', { name: 'Change password' }).click();
  await form.getByText('This is not your current password.').waitFor();
  await person.screenshot(page, 'account-wrong-password', { fullPage: true });
  await person.assertAccessible(page, 'account-wrong-password');
  await form.getByLabel('Current password').fill(who.password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed.').waitFor();
  assert.equal(await section(page, 'Sessions').getByRole('listitem').count(), 1);
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await elsewhere.signIn(other, { email: who.email, password: 'a whole new sentence' });
  await other.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await elsewhere.close();
  await person.close();
});

test('a name is changed with the keyboard, and the session shows it', async () => {
  const { person, page } = await opened(server.people.admin);
  await page.getByRole('button', { name: 'Change your name' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Maren  Holt');
  await page.keyboard.press('Enter');
  await page.getByText('Maren Holt', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Change your name' }).waitFor();
  await person.close();
});
