import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { relationsQuery } from '../api/queries';
import type { Mention, Relation, Topic } from '../api/types';
import { useText } from '../i18n';
import { Findings } from '../parts/Findings';
import { Failure } from '../parts/States';
import { TrustMark } from '../parts/TrustMark';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import css from './topic.module.css';

/** What surrounds the text: who vouches for it, where it belongs, what it touches. */
export function TopicSide({ topic }: { topic: Topic }) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const relations = useQuery(relationsQuery(ws, topic.slug));
  const { governance: g } = topic;
  return (
    <aside className={css.side} aria-label={t('topic.about')}>
      <dl className={css.facts}>
        {g.approved_by && g.approved_at && (
          <Fact name={t('facts.approved')}>
            {g.approved_by.name}, <When at={g.approved_at} />
          </Fact>
        )}
        <Fact name={t('facts.updated')}>
          {topic.updated_by && `${topic.updated_by.name}, `}
          <When at={topic.updated_at} />
        </Fact>
        <Fact name={t('facts.revision')}>
          <span className="num">{topic.revision}</span>
        </Fact>
        <Fact name={t('facts.area')}>
          {topic.area ?? <span className="soft">{t('none')}</span>}
        </Fact>
        <Fact name={t('facts.tags')}>
          {topic.tags.length > 0 ? (
            topic.tags.join(', ')
          ) : (
            <span className="soft">{t('none')}</span>
          )}
        </Fact>
        {topic.owners.length > 0 && <Fact name={t('facts.owners')}>{topic.owners.join(', ')}</Fact>}
        {topic.review_by && <Fact name={t('facts.reviewBy')}>{topic.review_by}</Fact>}
      </dl>
      {topic.drift.length > 0 && (
        <section>
          <h2>{t('topic.drift')}</h2>
          <Findings findings={topic.drift} />
        </section>
      )}
      <section>
        <h2>{t('topic.relations')}</h2>
        {relations.isPending && <Skeleton height={72} />}
        {relations.isError && (
          <Failure error={relations.error} retry={() => void relations.refetch()} />
        )}
        {relations.data && (
          <>
            {relations.data.outgoing.length +
              relations.data.incoming.length +
              relations.data.mentions.length +
              relations.data.mentioned_by.length ===
              0 && <p className="soft">{t('topic.noRelations')}</p>}
            <Edges ws={ws} edges={relations.data.outgoing} />
            <Edges ws={ws} edges={relations.data.incoming} />
            <Mentions ws={ws} name={t('topic.mentions')} mentions={relations.data.mentions} />
            <Mentions
              ws={ws}
              name={t('topic.mentionedBy')}
              mentions={relations.data.mentioned_by}
            />
          </>
        )}
      </section>
      {topic.sources.length > 0 && (
        <section>
          <h2>{t('topic.sources')}</h2>
          <ul className={css.findings}>
            {topic.sources.map((source) => (
              <li key={source} className="mono">
                {source}
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Edges({ ws, edges }: { ws: string; edges: readonly Relation[] }) {
  const t = useText();
  return (
    <ul className={css.edges}>
      {edges.map((edge) => (
        <li key={`${edge.type} ${edge.slug}`}>
          <span className="soft">{t.word('relation', edge.type)}</span>
          <Link to="/w/$ws/t/$slug" params={{ ws, slug: edge.slug }}>
            {edge.title}
          </Link>
          <TrustMark trust={edge.trust} compact />
        </li>
      ))}
    </ul>
  );
}

function Mentions({
  ws,
  name,
  mentions,
}: {
  ws: string;
  name: string;
  mentions: readonly Mention[];
}) {
  const t = useText();
  return (
    <ul className={css.edges}>
      {mentions.map((mention) => (
        <li key={mention.slug}>
          <span className="soft">{name}</span>
          {mention.dead ? (
            <span className="mono" title={t('topic.dead')}>
              {mention.slug} ({t('topic.dead')})
            </span>
          ) : (
            <Link to="/w/$ws/t/$slug" params={{ ws, slug: mention.slug }}>
              {mention.title ?? mention.slug}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
