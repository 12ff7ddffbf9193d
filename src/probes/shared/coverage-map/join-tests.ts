/** What reports and the index say about tests and symbols, put together for linking. */

import { redactString } from '../../../kernel/secrets/redact-string.ts';
import { shortLine } from '../json-access.ts';
import { createFileFinder } from './link-tests.ts';
import { createRecordReader, ownersByLine, type SourceDefinitions } from './measure-symbols.ts';
import type { MeasuredFile } from './measured-file.ts';
import type { SemanticNames } from './semantic-names.ts';

/** Tests that a report tells apart and that are kept; those beyond are counted. */
const testNamesKept = 20_000;

export type NamedTests = { readonly symbolsByName: ReadonlyMap<string, ReadonlySet<string>>; readonly notKept: number };

/** One name for a whole report is the name of a run; it tells tests apart when there are several, or when it is that of a test file. */
export function readTestNames(
  recordsByFile: ReadonlyMap<string, readonly MeasuredFile[]>,
  sources: ReadonlyMap<string, SourceDefinitions>,
  tests: readonly string[],
): NamedTests {
  const symbolsByName = new Map<string, Set<string>>();
  const beyond = new Set<string>();
  for (const [path, records] of recordsByFile) {
    const source = sources.get(path);
    const named = records.filter(({ testName }) => testName !== '');
    const readRecord = source === undefined || named.length === 0 ? undefined : createRecordReader(source);
    for (const record of named) {
      // Redacted before it is cut: half a secret is not recognised as one.
      const name = shortLine(redactString(record.testName, { entropy: false }).text);
      const known = symbolsByName.get(name);
      if (known === undefined && symbolsByName.size >= testNamesKept) {
        beyond.add(name);
        continue;
      }
      const symbols = known ?? new Set();
      symbolsByName.set(name, symbols);
      for (const symbol of readRecord?.(record) ?? []) symbols.add(symbol);
    }
  }
  const [only] = symbolsByName.keys();
  const isRun = symbolsByName.size === 1 && only !== undefined && createFileFinder(tests)(only) === null;
  return { symbolsByName: isRun ? new Map() : symbolsByName, notKept: beyond.size };
}

/** What the code of each symbol refers to, by the innermost definition around the reference. */
export function indexReferences(
  sources: ReadonlyMap<string, SourceDefinitions>,
  names: SemanticNames,
): (symbol: string) => Iterable<string> {
  const bySymbol = new Map<string, Set<string>>();
  for (const [path, { candidates, lines }] of sources) {
    const references = names?.get(path)?.references ?? [];
    const owners = references.length === 0 ? [] : ownersByLine(candidates, lines);
    for (const { line, symbol } of references) {
      const owner = owners[line]?.symbol;
      if (owner === undefined || owner === symbol) continue;
      bySymbol.set(owner, (bySymbol.get(owner) ?? new Set()).add(symbol));
    }
  }
  return (symbol) => bySymbol.get(symbol) ?? [];
}
