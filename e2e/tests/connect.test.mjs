// Connect: the page waits for the first call and says whose it was; what is connected can be disconnected.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';
import { authorizeURL } from '../lib/stage.mjs';

let server, browser, owner, client;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  client = http.createServer((request, response) => response.end('Back at the client'));
  client.listen(0, '127.0.0.1');
  await once(client, 'listening');
});

after(async () => {
  await browser?.close();
  await server?.close();
  client?.close();
});

/** The page Connect of the owner. */
async function opened(look) {
  const person = await browser.person(server, { look });
  const page = await person.open('/w/driftless/connect');
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Connect', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  return { person, page };
}

const section = (page, name) => page.getByRole('region', { name, exact: true });

/** Lets the client in, in another tab of the same browser; it fetches its tokens, as clients do at once. */
async function letIn(person) {
  const redirect_uri = `http://127.0.0.1:${client.address().port}/callback`;
  const asked = await authorizeURL(server, redirect_uri);
  const tab = await person.open(asked);
  await tab.getByRole('button', { name: 'Connect', exact: true }).click();
  await tab.getByText('Back at the client').waitFor();
  const answer = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: new URL(asked).searchParams.get('client_id'),
      code: new URL(tab.url()).searchParams.get('code'),
      redirect_uri,
      // The verifier of RFC 7636, appendix B.
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
  });
  assert.equal(answer.status, 200, await answer.text());
  await tab.close();
}

test('the page waits for the first call, and turns when a client is let in', async () => {
  const { person, page } = await opened();
  await page.getByText('Waiting for the first call…').waitFor();
  await section(page, 'Connected applications').getByText('No application is connected yet.').waitFor();
  await letIn(person);
  await page.getByText('Ledger Assistant has called.').waitFor();
  await section(page, 'Connected applications').getByText('Ledger Assistant').waitFor();
  await person.screenshot(page, 'connect-arrived', { fullPage: true });
  await person.assertAccessible(page, 'connect-arrived');
  await person.close();
});

test('an API key that is used counts as a call', async () => {
  const { person, page } = await opened();
  await page.getByText('Waiting for the first call…').waitFor();
  const key = await owner.call('POST', '/keys', { name: 'Nightly script', kind: 'personal', scopes: ['context:read'] });
  const answer = await fetch(`${server.url}/api/v1/workspaces/driftless/topics`, {
    headers: { authorization: `Bearer ${key.secret}` },
  });
  assert.equal(answer.status, 200);
  await page.getByText('Nightly script has called.').waitFor();
  await person.close();
});

for (const look of looks) {
  test(`an application is disconnected: ${look.name}`, async () => {
    const { person, page } = await opened(look);
    await letIn(person);
    // From here on nothing arrives by itself while the rows are counted.
    await page.reload();
    const apps = section(page, 'Connected applications');
    const end = apps.getByRole('button', { name: 'Disconnect Ledger Assistant' });
    await end.first().waitFor();
    await person.screenshot(page, 'connect-apps', { fullPage: true });
    await person.assertAccessible(page, 'connect-apps');
    while ((await end.count()) > 0) {
      const left = (await end.count()) - 1;
      await end.first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.waitForFunction(
        (n) => document.querySelectorAll('[aria-label="Connected applications"] li').length === n,
        left,
      );
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await apps.getByText('No application is connected yet.').waitFor();
    await person.close();
  });
}

for (const look of looks) {
  test(`an application is registered, its secret shown once, and deleted by its name: ${look.name}`, async () => {
    const { person, page } = await opened(look);
    const apps = section(page, 'Registered applications');
    await apps.getByRole('button', { name: 'Register an application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Reports');
    await dialog.getByLabel('Return addresses').fill('https://reports.ledger.example/callback\nhttps://other.ledger.example/cb');
    await dialog.getByRole('radio', { name: 'Secret in the header' }).check();
    await dialog.getByRole('checkbox', { name: 'topics:write' }).uncheck();
    await person.screenshot(page, 'application-new');
    await person.assertAccessible(page, 'application-new');
    await dialog.getByRole('button', { name: 'Register', exact: true }).click();
    const secret = await page.getByLabel('Client secret', { exact: true }).textContent();
    assert.ok(secret.length > 20);
    await person.screenshot(page, 'application-made');
    await person.assertAccessible(page, 'application-made');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await apps.getByText('https://reports.ledger.example/callback').waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    await person.screenshot(page, 'connect-applications', { fullPage: true });
    await person.assertAccessible(page, 'connect-applications');
    await apps.getByRole('button', { name: 'Delete “Reports”' }).click();
    await page.getByLabel('Type Reports to confirm').fill('Reports');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await apps.getByText('No application is registered.').waitFor();
    await person.close();
  });
}

test('a return address that is not allowed is said at its field', async () => {
  const { person, page } = await opened();
  person.expectRefusal('/api/v1/workspaces/driftless/clients');
  await page.getByRole('button', { name: 'Register an application' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Reports');
  await dialog.getByLabel('Return addresses').fill('http://reports.ledger.example/callback');
  await dialog.getByRole('button', { name: 'Register', exact: true }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Reports');
  await person.screenshot(page, 'application-refused');
  await person.close();
});

test('a key of one’s own reaches the workspaces that were chosen', async () => {
  const { email, password } = server.people.owner;
  server.run(['admin', 'bootstrap', '--email', email, '--workspace', 'second', '--password-stdin'], { input: `${password}\n` });
  const { person, page } = await opened();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Both');
  const reaches = dialog.getByRole('group', { name: 'Workspaces it reaches' });
  assert.ok(await reaches.getByRole('checkbox', { name: 'driftless' }).isDisabled());
  await reaches.getByRole('checkbox', { name: 'second' }).check();
  await person.screenshot(page, 'key-new');
  await person.assertAccessible(page, 'key-new');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByLabel('API key', { exact: true }).textContent();
  for (const workspace of ['driftless', 'second']) {
    const answer = await fetch(`${server.url}/api/v1/workspaces/${workspace}/topics`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(answer.status, 200, workspace);
  }
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await section(page, 'API keys').getByText('reaches driftless, second').waitFor();
  await person.close();
});
