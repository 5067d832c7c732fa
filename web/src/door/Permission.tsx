import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConsentRequest } from '../api/types';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { Choices } from './Choices';
import css from './door.module.css';

export interface Permit {
  approve: boolean;
  scopes: string[];
  workspaces: string[];
}

interface Props {
  asked: Pick<ConsentRequest, 'scopes' | 'workspaces'>;
  /** The answer is under way, or has arrived and leads elsewhere. */
  busy: boolean;
  error: Error | null;
  onAnswer: (permit: Permit) => void;
}

/** What a client may do and where, and the two answers. A refusal names nothing. */
export function Permission({ asked, busy, error, onAnswer }: Props) {
  const t = useText();
  const [scopes, setScopes] = useState(() => asked.scopes.map((scope) => scope.name));
  const [workspaces, setWorkspaces] = useState(() =>
    asked.workspaces.length === 1 ? asked.workspaces.map((w) => w.slug) : [],
  );
  return (
    <>
      <Choices
        asked={asked}
        workspaces={workspaces}
        setWorkspaces={setWorkspaces}
        scopes={scopes}
        setScopes={setScopes}
        disabled={busy}
      />
      {error && <Failure error={error} />}
      <div className={css.answer}>
        <Button
          variant="default"
          disabled={busy}
          onClick={() => {
            onAnswer({ approve: false, scopes: [], workspaces: [] });
          }}
        >
          {t('consent.deny')}
        </Button>
        <Button
          loading={busy}
          disabled={scopes.length === 0 || workspaces.length === 0}
          onClick={() => {
            onAnswer({ approve: true, scopes, workspaces });
          }}
        >
          {t('consent.allow')}
        </Button>
      </div>
    </>
  );
}
