import type { Texts } from '../translate';
import type { share as en } from '../en/share';

export const share: Texts<typeof en> = {
  'share.title': 'Compartir «{title}»',
  'share.members': 'Miembros',
  'share.members.text':
    'Les llega a la bandeja. Quien está en el espacio de trabajo puede leerlo de todos modos.',
  'share.members.private':
    'Este borrador es privado. Las personas a quienes lo envíes lo encuentran en su bandeja y pueden leerlo.',
  'share.members.author':
    'Este borrador es privado. Solo quien lo escribió lo envía a otras personas.',
  'share.to': 'Enviar a',
  'share.choose': 'Elige miembros por su nombre',
  'share.nobody': 'Ningún otro miembro se llama así.',
  'share.send': 'Enviar',
  'share.sent': 'En la bandeja de {names}.',
  'share.readers': 'Pueden leerlo',
  'share.takeBack': 'Retirar',
  'share.takeBackOf': 'Retirárselo a {name}',

  'share.web': 'Página en la web',
  'share.web.text': 'Una página que puede leer quien tenga su dirección, sin cuenta.',
  'share.web.open': 'Quien tenga la dirección puede leerla, sin cuenta.',
  'share.web.only': 'Solo el conocimiento se abre a la web. Antes hay que aprobar este tema.',
  'share.address': 'Dirección de la página',
  'share.markdown': 'Dirección de su Markdown',
  'share.ends': 'Último día (opcional)',
  'share.make': 'Crear la página',
  'share.change': 'Cambiar el final',
  'share.until': 'Se puede leer hasta el {day}.',
  'share.always': 'Se puede leer hasta que se retire.',
  'share.revoke': 'Retirar la página',
  'share.revokeText':
    'Su dirección deja de funcionar al instante y para siempre. Puedes crear otra página, con otra dirección.',
};
