// Ask: a question, and what is written about it.

export const ask = {
  'ask.text': 'An answer from what is written here, with the topics that it rests on.',
  'ask.question': 'Question',
  'ask.example': 'How long does a session live?',
  'ask.from': 'Answer from',
  'ask.from.reviewed': 'Knowledge alone',
  'ask.from.proposed': 'Knowledge and proposals',
  'ask.from.draft': 'Drafts too',
  'ask.do': 'Ask',
  'ask.answer': 'Answer',
  'ask.nothing': 'Nothing here answers that',
  'ask.nothingText':
    'Ask in other words, or let notes count too. Whoever knows the answer can write it down.',
  'ask.extractive': 'Passages word for word',
  'ask.extractiveText':
    'No language model took part. Read them as what their topics say, not as a summary.',
  'ask.stale': '{title} has drifted',
  'ask.staleText': 'The code it is about has changed since somebody verified it.',
  'ask.source': 'Source',
  'ask.sources': 'Sources',
  'ask.revision': 'revision {n}',
  'ask.keep': 'Save as a private note',
  'ask.kept': 'The note is saved. Open it.',
  'ask.cost': 'Cost: {n} USD',
  'ask.costAtLeast': 'Cost: at least {n} USD',
} as const;
