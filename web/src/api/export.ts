// Everything of a workspace that the reader may see, as files.

import { api, ok } from './client';
import type { List } from './types';
import { whole } from './whole';

export interface ExportedTopic {
  slug: string;
  /** The file that an import reads back. */
  markdown: string;
  topic: unknown;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The files of an export by their path. `onProgress` is told how many topics are there. */
export async function exportFiles(
  workspace: string,
  signal: AbortSignal,
  onProgress: (topics: number) => void,
): Promise<Map<string, string>> {
  const path = { workspace };
  const files = new Map<string, string>();
  const page = (limit: number, cursor?: string) => ({
    params: { path, query: { limit, cursor } },
    signal,
  });
  let topics = 0;
  await whole<ExportedTopic>(
    (cursor) => ok(api.GET('/workspaces/{workspace}/export', page(50, cursor))),
    (rows) => {
      for (const { slug, markdown, topic } of rows) {
        files.set(`topics/${slug}.md`, markdown);
        files.set(`json/${slug}.json`, json(topic));
      }
      topics += rows.length;
      onProgress(topics);
    },
  );
  const events = await whole<unknown>((cursor) =>
    ok(api.GET('/workspaces/{workspace}/events', page(100, cursor))),
  );
  files.set('events.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const here = { params: { path }, signal };
  const [settings, areas, tags, members, sources] = await Promise.all([
    ok(api.GET('/workspaces/{workspace}/settings', here)),
    whole<unknown>((cursor) => ok(api.GET('/workspaces/{workspace}/areas', page(200, cursor)))),
    whole<unknown>((cursor) => ok(api.GET('/workspaces/{workspace}/tags', page(200, cursor)))),
    ok<List<unknown>>(api.GET('/workspaces/{workspace}/members', here)),
    ok<List<unknown>>(api.GET('/workspaces/{workspace}/sources', here)),
  ]);
  const rest = { areas, tags, members: members.results, sources: sources.results };
  files.set('workspace.json', json({ workspace, settings, ...rest }));
  return files;
}
