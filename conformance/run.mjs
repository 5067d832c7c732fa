// Runs the protocol's own conformance suite: the server scenarios of two revisions against our guard and transport with the
// suite's fixtures behind them, and the authorization scenarios against the whole server. Each is two processes on one database,
// and every request goes to the other one than the request before, so that whatever a process kept to itself would be missed.
// Ends with 0 when nothing failed but what baseline.yml names with its reason.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { allow, send } from '../e2e/lib/allow.mjs';
import { startPair } from '../e2e/lib/pair.mjs';
import { startProxy } from '../e2e/lib/proxy.mjs';
import { freePort, root } from '../e2e/lib/server.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const baseline = path.join(here, 'baseline.yml');
const suite = path.join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Starts the suite; it needs a newer Node.js than the rest, which comes with it. */
function start(args) {
  const child = spawn(path.join(here, 'node_modules/.bin/node'), [suite, ...args], { cwd: here, stdio: ['ignore', 'pipe', 'pipe'] });
  child.said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (child.said += text));
  child.ended = once(child, 'close').then(([code]) => code);
  return child;
}

/** What a run left in its folder: how many of the scenarios that count succeeded in all of their checks. */
async function figures(folder, counts = () => true) {
  let whole = 0;
  let scenarios = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    if (path.basename(name) !== 'checks.json') continue;
    const [, scenario] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(path.dirname(name)) ?? [];
    if (!counts(scenario)) continue;
    const checks = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    scenarios += 1;
    if (!checks.some(({ status }) => ['FAILURE', 'WARNING'].includes(status))) whole += 1;
  }
  return `${whole} of ${scenarios}`;
}

/** The server scenarios that a revision requires. */
async function serverMode(url, revision, folder) {
  const run = start(['server', '--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', folder]);
  const code = await run.ended;
  assert.equal(code, 0, `server, ${revision}\n${run.said}`);
  // It also runs scenarios that the revision does not require; they do not count.
  const list = start(['list', '--requirements', revision]);
  await list.ended;
  const [, required] = /^Server scenarios.*\n((?: {2}- .*\n)+)/m.exec(list.said);
  return figures(folder, (scenario) => required.includes(`  - ${scenario}\n`));
}

/** The authorization scenarios, with a person who signs in and allows what is asked. */
async function authorizationMode(server, folder) {
  const port = await freePort();
  const client = await register(server.url, `http://127.0.0.1:${port}/callback`);
  const args = ['authorization', '--url', server.url, '--client-id', client, '--resource', `${server.url}/mcp`, '-p', `${port}`, '-o', folder];
  const run = start(args);
  const asked = new Set();
  const browse = () => {
    for (const [url] of run.said.matchAll(/https?:\/\/\S+\/oauth\/authorize\?\S+/g)) {
      if (asked.has(url)) continue;
      asked.add(url);
      allow(server, url).catch((error) => {
        run.said += `\nthe browser: ${error.stack}`;
        run.kill('SIGTERM');
      });
    }
  };
  run.stdout.on('data', browse);
  run.stderr.on('data', browse);
  const code = await run.ended;
  assert.equal(code, 0, `authorization\n${run.said}`);
  assert.ok(asked.size > 0, `nobody was asked to sign in\n${run.said}`);
  return figures(folder);
}

async function register(issuer, redirect) {
  const answer = await send('POST', `${issuer}/oauth/register`, {}, {
    client_name: 'Conformance suite',
    redirect_uris: [redirect],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  });
  return (await answer.json()).client_id;
}

/** Two processes of the fixture on one database, which tell each other what changed. */
async function startFixtures(folder, database, token) {
  const program = path.join(folder, 'fixture');
  const built = spawnSync('go', ['build', '-o', program, './conformance/fixture'], { cwd: root, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  const env = { ...process.env, DRIFTLESS_DATABASE_URL: database, DRIFTLESS_FIXTURE_TOKEN: token };
  const children = [1, 2].map(() => spawn(program, [], { env, stdio: ['pipe', 'pipe', 'inherit'] }));
  const urls = children.map(async (child) => {
    const lines = readline.createInterface({ input: child.stdout });
    const [first] = await once(lines, 'line');
    lines.on('line', (line) => children.filter((other) => other !== child).forEach((other) => other.stdin.write(`${line}\n`)));
    return JSON.parse(first).url;
  });
  return {
    urls: await Promise.all(urls),
    close: () => children.forEach((child) => child.stdin.end()),
  };
}

const began = Date.now();
const folder = await mkdtemp(path.join(os.tmpdir(), 'driftless-conformance-'));
const open = [];
try {
  const server = await startPair();
  open.push(server);
  const token = randomUUID();
  const fixtures = await startFixtures(folder, await server.databaseURL(), token);
  open.push(fixtures);
  const proxy = await startProxy(fixtures.urls, token);
  open.push(proxy);
  const said = [];
  for (const revision of ['2025-11-25', '2026-07-28']) {
    said.push(`${await serverMode(proxy.url, revision, path.join(folder, revision))} at ${revision}`);
  }
  said.push(`${await authorizationMode(server, path.join(folder, 'authorization'))} of authorization`);
  // Each process was asked as often as the other, so nothing was kept in one of them.
  for (const { passed } of [proxy, server]) assert.ok(Math.abs(passed[0] - passed[1]) <= 1 && passed[1] > 0, `requests: ${passed}`);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  console.log(`conformance: through two processes, scenarios ${said.join(', ')}; what is expected to fail is in baseline.yml; ${seconds} s`);
} catch (error) {
  console.error(`conformance: ${error.stack}`);
  process.exitCode = 1;
} finally {
  for (const one of open.reverse()) await one.close();
  await rm(folder, { recursive: true, force: true });
}
