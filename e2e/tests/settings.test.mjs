// Settings: name and policies, repositories, export, and the end of a workspace.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

/** A part of the settings as this person sees it. */
async function opened(part, heading, who = server.people.owner, look = looks[0]) {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless/settings/${part}`);
  await person.signIn(page, who);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return { person, page };
}

const dialog = (page) => page.getByRole('dialog');

for (const look of looks) {
  test(`every part of the settings shows, and is accessible: ${look.name}`, async () => {
    const { person, page } = await opened('workspace', 'Workspace', server.people.owner, look);
    await page.getByRole('radio', { name: /A person confirms it/ }).waitFor();
    await person.screenshot(page, 'settings-workspace', { fullPage: true });
    await person.assertAccessible(page, 'settings-workspace');
    await page.getByRole('tab', { name: 'Sources' }).click();
    await page.getByRole('heading', { name: 'Repositories' }).waitFor();
    await person.screenshot(page, 'settings-sources', { fullPage: true });
    await person.assertAccessible(page, 'settings-sources');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog(page).getByLabel('Remote').waitFor();
    await person.screenshot(page, 'settings-connect');
    await person.assertAccessible(page, 'settings-connect');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByRole('heading', { name: 'Export', exact: true }).waitFor();
    await person.screenshot(page, 'settings-data', { fullPage: true });
    await person.assertAccessible(page, 'settings-data');
    await person.close();
  });
}

test('a policy is changed with the keyboard, and the change undone', async () => {
  const { person, page } = await opened('workspace', 'Workspace');
  const rule = async () => (await owner.call('GET', '/settings')).agent_approval;
  await page.getByRole('radio', { name: 'A person confirms it in the console' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByText('The new rule holds from now on.').waitFor();
  await page.getByText('Text that a client reads could make it approve something.').waitFor();
  assert.equal(await rule(), 'direct');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('radio', { name: 'A person confirms it in the console', checked: true }).waitFor();
  assert.equal(await rule(), 'confirm');
  await page.getByRole('switch', { name: 'Four eyes' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('switch', { name: 'Four eyes', checked: true }).waitFor();
  assert.equal((await owner.call('GET', '/settings')).four_eyes, true);
  await owner.call('PATCH', '/settings', { four_eyes: false });
  await person.close();
});

test('Knowledge is opened to everybody after a question, and closed at once', async () => {
  const { person, page } = await opened('workspace', 'Workspace');
  const open = async () => (await owner.call('GET', '/settings')).public_knowledge.enabled;
  const lets = page.getByRole('switch', { name: 'Anybody may read' });
  await lets.click();
  assert.equal(await open(), false);
  await dialog(page).getByRole('button', { name: 'Open it' }).click();
  await page.getByText('/mcp/public/driftless').waitFor();
  assert.equal(await open(), true);
  await person.screenshot(page, 'settings-public', { fullPage: true });
  await person.assertAccessible(page, 'settings-public');
  await lets.click();
  await page.getByText('/mcp/public/driftless').waitFor({ state: 'detached' });
  assert.equal(await open(), false);
  await person.close();
});

test('a repository is connected, its secret shown once, renewed, and the repository disconnected', async () => {
  const { person, page } = await opened('sources', 'Sources');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog(page).getByLabel('Remote').fill('git@github.com:acme/shop.git');
  await dialog(page).getByLabel('More tracked branches').fill('release/*');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Connect' }).click();
  await page.getByText('github.com/acme/shop is connected').waitFor();
  const first = await page.getByLabel('Hook secret', { exact: true }).textContent();
  assert.match(await page.getByLabel('Hook address', { exact: true }).textContent(), /\/hooks\/github\//);
  await person.assertAccessible(page, 'settings-secret');
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'github.com/acme/shop' });
  await row.getByText('main, release/*').waitFor();
  await row.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('menuitem', { name: 'New hook secret' }).click();
  const second = await page.getByLabel('Hook secret', { exact: true }).textContent();
  assert.notEqual(second, first);
  await page.getByRole('button', { name: 'Done' }).click();
  await row.getByRole('button', { name: 'Branches' }).click();
  await dialog(page).getByLabel('Default branch').fill('trunk');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row.getByText('trunk, release/*').waitFor();
  await row.getByRole('button', { name: /^More for/ }).click();
  await page.getByRole('menuitem', { name: 'Disconnect' }).click();
  await dialog(page).getByLabel(/^Type/).fill('github.com/acme/shop');
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
  await row.getByText('Disconnected', { exact: true }).waitFor();
  await person.close();
});

test('a remote that is none is refused at its field', async () => {
  const { person, page } = await opened('sources', 'Sources');
  person.expectRefusal('/api/v1/workspaces/driftless/sources');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const remote = dialog(page).getByLabel('Remote');
  await remote.fill('not a repository');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('[role=dialog] input')?.getAttribute('aria-invalid') === 'true');
  await person.close();
});

test('everything is exported in one archive', async () => {
  const { person, page } = await opened('data', 'Data');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export everything' }).click(),
  ]);
  assert.match(file.suggestedFilename(), /^driftless-\d{4}-\d\d-\d\d\.zip$/);
  const bytes = await readFile(await file.path());
  // The names of its files stand in the directory at the end of the archive.
  const names = bytes.toString('latin1');
  for (const name of ['workspace.json', 'events.jsonl', 'topics/', 'json/']) assert.ok(names.includes(name), name);
  await page.getByText('The export is among your downloads.').waitFor();
  await person.close();
});

test('a member reads the rules and changes nothing; in Spanish', async () => {
  const { person, page } = await opened('workspace', 'Workspace', server.people.member);
  await page.getByText('Owners and admins change these.').waitFor();
  assert.ok(await page.getByRole('switch', { name: 'Four eyes' }).isDisabled());
  await page.evaluate(() => localStorage.setItem('driftless-language', 'es'));
  await page.reload();
  await page.getByRole('heading', { name: 'Espacio de trabajo', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Datos' }).click();
  await page.getByRole('heading', { name: 'Exportar', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Eliminar el espacio de trabajo' }).count(), 0);
  await person.screenshot(page, 'settings-es', { fullPage: true });
  await person.close();
});

test('a workspace is renamed, and deleted once its slug was typed', async () => {
  const { person, page } = await opened('workspace', 'Workspace');
  await page.getByRole('textbox', { name: 'Name' }).fill('The ledger team');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /The ledger team/ }).first().waitFor();
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Delete the workspace' }).click();
  const end = dialog(page).getByRole('button', { name: 'Delete the workspace' });
  assert.ok(await end.isDisabled());
  await dialog(page).getByLabel(/^Type/).fill('driftless');
  await person.screenshot(page, 'settings-delete');
  // The page may be reading again what somebody changed, here the name, when the workspace ends.
  person.expectRefusal('/api/v1/workspaces/driftless/');
  await end.click();
  await page.getByRole('heading', { name: 'You are in no workspace yet' }).waitFor();
  await person.close();
});
