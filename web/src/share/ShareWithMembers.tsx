import { Button, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { membersQuery, type Member } from '../api/members';
import { share, type Shared, type Sharing } from '../api/sharing';
import type { Topic } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Row, Rows, Section } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './share.module.css';

/** Puts a topic into inboxes. A private draft is opened to read for those it is sent to. */
export function ShareWithMembers({ topic, shared }: { topic: Topic; shared: Shared }) {
  const { workspace, session } = useHere();
  const t = useText();
  const notify = useNotify();
  const list = useQuery(membersQuery(workspace.slug));
  const [chosen, setChosen] = useState<string[]>([]);
  const write = useWrite(workspace.slug, (body: Sharing) =>
    share(workspace.slug, topic.slug, body),
  );
  const members = list.data?.results ?? [];
  const nameOf = (email: string): string => named(members, email);
  const others = members.filter((m) => !m.service && m.person.id !== session.person.id);
  // A draft of somebody else's: only its author opens it to more.
  const author = topic.created_by?.email ?? session.person.email;
  if (topic.is_private && author !== session.person.email) {
    return <Section title={t('share.members')} text={t('share.members.author')} />;
  }
  return (
    <Section
      title={t('share.members')}
      text={t(topic.is_private ? 'share.members.private' : 'share.members.text')}
    >
      <form
        className={css.line}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length === 0) return;
          write.mutate(
            { with_members: chosen },
            {
              onSuccess() {
                notify(t('share.sent', { names: chosen.map(nameOf).join(', ') }));
                setChosen([]);
              },
            },
          );
        }}
      >
        <MultiSelect
          className={css.people}
          data-autofocus
          label={t('share.to')}
          placeholder={chosen.length > 0 ? undefined : t('share.choose')}
          searchable
          hidePickedOptions
          maxValues={50}
          nothingFoundMessage={t('share.nobody')}
          data={others.map(({ person }) => ({
            value: person.email,
            label: person.name ? `${person.name} (${person.email})` : person.email,
          }))}
          value={chosen}
          onChange={setChosen}
        />
        <Button type="submit" loading={write.isPending} disabled={chosen.length === 0}>
          {t('share.send')}
        </Button>
      </form>
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {write.error && <Failure error={write.error} />}
      {topic.is_private && shared.members.length > 0 && (
        <div className={css.readers}>
          <h3>{t('share.readers')}</h3>
          <Rows>
            {shared.members.map((email) => (
              <Row key={email} name={nameOf(email)} facts={<span>{email}</span>}>
                <Button
                  variant="subtle"
                  color="gray"
                  size="xs"
                  disabled={write.isPending}
                  aria-label={t('share.takeBackOf', { name: nameOf(email) })}
                  onClick={() => {
                    write.mutate({ with_members: [email], revoke: true });
                  }}
                >
                  {t('share.takeBack')}
                </Button>
              </Row>
            ))}
          </Rows>
        </div>
      )}
    </Section>
  );
}

function named(members: readonly Member[], email: string): string {
  return members.find((m) => m.person.email === email)?.person.name || email;
}
