import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { changeRole, membersQuery, removeMember, type Member } from '../api/members';
import { sessionQuery } from '../api/queries';
import { useSingleMutation } from '../api/singleMutation';
import type { Role } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { useNotify } from '../parts/notify';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { isLastOwner, mayRemove, rolesFor } from './rules';

interface Change {
  member: Member;
  role: Role;
}

/** Who is in the workspace: roles, removal, leaving. */
export function Members() {
  const { workspace, session } = useHere();
  const t = useText();
  const notify = useNotify();
  const client = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const list = useQuery(membersQuery(workspace.slug));
  const [stepping, setStepping] = useState<Role | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const change = useWrite(workspace.slug, ({ member, role }: Change) =>
    changeRole(workspace.slug, member.person.id, role),
  );
  const remove = useWrite(workspace.slug, (id: string) => removeMember(workspace.slug, id));
  const members = list.data?.results ?? [];
  const isMe = (member: Member): boolean => member.person.id === session.person.id;
  const me = members.find(isMe);

  // What one may no longer read is not read again: first the session, then the rest.
  const step = useSingleMutation({
    mutationFn: ({ member, role }: Change) => changeRole(workspace.slug, member.person.id, role),
    async onSuccess() {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
      await router.invalidate();
      setStepping(null);
      void client.invalidateQueries({ queryKey: membersQuery(workspace.slug).queryKey });
    },
  });
  const leave = useSingleMutation({
    mutationFn: (id: string) => removeMember(workspace.slug, id),
    async onSuccess() {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
      await navigate({ to: '/' });
      client.removeQueries({ queryKey: [workspace.slug] });
    },
  });

  const give = ({ member, role }: Change): void => {
    const before = member.role;
    change.mutate(
      { member, role },
      {
        onSuccess() {
          const { name } = member.person;
          notify(
            <Group justify="space-between" wrap="nowrap">
              {t('people.changed', { name, role: t.word('role', role) })}
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  change.mutate({ member, role: before });
                }}
              >
                {t('people.undo')}
              </Button>
            </Group>,
            { autoClose: 15_000 },
          );
        },
      },
    );
  };

  return (
    <Section title={t('people.members')}>
      {list.isPending && <RowsSkeleton rows={3} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {change.error && <Failure error={change.error} />}
      {list.data && (
        <Rows>
          {members.map((member) => (
            <MemberRow
              key={member.person.id}
              member={member}
              members={members}
              busy={change.isPending}
              onRole={(role) => {
                if (isMe(member)) setStepping(role);
                else give({ member, role });
              }}
              onRemove={() => {
                if (isMe(member)) setLeaving(true);
                else setRemoving(member);
              }}
            />
          ))}
        </Rows>
      )}
      <ConfirmDialog
        opened={stepping !== null}
        title={t('people.own', { role: t.word('role', stepping ?? '') })}
        action={t('people.ownDo')}
        pending={step.isPending}
        error={step.error}
        onClose={() => {
          setStepping(null);
          step.reset();
        }}
        onConfirm={() => {
          if (me && stepping) step.mutate({ member: me, role: stepping });
        }}
      >
        {t('people.ownText')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={leaving}
        title={t('people.leaveOf', { workspace: workspace.name })}
        typed={workspace.slug}
        action={t('people.leave')}
        pending={leave.isPending}
        error={leave.error}
        onClose={() => {
          setLeaving(false);
          leave.reset();
        }}
        onConfirm={() => {
          if (me) leave.mutate(me.person.id);
        }}
      >
        {t('people.leaveText')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={removing !== null}
        title={t('people.removeOf', { name: removing?.person.name ?? '' })}
        typed={removing?.person.email || removing?.person.name}
        action={t('people.remove')}
        pending={remove.isPending}
        error={remove.error}
        onClose={() => {
          setRemoving(null);
          remove.reset();
        }}
        onConfirm={() => {
          if (!removing) return;
          remove.mutate(removing.person.id, {
            onSuccess() {
              setRemoving(null);
              notify(t('people.removed', { name: removing.person.name }));
            },
          });
        }}
      >
        {t('people.removeText')}
      </ConfirmDialog>
    </Section>
  );
}

interface MemberRowProps {
  member: Member;
  members: readonly Member[];
  busy: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
}

function MemberRow({ member, members, busy, onRole, onRemove }: MemberRowProps) {
  const { workspace, session } = useHere();
  const t = useText();
  const { name, email } = member.person;
  const isMe = member.person.id === session.person.id;
  const last = isLastOwner(member, members);
  const allowed = rolesFor(workspace.role, member, members);
  return (
    <Row
      name={name || email}
      badge={isMe ? t('people.you') : member.service && t('people.service')}
      tone={isMe ? 'moss' : undefined}
      facts={
        <>
          {email && name && <span>{email}</span>}
          <span>
            {t('people.joined')} <When at={member.joined_at} />
          </span>
          {last && <span>{t('people.last')}</span>}
        </>
      }
    >
      {allowed.length > 1 ? (
        <NativeSelect
          size="xs"
          aria-label={t('people.roleOf', { name })}
          data={allowed.map((role) => ({ value: role, label: t.word('role', role) }))}
          value={member.role}
          disabled={busy}
          onChange={(event) => {
            onRole(event.currentTarget.value as Role);
          }}
        />
      ) : (
        <span className="soft">{t.word('role', member.role)}</span>
      )}
      {isMe
        ? !last && (
            <Button variant="subtle" color="gray" size="xs" onClick={onRemove}>
              {t('people.leave')}
            </Button>
          )
        : mayRemove(workspace.role, member) && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              aria-label={t('people.removeOf', { name })}
              onClick={onRemove}
            >
              {t('people.remove')}
            </Button>
          )}
    </Row>
  );
}
