import type { Texts } from '../translate';
import type { shell as en } from '../en/shell';

export const shell: Texts<typeof en> = {
  cancel: 'Cancelar',
  close: 'Cerrar',
  loading: 'Cargando',
  none: 'Ninguna',
  preferences: 'Idioma y apariencia',

  'nav.label': 'Páginas',
  'nav.skip': 'Ir al contenido',
  'nav.review': 'Revisión',
  'nav.inbox': 'Bandeja',
  'nav.health': 'Salud',
  'nav.activity': 'Actividad',
  'nav.ask': 'Preguntar',
  'nav.graph': 'Grafo',
  'nav.areas': 'Áreas y etiquetas',
  'nav.more': 'Más',
  'nav.unread.one': '{n} sin leer',
  'nav.unread.other': '{n} sin leer',
  'nav.knowledge': 'Conocimiento',
  'nav.notes': 'Notas',
  'nav.connect': 'Conectar',
  'nav.settings': 'Ajustes',
  'nav.waiting.one':
    '{n} en la cola de revisión. Notas: {notes}, ediciones: {edits}, con deriva: {drift}',
  'nav.waiting.other':
    '{n} en la cola de revisión. Notas: {notes}, ediciones: {edits}, con deriva: {drift}',

  'theme.label': 'Apariencia',
  'theme.auto': 'Como el sistema',
  'theme.light': 'Clara',
  'theme.dark': 'Oscura',

  'language.label': 'Idioma',

  'account.menu': 'Cuenta y preferencias',
  'account.menuOf': '{name}: cuenta y preferencias',
  'account.signOut': 'Cerrar sesión',

  'workspace.label': 'Espacio de trabajo',
  'workspace.switch': 'Espacio de trabajo {name}, cambiar',

  'palette.open': 'Buscar',
  'palette.label': 'Buscar temas, páginas y acciones',
  'palette.placeholder': 'Un tema, una página, una acción…',
  'palette.topics': 'Temas',
  'palette.go': 'Ir a',
  'palette.scheme': 'Cambiar entre claro y oscuro',
  'palette.workspace': 'Espacio de trabajo {name}',
  'palette.empty': 'Nada coincide',

  'notFound.title': 'Esta página no existe',
  'notFound.text': 'No existe o no te corresponde verla.',
  'notFound.home': 'Al inicio',
};
