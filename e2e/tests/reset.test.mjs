// A forgotten password: the mail, its link, and the new password; invitations that are mailed.
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { startMailbox } from '../lib/mailbox.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, mailbox;

before(async () => {
  [mailbox, browser] = await Promise.all([startMailbox(), startBrowser()]);
  // The people of these tests share one address.
  server = await startServer({ demo: true, env: { ...mailbox.env, DRIFTLESS_LIMIT_SIGNIN_FAILURES: '100' } });
});

after(async () => {
  await browser?.close();
  await server?.close();
  mailbox?.close();
});

/** Asks for the mail and answers the page, which says the same to everybody. */
async function asked(person, email) {
  const page = await person.open('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText(`If ${email} has an account here`).waitFor();
  return page;
}

for (const look of looks) {
  test(`the pages show, and are accessible: ${look.name}`, async () => {
    const person = await browser.person(server, { look });
    const page = await person.open('/reset');
    await page.getByRole('button', { name: 'Send the link' }).waitFor();
    await person.screenshot(page, 'reset');
    await person.assertAccessible(page, 'reset');
    person.expectRefusal('/api/v1/password/reset/');
    await page.goto(`${server.url}/reset/not-there`);
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
    await person.screenshot(page, 'reset-gone');
    await person.assertAccessible(page, 'reset-gone');
    await person.close();
  });
}

test('nobody learns whether there is an account', async () => {
  const person = await browser.person(server);
  const page = await asked(person, 'nobody@ledger.example');
  await person.screenshot(page, 'reset-sent');
  await person.assertAccessible(page, 'reset-sent');
  await person.close();
});

test('the link sets a new password once, and ends every session', async () => {
  const who = server.people.member;
  const elsewhere = await browser.person(server);
  const other = await elsewhere.open('/account');
  await elsewhere.signIn(other, who);
  await other.getByText('This one').waitFor();

  const person = await browser.person(server);
  const page = await asked(person, who.email);
  const link = await mailbox.link(who.email, `${server.url}/reset/`);
  await page.goto(link);
  await page.getByText(`For ${who.email}.`).waitFor();
  await person.screenshot(page, 'reset-new');
  await person.assertAccessible(page, 'reset-new');
  person.expectRefusal('/api/v1/password/reset/');
  await page.getByLabel('New password').fill('password123');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('on the list of leaked passwords').waitFor();
  await person.screenshot(page, 'reset-leaked');
  await page.getByLabel('New password').fill('walnut harbor 39');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await elsewhere.signIn(other, { email: who.email, password: 'walnut harbor 39' });
  await other.getByText('This one').waitFor();

  await page.goto(link);
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  await person.close();
  await elsewhere.close();
});

test('an invitation to an address is mailed, and says so', async () => {
  const person = await browser.person(server);
  const page = await person.open('/w/driftless/settings/members');
  await person.signIn(page, server.people.owner);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('dialog').getByLabel('E-mail').fill('kim@ledger.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
  await page.getByText('A mail with a link of its own goes to kim@ledger.example.').waitFor();
  await page.getByLabel('Invitation link', { exact: true }).waitFor();
  await person.screenshot(page, 'members-mailed');
  const kim = await browser.person(server);
  const theirs = await kim.open(await mailbox.link('kim@ledger.example', `${server.url}/invite/`));
  await theirs.getByRole('heading', { name: 'Join driftless' }).waitFor();
  await kim.close();
  await person.close();
});
