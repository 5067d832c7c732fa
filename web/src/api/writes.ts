// The writes of the console. After each one everything known about its workspace
// is read again: a decision changes lists, counts and history at once.

import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api, ok } from './client';
import { useSingleMutation } from './singleMutation';
import type {
  ApiKey,
  Comment,
  CommentSubject,
  NewKey,
  Proposal,
  Resolution,
  Topic,
  TopicUpdate,
  UpdateResult,
  Verification,
} from './types';

/** A write inside a workspace. Its errors belong to the place that calls it. */
export function useWrite<In, Out>(
  workspace: string,
  write: (input: In) => Promise<Out>,
): UseMutationResult<Out, Error, In> {
  const client = useQueryClient();
  return useSingleMutation({
    mutationFn: write,
    // Not awaited: who wrote goes on while the lists are read again.
    onSettled() {
      void client.invalidateQueries({ queryKey: [workspace] });
    },
  });
}

const at = (workspace: string, topic: string) => ({ params: { path: { workspace, topic } } });

/** Approves exactly the text that was shown: the server refuses any other. */
export function approveTopic(workspace: string, topic: Topic) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/approve', {
      ...at(workspace, topic.slug),
      body: { revision: topic.revision, content_hash: topic.content_hash },
    }),
  );
}

/**
 * Merges exactly what was shown: the merged text or, where the edit met newer Knowledge,
 * both sides with the values that the person chose.
 */
export function mergeEdit(workspace: string, edit: Proposal, resolution: readonly Resolution[]) {
  return ok(
    api.POST('/workspaces/{workspace}/proposals/{proposal}/merge', {
      params: { path: { workspace, proposal: edit.proposal ?? '' } },
      body: {
        content_hash: edit.content_hash,
        resolution: edit.merged
          ? undefined
          : resolution.map(({ path, value }) => ({ path, value })),
      },
    }),
  );
}

/** Turns a note or a suggested edit down, or sends a note back for changes. */
export function rejectProposal(
  workspace: string,
  item: Pick<Proposal, 'kind' | 'slug' | 'proposal'>,
  reason: string,
  requestChanges: boolean,
): Promise<unknown> {
  if (item.kind === 'edit') {
    return ok(
      api.POST('/workspaces/{workspace}/proposals/{proposal}/reject', {
        params: { path: { workspace, proposal: item.proposal ?? '' } },
        body: { reason },
      }),
    );
  }
  const body = { reason, request_changes: requestChanges || undefined };
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/reject', {
      ...at(workspace, item.slug),
      body,
    }),
  );
}

export function updateTopic(workspace: string, topic: string, body: TopicUpdate) {
  return ok<UpdateResult>(
    api.PATCH('/workspaces/{workspace}/topics/{topic}', { ...at(workspace, topic), body }),
  );
}

export function proposeTopic(workspace: string, topic: string, message?: string) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/propose', {
      ...at(workspace, topic),
      body: { message },
    }),
  );
}

export function withdrawTopic(workspace: string, topic: string) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/withdraw', {
      ...at(workspace, topic),
      body: {},
    }),
  );
}

export function archiveTopic(workspace: string, topic: string, restore: boolean) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/archive', {
      ...at(workspace, topic),
      body: restore ? { restore } : {},
    }),
  );
}

export function restoreFromTrash(workspace: string, topic: string) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/restore', {
      ...at(workspace, topic),
      body: {},
    }),
  );
}

export function deleteTopic(workspace: string, topic: string) {
  return ok(api.DELETE('/workspaces/{workspace}/topics/{topic}', at(workspace, topic)));
}

export function createKey(workspace: string, body: NewKey) {
  return ok<ApiKey & { secret: string }>(
    api.POST('/workspaces/{workspace}/keys', { params: { path: { workspace } }, body }),
  );
}

export function revokeKey(workspace: string, id: string) {
  return ok(
    api.DELETE('/workspaces/{workspace}/keys/{key}', { params: { path: { workspace, key: id } } }),
  );
}

export function verifyTopic(workspace: string, topic: string, body: Verification) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/verify', { ...at(workspace, topic), body }),
  );
}

export function addComment(
  workspace: string,
  body: CommentSubject & { body: string; field?: string },
) {
  return ok(
    api.POST('/workspaces/{workspace}/comments', { params: { path: { workspace } }, body }),
  );
}

/** Closes a comment, or opens it again. */
export function setCommentStatus(workspace: string, comment: string, status: Comment['status']) {
  return ok(
    api.POST('/workspaces/{workspace}/comments/{comment}/resolve', {
      params: { path: { workspace, comment } },
      body: { status },
    }),
  );
}
