// The server leaves empty fields out of its answers. Here they are put back, so
// that the pages deal with one shape.

import type { Confirmation, Proposal, RevisionRow, Topic, TopicSummary, TopicText } from './types';

type Sparse<Whole, Always extends keyof Whole> = Pick<Whole, Always> & Partial<Whole>;

export type WireTopic = Sparse<Topic, keyof TopicSummary>;

type WireText = Sparse<TopicText, 'title' | 'what'>;

export type WireProposal = Omit<
  Sparse<
    Proposal,
    'kind' | 'slug' | 'title' | 'what' | 'revision' | 'content_hash' | 'proposed_at' | 'changes'
  >,
  'merged'
> & { merged?: WireText };

export type WireRevision = Sparse<RevisionRow, 'revision' | 'via' | 'at' | 'changes'>;

export type WireConfirmation = Omit<Confirmation, 'topic' | 'content_warnings'> & {
  topic: WireTopic;
  content_warnings?: Confirmation['content_warnings'];
};

const nobody = { name: '—' };

function textOf<Wire extends WireText>(wire: Wire): Wire & TopicText {
  return {
    ...wire,
    how: wire.how ?? '',
    content: wire.content ?? '',
    decisions: wire.decisions ?? [],
    gotchas: wire.gotchas ?? [],
    invariants: wire.invariants ?? [],
    required_checks: wire.required_checks ?? [],
    anchors: wire.anchors ?? [],
  };
}

export function topicOf(wire: WireTopic): Topic {
  return {
    ...textOf(wire),
    tags: wire.tags ?? [],
    id: wire.id ?? wire.slug,
    owners: wire.owners ?? [],
    solutions: wire.solutions ?? [],
    references: wire.references ?? [],
    referenced_by: wire.referenced_by ?? [],
    sources: wire.sources ?? [],
    content_hash: wire.content_hash ?? '',
    governance: wire.governance ?? { authoritative: false },
    drift: wire.drift ?? [],
    created_at: wire.created_at ?? wire.updated_at,
    allowed_actions: wire.allowed_actions ?? [],
  };
}

export function proposalOf(wire: WireProposal): Proposal {
  return {
    ...wire,
    merged: wire.merged && textOf(wire.merged),
    tags: wire.tags ?? [],
    author: wire.author ?? nobody,
    via: wire.via ?? '',
    review: wire.review ?? { state: 'waiting' },
    content_warnings: wire.content_warnings ?? [],
  };
}

export function revisionOf(wire: WireRevision): RevisionRow {
  return { ...wire, author: wire.author ?? nobody, summary: wire.summary ?? '' };
}

export function confirmationOf(wire: WireConfirmation): Confirmation {
  return {
    ...wire,
    topic: topicOf(wire.topic),
    content_warnings: wire.content_warnings ?? [],
  };
}
