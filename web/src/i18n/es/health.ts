import type { Texts } from '../translate';
import type { health as en } from '../en/health';

export const health: Texts<typeof en> = {
  'health.text': 'Si lo escrito sigue siendo válido y qué falta por escribir.',

  'care.title': 'Qué necesita atención',
  'care.text': 'Nada de esto es un veredicto: es dónde conviene mirar, lo más urgente primero.',
  'care.nothing': 'Nada necesita atención',
  'care.nothing.text': 'Ningún tema se ha desviado, espera demasiado o contradice a otro.',
  'care.fine': 'Nada encontrado en: {names}.',
  'care.topics.one': '{n} tema',
  'care.topics.other': '{n} temas',
  'care.more': 'Hay {n} más. Aparecen a medida que se resuelven estos.',

  'care.stale': 'Desviados',
  'care.stale.text': 'El código del que tratan ha cambiado desde que alguien los verificó.',
  'care.known_failed': 'Soluciones que fallan',
  'care.known_failed.text': 'Una solución falló a dos personas o más.',
  'care.contradiction': 'Contradicciones',
  'care.contradiction.text':
    'Dos conocimientos parecen decir lo contrario. Es un indicio: decides tú.',
  'care.dead_link': 'Menciones rotas',
  'care.dead_link.text': 'Mencionan un tema que no existe.',
  'care.review_overdue': 'Revisión vencida',
  'care.review_overdue.text': 'La fecha de su próxima revisión ya pasó.',
  'care.proposed_waiting': 'Esperan revisión',
  'care.proposed_waiting.text': 'Propuestos hace más de 7 días.',
  'care.duplicate': 'Duplicados',
  'care.duplicate.text':
    'Otro tema tiene el mismo título, las mismas anclas o casi el mismo texto.',
  'care.superseded': 'Reemplazados',
  'care.superseded.text': 'Otro conocimiento los reemplaza.',
  'care.mis_shaped': 'Difíciles de leer',
  'care.mis_shaped.text': 'Les falta la frase única o su mecanismo supera los 1500 caracteres.',
  'care.draft': 'Borradores olvidados',
  'care.draft.text': 'Nadie los ha tocado en 14 días.',
  'care.unassigned': 'Sin área',
  'care.unassigned.text': 'Nadie los encuentra al navegar.',

  'care.do.open': 'Abrir',
  'care.do.edit': 'Editar',
  'care.do.verify': 'Mirar y verificar',
  'care.do.review': 'Revisar',
  'care.do.compare': 'Ver el otro',
  'care.do.solutions': 'Ver los informes',

  'coverage.title': 'Cobertura',
  'coverage.text':
    'De qué archivos trata algún tema. Primero, las carpetas con los huecos más grandes.',
  'coverage.repository': 'Repositorio',
  'coverage.none': 'Aún no se conoce ningún archivo',
  'coverage.none.text':
    'Un propietario o administrador indica al servidor qué archivos hay, en una copia de trabajo, con',
  'coverage.path': 'Carpeta',
  'coverage.share': 'cubierto por conocimiento; los archivos que cambian a menudo cuentan más',
  'coverage.kind.knowledge': 'Conocimiento',
  'coverage.kind.note': 'Solo notas',
  'coverage.kind.none': 'Nada',
  'coverage.own': 'Archivos de esta carpeta',
  'coverage.top': 'Archivos de la raíz',
  'coverage.of': '{n} de {of} archivos',
  'coverage.notes': 'Notas: {n}',
  'coverage.gaps': 'Dónde ayudaría más una nota',
  'coverage.files.one': '{n} archivo',
  'coverage.files.other': '{n} archivos',
  'coverage.commits.one': '{n} cambio',
  'coverage.commits.other': '{n} cambios',

  'care.zombie': 'Anclas que no encuentran nada',
  'care.zombie.text': 'El código del que tratan ya no está, o está en otra parte.',
  'care.orphaned': 'Huérfanos',
  'care.orphaned.text': 'Tratan de un repositorio que se desconectó.',
  'care.overbroad': 'Anclas que encuentran demasiado',
  'care.overbroad.text': 'Más de 100 archivos, de modo que casi cualquier tarea los encuentra.',

  'trend.title': 'Evolución',
  'trend.text': 'Cuántos temas necesitaban atención al empezar cada día, y ahora.',
  'trend.none':
    'El servidor cuenta una vez al día; la primera línea empieza con el próximo recuento.',
  'trend.category': 'Categoría',
  'trend.now': 'Ahora',
  'trend.change': 'Cambio',
};
