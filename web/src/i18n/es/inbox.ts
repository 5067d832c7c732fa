import type { Texts } from '../translate';
import type { inbox as en } from '../en/inbox';

export const inbox: Texts<typeof en> = {
  'inbox.text': 'Lo que te espera y qué fue de tus textos, lo más reciente primero.',
  'inbox.show': 'Qué mostrar',
  'inbox.all': 'Todo',
  'inbox.unread': 'Sin leer',
  'inbox.empty': 'Aún no ha llegado nada',
  'inbox.empty.text':
    'Aquí esperan las peticiones de revisión, las decisiones sobre tus textos, los comentarios y lo que se comparte contigo.',
  'inbox.allRead': 'Todo está leído',
  'inbox.allRead.text': 'Lo próximo que llegue aparece aquí.',
  'inbox.new': 'Sin leer:',
  'inbox.read': 'Marcar como leído',
  'inbox.readAll': 'Marcar todo como leído',
  'inbox.readOf': 'Marcar como leído: {title}',
  'inbox.keep': 'Marcar como no leído',
  'inbox.unreadOf': 'Marcar como no leído: {title}',

  'inbox.kind.shared': 'lo compartió contigo',
  'inbox.kind.review': 'pide una revisión',
  'inbox.kind.review_edit': 'sugiere una edición',
  'inbox.kind.approved': 'lo convirtió en Conocimiento',
  'inbox.kind.changes_requested': 'te pide cambios',
  'inbox.kind.rejected': 'lo devolvió a borrador',
  'inbox.kind.rejected_edit': 'rechazó tu edición',
  'inbox.kind.merged': 'integró tu edición',
  'inbox.kind.outdated': 'lo retiró, y con ello tu edición',
  'inbox.kind.comment': 'escribió un comentario',
  'inbox.kind.comment_edit': 'escribió un comentario sobre tu edición',
  'inbox.kind.confirmation': 'Una aprobación o integración espera tu confirmación',
  'inbox.kind.expiring': 'Sin tocar desde hace tiempo: se archiva en una semana',
};
