import type { Session } from '../api/types';
import { useText } from '../i18n';
import { Section } from '../parts/Section';
import { When } from '../parts/When';
import css from './account.module.css';
import { ProfileName } from './ProfileName';

export function Profile({ session }: { session: Session }) {
  const t = useText();
  const { person, workspaces, signed_in_at } = session;
  return (
    <Section title={t('account.profile')}>
      <dl className={css.facts}>
        <div>
          <dt>{t('account.name')}</dt>
          <dd>
            <ProfileName name={person.name} />
          </dd>
        </div>
        <div>
          <dt>{t('signIn.email')}</dt>
          <dd>{person.email}</dd>
        </div>
        <div>
          <dt>{t('account.workspaces')}</dt>
          <dd>
            {workspaces.map((w) => `${w.name} (${t.word('role', w.role)})`).join(', ') || '—'}
          </dd>
        </div>
        <div>
          <dt>{t('account.signedIn')}</dt>
          <dd>
            <When at={signed_in_at} />
          </dd>
        </div>
      </dl>
    </Section>
  );
}
