import { expect, it } from 'vitest';
import type { Connection } from '../api/applications';
import type { ApiKey } from '../api/types';
import { arrived } from './arrivals';

const connection = (id: string, last_used_at: string): Connection => ({
  id,
  client: { name: `Client ${id}` },
  scopes: [],
  workspaces: [],
  created_at: '2026-03-01T08:00:00Z',
  last_used_at,
});

const key = (id: string, last_used_at?: string): ApiKey => ({
  id,
  name: `Key ${id}`,
  kind: 'personal',
  scopes: [],
  workspaces: [],
  prefix: 'dl_',
  created_at: '2026-03-01T08:00:00Z',
  last_used_at,
});

const early = '2026-03-01T09:00:00Z';
const late = '2026-03-01T09:05:00Z';
const before = { connections: [connection('a', early)], keys: [key('k', early), key('l')] };

it('says nothing while nothing happens, and nothing of what was taken away', () => {
  expect(arrived(before, before)).toBeUndefined();
  expect(arrived(before, { connections: [], keys: [] })).toBeUndefined();
  expect(arrived(before, { ...before, keys: [...before.keys, key('new')] })).toBeUndefined();
});

it('names a client that was let in, and one that called again', () => {
  const letIn = { ...before, connections: [connection('b', late), ...before.connections] };
  expect(arrived(before, letIn)).toBe('Client b');
  expect(arrived(before, { ...before, connections: [connection('a', late)] })).toBe('Client a');
});

it('names a key that was used', () => {
  expect(arrived(before, { ...before, keys: [key('k', early), key('l', late)] })).toBe('Key l');
});
