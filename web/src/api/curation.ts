// Curating areas and tags, and filing topics.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { Area, List, Tag, TopicSummary } from './types';
import { whole } from './whole';

const at = (workspace: string, name: string) => ({ params: { path: { workspace, name } } });

/** All areas, by name. */
export const allAreasQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'areas', 'all'],
    queryFn: () =>
      whole<Area>((cursor) =>
        ok(
          api.GET('/workspaces/{workspace}/areas', {
            params: { path: { workspace }, query: { limit: 100, cursor } },
          }),
        ),
      ),
  });

/** All tags, the most used first. */
export const allTagsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'tags', 'all'],
    queryFn: () =>
      whole<Tag>((cursor) =>
        ok(
          api.GET('/workspaces/{workspace}/tags', {
            params: { path: { workspace }, query: { limit: 100, cursor } },
          }),
        ),
      ),
  });

/** Topics that have no area. */
export const unfiledQuery = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'topics', 'unfiled'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      ok<List<TopicSummary>>(
        api.GET('/workspaces/{workspace}/topics', {
          params: { path: { workspace }, query: { unfiled: true, limit: 100, cursor } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  });

export interface AreaText {
  name: string;
  description: string;
  /** E-mail addresses of who is asked first. */
  reviewers: string[];
}

export function createArea(workspace: string, body: AreaText) {
  return ok(api.POST('/workspaces/{workspace}/areas', { params: { path: { workspace } }, body }));
}

export function updateArea(workspace: string, name: string, area: AreaText) {
  const { name: new_name, description, reviewers } = area;
  return ok(
    api.PATCH('/workspaces/{workspace}/areas/{name}', {
      ...at(workspace, name),
      body: { new_name, description, reviewers },
    }),
  );
}

export function mergeAreas(workspace: string, name: string, into: string) {
  return ok(
    api.POST('/workspaces/{workspace}/areas/{name}/merge', {
      ...at(workspace, name),
      body: { into },
    }),
  );
}

export function deleteArea(workspace: string, name: string) {
  return ok(api.DELETE('/workspaces/{workspace}/areas/{name}', at(workspace, name)));
}

/** Makes a tag, or describes one that is there. */
export function saveTag(workspace: string, name: string, description: string) {
  return ok(
    api.POST('/workspaces/{workspace}/tags', {
      params: { path: { workspace } },
      body: { name, description },
    }),
  );
}

/** Gives a tag another name; where that name exists, the two become one. */
export function renameTag(workspace: string, name: string, new_name: string) {
  return ok(
    api.PATCH('/workspaces/{workspace}/tags/{name}', {
      ...at(workspace, name),
      body: { new_name },
    }),
  );
}

export function deleteTag(workspace: string, name: string) {
  return ok(api.DELETE('/workspaces/{workspace}/tags/{name}', at(workspace, name)));
}

/** Files one topic under an area, or under none; answers its new revision. */
export function fileTopic(
  workspace: string,
  topic: Pick<TopicSummary, 'slug' | 'revision'>,
  area: string,
) {
  return ok<{ revision: number }>(
    api.PATCH('/workspaces/{workspace}/topics/{topic}', {
      params: { path: { workspace, topic: topic.slug } },
      body: { area, base_revision: topic.revision },
    }),
  );
}
