// What several pages show: copying, warnings, failures.

export const parts = {
  'warnings.title': 'Read this text with care',

  'copy.do': 'Copy',
  'copy.done': 'Copied',

  'markdown.image': 'Image: {alt}',

  'error.unexpected': 'Something went wrong in the console.',
  'error.unreachable': 'The server cannot be reached.',
  'error.unreachable.hint': 'Check your connection. Nothing you wrote was lost.',
  'error.retry': 'Try again',
  'error.request': 'Request {id}',

  confirmTyped: 'Type {text} to confirm',

  'findings.score': '{n} % of the lines',
  'findings.more.one': 'and {n} more',
  'findings.more.other': 'and {n} more',
} as const;
