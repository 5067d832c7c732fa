import { ActionIcon, Button, Checkbox, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import type { Area } from '../api/types';
import { useText } from '../i18n';
import { lanes, type Lane } from './queue';
import css from './review.module.css';

interface Props {
  lane: Lane;
  counts: Readonly<Record<Lane, number>>;
  areas: readonly Area[];
  area?: string;
  mine: boolean;
  /** There are areas in which this person is asked first. */
  reviews: boolean;
  onLane: (lane: Lane) => void;
  onArea: (area?: string) => void;
  onMine: (mine: boolean) => void;
  onHelp: () => void;
}

/** The lanes with their counts, what is shown of them, and in which order. */
export function QueueHead(props: Props) {
  const { lane, counts, areas, area, mine, reviews, onLane, onArea, onMine, onHelp } = props;
  const t = useText();
  return (
    <header className={css.listHead}>
      <h1>{t('nav.review')}</h1>
      <Tooltip label={t('review.help')}>
        <ActionIcon aria-label={t('review.help')} onClick={onHelp}>
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
          onLane(value as Lane);
        }}
        data={lanes.map((name) => ({
          value: name,
          label: (
            <span className={css.lane}>
              {t(`review.lane.${name}`)} <span className="num">{counts[name]}</span>
            </span>
          ),
        }))}
      />
      {(areas.length > 0 || area) && (
        <div className={css.filters}>
          <Select
            size="xs"
            clearable
            aria-label={t('facts.area')}
            placeholder={t('review.allAreas')}
            data={areas.map(({ name }) => name)}
            value={area ?? null}
            onChange={(value) => {
              onArea(value ?? undefined);
            }}
          />
          {(reviews || mine) && (
            <Checkbox
              size="xs"
              label={t('review.mine')}
              checked={mine}
              onChange={(event) => {
                onMine(event.currentTarget.checked);
              }}
            />
          )}
        </div>
      )}
      <p className={css.order}>{t(`review.order.${lane}`)}</p>
    </header>
  );
}

interface PickedProps {
  lane: Lane;
  n: number;
  onApprove: () => void;
  onReject: () => void;
  onNone: () => void;
}

/** What can be done with the picked ones. */
export function PickedBar({ lane, n, onApprove, onReject, onNone }: PickedProps) {
  const t = useText();
  const words = {
    notes: ['review.approve', 'review.reject'],
    edits: ['review.merge', 'review.reject'],
    drift: ['drifted.verify', 'topic.archive'],
  } as const;
  const [approve, reject] = words[lane];
  return (
    <div className={css.picked} role="group" aria-label={t.count('review.picked', n)}>
      <span className="num">{t.count('review.picked', n)}</span>
      <Button size="xs" onClick={onApprove}>
        {t(approve)}
      </Button>
      <Button size="xs" variant="default" onClick={onReject}>
        {t(reject)}
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={onNone}>
        {t('review.pickNone')}
      </Button>
    </div>
  );
}
