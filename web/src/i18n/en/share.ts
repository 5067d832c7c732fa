// Sharing a topic: a page on the web, and members.

export const share = {
  'share.title': 'Share “{title}”',
  'share.members': 'Members',
  'share.members.text': 'It lands in their inbox. Everybody in the workspace can read it anyway.',
  'share.members.private':
    'This draft is private. Whoever you send it to finds it in their inbox and may read it.',
  'share.members.author': 'This draft is private. Only its author sends it to others.',
  'share.to': 'Send to',
  'share.choose': 'Choose members by name',
  'share.nobody': 'No other member has this name.',
  'share.send': 'Send',
  'share.sent': 'In the inbox of {names}.',
  'share.readers': 'They may read it',
  'share.takeBack': 'Take back',
  'share.takeBackOf': 'Take it back from {name}',

  'share.web': 'Page on the web',
  'share.web.text': 'A page that whoever has its address can read, without an account.',
  'share.web.open': 'Whoever has the address can read this, without an account.',
  'share.web.only': 'Only Knowledge is opened to the web. This has to be approved first.',
  'share.address': 'Address of the page',
  'share.markdown': 'Address of its Markdown',
  'share.ends': 'Last day (optional)',
  'share.make': 'Make the page',
  'share.change': 'Change the end',
  'share.until': 'It can be read until {day}.',
  'share.always': 'It can be read until it is taken back.',
  'share.revoke': 'Take the page back',
  'share.revokeText':
    'Its address stops working at once, for good. You can make another page, with another address.',
} as const;
