/** What a coverage report says about one file, whichever format it has: lines and functions with the times they ran. */

export type LineHits = { readonly line: number; readonly hits: number };
export type FunctionHits = { readonly name: string; readonly line: number; readonly hits: number };

/** One record of a report. A file may have several: of several tests, or of several reports. */
export type MeasuredFile = {
  /** As written. */
  readonly path: string;
  /** Empty where the report does not tell tests apart. */
  readonly testName: string;
  readonly lines: readonly LineHits[];
  readonly functions: readonly FunctionHits[];
};

/** All records of a file, as one: a line ran if any record says so. */
export type FileCoverage = {
  /** Ascending. */
  readonly lines: readonly LineHits[];
  readonly functionsByLine: ReadonlyMap<number, readonly FunctionHits[]>;
};

export function mergeRecords(records: readonly MeasuredFile[]): FileCoverage {
  const hitsByLine = new Map<number, number>();
  const functions = new Map<string, FunctionHits>();
  for (const record of records) {
    for (const { line, hits } of record.lines) hitsByLine.set(line, Math.max(hitsByLine.get(line) ?? 0, hits));
    for (const entry of record.functions) {
      const key = `${entry.line} ${entry.name}`;
      const known = functions.get(key);
      if (known === undefined || known.hits < entry.hits) functions.set(key, entry);
    }
  }
  const functionsByLine = new Map<number, FunctionHits[]>();
  for (const entry of functions.values()) {
    const known = functionsByLine.get(entry.line);
    if (known === undefined) functionsByLine.set(entry.line, [entry]);
    else known.push(entry);
  }
  const lines = [...hitsByLine].map(([line, hits]) => ({ line, hits })).sort((a, b) => a.line - b.line);
  return { lines, functionsByLine };
}

/** The record of a definition that begins on a line: by its name, else the only one there. Names may carry what encloses them (`Cart.add`, `get total`). */
export function findFunction(
  functionsByLine: ReadonlyMap<number, readonly FunctionHits[]>,
  definition: { readonly name: string; readonly line: number; readonly startLine: number },
): FunctionHits | undefined {
  for (const line of new Set([definition.line, definition.startLine])) {
    const there = functionsByLine.get(line) ?? [];
    const named = there.find(({ name }) => nameOf(name) === definition.name);
    if (named !== undefined) return named;
  }
  const there = functionsByLine.get(definition.line) ?? [];
  return there.length === 1 ? there[0] : undefined;
}

function nameOf(written: string): string {
  return written.slice(Math.max(...['.', ':', ' '].map((mark) => written.lastIndexOf(mark))) + 1);
}
