import type { Connection } from '../api/applications';
import type { ApiKey } from '../api/types';

/** What had been let in, and which keys had been used, when the page was opened. */
export interface Known {
  connections: readonly Connection[];
  keys: readonly ApiKey[];
}

/** The name of the first client that called since then. */
export function arrived(before: Known, now: Known): string | undefined {
  const seen = new Map(before.connections.map((c) => [c.id, c.last_used_at]));
  const connection = now.connections.find((c) => seen.get(c.id) !== c.last_used_at);
  if (connection) return connection.client.name;
  const used = new Map(before.keys.map((key) => [key.id, key.last_used_at]));
  return now.keys.find((key) => key.last_used_at && used.get(key.id) !== key.last_used_at)?.name;
}
