/** What a file declares, in its order and nesting. */

import { findTargetFile } from '../../index/navigate/question-target.ts';
import type { SymbolRow } from '../../index/store/file-rows.ts';
import { listSymbolsOfFile } from '../../index/store/stored-symbols.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { symbolKinds } from '../../languages/facts.ts';
import { countOf, countWith, shown, whyMore } from './answer-words.ts';
import { describeFile, FileHead, openPositions, renderFileHead, whyIncomplete } from './file-head.ts';
import { targetFields } from './input.ts';
import { Count, defineOperation } from './operation.ts';

const OutlineSymbol = z.object({
  kind: z.enum(symbolKinds),
  name: z.string(),
  name_path: z.string(),
  /** Its number among equal name paths of the file. */
  overload: z.number().int(),
  /** 0 at the top level. A symbol belongs to the last one above it that is one less deep. */
  depth: z.number().int(),
  exported: z.boolean(),
  /** Of the name. */
  line: z.number().int(),
  col: z.number().int(),
  /** First and last line of the whole declaration; null where the file has changed since. */
  from_line: z.number().int().nullable(),
  to_line: z.number().int().nullable(),
});
type OutlineSymbol = z.infer<typeof OutlineSymbol>;

export default defineOperation({
  name: 'outline',
  says: 'The declarations of one file as a tree, with kinds and line ranges',
  input: strictInput(targetFields),
  output: z.object({ file: FileHead, symbols: z.array(OutlineSymbol), count: Count }),
  async run(view, input) {
    return view.read((session) => {
      const found = findTargetFile(session, view, input);
      if (!('kind' in found)) return found;
      const { file } = found;
      const rows = listSymbolsOfFile(session, file.path);
      const place = rows.length === 0 ? undefined : openPositions(view, file.path, file.contentHash);
      const head = describeFile(view, found, rows.length > 0 && place === undefined);
      const depths: number[] = [];
      const symbols = rows.map((row): OutlineSymbol => {
        const depth = row.parent < 0 ? 0 : (depths[row.parent] ?? 0) + 1;
        depths.push(depth);
        return {
          ...describeSymbol(row),
          depth,
          from_line: place?.(row.start).line ?? null,
          to_line: place?.(row.end).line ?? null,
        };
      });
      return { file: head, symbols, count: countWith(symbols.length, whyIncomplete(head)) };
    });
  },
  render({ file, symbols, count }) {
    const ranges = symbols.map(({ line, from_line, to_line }) =>
      from_line === null || from_line === to_line ? `${line}` : `${from_line}–${to_line}`,
    );
    const width = ranges.reduce((widest, range) => Math.max(widest, range.length), 0);
    const above: boolean[] = [];
    const lines = symbols.map((symbol, at) => {
      const { depth, exported } = symbol;
      // Members are as public as what they belong to, unless it is said.
      const mark =
        depth === 0 && exported ? ' · exported' : above[depth - 1] === true && !exported ? ' · not exported' : '';
      above[depth] = exported;
      const indent = '  '.repeat(Math.min(depth, 40));
      return `  ${(ranges[at] as string).padEnd(width)}  ${indent}${symbol.kind} ${shown(symbol.name)}${mark}`;
    });
    return [`${renderFileHead(file)} · ${countOf(count, 'symbol')}`, ...whyMore(count), ...lines].join('\n');
  },
});

function describeSymbol(row: SymbolRow) {
  const { kind, name, overload, exported } = row;
  return { kind, name, name_path: row.namePath, overload, exported, line: row.line + 1, col: row.column + 1 };
}
