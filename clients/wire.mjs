// What passes between a client and the server: a loopback proxy that changes nothing and remembers the requests, so that one
// can see of any client, whatever it is written in, when it asked a person and when it refreshed.
import { once } from 'node:events';
import http from 'node:http';

/** Listens at once, under the address that the server is told to be reached at; `to` says where the server is. */
export async function startWire() {
  const wire = new Wire();
  await wire.listen();
  return wire;
}

class Wire {
  #proxy = http.createServer((request, response) => this.#pass(request, response));

  /** Requests so far, oldest first: {method, path, status}, and of those for tokens {grant, ends}. */
  seen = [];

  async listen() {
    this.#proxy.listen(0, '127.0.0.1');
    await once(this.#proxy, 'listening');
    this.url = `http://127.0.0.1:${this.#proxy.address().port}`;
  }

  #pass(request, response) {
    const { hostname, port } = new URL(this.to);
    const { pathname: path } = new URL(request.url, this.to);
    const entry = { method: request.method, path, status: 0 };
    this.seen.push(entry);
    const forward = http.request({ hostname, port, path: request.url, method: request.method, headers: request.headers });
    forward.on('response', (answer) => {
      entry.status = answer.statusCode;
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      if (path === '/oauth/token') collect(answer, (text) => (entry.ends = Date.now() + 1000 * (JSON.parse(text).expires_in ?? 0)));
    });
    // An unreachable server looks to the client as it would without us.
    forward.on('error', () => response.destroy());
    response.on('close', () => forward.destroy());
    if (path === '/oauth/token') collect(request, (text) => (entry.grant = new URLSearchParams(text).get('grant_type')));
    request.pipe(forward);
  }

  /** How often a person signed the client in. Opening the address alone is none: mcp-remote looks at it before the person does. */
  get signIns() {
    return this.granted('authorization_code');
  }

  /** How many requests for a token of this kind were answered with one. */
  granted(grant) {
    return this.seen.filter((one) => one.grant === grant && one.status === 200).length;
  }

  /** When the last access token that was given ends, as a client reckons that began to count when it had its answer. */
  get lastEnds() {
    return Math.max(...this.seen.map(({ ends }) => ends ?? 0));
  }

  /** The requests as lines, for a person who looks why something failed. */
  toString() {
    return this.seen.map(({ method, path, status, grant }) => `  ${method} ${path} ${status} ${grant ?? ''}`.trimEnd()).join('\n');
  }

  close() {
    this.#proxy.closeAllConnections();
    this.#proxy.close();
  }
}

function collect(stream, whole) {
  const parts = [];
  stream.on('data', (part) => parts.push(part));
  stream.on('end', () => whole(Buffer.concat(parts).toString('utf8')));
}
