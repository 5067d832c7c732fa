import { useQuery } from '@tanstack/react-query';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { connectionsQuery } from '../api/applications';
import { keysQuery } from '../api/queries';
import { useText } from '../i18n';
import { useHere } from '../shell/workspace';
import { arrived, type Known } from './arrivals';
import css from './connect.module.css';

/** How often to look, in milliseconds. A page that nobody sees does not look. */
const every = 2_000;

/** Waits for the first call after the page was opened, and says whose it was. */
export function FirstCall() {
  const { workspace } = useHere();
  const t = useText();
  const [before, setBefore] = useState<Known | null>(null);
  const [name, setName] = useState<string | undefined>();
  const refetchInterval = name === undefined && every;
  const connections = useQuery({ ...connectionsQuery, refetchInterval });
  const keys = useQuery({ ...keysQuery(workspace.slug), refetchInterval });
  if (name === undefined && connections.data && keys.data) {
    const now = { connections: connections.data.results, keys: keys.data.results };
    const found = before ? arrived(before, now) : undefined;
    // State that follows from the answers: React draws again before it shows anything.
    if (!before) setBefore(now);
    else if (found !== undefined) setName(found);
  }
  return (
    <p className={css.call} role="status" data-arrived={name === undefined ? undefined : true}>
      <span className={css.callMark} aria-hidden="true">
        {name !== undefined && <IconCheck size={12} stroke={3} />}
      </span>
      {name === undefined ? t('connect.waiting') : t('connect.arrived', { name })}
    </p>
  );
}
