import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { invitationsQuery, takeBack, type Invited, type OpenInvitation } from '../api/members';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { SecretDialog } from '../parts/SecretDialog';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { InviteDialog } from './InviteDialog';

/** Invitations that nobody has accepted yet: made here, their link shown once. */
export function Invitations() {
  const { workspace } = useHere();
  const t = useText();
  const list = useQuery(invitationsQuery(workspace.slug));
  const [inviting, setInviting] = useState(false);
  const [made, setMade] = useState<Invited | null>(null);
  const [taking, setTaking] = useState<OpenInvitation | null>(null);
  const take = useWrite(workspace.slug, (id: string) => takeBack(workspace.slug, id));
  const nameOf = (invitation: { email?: string }): string => invitation.email ?? t('people.anyone');
  return (
    <Section
      title={t('people.invitations')}
      text={t('people.invitationsText')}
      action={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => {
            setInviting(true);
          }}
        >
          {t('people.invite')}
        </Button>
      }
    >
      {list.isPending && <RowsSkeleton rows={1} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <Rows none={list.data.results.length === 0 && t('people.noInvitations')}>
          {list.data.results.map((invitation) => (
            <Row
              key={invitation.id}
              name={nameOf(invitation)}
              facts={
                <>
                  <span>{t.word('role', invitation.role)}</span>
                  <span>{t('people.invitedBy', { name: invitation.invited_by })}</span>
                  <span>
                    {t('people.expires')} <When at={invitation.expires_at} />
                  </span>
                </>
              }
            >
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('people.takeBackOf', { name: nameOf(invitation) })}
                onClick={() => {
                  setTaking(invitation);
                }}
              >
                {t('people.takeBack')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <InviteDialog
        opened={inviting}
        onClose={() => {
          setInviting(false);
        }}
        onInvited={(invited) => {
          setInviting(false);
          setMade(invited);
        }}
      />
      <SecretDialog
        title={t('people.invited')}
        text={made && <Handing invited={made} />}
        values={made && [{ label: t('people.link'), value: made.link }]}
        done={t('people.done')}
        onClose={() => {
          setMade(null);
        }}
      />
      <ConfirmDialog
        opened={taking !== null}
        title={t('people.takeBackOf', { name: taking ? nameOf(taking) : '' })}
        action={t('people.takeBack')}
        pending={take.isPending}
        error={take.error}
        onClose={() => {
          setTaking(null);
          take.reset();
        }}
        onConfirm={() => {
          if (!taking) return;
          take.mutate(taking.id, {
            onSuccess() {
              setTaking(null);
            },
          });
        }}
      >
        {t('people.takeBackText')}
      </ConfirmDialog>
    </Section>
  );
}

/** Says how the link reaches the person. */
function Handing({ invited }: { invited: Invited }) {
  const t = useText();
  const { email, mailed } = invited;
  if (email && mailed) return t('people.mailed', { email });
  if (email) return t('people.handTo', { email });
  return t('people.handAnyone');
}
