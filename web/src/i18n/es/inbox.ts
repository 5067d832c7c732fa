import type { Texts } from '../translate';
import type { inbox as en } from '../en/inbox';

export const inbox: Texts<typeof en> = {
  'inbox.text': 'Lo que te enviaron aquí, lo más reciente primero.',
  'inbox.show': 'Qué mostrar',
  'inbox.all': 'Todo',
  'inbox.unread': 'Sin leer',
  'inbox.empty': 'Aún no ha llegado nada',
  'inbox.empty.text': 'Cuando alguien comparta un tema contigo, esperará aquí.',
  'inbox.allRead': 'Todo está leído',
  'inbox.allRead.text': 'Lo próximo que llegue aparece aquí.',
  'inbox.new': 'Sin leer:',
  'inbox.read': 'Marcar como leído',
  'inbox.readOf': 'Marcar como leído: {title}',
  'inbox.keep': 'Marcar como no leído',
  'inbox.unreadOf': 'Marcar como no leído: {title}',

  'inbox.kind.shared': 'lo compartió contigo',
  'inbox.kind.mention': 'te mencionó',
  'inbox.kind.comment': 'escribió un comentario',
  'inbox.kind.review_requested': 'pide una revisión',
  'inbox.kind.decided': 'decidió sobre ello',
  'inbox.kind.confirmation': 'espera tu confirmación',
};
