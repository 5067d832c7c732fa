// Signing in with a provider: from the sign-in page, from an invitation, linked and unlinked in the account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { startProvider } from '../lib/provider.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner, work, forge;

before(async () => {
  [work, forge, browser] = await Promise.all([startProvider(), startProvider(), startBrowser()]);
  const providers = [work.entry('work', 'Ledger SSO'), forge.entry('forge', 'Forge')];
  server = await startServer({ demo: true, env: { DRIFTLESS_SIGNON: JSON.stringify(providers) } });
  owner = await signIn(server, server.people.owner);
});

after(async () => {
  await browser?.close();
  await server?.close();
  work?.close();
  forge?.close();
});

const somebody = (name) => ({ sub: name, name, email: `${name}@ledger.example`, email_verified: true });
const section = (page, name) => page.getByRole('region', { name, exact: true });
const invite = async () => (await owner.call('POST', '/invitations', { role: 'member' })).link;

/** Somebody who joined through the provider, in a browser of their own. */
async function joined(name) {
  work.signsIn(somebody(name));
  const person = await browser.person(server);
  const page = await person.open(await invite());
  await page.getByRole('link', { name: 'Continue with Ledger SSO' }).click();
  await page.waitForURL(`${server.url}/w/driftless/**`);
  return { person, page };
}

for (const look of looks) {
  test(`providers show on the sign-in page and on an invitation: ${look.name}`, async () => {
    const person = await browser.person(server, { look });
    const page = await person.open('/sign-in');
    await page.getByRole('link', { name: 'Continue with Forge' }).waitFor();
    await person.screenshot(page, 'sign-in-providers');
    await person.assertAccessible(page, 'sign-in-providers');
    await page.goto(await invite());
    await page.getByRole('link', { name: 'Continue with Ledger SSO' }).waitFor();
    await person.screenshot(page, 'invite-providers', { fullPage: true });
    await person.assertAccessible(page, 'invite-providers');
    await page.goto(`${server.url}/sign-in?problem=account_exists&return_to=%2Faccount`);
    await page.getByText('You have an account already').waitFor();
    await person.screenshot(page, 'sign-in-problem');
    await person.assertAccessible(page, 'sign-in-problem');
    await person.close();
  });
}

test('an invitation is accepted with a provider, which signs in from then on', async () => {
  const { person } = await joined('ines');
  await person.close();
  const again = await browser.person(server);
  const page = await again.open('/w/driftless/notes');
  work.signsIn(somebody('ines'));
  await page.getByRole('link', { name: 'Continue with Ledger SSO' }).click();
  await page.waitForURL(`${server.url}/w/driftless/notes`);
  await again.close();
});

test('a stranger, and an address that has an account, are told what to do', async () => {
  const person = await browser.person(server);
  const page = await person.open('/sign-in');
  for (const [who, says] of [
    [somebody('stranger'), 'There is no account for you yet'],
    [{ ...somebody('other'), email: server.people.member.email }, 'You have an account already'],
    [{ ...somebody('unsure'), email_verified: false }, 'Your address is not confirmed there'],
    [null, 'The provider did not sign you in'],
  ]) {
    work.signsIn(who);
    await page.getByRole('link', { name: 'Continue with Ledger SSO' }).click();
    await page.getByText(says).waitFor();
  }
  await person.close();
});

for (const look of looks) {
  test(`a provider is linked and unlinked in the account: ${look.name}`, async () => {
    const person = await browser.person(server, { look });
    const page = await person.open('/account');
    await person.signIn(page, server.people.member);
    const providers = section(page, 'Sign-in providers');
    work.signsIn({ ...somebody('member'), email: 'member@elsewhere.example' });
    await providers.getByRole('button', { name: 'Link Ledger SSO' }).click();
    await providers.getByText('member@elsewhere.example').waitFor();
    await person.screenshot(page, 'account-providers', { fullPage: true });
    await person.assertAccessible(page, 'account-providers');
    await providers.getByRole('button', { name: 'Unlink Ledger SSO' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
    await providers.getByRole('button', { name: 'Link Ledger SSO' }).waitFor();
    await person.close();
  });
}

test('linking what is somebody else’s says so in the account', async () => {
  const { person: other } = await joined('otto');
  const person = await browser.person(server);
  const page = await person.open('/account');
  await person.signIn(page, server.people.admin);
  work.signsIn(somebody('otto'));
  await section(page, 'Sign-in providers').getByRole('button', { name: 'Link Ledger SSO' }).click();
  await page.getByText('It is linked to another account').waitFor();
  await person.screenshot(page, 'account-link-refused', { fullPage: true });
  await person.assertAccessible(page, 'account-link-refused');
  await person.close();
  await other.close();
});

test('the last way to sign in stays, until there is a password', async () => {
  const { person, page } = await joined('vera');
  await page.goto(`${server.url}/account`);
  const providers = section(page, 'Sign-in providers');
  person.expectRefusal('/api/v1/identities/');
  await providers.getByRole('button', { name: 'Unlink Ledger SSO' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Unlink', exact: true }).click();
  await dialog.getByText('last way to sign in').waitFor();
  await person.screenshot(page, 'account-last-way');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const form = section(page, 'Password');
  assert.equal(await form.getByLabel('Current password').count(), 0);
  await form.getByLabel('New password').fill('walnut harbor 39');
  await form.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('You have a password now.').waitFor();
  await form.getByLabel('Current password').waitFor();
  await providers.getByRole('button', { name: 'Unlink Ledger SSO' }).click();
  await dialog.getByRole('button', { name: 'Unlink', exact: true }).click();
  await providers.getByRole('button', { name: 'Link Ledger SSO' }).waitFor();
  await person.close();
});

test('somebody without a password proves it at their provider, in a new tab, and goes on', async () => {
  const { person, page } = await joined('noor');
  await page.goto(`${server.url}/account`);
  let first = true;
  await page.route('**/api/v1/password', (route) => {
    if (!first) return route.fallback();
    first = false;
    const body = JSON.stringify({ code: 'SESSION_TOO_OLD', message: 'this needs a sign-in from the last 15 minutes' });
    return route.fulfill({ status: 401, contentType: 'application/problem+json', body });
  });
  person.expectRefusal('/api/v1/password');
  const form = section(page, 'Password');
  await form.getByLabel('New password').fill('walnut harbor 39');
  await form.getByRole('button', { name: 'Set password' }).click();
  const ask = page.getByRole('dialog', { name: 'Is it you?' });
  const opens = page.waitForEvent('popup');
  await ask.getByRole('link', { name: 'Sign in with Ledger SSO' }).click();
  await person.screenshot(page, 'step-up-provider');
  await person.assertAccessible(page, 'step-up-provider');
  const tab = await opens;
  await tab.waitForURL(`${server.url}/account`);
  await tab.close();
  await ask.getByRole('button', { name: 'I have signed in' }).click();
  await page.getByText('You have a password now.').waitFor();
  await person.close();
});
