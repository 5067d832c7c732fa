import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import css from './parts.module.css';

interface Props {
  title: string;
  tone?: 'ochre' | 'moss';
  icon?: ReactNode;
  children?: ReactNode;
}

/** Something to know before going on. */
export function Notice({ title, tone = 'ochre', icon, children }: Props) {
  return (
    <div role="note" className={css.notice} data-tone={tone}>
      <p className={css.noticeTitle}>
        <span aria-hidden="true">{icon ?? <IconAlertTriangle size={16} />}</span>
        {title}
      </p>
      {children && <div>{children}</div>}
    </div>
  );
}
