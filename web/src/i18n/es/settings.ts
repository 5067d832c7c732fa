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

  'settings.workspace': 'Espacio de trabajo',
  'settings.members': 'Miembros',
  'settings.sources': 'Fuentes',
  'settings.data': 'Datos',
  'settings.workspaceText': 'Cómo se llama el espacio de trabajo y con qué reglas se decide en él.',
  'settings.name': 'Nombre',
  'settings.rename': 'Cambiar el nombre',
  'settings.renamed': 'El espacio de trabajo tiene otro nombre.',
  'settings.slug': 'En direcciones y comandos sigue siendo',
  'settings.policies': 'Cómo una nota pasa a ser Conocimiento',
  'settings.policiesText':
    'Siempre decide una persona. Estas reglas dicen cómo, y valen al instante.',
  'settings.forAdmins': 'Las cambian propietarios y administradores.',
  'settings.saved': 'La nueva regla vale a partir de ahora.',
  'settings.approval': 'Cuando un cliente de IA pide una aprobación',
  'settings.approvalText': 'Cada aprobación queda registrada con quién la dio y por qué vía.',
  'settings.approval.confirm': 'Una persona la confirma en la consola',
  'settings.approval.confirm.text':
    'El cliente recibe un enlace; un propietario o administrador lo abre, ve el texto exacto y confirma.',
  'settings.approval.direct': 'El cliente de un propietario o administrador puede aprobar',
  'settings.approval.direct.text': 'Queda marcada como aprobada por un agente.',
  'settings.approval.off': 'Solo en la consola',
  'settings.approval.off.text': 'A los clientes se les deniega y se les dice adónde ir.',
  'settings.directWarning': 'Un texto que lea el cliente podría hacerle aprobar algo.',
  'settings.fourEyes': 'Cuatro ojos',
  'settings.fourEyesText': 'Quien aprueba ni escribió el texto ni fue el último en editarlo.',
  'settings.session': 'Decidir en la consola exige haber iniciado sesión en las últimas 12 horas.',

  'sources.text':
    'Los repositorios de cuyos archivos tratan los temas, y cómo se entera este servidor de sus cambios.',
  'sources.title': 'Repositorios',
  'sources.connect': 'Conectar',
  'sources.connectTitle': 'Conectar un repositorio',
  'sources.none':
    'No hay ningún repositorio conectado. Conecta uno para saber cuándo el Conocimiento deja de ser cierto.',
  'sources.noneYet':
    'No hay ningún repositorio conectado. Los conectan propietarios y administradores.',
  'sources.remote': 'Remoto',
  'sources.remoteHelp': 'Como en git remote -v, escrito de cualquier forma.',
  'sources.branch': 'Rama principal',
  'sources.branches': 'Más ramas seguidas',
  'sources.branchesHelp': 'Nombres o patrones, cada uno seguido de Intro.',
  'sources.provider': 'Dónde está',
  'sources.guess': 'Según su servidor',
  'sources.save': 'Guardar',
  'sources.edit': 'Ramas',
  'sources.editOf': 'Ramas de {name}',
  'sources.more': 'Más sobre {name}',
  'sources.newSecret': 'Nuevo secreto del webhook',
  'sources.again': 'Conectar de nuevo',
  'sources.disconnect': 'Desconectar',
  'sources.disconnectOf': 'Desconectar {name}',
  'sources.disconnectText':
    'No se aceptan más noticias suyas y desaparece lo que se encontró en él. Los temas conservan sus anclas. Puedes conectarlo de nuevo.',
  'sources.ended': 'Desconectado',
  'sources.endedAt': 'desconectado',
  'sources.since': 'conectado',
  'sources.tracks': 'sigue',
  'sources.never': 'aún no hay noticias suyas',
  'sources.heard': 'última noticia',
  'sources.connected': '{name} está conectado',
  'sources.connectedText':
    'Añade en su plataforma un webhook de push con esta dirección y este secreto. El secreto se muestra solo esta vez.',
  'sources.hookURL': 'Dirección del webhook',
  'sources.hookSecret': 'Secreto del webhook',
  'sources.sync': 'Desde una copia de trabajo o CI',
  'sources.syncText':
    'Una sincronización dice qué archivos hay y qué cambió en ellos; el código fuente se queda donde está.',

  'provider.github': 'GitHub',
  'provider.gitlab': 'GitLab',
  'provider.gitea': 'Gitea o Forgejo',
  'provider.generic': 'Otro',

  'settings.dataText':
    'Quién responde aquí a las preguntas, cómo llevarse todo y el fin del espacio de trabajo.',
  'settings.ask': 'Respuestas a preguntas',
  'settings.askText':
    'Qué modelo de lenguaje responde, y cuánto puede costar, lo fija quien administra este servidor. Sin modelo, las respuestas son pasajes literales con sus fuentes.',
  'export.title': 'Exportar',
  'export.text':
    'Un archivo con todos los temas que puedes ver, en Markdown con cabecera y en JSON, los eventos y los ajustes. El Markdown se vuelve a leer con driftless import.',
  'export.do': 'Exportar todo',
  'export.progress.one': '{n} tema de momento…',
  'export.progress.other': '{n} temas de momento…',
  'export.done': 'La exportación está entre tus descargas.',
  'settings.delete': 'Eliminar el espacio de trabajo',
  'settings.deleteText':
    'Todo lo que contiene desaparece al instante y para siempre: temas, historial, comentarios y registro. Las personas conservan sus cuentas. Exporta antes.',
  'settings.deleteDo': 'Eliminar el espacio de trabajo',
  'settings.deleteOf': 'Eliminar {name}',
  'settings.deleteWarning':
    'No hay vuelta atrás. Las claves y aplicaciones que no llegan a nada más terminan al instante.',

  'public.title': 'Conocimiento público',
  'public.text':
    'Permite que cualquiera lea por MCP el Conocimiento de este espacio de trabajo, sin cuenta.',
  'public.forOwners': 'Lo deciden los propietarios.',
  'public.enabled': 'Cualquiera puede leer',
  'public.enabledText': 'Autores, fuentes, notas y todo lo que no es público se quedan dentro.',
  'public.configured':
    'Según la configuración del servidor; ningún propietario lo ha decidido aún.',
  'public.all': 'Todo el Conocimiento',
  'public.allText': 'Sin marcar, solo los temas compartidos en la web.',
  'public.tags': 'Solo temas con alguna de estas etiquetas',
  'public.tagsText': 'Sin ninguna, las etiquetas no cuentan.',
  'public.address': 'Dirección para un cliente MCP',
  'public.open': 'Abrirlo a cualquiera',
  'public.openDo': 'Abrir',
  'public.openText':
    'A partir de entonces cualquiera en la red puede leerlo y copiarlo. Puedes cerrarlo al instante; lo copiado, copiado queda.',
  'public.openAll':
    'A partir de entonces cualquiera puede leer todo el Conocimiento de aquí, también el que no está compartido en la web y el que se apruebe más tarde.',
  'public.openTags': 'Sin etiquetas también se puede leer todo lo demás que sea público.',

  'settings.lifetime': 'Los borradores que nadie cambia',
  'settings.lifetimeText':
    'A sus autores se les avisa una semana antes; un borrador archivado se puede restaurar.',
  'settings.never': 'se quedan como están',
  'settings.after.one': 'se archivan al cabo de {n} día',
  'settings.after.other': 'se archivan al cabo de {n} días',
};
