import type { Texts } from '../translate';
import type { lists as en } from '../en/lists';

export const lists: Texts<typeof en> = {
  'list.knowledge.text': 'Lo que se revisó y en lo que los agentes pueden confiar.',
  'list.notes.text': 'Borradores y propuestas que nadie ha avalado todavía.',
  'list.knowledge.search': 'Buscar en el Conocimiento',
  'list.notes.search': 'Buscar notas',
  'list.anyArea': 'Cualquier área',
  'list.anyTag': 'Cualquier etiqueta',
  'list.trust': 'Confianza',
  'list.mine': 'Mías',
  'list.more': 'Mostrar más',
  'list.matched': 'coincide {what}',
  'list.count.one': '{n} tema',
  'list.count.other': '{n} temas',
  'list.nothing': 'Nada coincide',
  'list.nothing.text': 'Prueba con menos palabras o quita un filtro.',
  'list.knowledge.empty': 'Aún no hay Conocimiento',
  'list.knowledge.empty.text': 'El Conocimiento empieza como una nota que alguien aprueba.',
  'list.notes.empty': 'Aún no hay notas',
  'list.notes.empty.text': 'Conecta un cliente de IA. Escribe una nota cuando aprende algo.',
  'list.saved': 'Filtros guardados',
  'list.save': 'Guardar este filtro',
  'list.saveName': 'Nombre del filtro',
  'list.saveDo': 'Guardar',
  'list.forget': 'Olvidar el filtro {name}',
};
