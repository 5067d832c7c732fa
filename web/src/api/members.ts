// Who is in a workspace, and who was invited to it.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List, Role } from './types';

export interface Member {
  person: { id: string; name: string; email: string };
  /** It stands for a program: it never decides. */
  service?: boolean;
  role: Role;
  joined_at: string;
}

/** An invitation that can still be accepted; its link is never shown again. */
export interface OpenInvitation {
  id: string;
  role: Role;
  email?: string;
  invited_by: string;
  created_at: string;
  expires_at: string;
}

export interface NewInvitation {
  role: Exclude<Role, 'owner'>;
  email?: string;
}

export interface Invited {
  id: string;
  role: Role;
  email?: string;
  link: string;
  expires_at: string;
  /** The server sent the link to the address. */
  mailed?: boolean;
}

export const membersQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'members'],
    queryFn: () =>
      ok<List<Member>>(
        api.GET('/workspaces/{workspace}/members', { params: { path: { workspace } } }),
      ),
  });

export const invitationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'invitations'],
    queryFn: () =>
      ok<List<OpenInvitation>>(
        api.GET('/workspaces/{workspace}/invitations', { params: { path: { workspace } } }),
      ),
  });

export function changeRole(workspace: string, person: string, role: Role) {
  return ok<Member>(
    api.PATCH('/workspaces/{workspace}/members/{person}', {
      params: { path: { workspace, person } },
      body: { role },
    }),
  );
}

/** Ends a membership; one's own to leave. */
export function removeMember(workspace: string, person: string) {
  return ok(
    api.DELETE('/workspaces/{workspace}/members/{person}', {
      params: { path: { workspace, person } },
    }),
  );
}

export function invite(workspace: string, body: NewInvitation) {
  return ok<Invited>(
    api.POST('/workspaces/{workspace}/invitations', { params: { path: { workspace } }, body }),
  );
}

export function takeBack(workspace: string, invitation: string) {
  return ok(
    api.DELETE('/workspaces/{workspace}/invitations/{invitation}', {
      params: { path: { workspace, invitation } },
    }),
  );
}
