import type { DriftFinding } from '../api/types';
import { useText } from '../i18n';
import { When } from './When';
import css from './findings.module.css';

// So many paths are named before the rest is counted.
const pathsShown = 4;

/** The evidence that something a topic relies on has changed: what, how much, by which commit, and what helps. */
export function Findings({ findings }: { findings: readonly DriftFinding[] }) {
  const t = useText();
  return (
    <ul className={css.findings}>
      {findings.map((finding, i) => {
        const named = finding.anchor ?? finding.reference;
        // A file that is anchored itself is named once.
        const paths = (finding.paths ?? []).filter((path) => path !== named);
        const more = paths.length - pathsShown + (finding.more_paths ?? 0);
        return (
          <li key={i} data-severity={finding.severity}>
            <p className={css.kind}>
              <strong>{t.word('drift', finding.kind)}</strong>
              {finding.score !== undefined && (
                <span className="soft num">
                  {t('findings.score', { n: Math.round(finding.score * 100) })}
                </span>
              )}
            </p>
            {named && <p className="mono">{named}</p>}
            {paths.slice(0, pathsShown).map((path) => (
              <p key={path} className={`mono soft ${css.path ?? ''}`}>
                {path}
              </p>
            ))}
            {more > 0 && <p className="soft">{t.count('findings.more', more)}</p>}
            {finding.excerpt && <pre className={css.excerpt}>{finding.excerpt}</pre>}
            {finding.fix && <p>{finding.fix}</p>}
            <p className="soft">
              {finding.repository && <span className="mono">{finding.repository} </span>}
              {finding.commit && <span className="mono">{finding.commit.slice(0, 10)} </span>}
              {finding.at && <When at={finding.at} />}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
