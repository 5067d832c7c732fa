// What a person's browser does at a sign-in, without its pages: for clients whose pages are tested elsewhere.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

export async function send(method, url, headers, body) {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  assert.ok(answer.status < 400, `${method} ${url}: ${answer.status} ${await answer.clone().text()}`);
  return answer;
}

/**
 * Signs the owner in, allows what the client asks in all of the owner's workspaces, and goes back to the client.
 * @param {{url: string, people: object}} server
 * @param {string} authorizeURL what the client opened in the browser
 * @param {string[]} [only] the scopes that stay ticked; all of them, if nothing is said
 */
export async function allow(server, authorizeURL, only) {
  const session = await send('POST', `${server.url}/api/v1/session`, {}, server.people.owner);
  const cookie = session.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { csrf_token: csrf, workspaces } = await session.json();
  const consent = new URL((await send('GET', authorizeURL, { cookie })).headers.get('location'), server.url);
  let next = consent.href;
  if (consent.pathname === '/consent') {
    const request = `${server.url}/api/v1/oauth/requests/${consent.searchParams.get('request')}`;
    const { scopes } = await (await send('GET', request, { cookie })).json();
    const answer = {
      approve: true,
      scopes: scopes.map(({ name }) => name).filter((name) => !only || only.includes(name)),
      workspaces: workspaces.map(({ slug }) => slug),
    };
    next = (await (await send('POST', request, { cookie, 'x-csrf-token': csrf }, answer)).json()).redirect_to;
  }
  await comeBack(next);
}

/** Goes to the address that the client listens at, or soon will: a person is slower than this. */
async function comeBack(address) {
  for (const end = Date.now() + 10_000; ; await setTimeout(50)) {
    try {
      return await send('GET', address, {});
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED' || Date.now() > end) throw error;
    }
  }
}
