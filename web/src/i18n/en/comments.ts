// Comments.

export const comments = {
  'comments.title': 'Comments',
  'comments.none': 'No comments yet.',
  'comments.on': 'on {field}',
  'comments.revision': 'revision {n}',
  'comments.new': 'Comment',
  'comments.field': 'What it is about',
  'comments.whole': 'The whole text',
  'comments.add': 'Comment',
  'comments.resolve': 'Resolve',
  'comments.wontFix': 'Will not fix',
  'comments.reopen': 'Reopen',
  'comments.status.resolved': 'Resolved',
  'comments.status.wont_fix': 'Will not be fixed',
} as const;
