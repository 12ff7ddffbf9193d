import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createScratchStore,
  makeRecord,
  type ScratchStore,
  type StoredRecord,
} from '../../../test/support/store-records.ts';
import { hashDump, listDumpLines, renderDump } from './canonical-dump.ts';
import { checkInvariants } from './invariants.ts';
import type { WritableFacts } from './open-facts.ts';

let stores: ScratchStore[];
let handles: WritableFacts[];
beforeEach(() => {
  stores = [];
  handles = [];
});
afterEach(() => {
  for (const facts of handles) facts.close();
  for (const store of stores) store.dispose();
});
function fill(records: readonly StoredRecord[]): WritableFacts {
  const store = createScratchStore();
  stores.push(store);
  const facts = store.fill(records);
  handles.push(facts);
  return facts;
}
const paths = ['a.ts', 'src/b.ts', 'src/c.ts', 'z/ä.ts'];

describe('the canonical dump', () => {
  test('does not depend on the order of writing, on ids, generations, stat or time', () => {
    const records = paths.map((path) => makeRecord(path));
    const forth = fill(records);
    const back = fill([...records].reverse());
    back.writer.transaction(() => back.writer.touchStat('a.ts', { size: 1, mtimeUs: 2, ctimeUs: 3, ino: 4 }, 5));
    expect(back.read(renderDump)).toBe(forth.read(renderDump));
    expect(back.read(hashDump)).toBe(forth.read(hashDump));
  });

  test('shows every fact: whatever is different about a record is different in it', () => {
    const { record, resolutions } = makeRecord('a.ts');
    if (record.facts === null || record.text === null) throw new Error('no facts');
    const { file, facts, text } = record;
    const [first, ...others] = resolutions;
    if (first === undefined) throw new Error('no imports');
    const variants: readonly StoredRecord[] = [
      { record, resolutions },
      { record: { ...record, file: { ...file, contentHash: 'f'.repeat(64) } }, resolutions },
      { record: { ...record, file: { ...file, conflicted: true } }, resolutions },
      { record: { ...record, file: { ...file, synIface: null } }, resolutions },
      { record: { ...record, file: { ...file, ifaceCore: null } }, resolutions },
      {
        record: { ...record, facts: { ...facts, symbols: facts.symbols.map((row) => ({ ...row, parent: -1 })) } },
        resolutions,
      },
      {
        record: { ...record, facts: { ...facts, symbols: facts.symbols.map((row) => ({ ...row, column: 9 })) } },
        resolutions,
      },
      {
        record: { ...record, facts: { ...facts, imports: facts.imports.map((row) => ({ ...row, literal: false })) } },
        resolutions,
      },
      { record: { ...record, facts: { ...facts, exports: facts.exports.slice(1) } }, resolutions },
      { record: { ...record, facts: { ...facts, sites: facts.sites.slice(1) } }, resolutions },
      { record: { ...record, facts: { ...facts, errors: [] } }, resolutions },
      { record: { ...record, facts: { ...facts, provides: [] } }, resolutions },
      { record: { ...record, text: null }, resolutions },
      { record: { ...record, text: { ...text, names: 'other' } }, resolutions },
      { record: { ...record, text: { ...text, trigrams: 'aaaa' } }, resolutions },
      { record, resolutions: [{ ...first, candidates: [...first.candidates].reverse() }, ...others] },
      { record, resolutions: [{ ...first, targets: ['x.ts'] }, ...others] },
      { record, resolutions: [{ ...first, targets: [...first.targets, 'x.ts'] }, ...others] },
    ];
    const facts1 = fill([]);
    const hashes = variants.map((variant) => {
      facts1.writer.transaction(() => facts1.writer.putFile(variant.record, variant.resolutions));
      return facts1.read(hashDump);
    });
    expect(new Set(hashes).size).toBe(variants.length);
  });

  test('lists the tokens of every file', () => {
    const lines = fill([makeRecord('a.ts'), makeRecord('b.ts')]).read((session) => [...listDumpLines(session)]);
    expect(lines).toContain('fts_ident ["$dollar","a.ts","b.ts"]');
    expect(lines).toContain('fts_ident ["a_ts","a.ts"]');
    expect(lines).toContain('fts_text ["aaaa","a.ts","b.ts"]');
  });

  test('S11: after any sequence of writes a store equals one that was built from what is left', () => {
    const change = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('put' as const),
          path: fc.constantFrom(...paths),
          variant: fc.constantFrom('', 'One', 'Two'),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: fc.constantFrom(...paths) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('resolve' as const),
          path: fc.constantFrom(...paths),
          to: fc.constantFrom('x.ts', 'y.ts'),
        }),
      },
    );
    const live = fill([]);
    const expected = new Map<string, StoredRecord>();
    fc.assert(
      fc.property(
        fc.array(fc.record({ changes: fc.array(change, { maxLength: 5 }), fails: fc.boolean() }), { maxLength: 4 }),
        (batches) => {
          for (const { changes, fails } of batches) {
            const next = new Map(expected);
            const run = (): void => {
              for (const one of changes) apply(one, live, next);
              if (fails) throw new Error('undo');
            };
            if (fails) expect(() => live.writer.transaction(run)).toThrow('undo');
            else {
              live.writer.transaction(run);
              expected.clear();
              for (const [path, stored] of next) expected.set(path, stored);
            }
          }
          const fresh = fill([...expected.values()]);
          expect(live.read(renderDump)).toBe(fresh.read(renderDump));
          expect(live.read(checkInvariants)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });
});

type Change =
  | { readonly kind: 'put'; readonly path: string; readonly variant: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'resolve'; readonly path: string; readonly to: string };

/** To the store, and to the list of what should be in it. */
function apply(change: Change, { writer }: WritableFacts, expected: Map<string, StoredRecord>): void {
  const known = expected.get(change.path);
  if (change.kind === 'put') {
    const stored = makeRecord(change.path, change.variant);
    writer.putFile(stored.record, stored.resolutions);
    expected.set(change.path, stored);
  } else if (change.kind === 'delete') {
    expect(writer.deleteFile(change.path)).toBe(known !== undefined);
    expected.delete(change.path);
  } else if (known !== undefined) {
    const target = { targets: [change.to, 'more.ts'], reason: null, external: null, candidates: [change.to] };
    const resolutions = known.resolutions.map(() => target);
    writer.setResolutions(change.path, resolutions, 'elsewhere');
    const file = { ...known.record.file, synIface: 'elsewhere' };
    expected.set(change.path, { record: { ...known.record, file }, resolutions });
  }
}
