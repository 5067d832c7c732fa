import { Checkbox } from '@mantine/core';
import type { ConsentRequest } from '../api/types';
import { useText } from '../i18n';
import css from './door.module.css';

interface Props {
  asked: Pick<ConsentRequest, 'scopes' | 'workspaces'>;
  workspaces: string[];
  setWorkspaces: (slugs: string[]) => void;
  scopes: string[];
  setScopes: (names: string[]) => void;
  disabled: boolean;
}

/** Where a client may enter, and what it may do there. */
export function Choices({ asked, workspaces, setWorkspaces, scopes, setScopes, disabled }: Props) {
  const t = useText();
  return (
    <>
      <Checkbox.Group className={css.group} value={workspaces} onChange={setWorkspaces}>
        <fieldset className={css.group}>
          <legend>{t('consent.workspaces')}</legend>
          {workspaces.length === 0 && <p className={css.hint}>{t('consent.chooseOne')}</p>}
          <div className={css.choices}>
            {asked.workspaces.map((w) => (
              <Checkbox
                key={w.slug}
                value={w.slug}
                disabled={disabled}
                label={w.name}
                description={t.word('role', w.role)}
              />
            ))}
          </div>
        </fieldset>
      </Checkbox.Group>
      <Checkbox.Group value={scopes} onChange={setScopes}>
        <fieldset className={css.group}>
          <legend>{t('consent.scopes')}</legend>
          <div className={css.choices}>
            {asked.scopes.map((scope) => (
              <Checkbox
                key={scope.name}
                value={scope.name}
                disabled={disabled}
                label={<span className="mono">{scope.name}</span>}
                description={scope.description}
              />
            ))}
          </div>
        </fieldset>
      </Checkbox.Group>
    </>
  );
}
