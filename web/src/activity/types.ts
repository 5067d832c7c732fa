// The kinds of events to choose from. One that is not here is shown all the same.

export const groups = {
  topics: [
    'topic.created',
    'topic.updated',
    'topic.proposed',
    'topic.withdrawn',
    'topic.approved',
    'topic.approval_declined',
    'topic.changes_requested',
    'topic.rejected',
    'topic.verified',
    'topic.merged',
    'topic.absorbed',
    'topic.undone',
    'topic.reverted',
    'topic.expiring',
    'topic.archived',
    'topic.restored',
    'topic.trashed',
    'topic.recovered',
    'topic.purged',
    'topic.filed',
    'topic.shared',
    'topic.unshared',
    'topic.drifted',
    'topic.drift_closed',
  ],
  edits: [
    'edit.opened',
    'edit.extended',
    'edit.merged',
    'edit.rejected',
    'edit.withdrawn',
    'edit.outdated',
  ],
  comments: ['comment.added', 'comment.resolved', 'comment.wont_fix', 'comment.open'],
  solutions: ['solution.reported', 'solution.retracted', 'solution.cleared', 'attempt.added'],
  people: [
    'member.invited',
    'invitation.revoked',
    'member.joined',
    'member.role_changed',
    'member.removed',
    'member.left',
  ],
  access: [
    'grant.created',
    'grant.revoked',
    'client.created',
    'client.deleted',
    'key.created',
    'key.revoked',
    'secret.override',
  ],
  workspace: [
    'workspace.founded',
    'workspace.renamed',
    'settings.changed',
    'area.created',
    'area.updated',
    'area.deleted',
    'area.merged',
    'tag.saved',
    'tag.renamed',
    'tag.deleted',
    'source.connected',
    'source.synced',
    'source.heard',
    'source.disconnected',
  ],
} as const;

/** What an event carries that tells a person something: short texts and numbers, no ids of ours. */
const telling = [
  'name',
  'new_name',
  'role',
  'reason',
  'summary',
  'field',
  'solution',
  'outcome',
  'commit',
  'branch',
] as const;

export type Telling = (typeof telling)[number];

/** The facts of an event, in a fixed order. */
export function factsOf(detail: Record<string, unknown>): [Telling, string][] {
  return telling.flatMap((name): [Telling, string][] => {
    const value = detail[name];
    const known = (typeof value === 'string' && value !== '') || typeof value === 'number';
    return known ? [[name, String(value)]] : [];
  });
}
