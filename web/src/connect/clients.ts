// The exact lines each client needs to reach this server.

export interface Client {
  id: string;
  name: string;
  /** A file these lines belong in; absent when they are a command or an address. */
  file?: string;
  lines: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A single-quoted word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export function clients(origin: string, workspace: string): Client[] {
  const mcp = `${origin}/mcp`;
  const bridge = { DRIFTLESS_URL: origin, DRIFTLESS_WORKSPACE: workspace };
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      lines: `claude mcp add --transport http driftless ${quoted(mcp)}`,
    },
    { id: 'codex', name: 'Codex', lines: `codex mcp add driftless --url ${quoted(mcp)}` },
    {
      id: 'cursor',
      name: 'Cursor',
      file: '.cursor/mcp.json',
      lines: json({ mcpServers: { driftless: { url: mcp } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      file: '.vscode/mcp.json',
      lines: json({ servers: { driftless: { type: 'http', url: mcp } } }),
    },
    { id: 'claude-ai', name: 'claude.ai', lines: mcp },
    { id: 'chatgpt', name: 'ChatGPT', lines: mcp },
    {
      id: 'opencode',
      name: 'OpenCode',
      file: 'opencode.json',
      lines: json({
        $schema: 'https://opencode.ai/config.json',
        mcp: { driftless: { type: 'remote', url: mcp, enabled: true } },
      }),
    },
    {
      id: 'stdio',
      name: 'stdio',
      file: 'mcp.json',
      lines: json({
        mcpServers: {
          driftless: {
            command: 'driftless',
            args: ['mcp'],
            env: { ...bridge, DRIFTLESS_API_KEY: 'dl_…' },
          },
        },
      }),
    },
  ];
}
