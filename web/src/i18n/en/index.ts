// English, the reference: every other language has exactly these keys. A file here is named
// after the folder of src whose pages show its texts; `words` are those that every page uses.
// Keys ending in .one and .other are the forms of a counted message.

import { account } from './account';
import { activity } from './activity';
import { areas } from './areas';
import { ask } from './ask';
import { comments } from './comments';
import { connect } from './connect';
import { diff } from './diff';
import { door } from './door';
import { graph } from './graph';
import { health } from './health';
import { inbox } from './inbox';
import { lists } from './lists';
import { parts } from './parts';
import { review } from './review';
import { settings } from './settings';
import { share } from './share';
import { shell } from './shell';
import { solutions } from './solutions';
import { topic } from './topic';
import { words } from './words';

export const en = {
  ...account,
  ...activity,
  ...areas,
  ...ask,
  ...comments,
  ...connect,
  ...diff,
  ...door,
  ...graph,
  ...health,
  ...inbox,
  ...lists,
  ...parts,
  ...review,
  ...settings,
  ...share,
  ...shell,
  ...solutions,
  ...topic,
  ...words,
};
