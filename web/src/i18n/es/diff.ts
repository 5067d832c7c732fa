import type { Texts } from '../translate';
import type { diff as en } from '../en/diff';

export const diff: Texts<typeof en> = {
  'diff.view': 'Cómo comparar',
  'diff.inline': 'En línea',
  'diff.split': 'Lado a lado',
  'diff.unchanged': '$ líneas sin cambios',
  'diff.none': 'Ningún campo difiere.',
  'diff.added': 'Añadido:',
  'diff.removed': 'Quitado:',
  'diff.changed': 'Cambiado:',
  'diff.before': '{field}, antes',
  'diff.after': '{field}, después',
};
