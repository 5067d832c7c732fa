// The paths of the contract in the shape that openapi-fetch reads.

import type * as T from './types';

type Path<P> = { path: P };
type Call<Params, Body, Answer> = ([Body] extends [never]
  ? { requestBody?: never }
  : { requestBody: { content: { 'application/json': Body } } }) & {
  parameters: Params;
  responses: {
    200: { content: { 'application/json': Answer } };
    default: { content: { 'application/problem+json': T.ProblemBody } };
  };
};
type None = Record<never, never>;
type Paging = { limit?: number; cursor?: string };
type InWorkspace = Path<{ workspace: string }>;
type InTopic = Path<{ workspace: string; topic: string }>;
type InProposal = Path<{ workspace: string; proposal: string }>;
type Verb<Body, Answer = { topic: T.Topic }> = { post: Call<InTopic, Body, Answer> };

export interface paths {
  '/setup/{token}': {
    get: Call<Path<{ token: string }>, never, unknown>;
    post: Call<Path<{ token: string }>, T.Setup, T.Session>;
  };
  '/session': {
    get: Call<None, never, T.Session>;
    post: Call<None, { email: string; password: string }, T.Session>;
    delete: Call<None, never, unknown>;
  };
  '/version': { get: Call<None, never, { version: string }> };
  '/oauth/requests/{id}': {
    get: Call<Path<{ id: string }>, never, T.ConsentRequest>;
    post: Call<
      Path<{ id: string }>,
      { approve: boolean; scopes: string[]; workspaces: string[] },
      { redirect_to: string }
    >;
  };
  '/confirmations/{id}': {
    get: Call<Path<{ id: string }>, never, T.Confirmation>;
    post: Call<
      Path<{ id: string }>,
      { approve: boolean; content_hash?: string },
      { status: T.Confirmation['status']; topic: T.Topic }
    >;
  };
  '/workspaces/{workspace}/topics': {
    get: Call<
      InWorkspace & {
        query?: Paging & { status?: string; tags?: string; area?: string; mine?: boolean };
      },
      never,
      T.List<T.TopicSummary>
    >;
  };
  '/workspaces/{workspace}/search': {
    get: Call<
      InWorkspace & {
        query: Paging & { query: string; status?: string; tags?: string; area?: string };
      },
      never,
      T.List<T.SearchHit>
    >;
  };
  '/workspaces/{workspace}/notes': {
    post: Call<
      InWorkspace,
      { content: string; title?: string; anchors?: string[] },
      { topic: T.Topic }
    >;
  };
  '/workspaces/{workspace}/topics/{topic}': {
    get: Call<InTopic & { query?: { view?: string; revision?: number } }, never, T.Topic>;
    patch: Call<InTopic, T.TopicUpdate, T.UpdateResult>;
    delete: Call<InTopic, never, { recoverable_until: string }>;
  };
  '/workspaces/{workspace}/topics/{topic}/propose': Verb<{ message?: string }>;
  '/workspaces/{workspace}/topics/{topic}/withdraw': Verb<None>;
  '/workspaces/{workspace}/topics/{topic}/approve': Verb<
    { revision: number; content_hash: string },
    { status: string; topic: T.Topic }
  >;
  '/workspaces/{workspace}/topics/{topic}/reject': Verb<{
    reason: string;
    request_changes?: boolean;
  }>;
  '/workspaces/{workspace}/topics/{topic}/archive': Verb<{ restore?: boolean }>;
  '/workspaces/{workspace}/topics/{topic}/restore': Verb<None>;
  '/workspaces/{workspace}/topics/{topic}/verify': Verb<{ commit?: string; note?: string }>;
  '/workspaces/{workspace}/topics/{topic}/history': {
    get: Call<InTopic & { query?: Paging }, never, T.List<T.RevisionRow>>;
  };
  '/workspaces/{workspace}/topics/{topic}/relations': {
    get: Call<InTopic, never, T.Relations>;
  };
  '/workspaces/{workspace}/proposals': {
    get: Call<
      InWorkspace & { query?: Paging & { kind?: 'notes' | 'edits' | 'all' } },
      never,
      T.List<T.Proposal>
    >;
  };
  '/workspaces/{workspace}/proposals/{proposal}/merge': {
    post: Call<InProposal, { content_hash: string }, { status: string; topic: T.Topic }>;
  };
  '/workspaces/{workspace}/proposals/{proposal}/reject': {
    post: Call<InProposal, { reason: string; request_changes?: boolean }, unknown>;
  };
  '/workspaces/{workspace}/proposals/{proposal}/withdraw': {
    post: Call<InProposal, None, unknown>;
  };
  '/workspaces/{workspace}/tags': { get: Call<InWorkspace, never, T.List<T.Tag>> };
  '/workspaces/{workspace}/areas': { get: Call<InWorkspace, never, T.List<T.Area>> };
  '/workspaces/{workspace}/keys': {
    get: Call<InWorkspace, never, T.List<T.ApiKey>>;
    post: Call<InWorkspace, T.NewKey, T.ApiKey & { secret: string }>;
  };
  '/workspaces/{workspace}/keys/{id}': {
    delete: Call<Path<{ workspace: string; id: string }>, never, unknown>;
  };
}
