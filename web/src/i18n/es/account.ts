import type { account as en } from '../en/account';
import type { Texts } from '../translate';

export const account: Texts<typeof en> = {
  'account.title': 'Cuenta',
  'account.text': 'Cómo inicias sesión en este servidor y dónde la tienes abierta.',
  'account.open': 'Cuenta',
  'account.back': 'Volver a {workspace}',
  'account.profile': 'Perfil',
  'account.name': 'Nombre',
  'account.workspaces': 'Espacios de trabajo',
  'account.signedIn': 'Sesión iniciada',

  'account.password': 'Contraseña',
  'account.passwordText': 'Al cambiarla se cierran tus sesiones en todos los demás sitios.',
  'account.noPasswordText':
    'No tienes ninguna. Con una podrás iniciar sesión también con correo y contraseña.',
  'account.currentPassword': 'Contraseña actual',
  'account.newPassword': 'Contraseña nueva',
  'account.changePassword': 'Cambiar la contraseña',
  'account.setPassword': 'Crear la contraseña',
  'account.passwordChanged': 'Has cambiado la contraseña. Tus otras sesiones se han cerrado.',
  'account.passwordSet': 'Ya tienes contraseña.',
  'account.wrongPassword': 'Esta no es tu contraseña actual.',

  'account.sessions': 'Sesiones',
  'account.sessionsText': 'Dónde has iniciado sesión. Cierra las que no reconozcas.',
  'account.thisOne': 'Esta',
  'account.signedInAt': 'iniciada',
  'account.lastUsed': 'último uso',
  'account.end': 'Cerrar',
  'account.endOf': 'Cerrar la sesión: {device}',
  'account.endText': 'Quien la esté usando tendrá que iniciar sesión de nuevo.',
};
