import type { Attempt } from '../api/solutions';
import { useText } from '../i18n';
import { When } from '../parts/When';
import { nameOf } from './environment';
import css from './solutions.module.css';

/** What others tried in vain, so that nobody tries it again. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const t = useText();
  if (attempts.length === 0) return null;
  return (
    <section aria-label={t('solutions.attempts')}>
      <h2 className={css.attemptsTitle}>{t('solutions.attempts')}</h2>
      <ul className={css.attempts}>
        {attempts.map((attempt) => (
          <li key={attempt.id}>
            <p className={css.summary}>{attempt.summary}</p>
            <ol className={css.steps}>
              {attempt.steps.map((step, i) => (
                <li key={i}>{step}</li>
              ))}
            </ol>
            <p>
              <span className="soft">{t('solutions.because')}</span> {attempt.reason}
            </p>
            <p className={css.meta}>
              <span>{nameOf(attempt.environment) || t('solutions.any')}</span>
              {attempt.by && <span>{attempt.by}</span>}
              <When at={attempt.at} />
              {attempt.archived && <span>{t('solutions.archived')}</span>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
