// Differences between two texts.

export const diff = {
  'diff.view': 'How to compare',
  'diff.inline': 'Inline',
  'diff.split': 'Side by side',
  'diff.unchanged': '$ unchanged lines',
  'diff.none': 'No field differs.',
  'diff.added': 'Added:',
  'diff.removed': 'Removed:',
  'diff.changed': 'Changed:',
  'diff.before': '{field}, before',
  'diff.after': '{field}, after',
} as const;
