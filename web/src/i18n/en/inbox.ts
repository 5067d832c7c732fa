// The inbox: what others want one to look at.

export const inbox = {
  'inbox.text': 'What was sent to you here, newest first.',
  'inbox.show': 'What to show',
  'inbox.all': 'All',
  'inbox.unread': 'Not read',
  'inbox.empty': 'Nothing has come yet',
  'inbox.empty.text': 'When somebody shares a topic with you, it waits here.',
  'inbox.allRead': 'Everything is read',
  'inbox.allRead.text': 'What comes next appears here.',
  'inbox.new': 'Not read:',
  'inbox.read': 'Mark as read',
  'inbox.readOf': 'Mark as read: {title}',
  'inbox.keep': 'Mark as not read',
  'inbox.unreadOf': 'Mark as not read: {title}',

  'inbox.kind.shared': 'shared it with you',
  'inbox.kind.mention': 'mentioned you',
  'inbox.kind.comment': 'wrote a comment',
  'inbox.kind.review_requested': 'asks for a review',
  'inbox.kind.decided': 'decided on it',
  'inbox.kind.confirmation': 'waits for your confirmation',
} as const;
