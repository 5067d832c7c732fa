import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCopy } from '@tabler/icons-react';
import { similarQuery } from '../api/queries';
import type { Proposal } from '../api/types';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import css from './review.module.css';

/** What is there already and looks as if it said the same. It decides nothing, so it is not waited for. */
export function LooksLike({ row }: { row: Pick<Proposal, 'slug' | 'proposal'> }) {
  const { workspace } = useHere();
  const t = useText();
  const { data } = useQuery(similarQuery(workspace.slug, row.slug, row.proposal));
  if (!data || data.similar.length === 0) return null;
  return (
    <Notice title={t('review.looksLike')} icon={<IconCopy size={16} />}>
      <ul className={css.alike}>
        {data.similar.map((topic) => (
          <li key={topic.slug}>
            <Link to="/w/$ws/t/$slug" params={{ ws: workspace.slug, slug: topic.slug }}>
              {topic.title}
            </Link>
            <TrustMark trust={topic.trust} />
            <span className="soft num">
              {t('review.likeness', { n: Math.round(topic.likeness * 100) })}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
