// Each page of the console at both sizes and in both colour schemes: it shows, nothing complains, axe finds nothing serious.
import { after, before, describe, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { startServer } from '../lib/server.mjs';
import { authorizeURL, fillStage } from '../lib/stage.mjs';

let server, browser, stage, session, consent;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  stage = await fillStage(server);
  consent = await authorizeURL(server, 'http://127.0.0.1:9/callback');
  const owner = await browser.person(server);
  const page = await owner.open('/');
  await owner.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Review', exact: true }).first().waitFor();
  session = await owner.storageState();
  await owner.close();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const heading = (name, options) => (page) => page.getByRole('heading', { name, exact: true, ...options }).first();

/** Every page: its address, and what is there once it shows. */
const pages = [
  { name: 'consent', at: () => consent, shows: heading('Connect Ledger Assistant?') },
  { name: 'confirm', at: () => stage.confirmURL, shows: heading('Approve as Knowledge') },
  { name: 'knowledge', at: () => '/w/driftless/knowledge', shows: (page) => page.getByText('Idempotency keys for payouts') },
  { name: 'notes', at: () => '/w/driftless/notes', shows: (page) => page.getByText('Retry the token endpoint once') },
  { name: 'notes-nothing', at: () => '/w/driftless/notes?q=zebra', shows: (page) => page.getByText('Nothing matches') },
  { name: 'topic', at: () => `/w/driftless/t/${stage.knowledge}`, shows: (page) => page.getByText('A corrected invoice is a new key.') },
  { name: 'topic-note', at: () => `/w/driftless/t/${stage.note}`, shows: (page) => page.getByText('then sign in again') },
  { name: 'topic-edit', at: () => `/w/driftless/t/${stage.note}?edit=true`, shows: (page) => page.locator('.cm-content') },
  { name: 'connect', at: () => '/w/driftless/connect', shows: (page) => page.getByText('An agent').first() },
];

/** Addresses that lead nowhere. */
const missing = [
  { name: 'confirm-gone', at: '/confirm/not-there', shows: heading('There is nothing to confirm here') },
  { name: 'not-found', at: '/w/driftless/t/nobody-wrote-this', shows: heading('There is no such page') },
];

for (const look of looks) {
  describe(look.name, () => {
    let signedIn;

    before(async () => {
      signedIn = await browser.person(server, { look, storageState: session });
    });

    after(() => signedIn?.close());

    /** Opens a page as the owner, with the browser's cache of the pages before. */
    const shown = (name, run) =>
      test(`${name} shows, and is accessible`, async () => {
        const page = await run();
        await page.close();
        signedIn.assertQuiet();
      });

    test('sign-in shows, and a wrong password says so', async () => {
      const person = await browser.person(server, { look });
      const page = await person.open('/sign-in');
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      await person.screenshot(page, 'sign-in');
      await person.assertAccessible(page, 'sign-in');
      person.expectRefusal('/api/v1/session');
      await person.signIn(page, { email: server.people.member.email, password: 'not the password' });
      await page.getByText('E-mail or password is not right.').waitFor();
      await person.screenshot(page, 'sign-in-wrong');
      await person.assertAccessible(page, 'sign-in-wrong');
      await person.close();
    });

    for (const { name, at, shows } of missing) {
      test(`${name} says what is missing, and is accessible`, async () => {
        const person = await browser.person(server, { look, storageState: session });
        person.expectRefusal('/api/v1/');
        const page = await person.open(at);
        await shows(page).waitFor();
        await person.screenshot(page, name);
        await person.assertAccessible(page, name);
        await person.close();
      });
    }

    for (const { name, at, shows } of pages) {
      shown(name, async () => {
        const page = await signedIn.open(at());
        await shows(page).waitFor();
        await signedIn.screenshot(page, name, { fullPage: true });
        await signedIn.assertAccessible(page, name);
        return page;
      });
    }

    shown('review', async () => {
      const page = await signedIn.open('/w/driftless/review');
      const row = page.getByRole('button', { name: /Retry the token endpoint once/ });
      await row.waitFor();
      await signedIn.screenshot(page, 'review');
      await signedIn.assertAccessible(page, 'review');
      await row.click();
      await page.getByText('Three clients stumbled over this in a week.').waitFor();
      await signedIn.screenshot(page, 'review-note');
      await signedIn.assertAccessible(page, 'review-note');
      return page;
    });

    shown('a suggested edit', async () => {
      const page = await signedIn.open('/w/driftless/review?lane=edits');
      await page.getByRole('button', { name: /Idempotency keys for payouts/ }).click();
      await page.getByText('since its release of March').first().waitFor();
      await signedIn.screenshot(page, 'review-edit');
      await signedIn.assertAccessible(page, 'review-edit');
      return page;
    });
  });
}
