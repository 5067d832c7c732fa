import { expect, it } from 'vitest';
import type { InboxItem } from '../api/inbox';
import { placeOf, wordOf } from './item';

const item = (kind: string, about?: string, trashed?: boolean): InboxItem => ({
  id: '1',
  kind,
  about,
  topic: { slug: 'queue', title: 'Queue', trust: 'proposed', trashed },
  at: '2026-01-01T00:00:00Z',
});

it.each([
  ['a note to review', item('review'), '/w/team/review?item=queue'],
  ['an edit to review', item('review', 'e1'), '/w/team/review?lane=edits&item=edit%3Ae1'],
  ['a comment', item('comment'), '/w/team/t/queue?tab=comments'],
  ['a comment on an edit', item('comment', 'e1'), '/w/team/review?lane=edits&item=edit%3Ae1'],
  ['a confirmation', item('confirmation', 'a/b'), '/confirm/a%2Fb'],
  ['a decision', item('approved'), '/w/team/t/queue'],
  ['an edit that was merged', item('merged', 'e1'), '/w/team/t/queue'],
  ['a kind of tomorrow', item('something_new'), '/w/team/t/queue'],
  ['what was deleted', item('outdated', 'e1', true), undefined],
])('leads to where one acts: %s', (_, row, place) => {
  expect(placeOf(row, 'team')).toBe(place);
});

it('says of an edit that it is one', () => {
  expect(wordOf(item('rejected', 'e1'))).toBe('rejected_edit');
  expect(wordOf(item('rejected'))).toBe('rejected');
  expect(wordOf(item('confirmation', 'c1'))).toBe('confirmation');
});
