// English, the reference: every other language has exactly these keys. A file here is named
// after the folder of src whose pages show its texts; `words` are those that every page uses.
// Keys ending in .one and .other are the forms of a counted message.

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

export const en = {
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
