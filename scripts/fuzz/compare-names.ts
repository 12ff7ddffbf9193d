/** Does every name still mean what it meant? Positions after the edits are read back as positions before them, and compared there. */

import type { Oracle, OracleEdit, OracleName, Place } from './oracle.ts';

export type Difference = Place & { readonly text: string; readonly before: string; readonly after: string };

type Edits = ReadonlyMap<string, readonly OracleEdit[]>;

export function groupEdits(edits: readonly OracleEdit[]): Edits {
  const byPath = Map.groupBy(edits, ({ path }) => path);
  return new Map([...byPath].map(([path, ones]) => [path, ones.toSorted((a, b) => a.start - b.start)]));
}

export function spliceText(text: string, edits: readonly OracleEdit[]): string {
  let result = text;
  for (const { start, end, text: written } of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + written + result.slice(end);
  return result;
}

/** Where a place after the edits was before them; all of an edit's text is its start. */
export function placeBefore(edits: Edits, path: string, after: number): number {
  let shift = 0;
  for (const { start, end, text } of edits.get(path) ?? []) {
    const newStart = start + shift;
    if (after < newStart) break;
    if (after < newStart + text.length) return start;
    shift += text.length - (end - start);
  }
  return after - shift;
}

/** Shows the oracle the edited texts, and leaves it with the old ones. */
export function compareNames(
  oracle: Oracle,
  edits: readonly OracleEdit[],
  paths: readonly string[],
): readonly Difference[] {
  const byPath = groupEdits(edits);
  const before = new Map(paths.map((path) => [path, foldNames(oracle.names(path), new Map(), path)]));
  const texts = [...byPath].map(([path, ones]) => [path, spliceText(oracle.text(path), ones)] as const);
  oracle.show(new Map(texts));
  try {
    return paths.flatMap((path) =>
      compareFile(path, before.get(path) ?? new Map(), foldNames(oracle.names(path), byPath, path), byPath),
    );
  } finally {
    oracle.show(new Map());
  }
}

type Folded = ReadonlyMap<number, { readonly text: string; readonly means: ReadonlySet<string> }>;

function foldNames(names: readonly OracleName[], edits: Edits, path: string): Folded {
  const folded = new Map<number, { text: string; means: Set<string> }>();
  for (const { start, text, means } of names) {
    const at = placeBefore(edits, path, start);
    const one = folded.get(at) ?? { text, means: new Set<string>() };
    for (const place of means) one.means.add(`${place.path}:${placeBefore(edits, place.path, place.start)}`);
    folded.set(at, one);
  }
  return folded;
}

function compareFile(path: string, before: Folded, after: Folded, edits: Edits): readonly Difference[] {
  const found: Difference[] = [];
  const edited = new Set((edits.get(path) ?? []).map(({ start }) => start));
  for (const start of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(start);
    const is = after.get(start);
    const said = [was, is].map((one) => (one === undefined ? 'no name' : [...one.means].sort().join(' ')));
    const isRenamed = edited.has(start) || was?.text === is?.text;
    if (said[0] === said[1] && isRenamed) continue;
    const text = was?.text ?? is?.text ?? '';
    found.push({ path, start, text, before: said[0] ?? '', after: said[1] ?? '' });
  }
  return found;
}
