/** What syntax trees say about the sources beside the index. A file that could not be parsed leaves everything unsaid: nothing is guessed. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { mapBounded } from '../../../kernel/base/turns.ts';
import { checkGrammars } from '../../../languages/parsing/grammar-pins.ts';
import { openParsePool, parseLimits } from '../parse-pool.ts';
import { grammarsOf, type Source } from '../parse-sources.ts';

export type SourceCounts = {
  readonly dynamicImports: number;
  readonly computedAccesses: number;
  /** Share of the type names written that are `any`; 0 where none is. */
  readonly anyDensity: number;
  /** By file: line and column of each exported top-level name, flat. */
  readonly exportedNames: ReadonlyMap<string, readonly number[]>;
};

const atOnce = 32;

/** Undefined where some file could not be read as code, or there was no time. */
export async function countSources(
  repo: ProbeRepo,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<SourceCounts | undefined> {
  if (checkGrammars(grammarsOf(sources)).some(({ state }) => state !== 'pinned')) return undefined;
  // The indexer takes longer anyway, and has the other processor.
  const pool = openParsePool({ signal, workers: 1 });
  try {
    let [dynamicImports, computedAccesses, typeNames, anyTypes] = [0, 0, 0, 0];
    const exportedNames = new Map<string, readonly number[]>();
    await mapBounded(sources, atOnce, async ({ path, grammar }) => {
      const read = await repo.inputs.read(path, parseLimits.parseBytes);
      if (read.kind !== 'read') throw notCode;
      const outcome = await pool.run({ grammar, bytes: read.bytes, extract: ['reflection', 'typing'] });
      if (outcome.kind === 'failed') throw notCode;
      const { reflection, typing } = outcome.facts;
      dynamicImports += reflection.dynamicImports + reflection.dynamicRequires;
      computedAccesses += reflection.dynamicAccesses;
      typeNames += typing.typeNames;
      anyTypes += typing.anyTypes;
      exportedNames.set(path, typing.exportedNames);
    });
    const anyDensity = typeNames === 0 ? 0 : Math.round((anyTypes / typeNames) * 10_000) / 10_000;
    return { dynamicImports, computedAccesses, anyDensity, exportedNames };
  } catch (error) {
    if (error === notCode || signal.aborted) return undefined;
    throw error;
  } finally {
    await pool.close();
  }
}

/** Ends the counting at the first file that cannot be counted. */
const notCode = new Error('not readable as code');
