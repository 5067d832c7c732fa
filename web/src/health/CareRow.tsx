import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CareMember, Category } from '../api/health';
import { archiveTopic, proposeTopic, useWrite } from '../api/writes';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Failure } from '../parts/States';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import css from './health.module.css';

/** One topic that needs care, with what helps. */
export function CareRow({ category, member }: { category: Category; member: CareMember }) {
  const { workspace } = useHere();
  const params = { ws: workspace.slug, slug: member.slug };
  return (
    <li className={css.member}>
      <div className={css.memberText}>
        <Link to="/w/$ws/t/$slug" params={params}>
          {member.title || member.slug}
        </Link>
        <span className={css.memberFacts}>
          <TrustMark trust={member.trust} />
          {member.detail && <span>{member.detail}</span>}
        </span>
      </div>
      {workspace.role !== 'viewer' && <Help category={category} member={member} />}
    </li>
  );
}

/** What a person does about a category: at once where there is a way back, else on the page for it. */
function Help({ category, member }: { category: Category; member: CareMember }) {
  const { workspace, decides } = useHere();
  const t = useText();
  const { slug, title } = member;
  const ws = workspace.slug;
  const to = (label: string, address: string) => (
    <Button
      component={Link}
      to={address}
      variant="default"
      size="xs"
      aria-label={`${label}: ${title}`}
    >
      {label}
    </Button>
  );
  const page = `/w/${ws}/t/${slug}`;
  switch (category) {
    case 'proposed_waiting':
      return decides
        ? to(t('care.do.review'), `/w/${ws}/review?item=${slug}`)
        : to(t('care.do.open'), page);
    case 'known_failed':
      return to(t('care.do.solutions'), `${page}?tab=solutions`);
    case 'zombie':
    case 'overbroad':
    case 'dead_link':
    case 'mis_shaped':
    case 'unassigned':
      return to(t('care.do.edit'), `${page}?edit=true`);
    case 'duplicate': {
      const other = member.next_call.arguments.into;
      return typeof other === 'string'
        ? to(t('care.do.compare'), `/w/${ws}/t/${other}`)
        : to(t('care.do.open'), page);
    }
    case 'superseded':
      return <Archive member={member} />;
    case 'draft':
      return <Propose member={member} />;
    case 'stale':
    case 'review_overdue':
      return to(t('care.do.verify'), page);
    case 'orphaned':
    case 'contradiction':
      return to(t('care.do.open'), page);
  }
}

function Propose({ member: { slug, title } }: { member: CareMember }) {
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const propose = useWrite(workspace.slug, () => proposeTopic(workspace.slug, slug));
  return (
    <Doing error={propose.error}>
      <Button
        variant="default"
        size="xs"
        loading={propose.isPending}
        aria-label={`${t('topic.propose')}: ${title}`}
        onClick={() => {
          propose.mutate(undefined, {
            onSuccess() {
              notify(t('topic.proposed', { title }));
            },
          });
        }}
      >
        {t('topic.propose')}
      </Button>
    </Doing>
  );
}

function Archive({ member: { slug, title } }: { member: CareMember }) {
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const archive = useWrite(workspace.slug, async (back: boolean) => {
    await archiveTopic(workspace.slug, slug, back);
    // The row is gone by the time it is brought back: nobody else could say so.
    if (back) notify(t('topic.restored', { title }));
  });
  return (
    <Doing error={archive.error}>
      <Button
        variant="default"
        size="xs"
        loading={archive.isPending}
        aria-label={`${t('topic.archive')}: ${title}`}
        onClick={() => {
          archive.mutate(false, {
            onSuccess() {
              notify(
                <Group justify="space-between" wrap="nowrap">
                  <span>{t('topic.archived', { title })}</span>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => {
                      archive.mutate(true);
                    }}
                  >
                    {t('topic.undo')}
                  </Button>
                </Group>,
                { autoClose: 15_000 },
              );
            },
          });
        }}
      >
        {t('topic.archive')}
      </Button>
    </Doing>
  );
}

function Doing({ error, children }: { error: Error | null; children: ReactNode }) {
  return (
    <>
      {children}
      {error && (
        <div className={css.refused}>
          <Failure error={error} />
        </div>
      )}
    </>
  );
}
