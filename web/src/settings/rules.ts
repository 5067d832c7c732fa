// What the server allows with memberships, so that the page offers nothing that it would refuse.

import type { Member } from '../api/members';
import type { Role } from '../api/types';

/** From the most to the least that a role may do. */
export const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

const decides = (role: Role): boolean => role === 'owner' || role === 'admin';

/** A workspace always keeps one owner. */
export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === 'owner' && members.filter((m) => m.role === 'owner').length === 1;
}

/** The roles that somebody with the role `mine` may give; only the present one when none other. */
export function rolesFor(mine: Role, member: Member, members: readonly Member[]): readonly Role[] {
  if (!decides(mine) || isLastOwner(member, members)) return [member.role];
  // A program that could decide would be nobody deciding.
  if (member.service) return roles.filter((role) => !decides(role));
  if (mine === 'owner') return roles;
  // Only owners make or unmake owners.
  return member.role === 'owner' ? [member.role] : roles.filter((role) => role !== 'owner');
}

/** Whether somebody with the role `mine` may end this membership of somebody else. */
export function mayRemove(mine: Role, member: Member): boolean {
  return decides(mine) && (member.role !== 'owner' || mine === 'owner');
}
