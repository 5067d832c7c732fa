import { Checkbox, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCornerUpLeft, IconUnlink } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { QueueItem } from '../api/types';
import { useText } from '../i18n';
import { When } from '../parts/When';
import css from './review.module.css';

interface Props {
  row: QueueItem;
  current: boolean;
  picked: boolean;
  /** Several can be picked to be decided together. */
  pickable: boolean;
  onSelect: () => void;
  onPick: () => void;
}

export function QueueRow({ row, current, picked, pickable, onSelect, onPick }: Props) {
  const t = useText();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) item.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <li ref={item} className={css.item} data-picked={picked || undefined}>
      <UnstyledButton
        className={css.row}
        aria-current={current ? 'true' : undefined}
        onClick={onSelect}
      >
        <span className={css.rowTitle}>{row.title}</span>
        <span className={css.rowWhat}>
          {row.kind === 'edit' ? row.summary || row.what : row.what}
        </span>
        <span className={css.rowMeta}>
          {row.kind === 'drift' ? <DriftMeta row={row} /> : <ProposalMeta row={row} />}
        </span>
      </UnstyledButton>
      {pickable && (
        <Checkbox
          className={css.pick}
          size="xs"
          tabIndex={-1}
          checked={picked}
          aria-label={t('review.pick', { title: row.title })}
          onChange={onPick}
        />
      )}
    </li>
  );
}

function DriftMeta({ row }: { row: Extract<QueueItem, { kind: 'drift' }> }) {
  const t = useText();
  return (
    <>
      <span className={css.flag} data-tone={row.drift_state === 'broken' ? 'rust' : 'ochre'}>
        <IconUnlink size={13} aria-hidden="true" />
        {t.word('driftState', row.drift_state)}
      </span>
      {row.area && <span>{row.area}</span>}
    </>
  );
}

function ProposalMeta({ row }: { row: Exclude<QueueItem, { kind: 'drift' }> }) {
  const t = useText();
  return (
    <>
      <span className={css.rowAuthor}>{row.author.name}</span>
      <When at={row.proposed_at} />
      {row.area && <span>{row.area}</span>}
      {row.content_warnings.length > 0 && (
        <span className={css.flag} data-tone="ochre">
          <IconAlertTriangle size={13} aria-hidden="true" />
          {t.count('review.warnings', row.content_warnings.length)}
        </span>
      )}
      {row.review.state === 'changes_requested' && (
        <span className={css.flag}>
          <IconCornerUpLeft size={13} aria-hidden="true" />
          {t('review.sentBack')}
        </span>
      )}
    </>
  );
}
