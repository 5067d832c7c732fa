import type { Catalogue } from '../translate';
import { account } from './account';
import { comments } from './comments';
import { connect } from './connect';
import { diff } from './diff';
import { door } from './door';
import { lists } from './lists';
import { parts } from './parts';
import { review } from './review';
import { settings } from './settings';
import { shell } from './shell';
import { topic } from './topic';
import { words } from './words';

export const es: Catalogue = {
  ...account,
  ...comments,
  ...connect,
  ...diff,
  ...door,
  ...lists,
  ...parts,
  ...review,
  ...settings,
  ...shell,
  ...topic,
  ...words,
};
