// Compares bridges from standard input and output to the endpoint: ours, and mcp-remote where it is installed. It prints the table
// of docs/clients.md. From the folder e2e, after `make build`:
//
//   npm install --no-save mcp-remote@0.15.1 && node bridges/compare.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { startProxy } from './proxy.mjs';
import { signIn } from '../lib/rest.mjs';
import { freePort, root, startServer } from '../lib/server.mjs';

const rounds = 10; // starts of each bridge
const calls = 200; // calls in a row through one of them
const patience = 15_000; // ms after which a bridge counts as not answering
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** How each bridge is started for an address and a key. */
const bridges = {
  'driftless mcp': (url, key, home) => ({
    command: path.join(root, 'bin', 'driftless'),
    args: ['mcp'],
    env: { DRIFTLESS_URL: url, DRIFTLESS_API_KEY: key, HOME: home, XDG_CONFIG_HOME: home },
  }),
  'mcp-remote 0.15.1': (url, key, home) => ({
    command: process.execPath,
    args: [remote, `${url}/mcp`, '--allow-http', '--header', `Authorization:Bearer ${key}`],
    env: { HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: '/bin/true' },
  }),
};
const remote = path.join(root, 'e2e', 'node_modules', 'mcp-remote', 'dist', 'proxy.js');

/** A bridge that runs, as a client sees it. */
class Bridge {
  #waiting = new Map();
  #id = 0;
  others = [];

  constructor({ command, args, env }) {
    this.child = spawn(command, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    this.said = '';
    this.child.stderr.setEncoding('utf8').on('data', (text) => (this.said += text));
    readline.createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      const settle = this.#waiting.get(message.id);
      if (settle && !message.method) settle(message);
      else this.others.push(message);
    });
  }

  send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Answers the message, or 'nothing' where none came in time. */
  request(method, params = {}, { id = ++this.#id, wait = patience } = {}) {
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.send({ id, method, params });
    return Promise.race([answer, new Promise((resolve) => setTimeout(resolve, wait, 'nothing').unref())]);
  }

  async greet() {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'compare', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Resident memory in MiB, of the process and those it started. */
  async memory() {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  }

  async end() {
    if (this.child.exitCode !== null) return 0;
    const begun = performance.now();
    const exited = once(this.child, 'exit');
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), patience);
    await exited;
    clearTimeout(timer);
    return performance.now() - begun;
  }
}

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const outcome = (answer) =>
  answer === 'nothing' ? `no answer within ${patience / 1000} s` : answer.error ? `error: ${answer.error.message}` : 'result';
const call = (bridge, options) => bridge.request('tools/call', { name: 'driftless_workspaces', arguments: {} }, options);

async function measure(start, stage) {
  const row = {};
  const begin = async (key = stage.key) => {
    const home = await mkdtemp(path.join(os.tmpdir(), 'bridge-'));
    stage.homes.push(home);
    return new Bridge(start(stage.proxy.url, key, home));
  };

  const starts = [];
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    const bridge = await begin();
    await bridge.greet();
    starts.push(performance.now() - begun);
    await bridge.end();
  }
  row['start to the answer of `initialize`, median'] = ms(median(starts));

  let bridge = await begin();
  await bridge.greet();
  const took = [];
  for (let i = 0; i < calls; i++) {
    const begun = performance.now();
    await call(bridge);
    took.push(performance.now() - begun);
  }
  row['`tools/call` through it, median'] = ms(median(took));
  const begun = performance.now();
  await Promise.all(Array.from({ length: calls }, () => call(bridge)));
  row[`${calls} calls at once, all answered`] = ms(performance.now() - begun);
  row['memory after that'] = `${Math.round(await bridge.memory())} MiB`;

  const seen = stage.proxy.hold();
  const slow = call(bridge, { id: 'slow', wait: 3000 });
  await seen.arrived;
  const beside = performance.now();
  await call(bridge);
  row['a call beside a slow one'] = ms(performance.now() - beside);
  bridge.send({ method: 'notifications/cancelled', params: { requestId: 'slow', reason: 'compare' } });
  const ended = await Promise.race([seen.ended, new Promise((resolve) => setTimeout(resolve, 2000, false).unref())]);
  seen.release();
  const late = await slow;
  row['`notifications/cancelled`'] =
    `the request over HTTP ${ended ? 'ends' : 'goes on'}; ${late === 'nothing' ? 'nothing is written' : `written: ${outcome(late)}`}`;

  await stage.server.restart();
  row['a call after a restart of the server'] = outcome(await call(bridge));
  await stage.server.stop();
  row['a call while the server is down'] = outcome(await call(bridge));
  await stage.server.start();
  row['the end of its input'] = `ends after ${ms(await bridge.end())}`;

  bridge = await begin('dl_not-a-key');
  row['a credential that is not valid (401)'] = outcome(await bridge.greet());
  await bridge.end();

  bridge = await begin();
  const discovered = await bridge.request('server/discover', { _meta: modern });
  const listed = await bridge.request('tools/call', { name: 'driftless_workspaces', arguments: {}, _meta: modern });
  const names = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => stage.proxy.last[name] ?? 'none');
  row['2026-07-28: `server/discover`'] = outcome(discovered);
  row['2026-07-28: `tools/call`'] = `${outcome(listed)}; headers ${names.join(', ')}`;
  await bridge.end();
  return row;
}

const port = await freePort();
const proxy = await startProxy(`http://127.0.0.1:${port}`);
const server = await startServer({ demo: true, port, env: { DRIFTLESS_PUBLIC_URL: proxy.url } });
const stage = { server, proxy, homes: [] };
try {
  const owner = await signIn(server, server.people.owner);
  stage.key = (await owner.call('POST', '/keys', { name: 'compare', scopes: ['context:read'] })).secret;
  const rows = {};
  for (const [name, start] of Object.entries(bridges)) {
    if (name !== 'driftless mcp' && !(await access(remote).then(() => true, () => false))) continue;
    for (const [what, value] of Object.entries(await measure(start, stage))) (rows[what] ??= []).push(value);
  }
  const names = Object.keys(bridges).slice(0, Object.values(rows)[0].length);
  console.log(`| | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`);
  for (const [what, values] of Object.entries(rows)) console.log(`| ${what} | ${values.join(' | ')} |`);
} finally {
  await server.close();
  await proxy.close();
  for (const home of stage.homes) await rm(home, { recursive: true, force: true });
}
