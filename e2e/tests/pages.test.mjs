// Each page of the console at both sizes and in both colour schemes: it shows, nothing complains, axe finds nothing serious.
import { after, before, test } from 'node:test';
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
  { name: 'confirm-gone', at: () => '/confirm/not-there', shows: heading('There is nothing to confirm here'), missing: true },
  { name: 'knowledge', at: () => '/w/driftless/knowledge', shows: (page) => page.getByText('Idempotency keys for payouts') },
  { name: 'notes', at: () => '/w/driftless/notes', shows: (page) => page.getByText('Retry the token endpoint once') },
  { name: 'notes-nothing', at: () => '/w/driftless/notes?q=zebra', shows: (page) => page.getByText('Nothing matches') },
  { name: 'topic', at: () => `/w/driftless/t/${stage.knowledge}`, shows: (page) => page.getByText('A corrected invoice is a new key.') },
  { name: 'topic-note', at: () => `/w/driftless/t/${stage.note}`, shows: (page) => page.getByText('then sign in again') },
  { name: 'topic-edit', at: () => `/w/driftless/t/${stage.note}?edit=true`, shows: (page) => page.locator('.cm-content') },
  { name: 'connect', at: () => '/w/driftless/connect', shows: (page) => page.getByText('An agent').first() },
  { name: 'not-found', at: () => '/w/driftless/t/nobody-wrote-this', shows: heading('There is no such page'), missing: true },
];

for (const look of looks) {
  test(`sign-in works and is accessible: ${look.name}`, async () => {
    const person = await browser.person(server, { look });
    const page = await person.open('/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await person.screenshot(page, 'sign-in');
    await person.assertAccessible(page, 'sign-in');
    await person.close();
  });

  test(`a wrong password says so: ${look.name}`, async () => {
    const person = await browser.person(server, { look });
    const page = await person.open('/sign-in');
    person.expectRefusal('/api/v1/session');
    await person.signIn(page, { email: server.people.member.email, password: 'not the password' });
    await page.getByText('E-mail or password is not right.').waitFor();
    await person.screenshot(page, 'sign-in-wrong');
    await person.assertAccessible(page, 'sign-in-wrong');
    await person.close();
  });

  for (const { name, at, shows, missing } of pages) {
    test(`${name} works and is accessible: ${look.name}`, async () => {
      const person = await browser.person(server, { look, storageState: session });
      if (missing) person.expectRefusal('/api/v1/');
      const page = await person.open(at());
      await shows(page).waitFor();
      await person.screenshot(page, name, { fullPage: true });
      await person.assertAccessible(page, name);
      await person.close();
    });
  }

  test(`review works and is accessible: ${look.name}`, async () => {
    const person = await browser.person(server, { look, storageState: session });
    const page = await person.open('/w/driftless/review');
    const row = page.getByRole('button', { name: /Retry the token endpoint once/ });
    await row.waitFor();
    await person.screenshot(page, 'review');
    await person.assertAccessible(page, 'review');
    await row.click();
    await page.getByText('Three clients stumbled over this in a week.').waitFor();
    await person.screenshot(page, 'review-note');
    await person.assertAccessible(page, 'review-note');
    await person.close();
  });

  test(`a suggested edit shows what changes: ${look.name}`, async () => {
    const person = await browser.person(server, { look, storageState: session });
    const page = await person.open(`/w/driftless/review?lane=edits`);
    await page.getByRole('button', { name: /Idempotency keys for payouts/ }).click();
    await page.getByText('since its release of March').first().waitFor();
    await person.screenshot(page, 'review-edit');
    await person.assertAccessible(page, 'review-edit');
    await person.close();
  });
}
