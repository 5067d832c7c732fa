// A fresh server: the printed link makes the first person and the first workspace, once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

for (const look of looks) {
  test(`set-up works and is accessible: ${look.name}`, async () => {
    assert.ok(server.setupLink, 'no set-up link was printed');
    const person = await browser.person(server, { look });
    const page = await person.open(server.setupLink);
    await page.getByLabel('Your name').waitFor();
    await person.screenshot(page, 'setup', { fullPage: true });
    await person.assertAccessible(page, 'setup');
    await person.close();
  });
}

test('the link makes the first account and leads to connecting a client', async () => {
  const person = await browser.person(server);
  const page = await person.open(server.setupLink);
  await page.getByLabel('Your name').fill('Ada Ferrer');
  await page.getByLabel('E-mail').fill('ada@ledger.example');
  await page.getByLabel('Password', { exact: true }).fill('a long enough one');
  await page.getByLabel('Workspace', { exact: true }).fill('Ledger Team');
  assert.equal(await page.getByLabel('Its name in addresses').inputValue(), 'ledger-team');
  await page.getByRole('button', { name: 'Create account and workspace' }).click();
  await page.waitForURL(`${server.url}/w/ledger-team/connect`);
  await page.getByText(`claude mcp add --transport http driftless ${server.url}/mcp`).first().waitFor();
  await person.screenshot(page, 'setup-done');

  // Nothing is there yet, and each list says what to do next.
  for (const [name, says] of [
    ['review', 'No notes to review'],
    ['knowledge', 'No Knowledge yet'],
    ['notes', 'No notes yet'],
  ]) {
    await page.goto(`${server.url}/w/ledger-team/${name}`);
    await page.getByText(says).waitFor();
    await person.screenshot(page, `empty-${name}`);
    await person.assertAccessible(page, `empty-${name}`);
  }
  await person.close();
});

test('the link works once', async () => {
  const person = await browser.person(server);
  person.expectRefusal('/api/v1/setup/');
  const page = await person.open(server.setupLink);
  await page.getByRole('heading', { name: 'This set-up link does not work any more' }).waitFor();
  await person.screenshot(page, 'setup-used');
  await person.assertAccessible(page, 'setup-used');
  await person.close();
  await server.restart();
  assert.equal(server.setupLink, undefined, 'a server with an account prints a link');
});
