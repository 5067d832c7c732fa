import type { ask as en } from '../en/ask';
import type { Texts } from '../translate';

export const ask: Texts<typeof en> = {
  'ask.text': 'Una respuesta a partir de lo escrito aquí, con los temas en que se apoya.',
  'ask.question': 'Pregunta',
  'ask.example': '¿Cuánto dura una sesión?',
  'ask.from': 'Responder a partir de',
  'ask.from.reviewed': 'Solo Conocimiento',
  'ask.from.proposed': 'Conocimiento y propuestas',
  'ask.from.draft': 'También borradores',
  'ask.do': 'Preguntar',
  'ask.answer': 'Respuesta',
  'ask.nothing': 'Nada de lo escrito aquí responde a eso',
  'ask.nothingText':
    'Pregunta con otras palabras, o deja que cuenten también las notas. Quien sepa la respuesta puede escribirla.',
  'ask.extractive': 'Pasajes literales',
  'ask.extractiveText':
    'No ha intervenido ningún modelo de lenguaje. Léelos como lo que dicen sus temas, no como un resumen.',
  'ask.stale': '{title} se ha desviado',
  'ask.staleText': 'El código del que trata ha cambiado desde que alguien lo verificó.',
  'ask.source': 'Fuente',
  'ask.sources': 'Fuentes',
  'ask.revision': 'revisión {n}',
  'ask.keep': 'Guardar como nota privada',
  'ask.kept': 'La nota está guardada. Ábrela.',
  'ask.cost': 'Coste: {n} USD',
  'ask.costAtLeast': 'Coste: al menos {n} USD',
};
