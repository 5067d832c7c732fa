import type { Texts } from '../translate';
import type { door as en } from '../en/door';

export const door: Texts<typeof en> = {
  'signIn.title': 'Iniciar sesión',
  'signIn.fresh':
    'Decidir requiere una sesión reciente. Inicia sesión de nuevo para seguir donde estabas.',
  'signIn.email': 'Correo electrónico',
  'signIn.password': 'Contraseña',
  'signIn.show': 'Mostrar u ocultar la contraseña',
  'signIn.do': 'Iniciar sesión',
  'signIn.wrong': 'El correo o la contraseña no son correctos.',

  'setup.title': 'Preparar este servidor',
  'setup.text': 'Serás su primera persona y propietario de su primer espacio de trabajo.',
  'setup.name': 'Tu nombre',
  'setup.passwordHelp': 'Al menos 12 caracteres.',
  'setup.workspace': 'Espacio de trabajo',
  'setup.workspaceHelp': 'Normalmente el nombre del equipo o de la empresa.',
  'setup.slug': 'Su nombre en las direcciones',
  'setup.do': 'Crear cuenta y espacio de trabajo',
  'setup.used': 'Este enlace de preparación ya no funciona',
  'setup.usedText':
    'Funciona una vez. Si el servidor está preparado, inicia sesión; si no, reinícialo y mostrará un enlace nuevo.',

  'consent.pageTitle': 'Conectar un cliente',
  'consent.title': '¿Conectar {client}?',
  'consent.text':
    'Actuará en tu nombre, nunca más allá de tu rol. Puedes revocarlo en cualquier momento.',
  'consent.client': 'Cliente',
  'consent.host': 'Publicado por',
  'consent.redirect': 'Vuelve a',
  'consent.loopback': 'Se ejecuta en este ordenador',
  'consent.loopbackText':
    'Cualquier programa de aquí puede decir que es {client}. Continúa solo si acabas de iniciarlo tú.',
  'consent.workspaces': 'Espacios de trabajo a los que puede entrar',
  'consent.chooseOne': 'Elige al menos uno.',
  'consent.scopes': 'Lo que puede hacer',
  'consent.allow': 'Conectar',
  'consent.deny': 'No conectar',
  'consent.done': 'Respondido',
  'consent.doneText': 'Volviendo a {client}. Puedes cerrar esta página.',
  'consent.badRedirect':
    'La dirección de vuelta del cliente no es una que un navegador pueda abrir. No se envió nada.',
  'consent.answered': 'Ya respondido',
  'consent.answeredText':
    'Esta solicitud ya tiene respuesta. Si el cliente sigue esperando, inicia sesión desde él otra vez.',
  'consent.gone': 'Esta solicitud ha caducado',
  'consent.goneText': 'Inicia sesión desde el cliente otra vez; hará una solicitud nueva.',

  'device.title': 'Conectar un dispositivo',
  'device.text': 'Introduce el código que muestra el dispositivo.',
  'device.code': 'Código',
  'device.next': 'Continuar',
  'device.compare': 'Compara el código',
  'device.compareText':
    'Continúa solo si tu propio dispositivo muestra {code} ahora mismo. Un código que te han enviado conecta el dispositivo de otra persona.',
  'device.done': 'El dispositivo está conectado',
  'device.doneText': 'Continuará por sí solo en un momento. Puedes cerrar esta página.',
  'device.denied': 'No conectado',
  'device.deniedText': 'El dispositivo sabe que has dicho que no.',
  'device.gone': 'Ningún dispositivo espera con este código. Se puede usar durante diez minutos.',

  'invite.pageTitle': 'Invitación',
  'invite.title': 'Unirse a {workspace}',
  'invite.text': '{name} te invita a unirte como {role}.',
  'invite.only': 'Es solo para {email}.',
  'invite.as': 'Has iniciado sesión como {email}.',
  'invite.join': 'Unirse',
  'invite.create': 'Crear cuenta y unirse',
  'invite.have': 'Tengo una cuenta: iniciar sesión',
  'invite.passwordHelp': 'Al menos 10 caracteres.',
  'invite.gone': 'Esta invitación ya no funciona',
  'invite.goneText': 'Funciona una vez, durante 7 días, y se puede retirar. Pide otra.',

  'confirm.pageTitle': 'Confirmar',
  'confirm.text':
    'Un cliente pidió que «{title}» pase a ser Conocimiento. No ocurre nada si no lo apruebas aquí.',
  'confirm.asked': 'Pedido por',
  'confirm.expires': 'Caduca',
  'confirm.changes': 'Cambios desde la última revisión',
  'confirm.exact': 'El texto exacto que pasa a ser Conocimiento',
  'confirm.decline': 'Rechazar',
  'confirm.moved': 'El texto cambió desde que se mostró.',
  'confirm.reload': 'Leerlo de nuevo',
  'confirm.open': 'Abrir el tema',
  'confirm.gone': 'Aquí no hay nada que confirmar',
  'confirm.goneText': 'El enlace caducó, ya se usó o es de otra persona.',
  'confirm.status.approved': 'Aprobado',
  'confirm.status.declined': 'Rechazado',
  'confirm.status.expired': 'Caducado',
  'confirm.statusText.approved': 'Ya es Conocimiento. Puedes cerrar esta página.',
  'confirm.statusText.declined': 'Nada cambió. Puedes cerrar esta página.',
  'confirm.statusText.expired':
    'Nadie respondió a tiempo, así que nada cambió. Pídeselo de nuevo al cliente.',

  'noWorkspace.title': 'Aún no estás en ningún espacio de trabajo',
  'noWorkspace.text': 'Pide una invitación a un propietario y recarga esta página.',
};
