// Knowledge and Notes.

export const lists = {
  'list.knowledge.text': 'What people reviewed and agents may rely on.',
  'list.notes.text': 'Drafts and proposals that no reviewer has vouched for yet.',
  'list.knowledge.search': 'Search Knowledge',
  'list.notes.search': 'Search notes',
  'list.anyArea': 'Any area',
  'list.anyTag': 'Any tag',
  'list.trust': 'Trust',
  'list.mine': 'Mine',
  'list.more': 'Show more',
  'list.matched': 'matched {what}',
  'list.count.one': '{n} topic',
  'list.count.other': '{n} topics',
  'list.nothing': 'Nothing matches',
  'list.nothing.text': 'Try fewer words, or take a filter away.',
  'list.knowledge.empty': 'No Knowledge yet',
  'list.knowledge.empty.text': 'Knowledge begins as a note that someone approves.',
  'list.notes.empty': 'No notes yet',
  'list.notes.empty.text': 'Connect an AI client. It writes a note when it learns something.',
} as const;
