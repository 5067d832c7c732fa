import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCornerUpLeft } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Proposal } from '../api/types';
import { useText } from '../i18n';
import { When } from '../parts/When';
import css from './review.module.css';

interface Props {
  row: Proposal;
  current: boolean;
  onSelect: () => void;
}

export function QueueRow({ row, current, onSelect }: Props) {
  const t = useText();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (current) item.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <li ref={item}>
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
        </span>
      </UnstyledButton>
    </li>
  );
}
