import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WritableFacts } from '../../src/index/store/facts-file.ts';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import { hashDump, listDumpLines, renderDump } from '../support/canonical-dump.ts';
import fc from '../support/properties.ts';
import { idOfContext, makeContext, makeDocument, makeOrigin } from '../support/semantic-records.ts';
import { createScratchStore, makeRecord, type ScratchStore, type StoredRecord } from '../support/store-records.ts';

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

  test('shows every semantic fact, and nothing of how it got here', () => {
    const facts = fill([makeRecord('a.ts'), makeRecord('b.ts')]);
    const context = makeContext('ts:a', ['a.ts']);
    const document = makeDocument('a.ts', {
      occurrences: [
        { at: 0, key: 'k/x', roles: 1 },
        { at: 20, key: 'k/y' },
      ],
      infos: { 'k/x': 'sig' },
      relations: [['k/x', 'implements', 'k/y']],
      items: [{ key: 'k/x', name: 'x', kind: 'indexer_gap', at: 0, detail: 'd' }],
    });
    const origin = makeOrigin(context, { deps: [{ path: 'b.ts', syn: 's', sem: 'm' }] });
    const write = (row = context, facts1 = document, from = origin): string => {
      facts.writer.transaction(() => {
        facts.semantic.putContexts([row]);
        facts.semantic.putDocument(idOfContext(facts, row.key), facts1, from);
      });
      return facts.read(hashDump);
    };
    const plain = write();
    const [info] = document.infos;
    const [item] = document.items;
    if (info === undefined || item === undefined) throw new Error('no facts');
    const changed = (at: number, value: number): Int32Array =>
      document.occurrences.map((old, index) => (index === at ? value : old));
    const dep = { path: 'b.ts', syn: 's', sem: 'm' };
    const hashes = [
      plain,
      ...[{ key: 'ts:b' }, { root: 'r' }, { configPath: null }, { granularity: 'file' as const }, { config: {} }].map(
        (change) => write({ ...context, ...change }),
      ),
      ...[
        { configHash: 'c' },
        { toolId: 't' },
        { envHash: 'e' },
        { probe: 'bad_version' as const },
        { enabled: false },
      ].map((change) => write({ ...context, ...change })),
      write({ ...context, members: ['a.ts', 'b.ts'] }),
      ...[1, 3, 4, 5, 6, 7, 8].map((at) => write(context, { ...document, occurrences: changed(at, 5) })),
      write(context, { ...document, infos: [{ ...info, signature: 'other' }] }),
      write(context, { ...document, infos: [{ ...info, kind: null }] }),
      write(context, { ...document, infos: [{ ...info, sigHash: null }] }),
      write(context, { ...document, relations: [{ from: 1, to: 0, kind: 'implements' }] }),
      write(context, { ...document, relations: [{ from: 0, to: 1, kind: 'merge' }] }),
      ...[
        { name: null },
        { symbol: null },
        { kind: 'dist_boundary' as const },
        { start: 1 },
        { end: 1 },
        { detail: '' },
      ].map((change) => write(context, { ...document, items: [{ ...item, ...change }] })),
      write(context, { ...document, contentHash: 'h' }),
      write(context, { ...document, semIface: null }),
      write(context, { ...document, lineHashes: new Uint8Array(8) }),
      ...[{ configHash: 'x' }, { toolId: 'x' }].map((change) => write(context, document, { ...origin, ...change })),
      ...[{ path: 'c.ts' }, { syn: null }, { sem: 'x' }].map((change) =>
        write(context, document, { ...origin, deps: [{ ...dep, ...change }] }),
      ),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    // What was written in between left identities, texts, jobs and raw spellings; none of them shows.
    facts.writer.remember(() => {
      const contextId = idOfContext(facts, 'ts:a');
      facts.jobs.enqueue({ contextId, scope: null, trigger: 't', priority: 0, notBeforeMs: 0, nowMs: 0, head: null });
    });
    const detail = { ...context, toolPath: '/elsewhere', probeDetail: 'said so' };
    expect(write(detail, { ...document, infos: [{ ...info, raw: 'other' }] }, { ...origin, jobId: 7 })).toBe(plain);
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
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('context' as const),
          key: fc.constantFrom('one', 'two'),
          members: fc.subarray(paths),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('index' as const),
          key: fc.constantFrom('one', 'two'),
          path: fc.constantFrom(...paths),
          names: fc.subarray(['k/x', 'k/y', 'k/z']),
        }),
      },
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
    let expected: World = { files: new Map(), contexts: new Map(), documents: new Map() };
    fc.assert(
      fc.property(
        fc.array(fc.record({ changes: fc.array(change, { maxLength: 5 }), fails: fc.boolean() }), { maxLength: 4 }),
        (batches) => {
          for (const { changes, fails } of batches) {
            const next = structuredClone(expected);
            const run = (): void => {
              for (const one of changes) apply(one, live, next);
              if (fails) throw new Error('undo');
            };
            if (fails) expect(() => live.writer.transaction(run)).toThrow('undo');
            else {
              live.writer.transaction(run);
              expected = next;
            }
          }
          const fresh = fill([...expected.files.values()]);
          fresh.writer.transaction(() => {
            putAll(fresh, expected);
          });
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
  | { readonly kind: 'resolve'; readonly path: string; readonly to: string }
  | { readonly kind: 'context'; readonly key: string; readonly members: readonly string[] }
  | { readonly kind: 'index'; readonly key: string; readonly path: string; readonly names: readonly string[] };

/** What a store should hold: records by path, members by context, names by context and path. */
type World = {
  readonly files: Map<string, StoredRecord>;
  readonly contexts: Map<string, readonly string[]>;
  readonly documents: Map<string, { readonly key: string; readonly path: string; readonly names: readonly string[] }>;
};

/** To the store, and to the list of what should be in it. */
function apply(change: Change, facts: WritableFacts, expected: World): void {
  const { writer } = facts;
  if (change.kind === 'context') {
    const members = change.members.filter((path) => expected.files.has(path));
    // Without members there is no context.
    if (members.length === 0) expected.contexts.delete(change.key);
    else expected.contexts.set(change.key, members);
    facts.semantic.putContexts(contextsOf(expected));
    forgetStrangers(expected);
    return;
  }
  if (change.kind === 'index') {
    const isMember = expected.contexts.get(change.key)?.includes(change.path) === true;
    if (!expected.contexts.has(change.key)) return;
    expect(putNames(facts, change)).toBe(isMember);
    if (isMember) expected.documents.set(`${change.key} ${change.path}`, change);
    return;
  }
  const known = expected.files.get(change.path);
  if (change.kind === 'put') {
    const stored = makeRecord(change.path, change.variant);
    writer.putFile(stored.record, stored.resolutions);
    expected.files.set(change.path, stored);
  } else if (change.kind === 'delete') {
    expect(writer.deleteFile(change.path)).toBe(known !== undefined);
    expected.files.delete(change.path);
    for (const [key, members] of expected.contexts) {
      expected.contexts.set(
        key,
        members.filter((path) => path !== change.path),
      );
    }
    forgetStrangers(expected);
  } else if (known !== undefined) {
    const target = { targets: [change.to, 'more.ts'], reason: null, external: null, candidates: [change.to] };
    const resolutions = known.resolutions.map(() => target);
    writer.setResolutions(change.path, resolutions, 'elsewhere');
    const file = { ...known.record.file, synIface: 'elsewhere' };
    expected.files.set(change.path, { record: { ...known.record, file }, resolutions });
  }
}

function putAll(facts: WritableFacts, world: World): void {
  facts.semantic.putContexts(contextsOf(world));
  for (const document of world.documents.values()) putNames(facts, document);
}

function contextsOf({ contexts }: World) {
  return [...contexts].map(([key, members]) => makeContext(key, members));
}

function putNames(
  facts: WritableFacts,
  { key, path, names }: { readonly key: string; readonly path: string; readonly names: readonly string[] },
): boolean {
  const document = makeDocument(path, {
    occurrences: names.map((name, at) => ({ at: at * 10, key: name, roles: 1 })),
    infos: Object.fromEntries(names.map((name) => [name, `${name} of ${path}`])),
    relations: names.slice(1).map((name) => [name, 'implements', names[0] as string]),
    items: names.slice(2).map((name) => ({ key: name, kind: 'indexer_gap', at: 0 })),
  });
  const deps = names.map((name) => ({ path: `${name}.ts`, syn: name, sem: null }));
  return facts.semantic.putDocument(idOfContext(facts, key), document, makeOrigin(makeContext(key, []), { deps }));
}

/** Facts of what is no member any more are gone. */
function forgetStrangers({ contexts, documents }: World): void {
  for (const [name, { key, path }] of documents) {
    if (contexts.get(key)?.includes(path) !== true) documents.delete(name);
  }
}
