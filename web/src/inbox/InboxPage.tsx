import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { inboxQuery, markItem, type InboxItem } from '../api/inbox';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { TrustMark } from '../parts/TrustMark';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import type { TopicTab } from '../topic/tabs';
import css from './inbox.module.css';

const route = getRouteApi('/w/$ws/inbox');

/** What others want this person to look at, newest first. Opening an item marks it as read. */
export default function InboxPage() {
  const { workspace } = useHere();
  const t = useText();
  useTitle(t('nav.inbox'));
  const { unread = false } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(inboxQuery(workspace.slug, unread));
  const mark = useWrite(workspace.slug, ({ id, read }: { id: string; read: boolean }) =>
    markItem(workspace.slug, id, read),
  );
  const rows = list.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1>{t('nav.inbox')}</h1>
          <p className="soft">{t('inbox.text')}</p>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t('inbox.show')}
          value={unread ? 'unread' : 'all'}
          onChange={(value) =>
            void navigate({ search: { unread: value === 'unread' || undefined }, replace: true })
          }
          data={[
            { value: 'all', label: t('inbox.all') },
            { value: 'unread', label: t('inbox.unread') },
          ]}
        />
      </header>
      {mark.error && <Failure error={mark.error} />}
      {list.isPending && <RowsSkeleton rows={5} height={72} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <Empty title={t(unread ? 'inbox.allRead' : 'inbox.empty')}>
          {t(unread ? 'inbox.allRead.text' : 'inbox.empty.text')}
        </Empty>
      )}
      {rows.length > 0 && (
        <ul className={css.list}>
          {rows.map((item) => (
            <ItemRow
              key={item.id}
              item={item}
              onMark={(read) => {
                mark.mutate({ id: item.id, read });
              }}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className={css.more}>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('list.more')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Where on the page of its topic an item leads; a kind that is not known leads to the text. */
const tabOf: Record<string, TopicTab> = { comment: 'comments' };

function ItemRow({ item, onMark }: { item: InboxItem; onMark: (read: boolean) => void }) {
  const { workspace } = useHere();
  const t = useText();
  const unread = item.read_at === undefined;
  const { slug, title, trust } = item.topic;
  const opened = (): void => {
    if (unread) onMark(true);
  };
  return (
    <li className={css.row} data-unread={unread || undefined}>
      <Link
        className={css.item}
        to="/w/$ws/t/$slug"
        params={{ ws: workspace.slug, slug }}
        search={{ tab: tabOf[item.kind] }}
        onClick={opened}
        onAuxClick={(event) => {
          if (event.button === 1) opened();
        }}
      >
        <span className={css.mark} aria-hidden="true" />
        <span className={css.title}>
          {unread && <span className="srOnly">{t('inbox.new')} </span>}
          {title || slug}
        </span>
        <span className={css.facts}>
          <span>{item.from.name}</span>
          <span>{t.word('inbox.kind', item.kind)}</span>
          <When at={item.at} />
          <TrustMark trust={trust} />
        </span>
      </Link>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        className={css.toggle}
        aria-label={t(unread ? 'inbox.readOf' : 'inbox.unreadOf', { title })}
        onClick={() => {
          onMark(unread);
        }}
      >
        {t(unread ? 'inbox.read' : 'inbox.keep')}
      </Button>
    </li>
  );
}
