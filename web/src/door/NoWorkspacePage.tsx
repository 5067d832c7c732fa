import { useText } from '../i18n';
import { Door } from './Door';
import css from './door.module.css';

export default function NoWorkspacePage() {
  const t = useText();
  return (
    <Door title={t('noWorkspace.title')}>
      <p className={css.lead}>{t('noWorkspace.text')}</p>
    </Door>
  );
}
