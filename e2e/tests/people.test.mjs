// Settings: members change roles, leave and are removed; invitations are made, handed over and taken back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  await owner.call('POST', '/invitations', { role: 'viewer', email: 'noor@ledger.example' });
  await owner.call('POST', '/invitations', { role: 'member' });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const at = '/w/driftless/settings/members';

/** The page of members as this person sees it. */
async function opened(who, look) {
  const person = await browser.person(server, { look });
  const page = await person.open(at);
  await person.signIn(page, who);
  await page.getByRole('heading', { name: 'Members and invitations' }).waitFor();
  await row(page, server.people.owner.email).waitFor();
  return { person, page };
}

const row = (page, text) => page.getByRole('listitem').filter({ hasText: text });
const roleOf = async (email) =>
  (await owner.call('GET', '/members')).results.find((m) => m.person.email === email)?.role;

/** Somebody new in the workspace, with a browser of their own on its start page. */
async function joined(name, role = 'member') {
  const { link } = await owner.call('POST', '/invitations', { role });
  const email = `${name.toLowerCase()}@ledger.example`;
  const person = await browser.person(server);
  const page = await person.open(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a long enough one');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(`${server.url}/w/driftless/**`);
  return { email, person, page };
}

for (const look of looks) {
  test(`members and invitations show, and are accessible: ${look.name}`, async () => {
    const { person, page } = await opened(server.people.owner, look);
    await row(page, 'noor@ledger.example').waitFor();
    await person.screenshot(page, 'members', { fullPage: true });
    await person.assertAccessible(page, 'members');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('E-mail').waitFor();
    await person.screenshot(page, 'members-invite');
    await person.assertAccessible(page, 'members-invite');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row(page, server.people.member.email).getByRole('button', { name: /^Remove/ }).click();
    await page.getByLabel(/^Type/).waitFor();
    await person.screenshot(page, 'members-remove');
    await person.assertAccessible(page, 'members-remove');
    await person.close();
  });
}

test('an invitation is made, its link copied once, and taken back', async () => {
  const { person, page } = await opened(server.people.owner);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('kim@ledger.example');
  await dialog.getByRole('radio', { name: 'Viewer' }).check();
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const link = await page.getByLabel('Invitation link', { exact: true }).textContent();
  assert.ok(link.startsWith(`${server.url}/invite/`), link);
  await page.getByText('no mail was sent').waitFor();
  await person.screenshot(page, 'members-invited');
  await person.assertAccessible(page, 'members-invited');
  await page.getByRole('button', { name: 'Done' }).click();
  await row(page, 'kim@ledger.example').getByRole('button', { name: /^Take back/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await row(page, 'kim@ledger.example').waitFor({ state: 'detached' });
  person.expectRefusal('/api/v1/invitations/');
  await page.goto(link);
  await page.getByRole('heading', { name: 'does not work any more' }).waitFor();
  await person.close();
});

test('a role is changed, and the change undone', async () => {
  const { email, person: other } = await joined('Ines');
  const { person, page } = await opened(server.people.owner);
  await row(page, email).getByRole('combobox').selectOption('admin');
  await page.getByText('Ines: Admin from now on.').waitFor();
  assert.equal(await roleOf(email), 'admin');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('li')].some(
      (li) => li.textContent.includes('ines@') && li.querySelector('select')?.value === 'member' && !li.querySelector('select').disabled,
    ),
  );
  assert.equal(await roleOf(email), 'member');
  await person.close();
  await other.close();
});

test('the last owner cannot leave or step down, and the page says why', async () => {
  const { person, page } = await opened(server.people.owner);
  const mine = row(page, server.people.owner.email);
  await mine.getByText('The last owner stays one.').waitFor();
  assert.equal(await mine.getByRole('combobox').count(), 0);
  assert.equal(await mine.getByRole('button').count(), 0);
  await person.close();
});

test('removing a member asks for their address, and ends their way in', async () => {
  const { email, person: other, page: theirs } = await joined('Otto');
  const { person, page } = await opened(server.people.owner);
  await row(page, email).getByRole('button', { name: 'Remove Otto' }).click();
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
  assert.ok(await remove.isDisabled());
  await page.getByLabel(`Type ${email} to confirm`).fill(email);
  await remove.click();
  await row(page, email).waitFor({ state: 'detached' });
  assert.equal(await roleOf(email), undefined);
  await theirs.reload();
  await theirs.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await person.close();
  await other.close();
});

test('a member sees who is there, changes nothing, and can leave', async () => {
  const { email, person, page } = await joined('Vera', 'viewer');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Members' }).click();
  await row(page, email).getByText('You', { exact: true }).waitFor();
  assert.equal(await page.getByRole('combobox').count(), 0);
  assert.equal(await page.getByRole('heading', { name: 'Invitations', exact: true }).count(), 0);
  await row(page, email).getByRole('button', { name: 'Leave' }).click();
  await page.getByLabel('Type driftless to confirm').fill('driftless');
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'You are in no workspace yet' }).waitFor();
  assert.equal(await roleOf(email), undefined);
  await person.close();
});

test('an admin who steps down sees the console of their new role', async () => {
  const { email, person, page } = await joined('Ada', 'member');
  await owner.call('PATCH', `/members/${email}`, { role: 'admin' });
  await page.goto(server.url + at);
  await row(page, email).getByRole('combobox').selectOption('viewer');
  await page.getByRole('dialog').getByRole('button', { name: 'Change my role' }).click();
  await page.getByRole('heading', { name: 'Invitations', exact: true }).waitFor({ state: 'detached' });
  assert.equal(await roleOf(email), 'viewer');
  await person.close();
});
