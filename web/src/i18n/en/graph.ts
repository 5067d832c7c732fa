// Graph: how topics hang together.

export const graph = {
  'map.find': 'Find in the graph',
  'map.depth': 'How far around the topic',
  'map.types': 'Kinds of edges',
  'map.anyType': 'All edges',
  'map.care': 'Drifted or superseded',
  'map.edges.one': '{n} edge',
  'map.edges.other': '{n} edges',
  'map.none': 'Nothing to draw yet',
  'map.noneText': 'Topics appear here with their relations and mentions.',
  'map.label': 'A picture of the topics in the list and of the edges between them',
  'map.drawing': 'Drawing…',
  'map.nearer': 'Zoom in',
  'map.farther': 'Zoom out',
  'map.whole': 'Show all of it',
  'map.legend': 'What the lines and marks mean',
  'map.superseded': 'superseded',
  'map.list': 'Topics in the picture',
  'map.open': 'Open',
  'map.around': 'Around it',
} as const;
