// Places rectangles for sizes, each as near to a square as it gets (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000).

export interface Box<Item> {
  item: Item;
  /** Percent of the whole. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** `ratio` is the width of the whole by its height. Items without a size have no place. */
export function treemap<Item>(
  items: readonly Item[],
  size: (item: Item) => number,
  ratio: number,
): Box<Item>[] {
  const sorted = items.filter((item) => size(item) > 0).sort((a, b) => size(b) - size(a));
  const total = sorted.reduce((sum, item) => sum + size(item), 0);
  const boxes: Box<Item>[] = [];
  // What is left: worked in units in which the whole is `ratio` wide and 1 high.
  let left = { x: 0, y: 0, width: ratio, height: 1 };
  const area = (item: Item): number => (size(item) / total) * ratio;

  const worst = (row: readonly Item[], side: number): number => {
    const sum = row.reduce((all, item) => all + area(item), 0);
    return Math.max(
      ...row.map((item) =>
        Math.max(
          (side * side * area(item)) / (sum * sum),
          (sum * sum) / (side * side * area(item)),
        ),
      ),
    );
  };

  const place = (row: readonly Item[]): void => {
    const sum = row.reduce((all, item) => all + area(item), 0);
    const upright = left.width >= left.height;
    const thick = sum / (upright ? left.height : left.width);
    let along = upright ? left.y : left.x;
    for (const item of row) {
      const long = area(item) / thick;
      const box = upright
        ? { x: left.x, y: along, width: thick, height: long }
        : { x: along, y: left.y, width: long, height: thick };
      boxes.push({
        item,
        x: (100 * box.x) / ratio,
        y: 100 * box.y,
        width: (100 * box.width) / ratio,
        height: 100 * box.height,
      });
      along += long;
    }
    left = upright
      ? { ...left, x: left.x + thick, width: left.width - thick }
      : { ...left, y: left.y + thick, height: left.height - thick };
  };

  let row: Item[] = [];
  for (const item of sorted) {
    const side = Math.min(left.width, left.height);
    if (row.length > 0 && worst([...row, item], side) > worst(row, side)) {
      place(row);
      row = [];
    }
    row.push(item);
  }
  if (row.length > 0) place(row);
  return boxes;
}
