/** Brings the index up to date with the disk and says what that took. The view of every question does the work; this one tells. */

import { type RebuildReason, rebuildReasons } from '../../index/store/facts-file.ts';
import { countFiles } from '../../index/store/store-counts.ts';
import { countDifferences } from '../../index/sync/find-differences.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { plural, tallies } from './answer-words.ts';
import {
  describeRefresh,
  describeSemantics,
  Refreshed,
  renderContexts,
  renderProblems,
  renderRefresh,
  renderUnsettled,
  Semantics,
  semanticsLine,
  splitReasons,
} from './describe-index.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  name: 'index',
  says: 'Bring the index up to date with the disk now',
  semantic: true,
  sweeps: true,
  input: strictInput({}),
  output: z.object({
    /** `kept_elsewhere`: another process writes the index, and this one only looked. */
    result: z.enum(['unchanged', 'updated', 'rebuilt', 'kept_elsewhere']),
    rebuilt_because: z.enum(rebuildReasons).nullable(),
    files_in_scope: z.number().int(),
    indexed: z.number().int(),
    deleted: z.number().int(),
    /** Files whose imports lead elsewhere now. */
    resolved_again: z.number().int(),
    writer_pid: z.number().int().nullable(),
    /** Files on disk that are not yet as the index has them. */
    differing: z.number().int(),
    parsed: z.record(z.string(), z.number().int()),
    skipped: z.record(z.string(), z.number().int()),
    symbols: z.number().int(),
    imports: z.number().int(),
    layers: z.array(z.enum(['syntactic', 'semantic'])),
    /** Indexer runs that were asked for; null where none was. */
    refreshed: Refreshed.nullable(),
    semantic: Semantics,
  }),
  async run(view) {
    const semantic = describeSemantics(view, 10);
    const counts = view.read(countFiles);
    const { reconciled } = view;
    const rebuilt = rebuildReasons.find((reason) => reason === view.rebuilt) ?? null;
    const touched = reconciled === null ? 0 : reconciled.written + reconciled.deleted + reconciled.resolvedAgain;
    return {
      result:
        reconciled === null ? 'kept_elsewhere' : rebuilt !== null ? 'rebuilt' : touched > 0 ? 'updated' : 'unchanged',
      rebuilt_because: rebuilt,
      files_in_scope: reconciled?.listed ?? counts.files + counts.aliases + counts.absent,
      indexed: reconciled?.written ?? 0,
      deleted: reconciled?.deleted ?? 0,
      resolved_again: reconciled?.resolvedAgain ?? 0,
      writer_pid: view.writer?.pid ?? null,
      differing: countDifferences(view.differences),
      parsed: { ...counts.byParse },
      skipped: splitReasons(counts.bySkipReason).skipped,
      symbols: counts.symbols,
      imports: counts.imports,
      layers: semantic.occurrences > 0 ? ['syntactic', 'semantic'] : ['syntactic'],
      refreshed: describeRefresh(view.refreshed),
      semantic,
    };
  },
  render(answer) {
    const { result, parsed, skipped } = answer;
    const scope = `${plural(answer.files_in_scope, 'file')} in scope`;
    const did = [
      `${answer.indexed} indexed`,
      ...(answer.deleted > 0 ? [`${answer.deleted} removed`] : []),
      ...(answer.resolved_again > 0 ? [`imports of ${plural(answer.resolved_again, 'file')} resolved again`] : []),
    ].join(', ');
    const first = {
      unchanged: `nothing changed · ${scope}`,
      updated: `updated · ${scope}: ${did}`,
      rebuilt: `built ${answer.rebuilt_because === 'absent' ? '' : 'anew '}· ${scope}: ${did}`,
      kept_elsewhere: `process ${answer.writer_pid ?? '(unknown)'} keeps this index · ${scope}, ${plural(answer.differing, 'file')} on disk not yet indexed`,
    }[result];
    const lines = [first];
    if (answer.rebuilt_because !== null) lines.push(`  why: ${rebuiltWords[answer.rebuilt_because]}`);
    lines.push(`  ${plural(answer.symbols, 'symbol')}, ${plural(answer.imports, 'import')}`);
    const problems = Object.fromEntries(Object.entries(parsed).filter(([name]) => name !== 'ok'));
    const unparsed = tallies(renamed(problems));
    if (unparsed !== '') lines.push(`  not parsed cleanly: ${unparsed}`);
    if (Object.keys(skipped).length > 0)
      lines.push(`  by name only: ${tallies(skipped)} · \`codegenie status --verbose\` names them`);
    lines.push(`  semantic: ${semanticsLine(answer.semantic, answer.writer_pid !== null)}`);
    if (answer.refreshed !== null) lines.push(...renderRefresh(answer.refreshed));
    lines.push(...renderProblems(answer.semantic));
    if (answer.refreshed !== null) lines.push(...renderContexts(answer.semantic), ...renderUnsettled(answer.semantic));
    return lines.join('\n');
  },
});

const rebuiltWords: Readonly<Record<RebuildReason, string>> = {
  absent: 'there was no index',
  schema: 'the index had another format',
  root: 'the index was of another directory',
  extractor: 'files are read differently by this version',
  damaged: 'the index was damaged',
  generations: 'the count of generations was lost',
  moved: 'the index was made in another place',
  tracked: 'git tracks the index, so that it cannot be believed',
};

/** In words that do not need the specification. */
function renamed(parses: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const words: Readonly<Record<string, string>> = {
    errors: 'with parse errors',
    failed: 'failed',
    skipped: 'too large',
  };
  return Object.fromEntries(Object.entries(parses).map(([name, count]) => [words[name] ?? name, count]));
}
