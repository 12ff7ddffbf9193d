/**
 * Offsets of one text as SCIP ranges: 0-based lines, UTF-16 columns, three numbers where a range stays on its line. Lines end at `\n`, as
 * everybody has it who reads the index; to the compiler a lone `\r`, U+2028 and U+2029 end one too.
 */

export type FileLines = {
  range(start: number, end: number): readonly number[];
};

export function createLines(text: string): FileLines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let last = 0;
  /** Names come in order, so the line asked for is nearly always this one or one of the next. */
  const lineOf = (offset: number): number => {
    if (offset < (starts[last] as number)) last = 0;
    let step = 1;
    while (last + step < starts.length && (starts[last + step] as number) <= offset) {
      last += step;
      step *= 2;
    }
    while (last + 1 < starts.length && (starts[last + 1] as number) <= offset) last += 1;
    return last;
  };
  return {
    range(start, end) {
      const line = lineOf(start);
      const from = start - (starts[line] as number);
      const next = starts[line + 1];
      if (next === undefined || end < next) return [line, from, end - (starts[line] as number)];
      const endLine = lineOf(end);
      last = line;
      return [line, from, endLine, end - (starts[endLine] as number)];
    },
  };
}
