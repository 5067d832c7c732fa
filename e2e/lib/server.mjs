// Runs the binary under test: one server with its own port and data folder.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const binary = path.join(root, 'bin', 'driftless');

/** What a server may be configured with from outside never reaches the one under test. */
function environment(extra) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('DRIFTLESS_'));
  return { ...Object.fromEntries(own), ...extra };
}

/** Servers that run now. A test that is interrupted takes its own down with it. */
const running = new Set();
for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) process.once(signal, () => process.exit(code));
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Reserves nothing: asks the system for a port that is free now. */
export async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Starts `driftless serve` and waits until it is ready.
 * @param {{demo?: boolean, host?: string, port?: number, env?: Record<string, string>}} options `host` is the name people
 * reach it by
 */
export async function startServer({ demo = false, host = '127.0.0.1', port, env = {} } = {}) {
  await access(binary).catch(() => {
    throw new Error('bin/driftless is missing: run `make build` first');
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'driftless-e2e-'));
  // The private database may run under another account, which has to pass through here.
  await chmod(folder, 0o755);
  const server = new Server(folder, host, port ?? (await freePort()), demo, env);
  try {
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return server;
}

class Server {
  #folder;
  #demo;
  #env;
  #child = null;
  #log = '';

  constructor(folder, host, port, demo, env) {
    this.#folder = folder;
    this.#demo = demo;
    this.url = `http://${host}:${port}`;
    this.#env = environment({
      DRIFTLESS_ADDR: `127.0.0.1:${port}`,
      DRIFTLESS_PUBLIC_URL: this.url,
      DRIFTLESS_DATA_DIR: path.join(folder, 'data'),
      ...env,
    });
    /** Sign-ins by role, as `serve --demo` prints them. */
    this.people = {};
    /** The one-time link, as long as there is no account. */
    this.setupLink = undefined;
  }

  async start() {
    const args = this.#demo ? ['serve', '--demo'] : ['serve'];
    const child = spawn(binary, args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    let printed = '';
    this.#log = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (this.#log += text));
    await Promise.race([
      this.#ready(child),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the server ended with ${code} before it was ready\n${this.#log}`);
      }),
    ]);
    for (const [, role, email, password] of printed.matchAll(
      /^ {2}(owner|admin|member) +(\S+) +password (\S+)$/gm,
    )) {
      this.people[role] = { email, password };
    }
    this.setupLink = /^ {2}set-up +(\S+)$/m.exec(printed)?.[1];
    if (this.#demo) assert.deepEqual(Object.keys(this.people), ['owner', 'admin', 'member'], printed);
  }

  async #ready(child) {
    const signal = AbortSignal.timeout(60_000);
    // It says that it runs once its port is taken; a request that comes early waits in line.
    for (let text = ''; !text.includes('Driftless is running.'); ) {
      text += (await once(child.stdout, 'data', { signal }))[0];
    }
    const answer = await fetch(`${this.url}/readyz`, { signal });
    assert.equal(answer.status, 200, `/readyz\n${this.#log}`);
  }

  /** Ends the process by its id, as an operator would, and wants a clean end. */
  async stop() {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    this.#child = null;
    const exited = once(child, 'exit');
    process.kill(child.pid, 'SIGTERM');
    const [code, signal] = await exited;
    assert.equal(code, 0, `SIGTERM ended the server with ${code ?? signal}\n${this.#log}`);
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  async close() {
    try {
      await this.stop();
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }

  /** Runs a command of the same binary on the same data. */
  run(args, { env = {}, cwd = root, input = '' } = {}) {
    const done = spawnSync(binary, args, {
      env: { ...this.#env, ...env },
      cwd,
      input,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    assert.equal(done.status, 0, `driftless ${args.join(' ')}\n${done.stderr}\n${done.stdout}`);
    return done.stdout;
  }

  /** The address of the private database, at which other processes can be the same server. */
  async databaseURL() {
    // The fifth line of its pid file is the folder of the socket.
    const pid = await readFile(path.join(this.#folder, 'data', 'postgres', 'postmaster.pid'), 'utf8');
    const socket = encodeURIComponent(pid.split('\n')[4].trim());
    return `postgres://driftless_owner@/driftless?host=${socket}&sslmode=disable`;
  }

  get log() {
    return this.#log;
  }
}
