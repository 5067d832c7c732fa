// Drives a client program in Go (e2e/gosdk, e2e/mcpgo) over the JSON lines of e2e/talk.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { root } from './server.mjs';

/**
 * Builds the client and starts it; it asks for a sign-in at once.
 * @param {string} mcpURL
 * @param {{program?: 'gosdk' | 'mcpgo', browse?: (url: string) => void}} options browse hears of every sign-in it asks for
 */
export async function startGoClient(mcpURL, { program = 'gosdk', browse = () => {} } = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), `driftless-${program}-`));
  const file = path.join(folder, program);
  const built = spawnSync('go', ['build', '-o', file, `./e2e/${program}`], { cwd: root, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  return new GoClient(spawn(file, [mcpURL], { stdio: ['pipe', 'pipe', 'pipe'] }), folder, browse);
}

class GoClient {
  #child;
  #folder;
  #events = new EventEmitter();
  #seen = {};
  #errors = '';
  #exited;
  #calls = 0;

  constructor(child, folder, browse) {
    this.name = 'Driftless e2e (Go SDK)';
    /** Requests for tokens so far: {grant, status}. */
    this.tokens = [];
    this.#child = child;
    this.#folder = folder;
    child.stderr.setEncoding('utf8').on('data', (text) => (this.#errors += text));
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      if (event.event === 'token') this.tokens.push(event);
      if (event.event === 'authorize') browse(event.url);
      const name = event.event === 'result' ? `result-${event.id}` : event.event;
      this.#seen[name] = event;
      this.#events.emit(name, event);
    });
    // After its pipes are empty, so that what it said last is known.
    this.#exited = once(child, 'close').then(([code]) => code);
  }

  async #next(name) {
    if (this.#seen[name]) return this.#seen[name];
    const [event] = await Promise.race([
      once(this.#events, name),
      this.#exited.then((code) => {
        throw new Error(`the client ended with ${code} before ${name}: ${this.#errors}`);
      }),
    ]);
    return event;
  }

  /** The address to open in a browser. */
  async authorizeURL() {
    return (await this.#next('authorize')).url;
  }

  /** Answers once it is connected: {server, protocol, tools}. */
  ready() {
    return this.#next('ready');
  }

  /** Calls a tool; answers its structured content and wants no error. */
  async call(tool, args) {
    const id = ++this.#calls;
    this.#child.stdin.write(`${JSON.stringify({ id, call: tool, arguments: args })}\n`);
    const answer = await this.#next(`result-${id}`);
    assert.equal(answer.error, undefined, `${tool}: ${answer.error}`);
    assert.ok(!answer.is_error, `${tool}: ${answer.text}`);
    assert.deepEqual(JSON.parse(answer.text), answer.structured, `${tool}: text and structure differ`);
    return answer.structured;
  }

  async close() {
    // A client that still waits for its sign-in does not read its input.
    if (this.#seen.ready) this.#child.stdin.end();
    else this.#child.kill('SIGTERM');
    const code = await this.#exited;
    await rm(this.#folder, { recursive: true, force: true });
    if (this.#seen.ready) assert.equal(code, 0, `the client: ${this.#errors}`);
  }
}
