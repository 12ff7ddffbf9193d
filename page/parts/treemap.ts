/**
 * Where the cells of a map lie: areas as weights, as square as they can be (Bruls, Huizing, van Wijk: "Squarified treemaps"). Cells fill the
 * whole and do not overlap.
 */

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** In the order of the weights, which are positive and falling. */
export function layTreemap(weights: readonly number[], whole: Box): readonly Box[] {
  const boxes: Box[] = [];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum <= 0 || whole.width <= 0 || whole.height <= 0) return weights.map(() => ({ ...whole, width: 0, height: 0 }));
  const areas = weights.map((weight) => (weight / sum) * whole.width * whole.height);
  let left = whole;
  for (let from = 0; from < areas.length; ) {
    const short = Math.min(left.width, left.height);
    let end = from + 1;
    let rowArea = areas[from] as number;
    let worst = worstRatio(areas[from] as number, areas[from] as number, rowArea, short);
    for (; end < areas.length; end += 1) {
      const area = areas[end] as number;
      const next = worstRatio(areas[from] as number, area, rowArea + area, short);
      if (next > worst) break;
      worst = next;
      rowArea += area;
    }
    left = layRow(areas.slice(from, end), rowArea, left, end === areas.length, boxes);
    from = end;
  }
  return boxes;
}

/** Of a row of this area along this side, whose largest and smallest cell are these: how far from a square one of them is. */
function worstRatio(largest: number, smallest: number, row: number, side: number): number {
  const scale = (side * side) / (row * row);
  return Math.max(scale * largest, 1 / (scale * smallest));
}

/** Along the shorter side; gives what is left. The last row takes all that is left, whatever was rounded. */
function layRow(areas: readonly number[], rowArea: number, left: Box, isLast: boolean, boxes: Box[]): Box {
  const isTall = left.width >= left.height;
  const side = isTall ? left.height : left.width;
  const across = isTall ? left.width : left.height;
  const depth = isLast ? across : Math.min(across, rowArea / side);
  let along = 0;
  for (const [at, area] of areas.entries()) {
    const length = at === areas.length - 1 ? side - along : (area / rowArea) * side;
    boxes.push(
      isTall
        ? { x: left.x, y: left.y + along, width: depth, height: length }
        : { x: left.x + along, y: left.y, width: length, height: depth },
    );
    along += length;
  }
  return isTall
    ? { x: left.x + depth, y: left.y, width: left.width - depth, height: left.height }
    : { x: left.x, y: left.y + depth, width: left.width, height: left.height - depth };
}

/** How many of the falling weights are worth a cell of at least this area, if the others share one. */
export function countSeen(weights: readonly number[], rest: number, area: number, smallest: number): number {
  const sum = weights.reduce((total, weight) => total + weight, rest);
  const seen = weights.filter((weight) => (weight / sum) * area >= smallest).length;
  // One alone is not merged with anything.
  return seen === weights.length - 1 && rest === 0 ? weights.length : seen;
}

/** The cell that lies next in a direction: the nearest of those beyond the edge, one that lies beside it before one that does not. */
export function nextCell(boxes: readonly Box[], from: number, direction: 'left' | 'right' | 'up' | 'down'): number {
  const of = boxes[from];
  if (of === undefined) return from;
  const slack = 0.5;
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, box] of boxes.entries()) {
    const gap = {
      left: of.x - (box.x + box.width),
      right: box.x - (of.x + of.width),
      up: of.y - (box.y + box.height),
      down: box.y - (of.y + of.height),
    }[direction];
    if (at === from || gap < -slack) continue;
    const isAcross = direction === 'left' || direction === 'right';
    const [a, b] = isAcross
      ? [of.y + of.height / 2, box.y + box.height / 2]
      : [of.x + of.width / 2, box.x + box.width / 2];
    const overlap = isAcross
      ? Math.min(of.y + of.height, box.y + box.height) - Math.max(of.y, box.y)
      : Math.min(of.x + of.width, box.x + box.width) - Math.max(of.x, box.x);
    const distance = gap * 4 + Math.abs(a - b) + (overlap > slack ? 0 : 100_000);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}
