// The REST API as the console uses it: a session and its CSRF token. Tests set their stage with it; what they are about, they
// do with a client or in the browser.
import assert from 'node:assert/strict';

export async function signIn(server, { email, password }) {
  const answer = await fetch(`${server.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const session = await answer.json();
  return new Api(server, cookie, session.csrf_token, session.workspaces[0].slug);
}

class Api {
  #server;
  #headers;

  constructor(server, cookie, csrf, workspace) {
    this.#server = server;
    this.#headers = { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' };
    this.workspace = workspace;
  }

  /** Calls a path below the workspace and wants success. */
  async call(method, path, body) {
    const answer = await fetch(`${this.#server.url}/api/v1/workspaces/${this.workspace}${path}`, {
      method,
      headers: this.#headers,
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Confirms what a client asked for, or declines it. */
  async decide(confirmation, approve) {
    const answer = await fetch(`${this.#server.url}/api/v1/confirmations/${confirmation}`, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify({ approve }),
    });
    assert.ok(answer.ok, `decide: ${answer.status} ${await answer.text()}`);
  }

  /** A note that waits for review; answers its slug. */
  async proposed({ message, ...note }) {
    const { slug } = await this.call('POST', '/topics', { status: 'draft', ...note });
    await this.call('POST', `/topics/${slug}/propose`, { message });
    return slug;
  }

  /** Knowledge, as a person makes it who decides at once. */
  async reviewed(note) {
    const slug = await this.proposed(note);
    const { revision, content_hash } = await this.call('GET', `/topics/${slug}?view=full`);
    await this.call('POST', `/topics/${slug}/approve`, { revision, content_hash });
    return slug;
  }
}
