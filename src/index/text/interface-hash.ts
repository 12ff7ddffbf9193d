/**
 * The syntactic interface hash (code-plane.md §3.3): equal hashes mean that no other file can observe a difference.
 * Invariants S2, S3. Records are closed over the file: a record that is not public counts as soon as a counted one mentions it. An
 * imported name counts with the import it comes from; what that import resolves to is added by `finishInterface`, because it depends
 * on other files and may change without this one.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { InterfaceRecord, RawFacts, RawImport } from '../../languages/facts.ts';
import type { InterfaceCore, ResolvedImport } from '../store/file-rows.ts';

type DescribedInterface = { readonly core: InterfaceCore; readonly closed: boolean };

export function describeInterface(facts: RawFacts): DescribedInterface | null {
  const { interfaceRecords: records } = facts;
  if (records === null) return null;
  const search: MentionSearch = {
    byName: groupByName(records),
    importOf: ordinalByLocalName(facts.imports),
    pending: records.filter((record) => record.isPublic),
    counted: new Set(),
    mentions: new Map(),
  };
  for (const record of search.pending) search.counted.add(record);
  const texts: string[] = [];
  // What is passed on is another file's, whatever it is.
  let closed = facts.canClose && !facts.imports.some(({ kind }) => kind === 'reexport');
  for (let record = search.pending.pop(); record !== undefined; record = search.pending.pop()) {
    const text = record.text();
    texts.push(text);
    // A type written as `import('x').Y` depends on another file without importing it.
    if (record.inferred || text.includes('import(')) closed = false;
    findMentions(text, search);
  }
  const mentions = [...search.mentions.values()].sort((a, b) => a[0] - b[0] || compareCodeUnits(a[1], b[1]));
  const core: InterfaceCore = { hash: sha256Hex(texts.sort(compareCodeUnits).join('\n')), mentions };
  return { core, closed: closed && mentions.length === 0 };
}

type MentionSearch = {
  readonly byName: Map<string, InterfaceRecord[]>;
  readonly importOf: ReadonlyMap<string, number>;
  /** Counted, and not yet looked through. */
  readonly pending: InterfaceRecord[];
  readonly counted: Set<InterfaceRecord>;
  readonly mentions: Map<string, readonly [number, string]>;
};

function findMentions(text: string, search: MentionSearch): void {
  identifier.lastIndex = 0;
  for (let found = identifier.exec(text); found !== null; found = identifier.exec(text)) noteName(found[0], search);
}

function noteName(name: string, { byName, importOf, pending, counted, mentions }: MentionSearch): void {
  const imported = importOf.get(name);
  if (imported !== undefined) mentions.set(`${imported} ${name}`, [imported, name]);
  const others = byName.get(name);
  if (others === undefined) return;
  // Asked once: a file with thousands of records of one name stays linear.
  byName.delete(name);
  for (const other of others) {
    if (counted.has(other)) continue;
    counted.add(other);
    pending.push(other);
  }
}

/** `imports` in the order of the ordinals that the core mentions. */
export function finishInterface(
  core: InterfaceCore,
  imports: readonly { readonly specifier: string }[],
  resolved: readonly ResolvedImport[],
): string {
  const named = core.mentions.map(([ordinal, name]) => {
    const found = resolved[ordinal];
    return [name, imports[ordinal]?.specifier ?? '', found?.targets ?? [], found?.reason ?? null];
  });
  return sha256Hex(JSON.stringify([core.hash, named]));
}

// Wider than any language's identifiers outside ASCII, which costs a lookup and nothing else; four times faster than `\p{L}`.
const identifier = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;

function groupByName(records: readonly InterfaceRecord[]): Map<string, InterfaceRecord[]> {
  const byName = new Map<string, InterfaceRecord[]>();
  for (const record of records) {
    for (const name of record.names) {
      const group = byName.get(name);
      if (group === undefined) byName.set(name, [record]);
      else group.push(record);
    }
  }
  return byName;
}

/** The names that imports bring into this file. */
function ordinalByLocalName(imports: readonly RawImport[]): ReadonlyMap<string, number> {
  const ordinals = new Map<string, number>();
  imports.forEach((entry, ordinal) => {
    if (entry.kind === 'reexport') return;
    for (const { name, alias } of entry.names) {
      const local = alias ?? name;
      if (local !== '*' && !ordinals.has(local)) ordinals.set(local, ordinal);
    }
  });
  return ordinals;
}
