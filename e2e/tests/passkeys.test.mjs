// Passkeys, with an authenticator that the browser pretends to have; and proving again who one is.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;

before(async () => {
  // Browsers have no passkeys for an address of numbers.
  [server, browser] = await Promise.all([startServer({ demo: true, host: 'localhost' }), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const section = (page, name) => page.getByRole('region', { name, exact: true });

/** Gives the page a device with a screen lock. */
async function device(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the owner unlocks it from now on. */
    unlocks: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

/** The account page of this person, with a device. */
async function opened(who, look) {
  const person = await browser.person(server, { look });
  const page = await person.open('/account');
  const screen = await device(page);
  await person.signIn(page, who);
  await section(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).waitFor();
  return { person, page, screen };
}

async function add(page, name) {
  await section(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
}

const remove = async (page, name) => {
  await section(page, 'Passkeys').getByRole('button', { name: `Remove “${name}”` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await section(page, 'Passkeys').getByRole('listitem').filter({ hasText: name }).waitFor({ state: 'detached' });
};

/** The next answer to this path says that the session is too old. */
async function tooOldOnce(page, path) {
  let first = true;
  await page.route(`**${path}`, (route) => {
    if (!first) return route.fallback();
    first = false;
    return route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'SESSION_TOO_OLD', message: 'this needs a sign-in from the last 15 minutes' }),
    });
  });
}

for (const look of looks) {
  test(`a passkey is added, renamed, signs in, and is removed: ${look.name}`, async () => {
    const { person, page } = await opened(server.people.member, look);
    await add(page, 'Work laptop');
    const row = section(page, 'Passkeys').getByRole('listitem').filter({ hasText: 'Work laptop' });
    await row.getByText('never used').waitFor();
    await person.screenshot(page, 'account-passkeys', { fullPage: true });
    await person.assertAccessible(page, 'account-passkeys');
    await row.getByRole('button', { name: 'Rename “Work laptop”' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await section(page, 'Passkeys').getByText('Old laptop').waitFor();

    await section(page, 'Sessions').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await person.screenshot(page, 'sign-in-passkey');
    await person.assertAccessible(page, 'sign-in-passkey');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${server.url}/w/driftless/**`);
    await page.getByRole('navigation').first().waitFor();
    // The authenticator belongs to the page, so the account opens in it again.
    await page.goto(`${server.url}/account`);
    await remove(page, 'Old laptop');
    await section(page, 'Passkeys').getByText('You have no passkey yet.').waitFor();
    await person.close();
  });
}

test('a passkey that nobody unlocks changes nothing, and can be tried again', async () => {
  const { person, page, screen } = await opened(server.people.admin);
  await screen.unlocks(false);
  await add(page, 'Locked');
  await page.getByText('No passkey was used.').waitFor();
  await person.screenshot(page, 'passkey-cancelled');
  await person.assertAccessible(page, 'passkey-cancelled');
  await screen.unlocks(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await section(page, 'Passkeys').getByText('Locked').waitFor();
  await remove(page, 'Locked');
  await person.close();
});

test('a passkey is not offered where the browser has none', async () => {
  const person = await browser.person(server);
  const page = await person.open('about:blank');
  await page.addInitScript(() => delete window.PublicKeyCredential);
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0);
  await page.goto(`${server.url}/account`);
  await person.signIn(page, server.people.member);
  await section(page, 'Passkeys').getByText('This browser has no passkeys').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  await person.close();
});

for (const look of looks) {
  test(`a session that is too old asks for the password, and what was typed goes on: ${look.name}`, async () => {
    const { person, page } = await opened(server.people.owner, look);
    await tooOldOnce(page, '/api/v1/passkeys/begin');
    person.expectRefusal('/api/v1/');
    await add(page, 'Typed before');
    const ask = page.getByRole('dialog', { name: 'Is it you?' });
    await ask.getByLabel('Password', { exact: true }).fill('not the password');
    await ask.getByRole('button', { name: 'Continue' }).click();
    await ask.getByText('This is not your current password.').waitFor();
    await person.screenshot(page, 'step-up-wrong');
    await person.assertAccessible(page, 'step-up-wrong');
    await ask.getByLabel('Password', { exact: true }).fill(server.people.owner.password);
    await ask.getByRole('button', { name: 'Continue' }).click();
    await section(page, 'Passkeys').getByRole('listitem').filter({ hasText: 'Typed before' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await remove(page, 'Typed before');
    await person.close();
  });
}

test('a passkey proves it as well', async () => {
  const { person, page } = await opened(server.people.owner);
  await add(page, 'Phone');
  await section(page, 'Passkeys').getByText('Phone').waitFor();
  await tooOldOnce(page, '/api/v1/passkeys/*');
  person.expectRefusal('/api/v1/');
  await section(page, 'Passkeys').getByRole('button', { name: 'Remove “Phone”' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  const ask = page.getByRole('dialog', { name: 'Is it you?' });
  await ask.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await person.screenshot(page, 'step-up-passkey');
  await ask.getByRole('button', { name: 'Use a passkey' }).click();
  await section(page, 'Passkeys').getByText('You have no passkey yet.').waitFor();
  await person.close();
});

test('somebody who says no stays where they were, with what they typed', async () => {
  const { person, page } = await opened(server.people.owner);
  await tooOldOnce(page, '/api/v1/passkeys/begin');
  person.expectRefusal('/api/v1/');
  await add(page, 'Still here');
  await page.getByRole('dialog', { name: 'Is it you?' }).getByLabel('Password', { exact: true }).press('Escape');
  const below = page.getByRole('dialog', { name: 'Add a passkey' });
  await below.getByText('this needs a sign-in from the last 15 minutes').waitFor();
  assert.equal(await below.getByLabel('Name').inputValue(), 'Still here');
  await below.getByRole('button', { name: 'Continue' }).click();
  await section(page, 'Passkeys').getByRole('listitem').filter({ hasText: 'Still here' }).waitFor();
  await remove(page, 'Still here');
  await person.close();
});
