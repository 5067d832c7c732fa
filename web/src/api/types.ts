// The REST contract as the console uses it. Field names are the server's.

import type { Solution } from './solutions';

export type Trust = 'reviewed' | 'proposed' | 'draft';
export type Status = 'draft' | 'proposed' | 'reviewed' | 'archived';
export type DriftState = 'fresh' | 'touched' | 'review' | 'broken';
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

export type Action =
  | 'propose'
  | 'withdraw'
  | 'approve'
  | 'reject'
  | 'request_changes'
  | 'update'
  | 'suggest_edit'
  | 'verify'
  | 'archive'
  | 'restore'
  | 'delete'
  | 'recover';

export interface Person {
  id?: string;
  name: string;
  email?: string;
}

export interface Workspace {
  slug: string;
  name: string;
  role: Role;
}

export interface Session {
  csrf_token: string;
  /** When the person last proved who they are. */
  signed_in_at: string;
  person: { id: string; email: string; name: string; has_password: boolean };
  workspaces: Workspace[];
}

export interface List<Row> {
  shown: number;
  has_more: boolean;
  next_cursor?: string;
  results: Row[];
}

export interface TopicSummary {
  slug: string;
  title: string;
  what: string;
  trust: Trust;
  status: Status;
  is_private: boolean;
  area?: string;
  tags: string[];
  revision: number;
  stale: boolean;
  drift_state: DriftState;
  superseded_by?: string[];
  updated_at: string;
  updated_by?: Person;
}

export interface SearchHit extends TopicSummary {
  why_matched: string[];
  confidence: number;
}

export interface ContentWarning {
  kind: string;
  excerpt: string;
}

export interface Relation {
  type: string;
  slug: string;
  title: string;
  trust: Trust;
}

export interface Mention {
  slug: string;
  title?: string;
  dead?: boolean;
}

export interface Relations {
  outgoing: Relation[];
  incoming: Relation[];
  mentions: Mention[];
  mentioned_by: Mention[];
}

/** What lies around a topic; depth counts the steps to it. */
export interface Graph {
  nodes: { slug: string; title: string; trust: Trust; stale?: boolean; depth: number }[];
  edges: { from: string; type: string; to: string }[];
  truncated: boolean;
}

export interface Review {
  state: 'waiting' | 'changes_requested';
  reason?: string;
  by?: Person;
  at?: string;
}

export interface Governance {
  authoritative: boolean;
  approved_by?: Person;
  approved_at?: string;
  approved_via?: string;
  approved_revision?: number;
}

/** What a reader relies on, and what becomes Knowledge on approval. */
export interface TopicText {
  title: string;
  what: string;
  how: string;
  content: string;
  decisions: string[];
  gotchas: string[];
  invariants: string[];
  required_checks: string[];
  anchors: string[];
}

export interface DriftFinding {
  kind: string;
  severity?: DriftState;
  anchor?: string;
  reference?: string;
  score?: number;
  commit?: string;
  at?: string;
  paths?: string[];
  /** How many paths there are beside those named. */
  more_paths?: number;
  repository?: string;
  excerpt?: string;
  fix?: string;
}

/** Knowledge that its code moved away from. */
export interface Drifted extends TopicSummary {
  kind: 'drift';
}

/** What waits for a reviewer. */
export type QueueItem = Proposal | Drifted;

export interface Topic extends TopicSummary, TopicText {
  id: string;
  owners: string[];
  solutions: Solution[];
  references: string[];
  referenced_by: string[];
  sources: string[];
  review_by?: string;
  content_hash: string;
  governance: Governance;
  drift: DriftFinding[];
  created_at: string;
  created_by?: Person;
  allowed_actions: Action[];
  content_warnings?: ContentWarning[];
  review?: Review;
}

/** One leaf-level change, addressed by a JSON Pointer (RFC 6901). */
export interface Change {
  op: 'add' | 'remove' | 'replace' | 'set';
  path: string;
  before?: unknown;
  after?: unknown;
}

export interface Conflict {
  path: string;
  base?: unknown;
  current?: unknown;
  proposed?: unknown;
}

/** The value to keep where two changes meet, by its JSON Pointer. */
export interface Resolution {
  path: string;
  value: unknown;
}

/** What a comment is about: a topic by slug, or a suggested edit by id. */
export type CommentSubject = { topic: string } | { proposal: string };

export interface Comment {
  id: string;
  topic: string;
  proposal?: string;
  field?: string;
  body: string;
  revision: number;
  status: 'open' | 'resolved' | 'wont_fix';
  author?: Person;
  via: string;
  at: string;
  closed_by?: Person;
  closed_at?: string;
}

/** What somebody looked at before saying that a topic still holds. */
export interface Verification {
  commit?: string;
  note?: string;
}

/** A topic that looks as if it said the same as another. */
export interface SimilarTopic {
  slug: string;
  title: string;
  trust: Trust;
  /** From 0 to 1. */
  likeness: number;
}

export interface Proposal {
  kind: 'note' | 'edit';
  /** The id of a suggested edit; absent for a note. */
  proposal?: string;
  slug: string;
  title: string;
  what: string;
  area?: string;
  tags: string[];
  revision: number;
  content_hash: string;
  author: Person;
  via: string;
  client?: string;
  proposed_at: string;
  message?: string;
  summary?: string;
  review: Review;
  content_warnings: ContentWarning[];
  /** The last reviewed revision, which `changes` start from. */
  base_revision?: number;
  changes: Change[];
  /** Where a suggested edit meets what Knowledge became meanwhile. */
  conflicts?: Conflict[];
  /** The duplicates that are archived once the edit is merged. */
  absorbs?: string[];
  /** What Knowledge says once the edit is merged, when nothing conflicts; `content_hash` is its hash then, and otherwise that of both sides. */
  merged?: TopicText;
}

export interface RevisionRow {
  revision: number;
  author: Person;
  via: string;
  client?: string;
  summary: string;
  at: string;
  changes: Change[];
  status?: Status;
}

export interface TopicUpdate {
  title?: string;
  what?: string;
  how?: string;
  content?: string;
  decisions?: string[];
  gotchas?: string[];
  invariants?: string[];
  required_checks?: string[];
  add_anchors?: string[];
  remove_anchors?: string[];
  area?: string;
  tags?: string[];
  base_revision: number;
  summary?: string;
}

export interface AnchorVerdict {
  anchor: string;
  result: 'ok' | 'overbroad' | 'zero' | 'skipped';
  count: number;
  samples?: string[];
  reason?: string;
}

/** What a write says besides the topic, whose fields stand beside these. */
export interface UpdateResult {
  applied?: 'immediate' | 'suggested_edit';
  proposal_id?: string;
  anchor_validation?: AnchorVerdict[];
  content_warnings?: ContentWarning[];
}

export interface Area {
  name: string;
  description?: string;
  reviewers: string[];
  count: number;
}

export interface Tag {
  name: string;
  description?: string;
  count: number;
}

export interface ApiKey {
  id: string;
  name: string;
  kind: 'personal' | 'service';
  scopes: string[];
  /** Slugs of the workspaces it reaches, as far as the person who asks reaches them too. */
  workspaces: string[];
  prefix: string;
  created_at: string;
  last_used_at?: string;
  expires_at?: string;
}

export const scopes = [
  'context:read',
  'context:diff',
  'topics:create',
  'topics:write',
  'work:write',
] as const;

export type Scope = (typeof scopes)[number];

export interface NewKey {
  name: string;
  kind: 'personal' | 'service';
  scopes: Scope[];
  /** Slugs; the workspace it is made in is always among them. */
  workspaces: string[];
  expires_at?: string;
}

export interface DeviceRequest {
  user_code: string;
  client: { name: string; uri?: string; host?: string };
  scopes: { name: string; description: string }[];
  workspaces: Workspace[];
}

export interface Invitation {
  workspace: { slug: string; name: string };
  role: Role;
  invited_by: string;
  email?: string;
}

export interface ConsentRequest {
  id: string;
  client: { name: string; uri?: string; host?: string };
  redirect_uri: string;
  redirect_host: string;
  loopback: boolean;
  scopes: { name: string; description: string }[];
  workspaces: Workspace[];
  expires_at: string;
}

export interface Confirmation {
  id: string;
  kind: 'approve' | 'merge';
  status: 'pending' | 'approved' | 'declined' | 'expired';
  expires_at: string;
  workspace: { slug: string; name: string };
  topic: Topic;
  content_hash: string;
  changes: Change[];
  before?: Partial<TopicText> | null;
  /** The duplicates that are archived with it. */
  absorbs?: string[];
  content_warnings: ContentWarning[];
  requested_via: string;
  client?: string;
}

export interface Setup {
  email: string;
  name: string;
  password: string;
  workspace: { slug: string; name: string };
}

/** The problem document of every failed call (RFC 9457). */
export interface ProblemBody {
  title?: string;
  status?: number;
  code: string;
  message: string;
  hint?: string;
  fields?: { path: string; problem: string }[];
  allowed?: string[];
  current?: unknown;
  changes_since_base?: Change[];
  retryable?: boolean;
  request_id?: string;
}
