import type { Texts } from '../translate';
import type { comments as en } from '../en/comments';

export const comments: Texts<typeof en> = {
  'comments.title': 'Comentarios',
  'comments.none': 'Todavía no hay comentarios.',
  'comments.on': 'sobre {field}',
  'comments.revision': 'revisión {n}',
  'comments.new': 'Comentario',
  'comments.field': 'Sobre qué es',
  'comments.whole': 'Todo el texto',
  'comments.add': 'Comentar',
  'comments.resolve': 'Resolver',
  'comments.wontFix': 'No se hará',
  'comments.reopen': 'Reabrir',
  'comments.status.resolved': 'Resuelto',
  'comments.status.wont_fix': 'No se hará',
};
