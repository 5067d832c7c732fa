import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { areasQuery, driftedQuery, proposalsQuery } from '../api/queries';
import type { Drifted, Proposal, QueueItem } from '../api/types';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { Decision } from './Decision';
import { DriftDecision } from './DriftDecision';
import { HelpSheet } from './HelpSheet';
import {
  initialQueue,
  kept,
  keyOf,
  lanes,
  queueReducer,
  ranked,
  rankedDrift,
  type Intent,
  type Lane,
} from './queue';
import { PickedBar, QueueHead } from './QueueHead';
import { QueueRow } from './QueueRow';
import css from './review.module.css';
import { Together, type Occasion } from './Together';
import { useIntents } from './useIntents';
import type { Joint } from './useTogether';

const route = getRouteApi('/w/$ws/review');

/** One queue, one decision per screen: the list on the left, the decision on the right. */
export default function ReviewPage() {
  const { workspace, session, decides } = useHere();
  const t = useText();
  useTitle(t('nav.review'));
  const search = route.useSearch();
  const { area, mine = false } = search;
  const navigate = route.useNavigate();
  const proposals = useQuery(proposalsQuery(workspace.slug));
  const drifted = useQuery(driftedQuery(workspace.slug));
  const areas = useQuery(areasQuery(workspace.slug)).data?.results;
  const [state, dispatch] = useReducer(queueReducer, undefined, () =>
    initialQueue(search.lane, search.item),
  );
  // On a phone the list and the decision share the screen.
  const [open, setOpen] = useState(search.item !== undefined);
  const [help, helpSheet] = useDisclosure(false);
  const [together, setTogether] = useState<Occasion | null>(null);
  const actRef = useRef<((intent: Intent) => void) | null>(null);

  const { email } = session.person;
  const byLane = useMemo(() => {
    const keep = kept({ area, reviewer: mine ? email : undefined }, areas ?? []);
    return sortIntoLanes(
      (proposals.data?.results ?? []).filter(keep),
      (drifted.data?.results ?? []).filter(keep),
    );
  }, [proposals.data, drifted.data, area, mine, email, areas]);
  const loaded = proposals.data !== undefined && drifted.data !== undefined;
  useEffect(() => {
    if (!loaded) return;
    const keys = (lane: Lane) => byLane[lane].map(keyOf);
    dispatch({
      type: 'loaded',
      queue: { notes: keys('notes'), edits: keys('edits'), drift: keys('drift') },
    });
  }, [byLane, loaded]);

  const { lane, picked } = state;
  const rows: readonly QueueItem[] = byLane[lane];
  const { key, index } = state.at[lane];
  const current = rows.find((row) => keyOf(row) === key);
  const pickedRows = rows.filter((row) => picked.includes(keyOf(row)));

  const decideTogether = (joint: Joint): void => {
    setTogether({ joint, lane, items: pickedRows });
  };

  // The address keeps the place, so that a reload or a shared link returns to it.
  useEffect(() => {
    if (!loaded) return;
    void navigate({
      search: (now) => ({ ...now, lane: lane === 'notes' ? undefined : lane, item: key }),
      replace: true,
    });
  }, [lane, key, loaded, navigate]);

  useIntents((intent) => {
    switch (intent) {
      case 'next':
      case 'previous':
      case 'pick_none':
        dispatch({ type: intent });
        break;
      case 'pick':
      case 'pick_all':
        if (decides) dispatch({ type: intent });
        break;
      case 'lane_1':
      case 'lane_2':
      case 'lane_3':
        dispatch({ type: 'lane', lane: lanes[Number(intent.slice(-1)) - 1] ?? 'notes' });
        break;
      case 'help':
        helpSheet.open();
        break;
      case 'approve':
      case 'reject':
      case 'request_changes':
        if (pickedRows.length === 0) actRef.current?.(intent);
        else if (intent !== 'request_changes' || lane === 'notes') decideTogether(intent);
        break;
      default:
        actRef.current?.(intent);
    }
  });

  const failed = [proposals, drifted].find((query) => query.isError);
  return (
    <div className={css.page} data-fixed data-open={(open && current !== undefined) || undefined}>
      <section className={css.list} aria-label={t('review.queue')}>
        <QueueHead
          lane={lane}
          counts={{
            notes: byLane.notes.length,
            edits: byLane.edits.length,
            drift: byLane.drift.length,
          }}
          areas={areas ?? []}
          area={area}
          mine={mine}
          reviews={areas?.some(({ reviewers }) => reviewers.includes(email)) ?? false}
          onLane={(to) => {
            dispatch({ type: 'lane', lane: to });
          }}
          onArea={(to) => void navigate({ search: (now) => ({ ...now, area: to }), replace: true })}
          onMine={(to) =>
            void navigate({ search: (now) => ({ ...now, mine: to || undefined }), replace: true })
          }
          onHelp={helpSheet.open}
        />
        <div className={css.rows}>
          {!loaded && !failed && <RowsSkeleton rows={7} height={92} inset={16} />}
          {failed && <Failure error={failed.error} retry={() => void failed.refetch()} />}
          {loaded && rows.length === 0 && (
            <Empty title={t(`review.empty.${lane}`)}>
              {t(area || mine ? 'review.empty.filtered' : `review.empty.${lane}.text`)}
            </Empty>
          )}
          {rows.length > 0 && (
            <ul>
              {rows.map((row) => (
                <QueueRow
                  key={keyOf(row)}
                  row={row}
                  current={row === current}
                  picked={picked.includes(keyOf(row))}
                  pickable={decides}
                  onSelect={() => {
                    dispatch({ type: 'select', key: keyOf(row) });
                    setOpen(true);
                  }}
                  onPick={() => {
                    dispatch({ type: 'pick', key: keyOf(row) });
                  }}
                />
              ))}
            </ul>
          )}
        </div>
        {pickedRows.length > 0 && (
          <PickedBar
            lane={lane}
            n={pickedRows.length}
            onApprove={() => {
              decideTogether('approve');
            }}
            onReject={() => {
              decideTogether('reject');
            }}
            onNone={() => {
              dispatch({ type: 'pick_none' });
            }}
          />
        )}
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
            {current.kind === 'drift' ? (
              <DriftDecision key={keyOf(current)} row={current} actRef={actRef} decides={decides} />
            ) : (
              <Decision key={keyOf(current)} row={current} actRef={actRef} decides={decides} />
            )}
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
      <Together
        occasion={together}
        onClose={() => {
          setTogether(null);
        }}
      />
    </div>
  );
}

function sortIntoLanes(proposals: readonly Proposal[], drifted: readonly Drifted[]) {
  const order = ranked(proposals);
  return {
    notes: order.filter((row) => row.kind === 'note'),
    edits: order.filter((row) => row.kind === 'edit'),
    drift: rankedDrift(drifted),
  };
}
