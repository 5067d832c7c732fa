// Areas and tags: making, renaming, merging and deleting them, and filing many topics at once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  for (const name of ['Billing', 'Payments']) await owner.call('POST', '/areas', { name, description: `What ${name} does` });
  await owner.reviewed({ title: 'Charges', what: 'How a charge is tried again.', area: 'Billing', tags: ['money', 'retry'] });
  for (let i = 1; i <= 12; i++) await owner.proposed({ title: `Loose end ${i}`, what: 'It has no home yet.', tags: ['loose'] });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function opened(look = looks[0], search = '') {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless/areas${search}`);
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Areas and tags', level: 1 }).waitFor();
  return { person, page };
}

const dialog = (page) => page.getByRole('dialog');
const row = (page, text) => page.getByRole('listitem').filter({ hasText: text });
const areas = async () => (await owner.call('GET', '/areas')).results;

for (const look of looks) {
  test(`areas, tags and loose topics show, and are accessible: ${look.name}`, async () => {
    const { person, page } = await opened(look);
    await row(page, 'What Billing does').waitFor();
    await person.screenshot(page, 'areas', { fullPage: true });
    await person.assertAccessible(page, 'areas');
    await page.getByRole('button', { name: 'New area' }).click();
    await dialog(page).getByLabel('Name').waitFor();
    await person.screenshot(page, 'areas-new');
    await person.assertAccessible(page, 'areas-new');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('tab', { name: /^Tags/ }).click();
    await row(page, '#money').waitFor();
    await person.screenshot(page, 'tags', { fullPage: true });
    await person.assertAccessible(page, 'tags');
    await page.getByRole('tab', { name: /^Without an area/ }).click();
    await page.getByRole('checkbox', { name: 'Choose Loose end 1', exact: true }).check();
    await person.screenshot(page, 'areas-unfiled', { fullPage: true });
    await person.assertAccessible(page, 'areas-unfiled');
    await person.close();
  });
}

test('an area is made with its reviewer, by keyboard, and renamed', async () => {
  const { person, page } = await opened();
  await page.getByRole('button', { name: 'New area' }).focus();
  await page.keyboard.press('Enter');
  await dialog(page).getByLabel('Name').fill('Ledger');
  await dialog(page).getByLabel('Who is asked first').focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, 'Ledger').waitFor();
  assert.equal((await areas()).find(({ name }) => name === 'Ledger').reviewers.length, 1);
  await page.getByRole('button', { name: 'Edit Ledger' }).click();
  await dialog(page).getByLabel('Name').fill('General ledger');
  await page.keyboard.press('Enter');
  await row(page, 'General ledger').waitFor();
  await person.close();
});

test('two areas become one, and the page says how many topics move', async () => {
  const { person, page } = await opened();
  await page.getByRole('button', { name: 'More for Billing' }).click();
  await page.getByRole('menuitem', { name: 'Merge into another…' }).click();
  await dialog(page).getByText('1 topic moves').waitFor();
  await dialog(page).getByRole('combobox', { name: 'Into' }).click();
  await page.getByRole('option', { name: 'Payments' }).click();
  const merge = dialog(page).getByRole('button', { name: 'Merge', exact: true });
  assert.ok(await merge.isDisabled());
  await dialog(page).getByLabel('Type Billing to confirm').fill('Billing');
  await person.screenshot(page, 'areas-merge');
  await merge.click();
  await page.getByText('Billing is part of Payments now.').waitFor();
  assert.equal((await owner.call('GET', '/topics/charges')).area, 'Payments');
  assert.ok(!(await areas()).some(({ name }) => name === 'Billing'));
  await person.close();
});

test('a tag is renamed, merged and deleted', async () => {
  const { person, page } = await opened(looks[0], '?tab=tags');
  await page.getByLabel('Find a tag').fill('retr');
  await row(page, '#retry').waitFor();
  await page.getByRole('button', { name: 'Edit retry' }).click();
  await dialog(page).getByLabel('Name').fill('money');
  await dialog(page).getByText('money is there already').waitFor();
  await dialog(page).getByLabel('Name').fill('Retries');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await row(page, '#retries').waitFor();
  await page.getByRole('button', { name: 'More for retries' }).click();
  await page.getByRole('menuitem', { name: 'Merge into another…' }).click();
  await dialog(page).getByRole('combobox', { name: 'Into' }).fill('mon');
  await page.getByRole('option', { name: 'money', exact: true }).click();
  await dialog(page).getByLabel('Type retries to confirm').fill('retries');
  await dialog(page).getByRole('button', { name: 'Merge', exact: true }).click();
  await row(page, '#retries').waitFor({ state: 'detached' });
  await page.getByLabel('Find a tag').fill('money');
  await page.getByRole('button', { name: 'More for money' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog(page).getByLabel('Type money to confirm').fill('money');
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await row(page, '#money').waitFor({ state: 'detached' });
  assert.deepEqual((await owner.call('GET', '/topics/charges')).tags, []);
  await person.close();
});

test('many topics are filed in one go, and it is undone', async () => {
  const { person, page } = await opened(looks[0], '?tab=unfiled');
  await page.getByRole('checkbox', { name: 'Choose Loose end 3', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Choose Loose end 4', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByText('2 chosen').waitFor();
  await page.getByRole('combobox', { name: 'File under…' }).click();
  await page.getByRole('option', { name: 'Payments' }).click();
  await page.getByRole('button', { name: 'File', exact: true }).click();
  await page.getByText('2 topics are in Payments now.').waitFor();
  assert.equal((await owner.call('GET', '/topics/loose-end-3')).area, 'Payments');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('checkbox', { name: 'Choose Loose end 3', exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('input[type=checkbox]').length > 12);
  assert.equal((await owner.call('GET', '/topics/loose-end-4')).area, undefined);
  await person.close();
});

test('a member who only reads sees no way to change anything; in Spanish', async () => {
  const { link } = await owner.call('POST', '/invitations', { role: 'viewer' });
  const person = await browser.person(server);
  const page = await person.open(link);
  await page.getByLabel('Your name').fill('Vera');
  await page.getByLabel('E-mail').fill('vera@ledger.example');
  await page.getByLabel('Password', { exact: true }).fill('a long enough one');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(`${server.url}/w/driftless/**`);
  await page.evaluate(() => localStorage.setItem('driftless-language', 'es'));
  await page.goto(`${server.url}/w/driftless/areas`);
  await page.getByRole('heading', { name: 'Áreas y etiquetas', level: 1 }).waitFor();
  await row(page, 'Payments').waitFor();
  assert.equal(await page.getByRole('button', { name: /Editar|Área nueva/ }).count(), 0);
  await person.screenshot(page, 'areas-es');
  await person.close();
});
