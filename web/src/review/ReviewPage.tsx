import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconArrowLeft, IconKeyboard } from '@tabler/icons-react';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { proposalsQuery } from '../api/queries';
import type { Proposal } from '../api/types';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import { Decision } from './Decision';
import { HelpSheet } from './HelpSheet';
import { initialQueue, keyOf, lanes, queueReducer, ranked, type Intent, type Lane } from './queue';
import { QueueRow } from './QueueRow';
import { useIntents } from './useIntents';
import { useTitle } from '../parts/title';
import css from './review.module.css';

const route = getRouteApi('/w/$ws/review');

/** One queue, one decision per screen: the list on the left, the decision on the right. */
export default function ReviewPage() {
  const { workspace, decides } = useHere();
  const t = useText();
  useTitle(t('nav.review'));
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const proposals = useQuery(proposalsQuery(workspace.slug));
  const [state, dispatch] = useReducer(queueReducer, undefined, () =>
    initialQueue(search.lane, search.item),
  );
  // On a phone the list and the decision share the screen.
  const [open, setOpen] = useState(search.item !== undefined);
  const [help, helpSheet] = useDisclosure(false);
  const actRef = useRef<((intent: Intent) => void) | null>(null);

  const byLane = useMemo(() => sortIntoLanes(proposals.data?.results ?? []), [proposals.data]);
  const loaded = proposals.data !== undefined;
  useEffect(() => {
    if (!loaded) return;
    const keys = (lane: Lane) => byLane[lane].map(keyOf);
    dispatch({
      type: 'loaded',
      queue: { notes: keys('notes'), edits: keys('edits'), drift: keys('drift') },
    });
  }, [byLane, loaded]);

  const { lane } = state;
  const rows = byLane[lane];
  const { key, index } = state.at[lane];
  const current = rows.find((row) => keyOf(row) === key);

  // The address keeps the place, so that a reload or a shared link returns to it.
  useEffect(() => {
    if (!loaded) return;
    void navigate({
      search: { lane: lane === 'notes' ? undefined : lane, item: key },
      replace: true,
    });
  }, [lane, key, loaded, navigate]);

  useIntents((intent) => {
    switch (intent) {
      case 'next':
      case 'previous':
        dispatch({ type: intent });
        break;
      case 'lane_1':
      case 'lane_2':
      case 'lane_3':
        dispatch({ type: 'lane', lane: lanes[Number(intent.slice(-1)) - 1] ?? 'notes' });
        break;
      case 'help':
        helpSheet.open();
        break;
      default:
        actRef.current?.(intent);
    }
  });

  return (
    <div className={css.page} data-fixed data-open={(open && current !== undefined) || undefined}>
      <section className={css.list} aria-label={t('review.queue')}>
        <header className={css.listHead}>
          <h1>{t('nav.review')}</h1>
          <Tooltip label={t('review.help')}>
            <ActionIcon aria-label={t('review.help')} onClick={helpSheet.open}>
              <IconKeyboard size={18} />
            </ActionIcon>
          </Tooltip>
          <SegmentedControl
            className={css.lanes}
            fullWidth
            size="xs"
            aria-label={t('review.lanes')}
            value={lane}
            onChange={(value) => {
              dispatch({ type: 'lane', lane: value as Lane });
            }}
            data={lanes.map((name) => ({
              value: name,
              label: (
                <span className={css.lane}>
                  {t(`review.lane.${name}`)} <span className="num">{byLane[name].length}</span>
                </span>
              ),
            }))}
          />
        </header>
        <div className={css.rows}>
          {proposals.isPending && <RowsSkeleton rows={7} height={92} inset={16} />}
          {proposals.isError && (
            <Failure error={proposals.error} retry={() => void proposals.refetch()} />
          )}
          {loaded && rows.length === 0 && (
            <Empty title={t(`review.empty.${lane}`)}>{t(`review.empty.${lane}.text`)}</Empty>
          )}
          {rows.length > 0 && (
            <ul>
              {rows.map((row) => (
                <QueueRow
                  key={keyOf(row)}
                  row={row}
                  current={row === current}
                  onSelect={() => {
                    dispatch({ type: 'select', key: keyOf(row) });
                    setOpen(true);
                  }}
                />
              ))}
            </ul>
          )}
        </div>
      </section>
      <section className={css.decision} aria-label={t('review.decision')}>
        {current && (
          <>
            <div className={css.back}>
              <h1 className="srOnly">{t('nav.review')}</h1>
              <ActionIcon
                size="lg"
                aria-label={t('review.back')}
                onClick={() => {
                  setOpen(false);
                }}
              >
                <IconArrowLeft size={18} />
              </ActionIcon>
              <span className="soft num">
                {t('review.position', { n: index + 1, of: rows.length })}
              </span>
            </div>
            <Decision key={keyOf(current)} row={current} actRef={actRef} decides={decides} />
          </>
        )}
        {loaded && !current && (
          <div className={css.nothing}>
            <p className="soft">{t('review.nothing')}</p>
          </div>
        )}
      </section>
      <p className="srOnly" aria-live="polite">
        {current && t('review.at', { n: index + 1, of: rows.length, title: current.title })}
      </p>
      <HelpSheet opened={help} onClose={helpSheet.close} />
    </div>
  );
}

function sortIntoLanes(rows: readonly Proposal[]): Record<Lane, Proposal[]> {
  const order = ranked(rows);
  return {
    notes: order.filter((row) => row.kind === 'note'),
    edits: order.filter((row) => row.kind === 'edit'),
    // Knowledge that drifted joins the queue with the sources it is compared to.
    drift: [],
  };
}
