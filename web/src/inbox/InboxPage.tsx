import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { inboxQuery, markAll, markItem, type InboxItem } from '../api/inbox';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { TrustMark } from '../parts/TrustMark';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { placeOf, wordOf } from './item';
import css from './inbox.module.css';

const route = getRouteApi('/w/$ws/inbox');

/** What this person should know of, newest first. Opening an item marks it as read. */
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
  const markSeen = useWrite(workspace.slug, (newest: string) => markAll(workspace.slug, newest));
  const rows = list.data?.pages.flatMap((page) => page.results) ?? [];
  const [newest] = rows;
  const failed = mark.error ?? markSeen.error;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1>{t('nav.inbox')}</h1>
          <p className="soft">{t('inbox.text')}</p>
        </div>
        <div className={css.tools}>
          {newest && rows.some((item) => item.read_at === undefined) && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              loading={markSeen.isPending}
              onClick={() => {
                markSeen.mutate(newest.id);
              }}
            >
              {t('inbox.readAll')}
            </Button>
          )}
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
        </div>
      </header>
      {failed && <Failure error={failed} />}
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

function ItemRow({ item, onMark }: { item: InboxItem; onMark: (read: boolean) => void }) {
  const { workspace } = useHere();
  const t = useText();
  const unread = item.read_at === undefined;
  const { slug, trust } = item.topic;
  const title = item.topic.title || slug;
  const place = placeOf(item, workspace.slug);
  const opened = (): void => {
    if (unread) onMark(true);
  };
  const text = (
    <>
      <span className={css.mark} aria-hidden="true" />
      <span className={css.title}>
        {unread && <span className="srOnly">{t('inbox.new')} </span>}
        {title}
      </span>
      <span className={css.facts}>
        {item.from && item.kind !== 'confirmation' && <span>{item.from.name}</span>}
        <span>{t.word('inbox.kind', wordOf(item))}</span>
        <When at={item.at} />
        {!item.topic.trashed && <TrustMark trust={trust} />}
      </span>
    </>
  );
  return (
    <li className={css.row} data-unread={unread || undefined}>
      {place === undefined ? (
        <div className={css.item}>{text}</div>
      ) : (
        <Link
          className={css.item}
          to={place}
          onClick={opened}
          onAuxClick={(event) => {
            if (event.button === 1) opened();
          }}
        >
          {text}
        </Link>
      )}
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
