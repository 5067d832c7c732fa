import { createContext, use } from 'react';
import type { Session, Workspace } from '../api/types';

interface Here {
  workspace: Workspace;
  session: Session;
  /** Owners and admins decide. The server enforces it; this only chooses what to show. */
  decides: boolean;
}

export const HereContext = createContext<Here | null>(null);

/** The workspace of the address and the person in it. */
export function useHere(): Here {
  const here = use(HereContext);
  if (!here) throw new Error('useHere outside of the shell');
  return here;
}
