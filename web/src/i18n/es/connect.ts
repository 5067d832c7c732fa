import type { Texts } from '../translate';
import type { connect as en } from '../en/connect';

export const connect: Texts<typeof en> = {
  'connect.text':
    'Da este espacio de trabajo a un cliente de IA. Inicia sesión en tu navegador y tú eliges lo que puede hacer.',
  'connect.clients': 'Clientes',
  'connect.file': 'En',
  'connect.how.claude-code':
    'Ejecútalo en una terminal y luego /mcp dentro de Claude Code para iniciar sesión.',
  'connect.how.codex': 'Ejecútalo en una terminal. Codex abre el navegador para iniciar sesión.',
  'connect.how.cursor': 'Añádelo al archivo e inicia sesión en los ajustes de MCP de Cursor.',
  'connect.how.vscode': 'Añádelo al archivo e inicia el servidor desde allí mismo.',
  'connect.how.claude-ai':
    'Ajustes, Conectores, Añadir conector personalizado. Pega esta dirección. El servidor debe ser accesible desde internet.',
  'connect.how.chatgpt':
    'Ajustes, Conectores, Crear, con el modo desarrollador activo. Pega esta dirección. El servidor debe ser accesible desde internet.',
  'connect.how.opencode': 'Añádelo al archivo y ejecuta: opencode mcp auth driftless',
  'connect.how.stdio':
    'Para clientes que solo arrancan programas. Usa el binario driftless como puente y una clave de API de abajo.',
  'connect.after':
    'La primera llamada te pide iniciar sesión y elegir lo que este cliente puede hacer.',
  'connect.afterStdio': 'Cambia dl_… por una clave tuya.',

  'keys.title': 'Claves de API',
  'keys.text': 'Para scripts, CI y clientes que no pueden abrir un navegador.',
  'keys.new': 'Clave nueva',
  'keys.none': 'Aún no hay claves.',
  'keys.name': 'Nombre',
  'keys.nameHelp': 'Dónde se usa, para saber qué se detiene al revocarla.',
  'keys.acts': 'Actúa como',
  'keys.kind.personal': 'Tú',
  'keys.kind.service': 'Una cuenta de servicio',
  'keys.personalText': 'Con tu rol, mientras seas miembro.',
  'keys.serviceText': 'Con su propio nombre. Nunca puede aprobar.',
  'keys.scopes': 'Puede',
  'keys.lifetime': 'Caduca en',
  'keys.days.one': '{n} día',
  'keys.days.other': '{n} días',
  'keys.noExpiry': 'Nunca',
  'keys.create': 'Crear clave',
  'keys.created': 'Clave «{name}»',
  'keys.once': 'Cópiala ahora. Se muestra esta única vez y no se puede volver a leer.',
  'keys.secret': 'Clave de API',
  'keys.stored': 'Ya la guardé',
  'keys.used': 'usada',
  'keys.unused': 'nunca usada',
  'keys.expires': 'caduca',
  'keys.revoke': 'Revocar',
  'keys.revokeName': 'Revocar «{name}»',
  'keys.revokeText': 'Todo lo que la usa deja de funcionar al instante. No se puede deshacer.',

  'connect.waiting': 'Esperando la primera llamada…',
  'connect.arrived': '{name} ha llamado.',

  'apps.title': 'Aplicaciones conectadas',
  'apps.text':
    'Actúan en tu nombre, nunca más allá de tu rol, en cualquiera de tus espacios de trabajo.',
  'apps.none': 'Aún no hay ninguna aplicación conectada.',
  'apps.nowhere': 'ya sin espacio de trabajo',
  'apps.used': 'usada',
  'apps.since': 'conectada',
  'apps.end': 'Desconectar',
  'apps.endOf': 'Desconectar {name}',
  'apps.endText':
    'Todo lo que recibió deja de funcionar al instante. Para conectarla de nuevo, inicia sesión desde ella.',
  'keys.workspaces': 'Espacios de trabajo a los que llega',
  'keys.reaches': 'llega a {workspaces}',

  'clients.title': 'Aplicaciones registradas',
  'clients.text':
    'Clientes OAuth de este espacio de trabajo: solo pueden conectarlos sus miembros y no llegan a ningún otro.',
  'clients.new': 'Registrar una aplicación',
  'clients.none': 'No hay ninguna aplicación registrada.',
  'clients.name': 'Nombre',
  'clients.nameHelp': 'Lo que se ve cuando pide conectarse.',
  'clients.redirects': 'Direcciones de vuelta',
  'clients.redirectsHelp': 'Una por línea: https, http en este ordenador o un esquema privado.',
  'clients.proves': 'Cómo se identifica',
  'clients.auth.none': 'Sin secreto',
  'clients.auth.client_secret_basic': 'Secreto en la cabecera',
  'clients.auth.client_secret_post': 'Secreto en el cuerpo',
  'clients.authText.none': 'Para programas en el ordenador de cada persona (PKCE).',
  'clients.authText.client_secret_basic': 'Para servidores; lo habitual.',
  'clients.authText.client_secret_post': 'Para servidores cuyo software lo exige.',
  'clients.scopes': 'Lo máximo que puede pedir',
  'clients.create': 'Registrar',
  'clients.created': 'Aplicación «{name}»',
  'clients.once':
    'Copia ambos ahora. El secreto se muestra esta única vez y no se puede volver a leer.',
  'clients.public': 'Dale este identificador a la aplicación. No necesita secreto.',
  'clients.id': 'Identificador de cliente',
  'clients.secret': 'Secreto de cliente',
  'clients.done': 'Hecho',
  'clients.by': 'registrada por {name}',
  'clients.used': 'usada',
  'clients.unused': 'nunca usada',
  'clients.delete': 'Eliminar',
  'clients.deleteOf': 'Eliminar «{name}»',
  'clients.deleteText':
    'Se desconecta al instante a todas las personas que la conectaron. No se puede deshacer.',
};
