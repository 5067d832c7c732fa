// Connecting clients, and API keys.

export const connect = {
  'connect.text':
    'Give an AI client this workspace. It signs in through your browser, and you choose what it may do.',
  'connect.clients': 'Clients',
  'connect.file': 'In',
  'connect.how.claude-code': 'Run this in a terminal, then /mcp inside Claude Code to sign in.',
  'connect.how.codex': 'Run this in a terminal. Codex opens the browser to sign in.',
  'connect.how.cursor': 'Add this to the file, then sign in from Cursor’s MCP settings.',
  'connect.how.vscode': 'Add this to the file, then start the server from its code lens.',
  'connect.how.claude-ai':
    'Settings, Connectors, Add custom connector. Paste this address. The server must be reachable from the internet.',
  'connect.how.chatgpt':
    'Settings, Connectors, Create, with developer mode on. Paste this address. The server must be reachable from the internet.',
  'connect.how.opencode': 'Add this to the file, then run: opencode mcp auth driftless',
  'connect.how.stdio':
    'For clients that only start programs. Uses the driftless binary as a bridge and an API key from below.',
  'connect.after': 'The first call asks you to sign in and to choose what this client may do.',
  'connect.afterStdio': 'Replace dl_… with a key of yours.',

  'keys.title': 'API keys',
  'keys.text': 'For scripts, CI and clients that cannot open a browser.',
  'keys.new': 'New key',
  'keys.none': 'No keys yet.',
  'keys.name': 'Name',
  'keys.nameHelp': 'Where it is used, so that you know what stops when you revoke it.',
  'keys.acts': 'Acts as',
  'keys.kind.personal': 'You',
  'keys.kind.service': 'A service account',
  'keys.personalText': 'With your role, as long as you are a member.',
  'keys.serviceText': 'Under its own name. It can never approve.',
  'keys.scopes': 'May do',
  'keys.lifetime': 'Expires after',
  'keys.days.one': '{n} day',
  'keys.days.other': '{n} days',
  'keys.noExpiry': 'Never',
  'keys.create': 'Create key',
  'keys.created': 'Key “{name}”',
  'keys.once': 'Copy it now. It is shown this one time and cannot be read again.',
  'keys.secret': 'API key',
  'keys.stored': 'I have stored it',
  'keys.used': 'used',
  'keys.unused': 'never used',
  'keys.expires': 'expires',
  'keys.revoke': 'Revoke',
  'keys.revokeName': 'Revoke “{name}”',
  'keys.revokeText': 'Everything that uses it stops working at once. This cannot be undone.',

  'connect.waiting': 'Waiting for the first call…',
  'connect.arrived': '{name} has called.',

  'apps.title': 'Connected applications',
  'apps.text': 'They act in your name, never beyond your role, in any of your workspaces.',
  'apps.none': 'No application is connected yet.',
  'apps.nowhere': 'no workspace any more',
  'apps.used': 'used',
  'apps.since': 'connected',
  'apps.end': 'Disconnect',
  'apps.endOf': 'Disconnect {name}',
  'apps.endText':
    'Everything it was given stops working at once. To connect it again, sign in from it.',
} as const;
