// The ways in beside sign-in: an invitation, and the code of a device.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
let server, browser, owner;

before(async () => {
  // The people of these tests share one address, and look up more codes than one person would.
  const env = { DRIFTLESS_LIMIT_SIGNIN_FAILURES: '100' };
  [server, browser] = await Promise.all([startServer({ demo: true, env }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const invite = async (body) => (await owner.call('POST', '/invitations', body)).link;

for (const look of looks) {
  test(`an invitation is accessible: ${look.name}`, async () => {
    const person = await browser.person(server, { look });
    const page = await person.open(await invite({ role: 'viewer' }));
    await page.getByLabel('Your name').waitFor();
    await person.screenshot(page, 'invite', { fullPage: true });
    await person.assertAccessible(page, 'invite');
    await person.close();
  });
}

test('somebody without an account makes one on the link and is in the workspace', async () => {
  const link = await invite({ role: 'viewer', email: 'bo@ledger.example' });
  const person = await browser.person(server);
  const page = await person.open(link);
  await page.getByLabel('Your name').fill('Bo Lindqvist');
  assert.equal(await page.getByLabel('E-mail').inputValue(), 'bo@ledger.example');
  await page.getByLabel('Password', { exact: true }).fill('a long enough one');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(`${server.url}/w/${owner.workspace}/**`);
  person.expectRefusal('/api/v1/invitations/');
  await page.goto(link);
  await page.getByRole('heading', { name: 'does not work any more' }).waitFor();
  await person.close();
});

test('somebody with an account signs in and comes back to the link', async () => {
  const person = await browser.person(server);
  const page = await person.open(await invite({}));
  await page.getByRole('button', { name: 'I have an account' }).click();
  await person.signIn(page, server.people.member);
  await page.getByText(`signed in as ${server.people.member.email}`).waitFor();
  // They are in the workspace already: the link says so, and stays unused.
  person.expectRefusal('/api/v1/invitations/');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('in this workspace already').waitFor();
  await person.close();
});

async function post(path, form) {
  const answer = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) });
  return answer.json();
}

async function device() {
  const registered = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Ledger Kiosk', token_endpoint_auth_method: 'none', grant_types: [deviceGrant] }),
  });
  const { client_id } = await registered.json();
  const codes = await post('/oauth/device', { client_id, scope: 'context:read' });
  const poll = () => post('/oauth/token', { client_id, grant_type: deviceGrant, device_code: codes.device_code });
  return { ...codes, poll };
}

for (const look of looks) {
  test(`a device is connected by its code: ${look.name}`, async () => {
    const kiosk = await device();
    const person = await browser.person(server, { look });
    const page = await person.open(kiosk.verification_uri);
    await person.signIn(page, server.people.owner);
    await page.getByLabel('Code').fill(kiosk.user_code.toLowerCase().replace('-', ' '));
    await person.screenshot(page, 'device-code');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Connect Ledger Kiosk?' }).waitFor();
    await page.getByText(kiosk.user_code, { exact: true }).waitFor();
    await person.screenshot(page, 'device', { fullPage: true });
    await person.assertAccessible(page, 'device');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
    assert.match((await kiosk.poll()).access_token, /^dat_/);
    await person.close();
  });
}

test('a double click connects a device once, and its code asks nothing twice', async () => {
  const kiosk = await device();
  const person = await browser.person(server);
  const page = await person.open(`/device?user_code=${kiosk.user_code}`);
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Connect Ledger Kiosk?' }).waitFor();
  await page.reload();
  const answers = [];
  page.on('response', (response) => {
    if (response.request().method() === 'POST') answers.push(response.status());
  });
  await page.getByRole('button', { name: 'Connect', exact: true }).dblclick();
  await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
  assert.deepEqual(answers, [200]);
  person.expectRefusal('/api/v1/oauth/device/');
  await page.reload();
  await page.getByRole('heading', { name: 'Already answered' }).waitFor();
  await person.close();
});

test('a device is refused, and a wrong code can be typed again', async () => {
  const kiosk = await device();
  const person = await browser.person(server);
  person.expectRefusal('/api/v1/oauth/device/');
  const page = await person.open('/device?user_code=BBBB-BBBB');
  await person.signIn(page, server.people.owner);
  await page.getByText('No device waits with this code').waitFor();
  await page.getByLabel('Code').fill(kiosk.user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Do not connect' }).click();
  await page.getByRole('heading', { name: 'Not connected' }).waitFor();
  assert.equal((await kiosk.poll()).error, 'access_denied');
  await person.close();
});
