// A proxy that can hold one call back and sees when it is given up.
import { once } from 'node:events';
import http from 'node:http';

/** @param {string} target the server behind it */
export async function startProxy(target) {
  const proxy = new Proxy(target);
  await proxy.listen();
  return proxy;
}

/** A promise with its resolve, which Node 20 has no word for. */
function deferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

class Proxy {
  #agent = new http.Agent({ keepAlive: true });
  #held = null;
  /** The headers of the last request. */
  last = {};

  constructor(target) {
    this.target = new URL(target);
    this.server = http.createServer((request, answer) => this.#pass(request, answer));
  }

  async listen() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }

  /** Holds the next call of a tool back until it is released or given up. */
  hold() {
    const held = { arrived: deferred(), ended: deferred(), released: deferred() };
    this.#held = held;
    return { arrived: held.arrived.promise, ended: held.ended.promise, release: () => held.released.resolve(true) };
  }

  async #pass(request, answer) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    this.last = request.headers;
    if (this.#held && body.includes('"slow"')) {
      const held = this.#held;
      this.#held = null;
      answer.once('close', () => held.ended.resolve(!answer.writableEnded));
      held.arrived.resolve(true);
      await held.released.promise;
      if (answer.destroyed) return;
    }
    const { hostname, port } = this.target;
    const onward = http.request(
      { hostname, port, method: request.method, path: request.url, headers: request.headers, agent: this.#agent },
      (got) => {
        answer.writeHead(got.statusCode, got.headers);
        got.pipe(answer);
      },
    );
    onward.once('error', () => answer.headersSent || answer.writeHead(502).end());
    onward.end(body);
  }

  async close() {
    this.server.closeAllConnections();
    this.server.close();
    this.#agent.destroy();
  }
}
