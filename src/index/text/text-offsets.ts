/**
 * From UTF-16 indices of a decoded text to byte offsets, lines and columns (code-plane.md §1.5). Invariant F13.
 * Made for many questions about one text: for ASCII a byte is a unit, otherwise one table is filled in one pass.
 */

export interface TextOffsets {
  toByte(index: number): number;
  /** 0-based line and 0-based UTF-16 column. */
  toLineColumn(index: number): { readonly line: number; readonly column: number };
}

/** `text` is without the BOM; with `bom` its bytes begin three later. */
export function createTextOffsets(
  text: string,
  facts: { readonly isAscii: boolean; readonly bom: boolean },
): TextOffsets {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  const shift = facts.bom ? 3 : 0;
  const table = facts.isAscii ? undefined : byteTable(text, shift);
  let near = 0;
  const lineOf = (index: number): number => {
    // Questions come nearly in order: the line of the last answer, or the next, is usually the one.
    if ((lineStarts[near] as number) <= index) {
      for (let step = 0; step < 4; step += 1) {
        const next = lineStarts[near + 1];
        if (next === undefined || next > index) return near;
        near += 1;
      }
    }
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lineStarts[middle] as number) <= index) low = middle;
      else high = middle - 1;
    }
    near = low;
    return low;
  };
  return {
    toByte: table === undefined ? (index) => index + shift : (index) => table[index] as number,
    toLineColumn(index) {
      const line = lineOf(index);
      return { line, column: index - (lineStarts[line] as number) };
    },
  };
}

function byteTable(text: string, shift: number): Uint32Array {
  const table = new Uint32Array(text.length + 1);
  let bytes = shift;
  for (let index = 0; index < text.length; index += 1) {
    table[index] = bytes;
    const unit = text.charCodeAt(index);
    // A pair is four bytes, counted at its first half; the second half has the offset of the end.
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff) bytes += 4;
    else if (unit < 0xdc00 || unit > 0xdfff) bytes += 3;
  }
  table[text.length] = bytes;
  return table;
}
