// AI agents, as their vendors ship them. None of them has an account here: Codex calls a tool without a model, the others with
// the one of model.mjs.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import readline from 'node:readline';
import { root } from '../e2e/lib/server.mjs';
import { startModel } from './model.mjs';
import { run, runAtTerminal, start } from './programs.mjs';
import { version } from './versions.mjs';

const program = (name) => path.join(root, 'clients/full/node_modules/.bin', name);

// Claude Code and Codex are described by documents of their makers, which a server without the internet cannot read.
const offline = { DRIFTLESS_OFFLINE: 'true' };

export const agents = [
  { name: `Claude Code ${version('@anthropic-ai/claude-code')}`, server: offline, start: startClaude },
  { name: `Codex ${version('@openai/codex')}`, server: offline, start: startCodex },
  { name: `OpenCode ${version('opencode-ai')}`, server: offline, start: startOpenCode },
];

const events = (text) => text.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

async function startClaude(stage) {
  const model = await startModel();
  const env = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  };
  const claude = program('claude');
  await run(stage, claude, ['mcp', 'add', '--transport', 'http', 'driftless', stage.mcp], { env });
  await runAtTerminal(stage, claude, ['mcp', 'login', 'driftless'], { env });
  const work = async () =>
    events(await run(stage, claude, ['-p', 'Go on.', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'mcp__driftless'], { env }));
  return {
    shares: true,
    async tools() {
      model.wants = null;
      const { tools } = (await work()).find(({ subtype }) => subtype === 'init');
      return tools.map((name) => name.replace(/^mcp__driftless__/, ''));
    },
    async call(tool, args) {
      model.wants = { name: `mcp__driftless__${tool}`, args };
      const said = await work();
      const result = said.flatMap(({ type, message }) => (type === 'user' ? message.content : [])).find(({ type }) => type === 'tool_result');
      assert.ok(result && !result.is_error, JSON.stringify(said));
      return JSON.parse(typeof result.content === 'string' ? result.content : result.content[0].text);
    },
    close: async () => model.close(),
  };
}

async function startCodex(stage) {
  const codex = program('codex');
  const home = path.join(stage.home, '.codex');
  await mkdir(home);
  await writeFile(
    path.join(home, 'config.toml'),
    `check_for_update_on_startup = false
mcp_oauth_credentials_store = "file"
model_provider = "nobody"

[analytics]
enabled = false

[model_providers.nobody]
name = "nobody"
base_url = "http://127.0.0.1:9"
`,
  );
  await run(stage, codex, ['mcp', 'add', 'driftless', '--url', stage.mcp]);
  // The server that its own windows talk to.
  const ask = async (does) => {
    const child = start(stage, codex, ['app-server']);
    const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let id = 0;
    const request = async (method, params) => {
      child.stdin.write(`${JSON.stringify({ id: ++id, method, params })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        assert.ok(!done, `codex ended\n${child.said}`);
        const answer = JSON.parse(value);
        if (answer.id !== id || answer.method) continue;
        assert.equal(answer.error, undefined, `${method}: ${JSON.stringify(answer.error)}`);
        return answer.result;
      }
    };
    await request('initialize', { clientInfo: { name: 'driftless-clients', title: null, version: '1' } });
    child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
    const result = await does(request);
    child.stdin.end();
    child.kill('SIGTERM');
    await child.ended;
    return result;
  };
  return {
    shares: true,
    tools: () =>
      ask(async (request) => {
        const { data } = await request('mcpServerStatus/list', {});
        const { tools, toolsError } = data.find(({ name }) => name === 'driftless');
        assert.ok(!toolsError, toolsError);
        return Object.keys(tools);
      }),
    call: (tool, args) =>
      ask(async (request) => {
        const { thread } = await request('thread/start', {});
        const answer = await request('mcpServer/tool/call', { server: 'driftless', threadId: thread.id, tool, arguments: args });
        assert.ok(!answer.isError, JSON.stringify(answer));
        return answer.structuredContent;
      }),
    close: async () => {},
  };
}

async function startOpenCode(stage) {
  const model = await startModel();
  const env = {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  };
  await writeFile(
    path.join(stage.home, 'work', 'opencode.json'),
    JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      mcp: { driftless: { type: 'remote', url: stage.mcp, enabled: true } },
      model: 'stub/stub',
      small_model: 'stub/stub',
      provider: {
        stub: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${model.url}/v1`, apiKey: 'none' },
          models: { stub: { tool_call: true } },
        },
      },
    }),
  );
  const opencode = program('opencode');
  await runAtTerminal(stage, opencode, ['mcp', 'auth', 'driftless'], { env });
  const work = async () => events(await run(stage, opencode, ['run', 'Go on.', '--format', 'json'], { env }));
  return {
    shares: true,
    async tools() {
      model.wants = null;
      await work();
      return model.offered.map((name) => name.replace(/^driftless_(?=driftless_)/, ''));
    },
    async call(tool, args) {
      model.wants = { name: `driftless_${tool}`, args };
      const said = await work();
      const { state } = said.find(({ type }) => type === 'tool_use')?.part ?? {};
      assert.equal(state?.status, 'completed', JSON.stringify(said));
      return JSON.parse(state.output);
    },
    close: async () => model.close(),
  };
}
