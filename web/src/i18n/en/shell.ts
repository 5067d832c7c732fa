// The frame around every page: navigation, account menu, palette.

export const shell = {
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading',
  none: 'None',
  preferences: 'Language and appearance',

  'nav.label': 'Pages',
  'nav.skip': 'Skip to content',
  'nav.review': 'Review',
  'nav.inbox': 'Inbox',
  'nav.health': 'Health',
  'nav.activity': 'Activity',
  'nav.ask': 'Ask',
  'nav.graph': 'Graph',
  'nav.areas': 'Areas and tags',
  'nav.more': 'More',
  'nav.unread.one': '{n} not read',
  'nav.unread.other': '{n} not read',
  'nav.knowledge': 'Knowledge',
  'nav.notes': 'Notes',
  'nav.connect': 'Connect',
  'nav.settings': 'Settings',
  'nav.waiting.one': '{n} in the review queue. Notes: {notes}, edits: {edits}, drifted: {drift}',
  'nav.waiting.other': '{n} in the review queue. Notes: {notes}, edits: {edits}, drifted: {drift}',

  'theme.label': 'Appearance',
  'theme.auto': 'As the system',
  'theme.light': 'Light',
  'theme.dark': 'Dark',

  'language.label': 'Language',

  'account.menu': 'Account and preferences',
  'account.menuOf': '{name}: account and preferences',
  'account.signOut': 'Sign out',

  'workspace.label': 'Workspace',
  'workspace.switch': 'Workspace {name}, switch',

  'palette.open': 'Search',
  'palette.label': 'Search topics, pages and actions',
  'palette.placeholder': 'A topic, a page, an action…',
  'palette.topics': 'Topics',
  'palette.go': 'Go to',
  'palette.scheme': 'Switch between light and dark',
  'palette.workspace': 'Workspace {name}',
  'palette.empty': 'Nothing matches',

  'notFound.title': 'There is no such page',
  'notFound.text': 'It does not exist, or it is not yours to see.',
  'notFound.home': 'To the start',
} as const;
