import { useText } from '../i18n';
import type { Status, Trust } from '../api/types';
import css from './parts.module.css';

interface Props {
  trust: Trust;
  status?: Status;
  stale?: boolean;
  isPrivate?: boolean;
  /** Leaves the word to assistive technology and a tooltip. */
  compact?: boolean;
}

/**
 * The level square: an outline for a draft, half filled for a proposal, full for
 * Knowledge, and off level once it drifted. Its word always goes with it.
 */
export function TrustMark({
  trust,
  status,
  stale = false,
  isPrivate = false,
  compact = false,
}: Props) {
  const t = useText();
  const name = status === 'archived' ? t('trust.archived') : t.word('trust', trust);
  const words = [name, stale && t('trust.drifted'), isPrivate && t('trust.private')].filter(
    Boolean,
  );
  const label = words.join(' · ');
  return (
    <span
      className={css.trust}
      data-trust={status === 'archived' ? 'archived' : trust}
      data-stale={stale || undefined}
      title={compact ? label : undefined}
    >
      <Square trust={trust} stale={stale} archived={status === 'archived'} />
      <span className={compact ? 'srOnly' : undefined}>{label}</span>
    </span>
  );
}

function Square({ trust, stale, archived }: { trust: Trust; stale: boolean; archived: boolean }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      <g transform={stale ? 'rotate(16 7 6)' : undefined} fill="none" stroke="currentColor">
        <rect
          x="3"
          y="2"
          width="8"
          height="8"
          strokeWidth="1.5"
          strokeDasharray={trust === 'draft' && !archived ? '2.4 1.6' : undefined}
        />
        {trust === 'proposed' && !archived && (
          <rect x="3" y="6" width="8" height="4" fill="currentColor" stroke="none" />
        )}
        {trust === 'reviewed' && !archived && (
          <rect x="3" y="2" width="8" height="8" fill="currentColor" />
        )}
        {archived && <path d="M3 10 11 2" strokeWidth="1.5" />}
      </g>
      <path d="M1 13h12" stroke="currentColor" strokeWidth="1" opacity="0.55" />
    </svg>
  );
}

/** The product's mark: a full square, level on its line. */
export function Logo({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path fill="currentColor" d="M4 2h8v8H4zM1 12h14v1.5H1z" />
    </svg>
  );
}
