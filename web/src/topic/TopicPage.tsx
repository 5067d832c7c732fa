import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { hasCode } from '../api/problem';
import { relationsQuery, topicQuery } from '../api/queries';
import { answerQuery } from '../api/solutions';
import { Comments, OpenComments } from '../comments/Comments';
import { useText } from '../i18n';
import { KnownTopics } from '../parts/KnownTopics';
import { Notice } from '../parts/Notice';
import { Failure, PageSkeleton } from '../parts/States';
import { TopicFields, Warnings } from '../parts/TopicFields';
import { TrustMark } from '../parts/TrustMark';
import { NotFoundPage } from '../shell/Fallbacks';
import { useHere } from '../shell/workspace';
import { Solutions } from '../solutions/Solutions';
import { History } from './History';
import { topicTabs } from './tabs';
import { TopicActions } from './TopicActions';
import { TopicSide } from './TopicSide';
import { useTitle } from '../parts/title';
import css from './topic.module.css';

const TopicGraph = lazy(() => import('./TopicGraph'));
const TopicEditor = lazy(() => import('./TopicEditor'));
const route = getRouteApi('/w/$ws/t/$slug');

export default function TopicPage() {
  const { slug } = route.useParams();
  return <TopicOf key={slug} slug={slug} />;
}

function TopicOf({ slug }: { slug: string }) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const { edit, from, revision, tab } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(topicQuery(ws, slug, revision));
  const relations = useQuery(relationsQuery(ws, slug));
  const answer = useQuery({ ...answerQuery(ws, slug, {}), enabled: revision === undefined });
  const topic = query.data;
  useTitle(topic?.title ?? slug);

  if (query.isPending) return <PageSkeleton />;
  if (hasCode(query.error, 'NOT_FOUND')) return <NotFoundPage />;
  if (!topic) return <Failure error={query.error} retry={() => void query.refetch()} />;

  // What somebody tried in vain is worth a look also where nobody found a solution.
  const solves =
    revision === undefined &&
    (topic.solutions.length > 0 || (answer.data?.failed_attempts?.length ?? 0) > 0);
  const current = tab === 'solutions' && !solves ? 'text' : (tab ?? 'text');
  const mayEdit = topic.allowed_actions.some((a) => a === 'update' || a === 'suggest_edit');
  if (edit && mayEdit && revision === undefined) {
    return (
      <Suspense fallback={<PageSkeleton />}>
        <TopicEditor
          topic={topic}
          onLeave={() => {
            if (from === 'review') {
              void navigate({ to: '/w/$ws/review', params: { ws }, search: { item: slug } });
            } else {
              void navigate({ search: {}, replace: true });
            }
          }}
        />
      </Suspense>
    );
  }

  return (
    <article className={css.page}>
      <header className={css.head}>
        <div className={css.headRow}>
          <TrustMark
            trust={topic.trust}
            status={topic.status}
            stale={topic.stale}
            isPrivate={topic.is_private}
          />
          <span className="mono soft">{topic.slug}</span>
        </div>
        <h1>{topic.title}</h1>
        <p className={css.what}>{topic.what}</p>
        {revision === undefined && (
          <TopicActions topic={topic} onEdit={() => void navigate({ search: { edit: true } })} />
        )}
      </header>
      {revision !== undefined && (
        <Notice title={t('topic.old', { n: revision })}>
          <Button component={Link} to={`/w/${ws}/t/${slug}`} variant="default" size="xs">
            {t('topic.current')}
          </Button>
        </Notice>
      )}
      {topic.superseded_by && topic.superseded_by.length > 0 && (
        <Notice title={t('topic.superseded')}>
          {topic.superseded_by.map((other) => (
            <Link key={other} to="/w/$ws/t/$slug" params={{ ws, slug: other }} className="mono">
              {other}
            </Link>
          ))}
        </Notice>
      )}
      {topic.review?.state === 'changes_requested' && (
        <Notice title={t('review.sentBack')}>{topic.review.reason}</Notice>
      )}
      <div className={css.columns}>
        <div className={css.body}>
          <KnownTopics relations={relations.data}>
            <Tabs
              value={current}
              keepMounted={false}
              onChange={(value) =>
                void navigate({
                  search: (before) => ({ ...before, tab: topicTabs.find((one) => one === value) }),
                  replace: true,
                  resetScroll: false,
                })
              }
            >
              <Tabs.List className={css.tabs}>
                <Tabs.Tab value="text">{t('topic.text')}</Tabs.Tab>
                <Tabs.Tab value="comments">
                  {t('comments.title')}
                  <OpenComments subject={{ topic: slug }} />
                </Tabs.Tab>
                {solves && <Tabs.Tab value="solutions">{t('solutions.title')}</Tabs.Tab>}
                <Tabs.Tab value="history">{t('topic.history')}</Tabs.Tab>
                <Tabs.Tab value="graph">{t('graph.title')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="text" pt={20}>
                {topic.content_warnings && <Warnings warnings={topic.content_warnings} />}
                <TopicFields topic={topic} workspace={ws} />
              </Tabs.Panel>
              <Tabs.Panel value="comments" pt={16}>
                <Comments subject={{ topic: slug }} />
              </Tabs.Panel>
              <Tabs.Panel value="solutions" pt={16}>
                <Solutions topic={topic} />
              </Tabs.Panel>
              <Tabs.Panel value="history" pt={8}>
                <History slug={slug} />
              </Tabs.Panel>
              <Tabs.Panel value="graph" pt={16}>
                <Suspense fallback={<PageSkeleton />}>
                  <TopicGraph slug={slug} />
                </Suspense>
              </Tabs.Panel>
            </Tabs>
          </KnownTopics>
        </div>
        <TopicSide topic={topic} />
      </div>
    </article>
  );
}
