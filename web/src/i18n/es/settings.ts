import type { settings as en } from '../en/settings';
import type { Texts } from '../translate';

export const settings: Texts<typeof en> = {
  'people.title': 'Miembros e invitaciones',
  'people.text': 'Quién está en {workspace} y qué puede hacer cada persona.',
  'people.members': 'Miembros',
  'people.you': 'Tú',
  'people.service': 'Cuenta de servicio',
  'people.joined': 'se unió',
  'people.last': 'Siempre queda un propietario. Nombra antes a otra persona.',
  'people.role': 'Rol',
  'people.roleOf': 'Rol de {name}',
  'people.may.member': 'Escribe, propone y ordena etiquetas y áreas.',
  'people.may.viewer': 'Lee.',
  'people.may.admin': 'Decide qué pasa a ser Conocimiento e invita a personas.',
  'people.changed': '{name}: {role} a partir de ahora.',
  'people.undo': 'Deshacer',
  'people.own': 'Pasar a ser {role}',
  'people.ownText':
    'No podrás devolverte el rol que tienes ahora; tendrá que hacerlo otra persona.',
  'people.ownDo': 'Cambiar mi rol',
  'people.remove': 'Quitar',
  'people.removeOf': 'Quitar a {name}',
  'people.removeText':
    'Sus claves, aplicaciones e invitaciones dejan de acceder al espacio de trabajo al instante. Lo que escribió se queda. Para volver necesitará una invitación.',
  'people.removed': '{name} ya no está en el espacio de trabajo.',
  'people.leave': 'Salir',
  'people.leaveOf': 'Salir de {workspace}',
  'people.leaveText':
    'Tus claves y aplicaciones dejan de acceder al espacio de trabajo al instante. Lo que escribiste se queda. Para volver necesitarás una invitación.',

  'people.invitations': 'Invitaciones',
  'people.invitationsText': 'Un enlace funciona una vez, durante 7 días.',
  'people.noInvitations': 'No hay invitaciones pendientes.',
  'people.invite': 'Invitar',
  'people.inviteTitle': 'Invitar a una persona',
  'people.inviteDo': 'Crear el enlace',
  'people.email': 'Correo electrónico (opcional)',
  'people.emailHelp':
    'Con una dirección, solo esa persona puede aceptar. Sin ella, quien tenga el enlace.',
  'people.anyone': 'Quien tenga el enlace',
  'people.invitedBy': 'de parte de {name}',
  'people.expires': 'caduca',
  'people.invited': 'La invitación está lista',
  'people.link': 'Enlace de invitación',
  'people.mailed':
    'Sale un correo con su propio enlace para {email}. También puedes entregar este; se muestra solo esta vez.',
  'people.handTo':
    'Entrega este enlace a {email}; no se envió ningún correo. Se muestra solo esta vez.',
  'people.handAnyone':
    'Entrega este enlace a una sola persona: podrá unirse quien lo abra primero. Se muestra solo esta vez.',
  'people.done': 'Hecho',
  'people.takeBack': 'Retirar',
  'people.takeBackOf': 'Retirar la invitación: {name}',
  'people.takeBackText': 'Su enlace deja de funcionar al instante. Puedes crear otro.',
};
