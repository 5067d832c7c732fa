// Compiled, not run: `npm run check` fails here when the server's answers no
// longer have a field that the console reads.

import { expectTypeOf, it } from 'vitest';
import type { operations } from './schema';
import type { Sitting } from './account';
import type { Chain, Happening } from './activity';
import type { Application, Connection, Registered } from './applications';
import type { CareMember, Coverage, Covered, Gap } from './health';
import type { InboxItem } from './inbox';
import type { Invited, Member, OpenInvitation } from './members';
import type { Shared } from './sharing';
import type { Identity, Passkey, WaysIn } from './signon';
import type { Answer as Known, Attempt, Judged, Solution } from './solutions';
import type { ExportedTopic } from './export';
import type { Connected } from './repositories';
import type { Settings } from './settings';
import type { Trend } from './trend';
import type { Asked } from './ask';
import type { WholeGraph } from './graph';
import type { Source } from './sources';
import type * as T from './types';

type Answer<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;
type Created<Id extends keyof operations> = operations[Id] extends {
  responses: { 201: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;
type Row<Id extends keyof operations> =
  Answer<Id> extends { results: (infer One)[] | null } ? One : never;

/** The fields of ours that the server's answer does not have. */
type Missing<Ours, Theirs> = Exclude<keyof Ours, keyof Theirs>;

it('reads only what the server sends', () => {
  expectTypeOf<Missing<T.Session, Answer<'session.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Topic, Answer<'topics.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.TopicSummary, Row<'topics.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.SearchHit, Row<'context.search'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Proposal, Row<'proposals.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Comment, Row<'comments.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.RevisionRow, Row<'topics.history'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Graph, Answer<'topics.graph'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Relations, Answer<'topics.relations'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.UpdateResult, Answer<'topics.update'>>>().toEqualTypeOf<never>();
  type Verdict = Answer<'topics.update'>['anchor_validation'][number];
  expectTypeOf<Missing<T.AnchorVerdict, Verdict>>().toEqualTypeOf<never>();
  type Finding = NonNullable<Row<'proposals.list'>['content_warnings']>[number];
  expectTypeOf<Missing<T.ContentWarning, Finding>>().toEqualTypeOf<never>();
  type Edge = Answer<'topics.relations'>['outgoing'][number];
  expectTypeOf<Missing<T.Relation, Edge>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.ApiKey, Row<'keys.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Area, Row<'areas.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Tag, Row<'tags.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Confirmation, Answer<'confirmation.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.DeviceRequest, Answer<'device.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.Invitation, Answer<'invitation.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<T.ConsentRequest, Answer<'consent.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<
    Missing<T.Session['person'], Answer<'session.get'>['person']>
  >().toEqualTypeOf<never>();
  expectTypeOf<Missing<Member, Row<'members.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<OpenInvitation, Row<'invitations.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<
    Missing<Omit<Invited, 'mailed'>, Created<'invitations.create'>>
  >().toEqualTypeOf<never>();
  expectTypeOf<Missing<WaysIn, Answer<'signon.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Identity, Row<'identities.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Passkey, Row<'passkeys.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Sitting, Row<'sessions.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Application, Row<'clients.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Registered, Created<'clients.create'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Connection, Row<'connections.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Shared, Answer<'topics.shared'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<InboxItem, Row<'inbox.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Happening, Row<'events.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Chain, Answer<'audit.verify'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Source, Row<'sources.list'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Connected, Created<'sources.connect'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Settings, Answer<'settings.get'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<ExportedTopic, Row<'workspace.export'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Trend, Answer<'doctor.trend'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Asked, Answer<'ask.ask'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<WholeGraph, Answer<'graph.show'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Coverage, Answer<'coverage.show'>>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Covered, Answer<'coverage.show'>['total']>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Gap, Row<'coverage.show'>>>().toEqualTypeOf<never>();
  type Care = Answer<'context.doctor'>['categories'][number]['members'][number];
  expectTypeOf<Missing<CareMember, Care>>().toEqualTypeOf<never>();
  type Got = Answer<'topics.get'>;
  expectTypeOf<Missing<Solution, NonNullable<Got['solutions']>[number]>>().toEqualTypeOf<never>();
  type Answered = NonNullable<Got['answer']>;
  expectTypeOf<Missing<Known, Answered>>().toEqualTypeOf<never>();
  expectTypeOf<Missing<Judged, Answered['answers'][number]>>().toEqualTypeOf<never>();
  type Tried = NonNullable<Answered['failed_attempts']>[number];
  expectTypeOf<Missing<Attempt, Tried>>().toEqualTypeOf<never>();
});
