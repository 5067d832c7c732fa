// Clients that are programs: each run is a process, and the credentials lie on disk in a home folder of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { freePort, root } from '../e2e/lib/server.mjs';
import { version } from './versions.mjs';

/** How long a program may take for one thing; a sign-in and a call take a second or two. */
const patience = 60_000;

/** A Node.js newer than ours may be, which some of them need. */
const node = path.join(root, `clients/node_modules/node-${process.platform}-${process.arch}/bin`);

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Nothing of the person who runs the tests, and no way to a browser or to the internet. */
export function environment(stage, extra = {}) {
  return {
    PATH: `${node}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    HOME: stage.home,
    XDG_CONFIG_HOME: path.join(stage.home, '.config'),
    XDG_DATA_HOME: path.join(stage.home, '.local/share'),
    XDG_STATE_HOME: path.join(stage.home, '.local/state'),
    XDG_CACHE_HOME: path.join(stage.home, '.cache'),
    BROWSER: '/bin/true',
    // Whatever reaches out to elsewhere fails at once.
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    npm_config_offline: 'true',
    ...extra,
  };
}

/** Starts a program; the address of a sign-in that it prints is opened by the person. */
export function start(stage, command, args, { env = {} } = {}) {
  const child = spawn(command, args, { cwd: path.join(stage.home, 'work'), env: environment(stage, env), stdio: 'pipe' });
  running.add(child);
  const timer = setTimeout(() => child.kill('SIGTERM'), patience);
  child.said = '';
  child.out = '';
  const opened = new Set();
  const heard = (text) => {
    child.said += text;
    for (const [url] of child.said.matchAll(/https?:\/\/[^\s"\x00-\x1f]+\/oauth\/authorize\?[^\s"\x00-\x1f]+(?=[\s"\x00-\x1f])/g)) {
      if (!url.startsWith(stage.issuer) || opened.has(url)) continue;
      opened.add(url);
      stage.browse(url).catch((error) => {
        child.said += `\nthe browser: ${error.stack} ${error.cause ?? ''}`;
        child.kill('SIGTERM');
      });
    }
  };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    child.out += text;
    heard(text);
  });
  child.stderr.setEncoding('utf8').on('data', heard);
  child.ended = once(child, 'close').then(([code, signal]) => {
    clearTimeout(timer);
    running.delete(child);
    return code ?? signal;
  });
  return child;
}

/** Runs a program to its end and wants success; answers what it wrote to standard output. */
export async function run(stage, command, args, options) {
  const child = start(stage, command, args, options);
  child.stdin.end();
  const code = await child.ended;
  assert.equal(code, 0, `${path.basename(command)} ${args.join(' ')}: ${code}\n${child.said}`);
  return child.out;
}

/** The same for a program that asks a person only at a terminal; what it wrote may be mixed with what it said. */
export function runAtTerminal(stage, command, args, options) {
  const quoted = [command, ...args].map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');
  return run(stage, 'script', ['-qec', quoted, '/dev/null'], options);
}

const program = (name) => path.join(root, 'clients/node_modules/.bin', name);

export const programs = [
  { name: `Inspector ${version('@modelcontextprotocol/inspector')}`, without: 'step-up: it calls nothing that the list lacks', start: startInspector },
  { name: `mcp-remote ${version('mcp-remote')}`, stepUp: 'asks', start: startRemote },
  { name: `mcporter ${version('mcporter')}`, without: 'step-up: it hands the refusal on', start: startPorter },
];

async function startInspector(stage) {
  const env = { MCP_INSPECTOR_SECRET_STORE: 'file' };
  const common = ['--cli', stage.mcp, '--transport', 'http', '--format', 'json', '--protocol-era', 'auto'];
  const inspector = program('mcp-inspector');
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
  await runAtTerminal(stage, inspector, [...common, '--callback-url', callback, '--method', 'tools/list'], { env });
  // From here on it may not ask a person at all.
  const ask = async (...args) => JSON.parse(await run(stage, inspector, [...common, '--stored-auth-only', ...args], { env })).result;
  return {
    shares: true,
    tools: async () => (await ask('--method', 'tools/list')).tools.map(({ name }) => name),
    call: async (tool, args) =>
      (await ask('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args))).structuredContent,
    close: async () => {},
  };
}

async function startPorter(stage) {
  const porter = program('mcporter');
  const env = { MCPORTER_OAUTH_NO_BROWSER: '1', MCPORTER_DISABLE_KEEPALIVE: '1' };
  await run(stage, porter, ['auth', stage.mcp, '--allow-http'], { env });
  const ask = async (...args) => JSON.parse(await run(stage, porter, args, { env }));
  return {
    shares: true,
    tools: async () => (await ask('list', stage.mcp, '--allow-http', '--json')).tools.map(({ name }) => name),
    call: (tool, args) =>
      ask('call', `${stage.mcp}.${tool}`, '--allow-http', '--no-oauth', '--output', 'json', '--args', JSON.stringify(args)),
    close: async () => {},
  };
}

/** A bridge: we are the client that only starts programs, and speak the protocol with it over its standard streams. */
async function startRemote(stage) {
  const bridge = async (does) => {
    const child = start(stage, program('mcp-remote'), [stage.mcp, '--allow-http']);
    const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let id = 0;
    const ask = async (method, params) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        assert.ok(!done, `mcp-remote ended\n${child.said}`);
        const answer = JSON.parse(value);
        if (answer.id !== id) continue;
        assert.equal(answer.error, undefined, `${JSON.stringify(answer.error)}\n${child.said}`);
        return answer.result;
      }
    };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'driftless-clients', version: '1' } };
    assert.equal((await ask('initialize', hello)).serverInfo.name, 'driftless');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const result = await does(ask);
    child.stdin.end();
    await child.ended;
    return result;
  };
  const tools = () => bridge(async (ask) => (await ask('tools/list', {})).tools.map(({ name }) => name));
  await tools();
  return {
    shares: true,
    tools,
    call: (tool, args) => bridge(async (ask) => (await ask('tools/call', { name: tool, arguments: args })).structuredContent),
    close: async () => {},
  };
}
