// The consent page under impatient and hostile conditions.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { startBrowser } from '../lib/browser.mjs';
import { startServer } from '../lib/server.mjs';
import { authorizeURL, fillStage } from '../lib/stage.mjs';

let server, browser, stage, elsewhere;
/** What arrived at the client's address, and what the page of somebody else holds. */
const visits = [];
let frame = '';

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  stage = await fillStage(server);
  elsewhere = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    if (pathname === '/callback') visits.push(searchParams);
    response.setHeader('content-type', 'text/html');
    response.end(pathname === '/frame' ? `<iframe src="${frame}"></iframe>` : '<p>Back at the client');
  });
  elsewhere.listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
});

after(async () => {
  await browser?.close();
  await server?.close();
  elsewhere?.close();
});

const address = (path) => `http://127.0.0.1:${elsewhere.address().port}${path}`;

/** Opens a new request and signs in on the way; the same request has to come back. */
async function asked() {
  const person = await browser.person(server);
  const page = await person.open(await authorizeURL(server, address('/callback')));
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Connect Ledger Assistant?' }).waitFor();
  visits.length = 0;
  return { person, page };
}

test('a double click on Connect answers once', async () => {
  const { person, page } = await asked();
  const answers = [];
  page.on('response', (response) => {
    if (response.request().method() === 'POST') answers.push(response.status());
  });
  await page.getByRole('button', { name: 'Connect', exact: true }).dblclick();
  await page.getByText('Back at the client').waitFor();
  assert.equal(visits.length, 1);
  assert.ok(visits[0].get('code'), `${visits[0]}`);
  assert.equal(visits[0].get('iss'), server.url);
  assert.deepEqual(answers, [200]);

  // Going back shows a question that has its answer, not one that can be answered again.
  person.expectRefusal('/api/v1/oauth/requests/');
  await page.goBack();
  await page.getByRole('heading', { name: 'Already answered' }).waitFor();
  await person.screenshot(page, 'consent-answered');
  await person.assertAccessible(page, 'consent-answered');
  await person.close();
});

test('the same request open twice is answered once', async () => {
  const { person, page } = await asked();
  const other = await person.open(page.url());
  await other.getByRole('button', { name: 'Connect', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Back at the client').waitFor();
  person.expectRefusal('/api/v1/oauth/requests/');
  await other.getByRole('button', { name: 'Connect', exact: true }).click();
  await other.getByRole('heading', { name: 'Already answered' }).waitFor();
  assert.equal(visits.length, 1);
  await person.close();
});

test('a refusal reaches the client as one', async () => {
  const { person, page } = await asked();
  await page.getByRole('button', { name: 'Do not connect' }).click();
  await page.getByText('Back at the client').waitFor();
  assert.equal(visits[0].get('error'), 'access_denied');
  assert.equal(visits[0].get('code'), null);
  await person.close();
});

test('what is unticked is not granted, and nothing ticked cannot be sent', async () => {
  const { person, page } = await asked();
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  const workspace = page.getByRole('group', { name: 'Workspaces it may enter' }).getByRole('checkbox').first();
  await workspace.uncheck();
  assert.ok(await connect.isDisabled());
  await workspace.check();
  await page.getByRole('checkbox', { name: 'work:write' }).uncheck();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await connect.click();
  const body = (await sent).postDataJSON();
  assert.ok(!body.scopes.includes('work:write') && body.scopes.includes('context:read'), `${body.scopes}`);
  assert.deepEqual(body.workspaces, ['driftless']);
  await page.getByText('Back at the client').waitFor();
  await person.close();
});

test('a reload asks the same question again, and back and forth leaves it whole', async () => {
  const { person, page } = await asked();
  await page.reload();
  await page.getByRole('heading', { name: 'Connect Ledger Assistant?' }).waitFor();
  await page.goto('about:blank');
  await page.goBack();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Back at the client').waitFor();
  assert.equal(visits.length, 1);
  assert.ok(visits[0].get('code'), `${visits[0]}`);
  await person.close();
});

test('a request that is not there, and one that expires while it is read, say what to do', async () => {
  const { person, page } = await asked();
  person.expectRefusal('/api/v1/oauth/requests/');
  await page.route('**/api/v1/oauth/requests/*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 404,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'NOT_FOUND', message: 'this request has expired' }),
        })
      : route.fallback(),
  );
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'This request has expired' }).waitFor();
  await page.goto(`${server.url}/consent?request=nobody-asked`);
  await page.getByRole('heading', { name: 'This request has expired' }).waitFor();
  await person.screenshot(page, 'consent-gone');
  await person.assertAccessible(page, 'consent-gone');
  assert.equal(visits.length, 0);
  await person.close();
});

test('no page lets itself be framed', async () => {
  const refused = '/oauth/authorize?client_id=nobody';
  for (const at of ['/', '/sign-in', '/consent?request=x', '/w/driftless/review', refused, stage.confirmURL]) {
    const answer = await fetch(new URL(at, server.url), { redirect: 'manual' });
    assert.equal(answer.headers.get('x-frame-options'), 'DENY', at);
    assert.match(answer.headers.get('content-security-policy'), /frame-ancestors 'none'/, at);
    assert.doesNotMatch(answer.headers.get('content-security-policy'), /unsafe-inline|unsafe-eval/, at);
  }
  // And a browser does as the headers say: it blocks the page and says why.
  const person = await browser.person(server);
  frame = stage.confirmURL;
  const page = await person.open('about:blank');
  const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await page.goto(address('/frame'));
  await blocked;
  assert.equal(await page.frameLocator('iframe').getByRole('heading').count(), 0);
  await person.close();
});
