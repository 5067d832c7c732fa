import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { careOfQuery, careQuery, categories, type Category } from '../api/health';
import { useText } from '../i18n';
import { Section } from '../parts/Section';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import { CareRow } from './CareRow';
import css from './health.module.css';

/** The doctor: each category with its count, its topics on demand. */
export function Care() {
  const { workspace } = useHere();
  const t = useText();
  const care = useQuery(careQuery(workspace.slug));
  const counted = categories.map((name) => ({ name, count: care.data?.summary[name] ?? 0 }));
  const found = counted.filter(({ count }) => count > 0);
  const none = counted.filter(({ count }) => count === 0);
  return (
    <Section title={t('care.title')} text={t('care.text')}>
      {care.isPending && <RowsSkeleton rows={6} height={64} />}
      {care.isError && <Failure error={care.error} retry={() => void care.refetch()} />}
      {care.data && found.length === 0 && (
        <Empty title={t('care.nothing')}>{t('care.nothing.text')}</Empty>
      )}
      {found.length > 0 && (
        <ul className={css.categories}>
          {found.map(({ name, count }) => (
            <OneCategory key={name} name={name} count={count} />
          ))}
        </ul>
      )}
      {found.length > 0 && none.length > 0 && (
        <p className={css.fine}>
          {t('care.fine', { names: none.map(({ name }) => t(`care.${name}`)).join(', ') })}
        </p>
      )}
    </Section>
  );
}

function OneCategory({ name, count }: { name: Category; count: number }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li>
      <UnstyledButton
        className={css.category}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOpen(!open);
        }}
      >
        <IconChevronRight className={css.chevron} size={16} aria-hidden="true" />
        <span className={css.categoryText}>
          <span className={css.categoryName}>{t(`care.${name}`)}</span>
          <span className="soft">{t(`care.${name}.text`)}</span>
        </span>
        <span className={`${css.number ?? ''} num`}>
          <span aria-hidden="true">{count}</span>
          <span className="srOnly">{t.count('care.topics', count)}</span>
        </span>
      </UnstyledButton>
      {open && (
        <div id={id} className={css.found}>
          <Found name={name} count={count} />
        </div>
      )}
    </li>
  );
}

function Found({ name, count }: { name: Category; count: number }) {
  const { workspace } = useHere();
  const t = useText();
  const found = useQuery(careOfQuery(workspace.slug, name));
  if (found.isPending) return <RowsSkeleton rows={Math.min(count, 5)} height={62} />;
  if (found.isError) return <Failure error={found.error} retry={() => void found.refetch()} />;
  const { members } = found.data;
  return (
    <>
      <ul>
        {members.map((member) => (
          <CareRow key={member.slug} category={name} member={member} />
        ))}
      </ul>
      {found.data.has_more && (
        <p className="soft">{t('care.more', { n: found.data.count - members.length })}</p>
      )}
    </>
  );
}
