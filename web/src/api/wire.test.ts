import { describe, expect, it } from 'vitest';
import { proposalOf, topicOf, type WireTopic } from './wire';

const sparse: WireTopic = {
  slug: 'a',
  title: 'A',
  what: '',
  trust: 'draft',
  status: 'draft',
  is_private: true,
  tags: [],
  revision: 1,
  stale: false,
  drift_state: 'fresh',
  updated_at: '2026-01-01T00:00:00Z',
};

describe('topicOf', () => {
  it('puts back the fields the server left out', () => {
    expect(topicOf(sparse)).toMatchObject({ content: '', decisions: [], allowed_actions: [] });
  });

  it('keeps what is there', () => {
    const topic = topicOf({ ...sparse, content: 'x', anchors: ['a/**'] });
    expect(topic).toMatchObject({ content: 'x', anchors: ['a/**'], revision: 1 });
  });
});

describe('proposalOf', () => {
  it('takes a proposal without a verdict as waiting', () => {
    const proposal = proposalOf({
      kind: 'note',
      slug: 'a',
      title: 'A',
      what: '',
      revision: 1,
      content_hash: 'h',
      proposed_at: '2026-01-01T00:00:00Z',
      changes: [],
    });
    expect(proposal).toMatchObject({
      review: { state: 'waiting' },
      content_warnings: [],
      tags: [],
    });
  });
});
