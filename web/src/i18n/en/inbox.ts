// The inbox: what one should know of.

export const inbox = {
  'inbox.text': 'What waits for you and what became of your texts, newest first.',
  'inbox.show': 'What to show',
  'inbox.all': 'All',
  'inbox.unread': 'Not read',
  'inbox.empty': 'Nothing has come yet',
  'inbox.empty.text':
    'Requests for review, decisions on your texts, comments, and what is shared with you wait here.',
  'inbox.allRead': 'Everything is read',
  'inbox.allRead.text': 'What comes next appears here.',
  'inbox.new': 'Not read:',
  'inbox.read': 'Mark as read',
  'inbox.readAll': 'Mark all as read',
  'inbox.readOf': 'Mark as read: {title}',
  'inbox.keep': 'Mark as not read',
  'inbox.unreadOf': 'Mark as not read: {title}',

  'inbox.kind.shared': 'shared it with you',
  'inbox.kind.review': 'asks for a review',
  'inbox.kind.review_edit': 'suggests an edit',
  'inbox.kind.approved': 'made it Knowledge',
  'inbox.kind.changes_requested': 'asks you for changes',
  'inbox.kind.rejected': 'sent it back to draft',
  'inbox.kind.rejected_edit': 'rejected your edit',
  'inbox.kind.merged': 'merged your edit',
  'inbox.kind.outdated': 'put it away, and your edit with it',
  'inbox.kind.comment': 'wrote a comment',
  'inbox.kind.comment_edit': 'wrote a comment on your edit',
  'inbox.kind.confirmation': 'An approval or merge waits for your confirmation',
  'inbox.kind.expiring': 'Untouched for long: it is archived within a week',
} as const;
