import type { Texts } from '../translate';
import type { parts as en } from '../en/parts';

export const parts: Texts<typeof en> = {
  'warnings.title': 'Lee este texto con cuidado',

  'copy.do': 'Copiar',
  'copy.done': 'Copiado',

  'markdown.image': 'Imagen: {alt}',

  'error.unexpected': 'Algo salió mal en la consola.',
  'error.unreachable': 'No se puede llegar al servidor.',
  'error.unreachable.hint': 'Revisa tu conexión. Nada de lo que escribiste se perdió.',
  'error.retry': 'Intentar de nuevo',
  'error.request': 'Solicitud {id}',

  confirmTyped: 'Escribe {text} para confirmar',

  'findings.score': '{n} % de las líneas',
  'findings.more.one': 'y {n} más',
  'findings.more.other': 'y {n} más',
};
