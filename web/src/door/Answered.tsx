import { useText } from '../i18n';
import { Door } from './Door';
import css from './door.module.css';

/** A request that has its answer: a second one is never given. */
export function Answered() {
  const t = useText();
  return (
    <Door title={t('consent.answered')}>
      <p className={css.lead}>{t('consent.answeredText')}</p>
    </Door>
  );
}
