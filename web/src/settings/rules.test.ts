import { describe, expect, it } from 'vitest';
import type { Member } from '../api/members';
import type { Role } from '../api/types';
import { isLastOwner, mayRemove, rolesFor } from './rules';

const member = (role: Role, service = false): Member => ({
  person: { id: `${role}-${String(service)}`, name: role, email: `${role}@ledger.example` },
  role,
  service,
  joined_at: '2026-03-01T08:00:00Z',
});

const owner = member('owner');
const second = member('owner');
const admin = member('admin');
const viewer = member('viewer');
const program = member('member', true);

describe('rolesFor', () => {
  it('keeps the last owner one, even for themselves', () => {
    expect(rolesFor('owner', owner, [owner, admin])).toEqual(['owner']);
    expect(rolesFor('owner', owner, [owner, second])).toHaveLength(4);
  });

  it('lets owners alone make and unmake owners', () => {
    expect(rolesFor('admin', viewer, [owner, viewer])).toEqual(['admin', 'member', 'viewer']);
    expect(rolesFor('admin', second, [owner, second])).toEqual(['owner']);
    expect(rolesFor('owner', viewer, [owner, viewer])).toContain('owner');
  });

  it('never lets a program decide', () => {
    expect(rolesFor('owner', program, [owner, program])).toEqual(['member', 'viewer']);
  });

  it('offers members and viewers nothing', () => {
    expect(rolesFor('member', viewer, [owner, viewer])).toEqual(['viewer']);
    expect(rolesFor('viewer', viewer, [owner, viewer])).toEqual(['viewer']);
  });
});

describe('mayRemove', () => {
  it('is for owners, and for admins except with owners', () => {
    expect(mayRemove('owner', second)).toBe(true);
    expect(mayRemove('admin', second)).toBe(false);
    expect(mayRemove('admin', viewer)).toBe(true);
    expect(mayRemove('member', viewer)).toBe(false);
  });
});

describe('isLastOwner', () => {
  it('counts owners', () => {
    expect(isLastOwner(owner, [owner, admin])).toBe(true);
    expect(isLastOwner(owner, [owner, second])).toBe(false);
    expect(isLastOwner(admin, [owner, admin])).toBe(false);
  });
});
