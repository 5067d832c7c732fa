// The way of one client, whichever it is, on a server of its own: a person signs it in, it lists the tools and calls one; the
// server restarts; the access token ends; and where the client can, two of it use one stored credential at once, and it asks
// for a scope that it was not given.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as until } from 'node:timers/promises';
import { allow } from '../e2e/lib/allow.mjs';
import { startServer } from '../e2e/lib/server.mjs';
import { startWire } from './wire.mjs';

/** Short, so that the end of a token can be waited for. */
const lifeOfAccessTokens = 5;

/**
 * What is asked of a client.
 * @typedef {object} Client
 * @property {string} name with its version
 * @property {'asks' | 'says'} [stepUp] whether it asks the person for a scope that a call lacks, or at least says which one
 *   that is
 * @property {object} [server] environment of its server
 * @property {string} [without] what it cannot do, and why
 * @property {(stage: Stage) => Promise<Driver>} start signs in
 *
 * @typedef {object} Driver
 * @property {() => Promise<string[]>} tools
 * @property {(tool: string, args: object) => Promise<object>} call the structured answer; rejects if there is none
 * @property {boolean} [shares] whether each call is a process of its own, with the credentials on disk
 * @property {() => Promise<void>} close
 *
 * @typedef {{mcp: string, issuer: string, home: string, browse: (url: string) => Promise<void>}} Stage
 */

/** Leads a client the whole way; answers the names of the steps it went, and fails with the one that it did not get through. */
export async function lead(client) {
  const wire = await startWire();
  const home = await mkdtemp(path.join(os.tmpdir(), 'driftless-client-'));
  const way = new Way(client, wire, home);
  try {
    way.server = await startServer({
      demo: true,
      env: { DRIFTLESS_PUBLIC_URL: wire.url, DRIFTLESS_ACCESS_TOKEN_TTL: `${lifeOfAccessTokens}s`, ...client.server },
    });
    wire.to = way.server.url;
    await way.whole();
    return way.steps;
  } catch (error) {
    throw new Error(`${client.name}, ${way.at}: ${error.stack}\non the wire:\n${wire}`, { cause: error });
  } finally {
    await way.driver?.close();
    wire.close();
    await way.server?.close();
    await rm(home, { recursive: true, force: true });
  }
}

class Way {
  steps = [];

  constructor(client, wire, home) {
    this.client = client;
    this.wire = wire;
    this.home = home;
    // Less than everything at first, for those that know how to ask for more.
    this.only = client.stepUp ? ['context:read'] : undefined;
  }

  async #step(name, does) {
    this.at = name;
    await does();
    this.steps.push(name);
  }

  #stage() {
    const person = { url: this.wire.url, people: this.server.people };
    return {
      mcp: `${this.wire.url}/mcp`,
      issuer: this.wire.url,
      home: this.home,
      browse: (url) => allow(person, url, this.only),
    };
  }

  async #call() {
    const answer = await this.driver.call('driftless_context_list', { limit: 1 });
    assert.equal(answer.results.length, 1, JSON.stringify(answer));
  }

  async #list() {
    const tools = await this.driver.tools();
    assert.ok(tools.includes('driftless_context_retrieve'), tools.join(' '));
  }

  #signedInOnce() {
    assert.equal(this.wire.signIns, 1, 'the person was asked to sign in again');
  }

  async whole() {
    await mkdir(path.join(this.home, 'work'));
    await this.#step('sign in', async () => {
      this.driver = await this.client.start(this.#stage());
      this.#signedInOnce();
    });
    await this.#step('tools', () => this.#list());
    await this.#step('call', () => this.#call());
    await this.#step('restart', async () => {
      await this.server.restart();
      await this.#call();
      this.#signedInOnce();
    });
    await this.#step('refresh', () => this.#refreshed(() => this.#call()));
    if (this.driver.shares) {
      await this.#step('shared', async () => {
        await this.#refreshed(() => Promise.all([this.#call(), this.#call()]));
        // Whichever wrote last, what it left on disk goes on.
        await this.#refreshed(() => this.#call());
      });
    }
    if (this.client.stepUp) await this.#step(`step-up ${this.client.stepUp}`, () => this.#stepUp());
  }

  /** Waits until the access token ended, and wants that going on took a refresh and no person. */
  async #refreshed(goOn) {
    await until(Math.max(0, this.wire.lastEnds - Date.now()) + 50);
    const before = this.wire.granted('refresh_token');
    await goOn();
    assert.ok(this.wire.granted('refresh_token') > before, 'no token was refreshed');
    this.#signedInOnce();
  }

  async #stepUp() {
    const note = { title: 'Written after a step-up', content: 'The person was asked for the scope that was missing.' };
    const call = this.driver.call('driftless_note_add', note);
    if (this.client.stepUp === 'says') {
      await assert.rejects(call, /topics:create/);
      this.#signedInOnce();
      return;
    }
    this.only = undefined;
    assert.equal((await call).trust, 'draft');
    assert.equal(this.wire.signIns, 2, 'the person was not asked');
    await this.#call();
    assert.equal(this.wire.signIns, 2, 'the person was asked again');
  }
}
