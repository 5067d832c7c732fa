import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem';
import { useText } from '../i18n';
import { PasskeyFailure } from '../session/webauthn';
import css from './parts.module.css';

/** Nothing here, and what to do next. */
export function Empty({
  title,
  children,
  action,
  page = false,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** The page has no heading but this one. */
  page?: boolean;
}) {
  return (
    <div className={css.empty}>
      <svg width="56" height="40" viewBox="0 0 56 40" aria-hidden="true" focusable="false">
        <rect
          x="20"
          y="8"
          width="16"
          height="16"
          fill="none"
          stroke="currentColor"
          strokeDasharray="3 2.4"
        />
        <path d="M4 30h48M14 34h28" stroke="currentColor" opacity="0.6" />
      </svg>
      {page ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className={css.emptyText}>{children}</div>}
      {action}
    </div>
  );
}

/** What happened, in words, with the server's hint and a way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useText();
  const { title, hint, id } = useProblemText(error);
  return (
    <div className={css.failure} role="alert">
      <IconAlertTriangle size={18} aria-hidden="true" />
      <div>
        <p className={css.failureTitle}>{title}</p>
        {hint && <p className="soft">{hint}</p>}
        {id && <p className={`soft mono ${css.requestId}`}>{t('error.request', { id })}</p>}
        {retry && (
          <Button variant="default" size="xs" mt={8} onClick={retry}>
            {t('error.retry')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The words for a failure: ours where we know the case, the server's otherwise. */
export function useProblemText(error: unknown): { title: string; hint?: string; id?: string } {
  const t = useText();
  if (error instanceof PasskeyFailure) {
    return { title: t(`passkey.${error.reason}`), hint: t(`passkey.${error.reason}.hint`) };
  }
  if (!(error instanceof Problem)) return { title: t('error.unexpected') };
  if (error.code === 'UNREACHABLE')
    return { title: t('error.unreachable'), hint: t('error.unreachable.hint') };
  return {
    title: error.body.message || t('error.unexpected'),
    hint: error.body.hint,
    id: error.body.request_id,
  };
}

interface RowsProps {
  rows?: number;
  /** Pixels. */
  height?: number;
  /** The rows' padding left and right, in pixels. */
  inset?: number;
}

/** Rows of the height that the list will have, so that nothing moves when it comes. */
export function RowsSkeleton({ rows = 6, height = 68, inset = 0 }: RowsProps) {
  const t = useText();
  return (
    <div role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={css.rowSkeleton} style={{ height, paddingInline: inset }}>
          <Skeleton height={12} width={`${String(38 + ((i * 17) % 30))}%`} />
          <Skeleton height={10} width={`${String(60 + ((i * 23) % 30))}%`} mt={10} />
        </div>
      ))}
    </div>
  );
}

export function PageSkeleton() {
  const t = useText();
  return (
    <div className={css.pageSkeleton} role="status" aria-label={t('loading')}>
      <Skeleton height={26} width="46%" />
      <Skeleton height={12} width="72%" mt={16} />
      <Skeleton height={12} width="64%" mt={10} />
      <Skeleton height={180} mt={28} />
    </div>
  );
}
