import type { graph as en } from '../en/graph';
import type { Texts } from '../translate';

export const graph: Texts<typeof en> = {
  'map.find': 'Buscar en el grafo',
  'map.depth': 'Hasta dónde alrededor del tema',
  'map.types': 'Tipos de aristas',
  'map.anyType': 'Todas las aristas',
  'map.care': 'Desviados o reemplazados',
  'map.edges.one': '{n} arista',
  'map.edges.other': '{n} aristas',
  'map.none': 'Aún no hay nada que dibujar',
  'map.noneText': 'Aquí aparecen los temas con sus relaciones y menciones.',
  'map.label': 'Una imagen de los temas de la lista y de las aristas entre ellos',
  'map.drawing': 'Dibujando…',
  'map.nearer': 'Acercar',
  'map.farther': 'Alejar',
  'map.whole': 'Mostrarlo entero',
  'map.legend': 'Qué significan las líneas y las marcas',
  'map.superseded': 'reemplazado',
  'map.list': 'Temas de la imagen',
  'map.open': 'Abrir',
  'map.around': 'A su alrededor',
};
