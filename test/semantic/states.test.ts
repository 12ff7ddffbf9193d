/** States of files in a real store: from rows to answers. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileStates, type FileState, type FileStates } from '../../src/index/freshness/file-states.ts';
import type { WritableFacts } from '../../src/index/store/facts-file.ts';
import type { FileRow, ResolvedImport } from '../../src/index/store/file-rows.ts';
import type { ReadSession } from '../../src/index/store/read-session.ts';
import { stateEdgesSql } from '../../src/index/store/state-columns.ts';
import type { ContextRow } from '../../src/index/store/write-semantic.ts';
import { type Differences, noDifferences } from '../../src/index/sync/find-differences.ts';
import { arbitraryWorld } from '../support/arbitrary-world.ts';
import fc from '../support/properties.ts';
import { type DocumentParts, idOfContext, makeContext, makeDocument, makeOrigin } from '../support/semantic-records.ts';
import { referenceStates, type World } from '../support/state-world.ts';
import { createScratchStore, hexOf, makeFile, type ScratchStore, type StoredRecord } from '../support/store-records.ts';

let store: ScratchStore;
let facts: WritableFacts;
beforeEach(() => {
  store = createScratchStore();
  facts = store.fill([]);
});
afterEach(() => {
  facts.close();
  store.dispose();
});

const states = (differences: Differences = noDifferences): FileStates =>
  createFileStates({ read: (ask) => facts.read(ask), differences });

/** As of a process that stays: what was computed for an earlier generation is brought up to date. */
function following(asked: string[] = []): FileStates {
  const read: typeof facts.read = (ask) =>
    facts.read((session) => {
      const statement: ReadSession['statement'] = (sql) => {
        asked.push(sql);
        return session.statement(sql);
      };
      return ask({ ...session, statement });
    });
  return createFileStates({ read, differences: noDifferences, generation: facts.writer.generation });
}

/** Everything that can be asked. */
function tellAll(of: FileStates): unknown {
  const paths = facts.read((session) => session.statement('SELECT path FROM files ORDER BY path').all());
  const ids = facts.read((session) => session.statement('SELECT id FROM contexts ORDER BY key').all());
  return {
    counts: of.counts(),
    unsettled: of.unsettled(),
    outdated: of.countOutdated(),
    files: paths.map(({ path }) => of.of(String(path))),
    contexts: ids.map(({ id }) => [
      of.countsIn(Number(id)),
      of.countOutdated(Number(id)),
      paths.map(({ path }) => [
        of.isCleanIn(String(path), Number(id)),
        of.hasSameDependencies(String(path), Number(id)),
        of.dependenciesIn(String(path), Number(id)),
      ]),
    ]),
  };
}

const leadsTo = (target: string): ResolvedImport => ({
  targets: [target],
  reason: null,
  external: null,
  candidates: [`${target}.first`, target],
});
const leadsOut: ResolvedImport = { targets: [], reason: 'external', external: 'pkg', candidates: [] };

/** A file that asks for one other. */
function record(path: string, change: Partial<FileRow> = {}, resolution = leadsOut): StoredRecord {
  const file = makeFile(path, { ifaceCore: null, ...change });
  const parsed = {
    symbols: [],
    imports: [{ specifier: 'x', kind: 'import' as const, literal: true, typeOnly: false, names: [], start: 0, end: 1 }],
    exports: [],
    sites: [],
    provides: [],
  };
  const isParsed = file.parse === 'ok';
  return { record: { file, facts: isParsed ? parsed : null, text: null }, resolutions: isParsed ? [resolution] : [] };
}

function put(...records: readonly StoredRecord[]): void {
  facts.writer.transaction(() => {
    for (const { record: row, resolutions } of records) facts.writer.putFile(row, resolutions);
  });
}

function index(
  context: ContextRow,
  path: string,
  deps: readonly (readonly [string, string | null, string | null])[],
  parts: DocumentParts = {},
): void {
  const origin = makeOrigin(context, { deps: deps.map(([to, syn, sem]) => ({ path: to, syn, sem })) });
  facts.writer.transaction(() => {
    const document = makeDocument(path, { contentHash: hexOf(path), ...parts });
    expect(facts.semantic.putDocument(idOfContext(facts, context.key), document, origin)).toBe(true);
  });
}

const contexts = (...rows: readonly ContextRow[]): void =>
  void facts.writer.transaction(() => facts.semantic.putContexts(rows));

const syn = (path: string): string => hexOf(`interface of ${path}`);
const sem = (path: string): string => hexOf(`sem of ${path}`);
const dep = (path: string): readonly [string, string, string] => [path, syn(path), sem(path)];

/** `a.ts` imports `b.ts`, both indexed and clean. */
function twoFiles(): ContextRow {
  const context = makeContext('ts:tsconfig.json', ['a.ts', 'b.ts']);
  put(record('a.ts', {}, leadsTo('b.ts')), record('b.ts'));
  contexts(context);
  index(context, 'a.ts', [dep('b.ts')]);
  index(context, 'b.ts', []);
  return context;
}

const short = ({ freshness, reason }: FileState): string => (reason === null ? freshness : `${freshness} ${reason}`);

/** In a store, a file whose interface is unknown is the same while its bytes are. */
function byBytes(world: World): World {
  const files = Object.entries(world.files).map(
    ([path, known]) => [path, { ...known, syn: known.syn ?? known.bytes }] as const,
  );
  return { ...world, files: Object.fromEntries(files) };
}

function storeWorld(world: World): void {
  const file = (path: string): string => `${path}.ts`;
  const named = (text: string | null): string | null => (text === null ? null : hexOf(text));
  const rows = world.contexts.map((context) =>
    makeContext(context.key, context.members.map(file), context.live ? {} : { probe: 'missing_tool' }),
  );
  const paths = Object.keys(world.files);
  const records = Object.entries(world.files).map(([path, { bytes, syn: iface, closed }]) =>
    record(file(path), { contentHash: hexOf(bytes), synIface: named(iface), ifaceClosed: closed }),
  );
  put(...records);
  contexts(...rows);
  const indexAll = (elsewhere: boolean): void => {
    for (const [at, context] of world.contexts.entries()) {
      for (const path of paths) {
        const known = context.indexed[path];
        if (known === undefined || (known.elsewhere === true) !== elsewhere) continue;
        const row = rows[at] as ContextRow;
        const deps = known.deps.map((of) => [file(of.path), named(of.syn), named(of.sem)] as const);
        const by = known.by === 'tool' ? row : { ...row, configHash: 'other' };
        index(by, file(path), deps, { contentHash: hexOf(known.bytes), semIface: named(known.sem) });
      }
    }
  };
  // A file that is led elsewhere was indexed before the imports were asked again.
  indexAll(true);
  facts.writer.transaction(() => {
    for (const { record: row } of records)
      facts.writer.setResolutions(row.file.path, [leadsTo('a.ts')], row.file.synIface);
  });
  indexAll(false);
}

describe('from rows to states', () => {
  test('T1 T2 T3 T4 T5 T6 T7 T9: any store gives the states of the definitions', () => {
    fc.assert(
      fc.property(arbitraryWorld, (world) => {
        put();
        for (const path of ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
          facts.writer.transaction(() => facts.writer.deleteFile(`${path}.ts`));
        contexts();
        storeWorld(world);
        const expected = referenceStates(byBytes(world));
        const found = states();
        const said = Object.keys(world.files).flatMap((path) => {
          const { contexts: listed } = found.of(`${path}.ts`);
          return listed
            .filter(({ key }) => world.contexts.find((context) => context.key === key)?.live)
            .map(({ key, freshness }) => [`${path} in ${key}`, freshness]);
        });
        expect(Object.fromEntries(said)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test('P5 T6 states that follow the edits are those that are computed anew', () => {
    const path = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g').map((name) => `${name}.ts`);
    const change = fc.record({
      contentHash: fc.constantFrom('1', '2', '3').map(hexOf),
      synIface: fc.constantFrom('i', 'i', 'j', null).map((text) => (text === null ? null : hexOf(text))),
      ifaceClosed: fc.boolean(),
    });
    const edit = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), path, change, augments: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('lead' as const), path, to: path }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('index' as const), path, to: path }) },
      fc.record({ kind: fc.constantFrom('delete' as const, 'skip' as const, 'none' as const), path }),
    );
    fc.assert(
      fc.property(arbitraryWorld, fc.array(edit, { minLength: 1, maxLength: 8 }), (world, edits) => {
        facts.close();
        facts = store.fill([]);
        storeWorld(world);
        const context = makeContext('c0', world.contexts[0]?.members.map((name) => `${name}.ts`) ?? []);
        expect(tellAll(following())).toEqual(tellAll(states()));
        for (const next of edits) {
          facts.writer.transaction(() => make(next, context));
          expect(tellAll(following())).toEqual(tellAll(states()));
        }
      }),
      { numRuns: 150 },
    );

    type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
    function make(next: Edit, context: ContextRow): void {
      const row = facts.read((session) => session.statement('SELECT id FROM files WHERE path = ?').get(next.path));
      if (next.kind === 'edit') {
        const made = record(next.path, next.change);
        const script = { symbols: [], imports: [], exports: [], sites: [], provides: [] };
        if (next.augments) facts.writer.putFile({ ...made.record, facts: script }, []);
        else facts.writer.putFile(made.record, made.resolutions);
      } else if (next.kind === 'delete') facts.writer.deleteFile(next.path);
      else if (next.kind === 'skip') {
        const file = makeFile(next.path, { skipReason: 'large', parse: null, ifaceCore: null });
        facts.writer.putFile({ file, facts: null, text: null }, []);
      } else if (row === undefined) return;
      else if (next.kind === 'lead') {
        const count = facts.read((session) =>
          session.statement('SELECT count(*) AS n FROM imports WHERE file_id = ?').get(Number(row['id'])),
        );
        if (count?.['n'] === 1) facts.writer.setResolutions(next.path, [leadsTo(next.to)], hexOf('i'));
      } else if (next.kind === 'index') {
        const hash = facts.read((session) =>
          session.statement('SELECT content_hash AS hash FROM files WHERE path = ?').get(next.path),
        )?.['hash'] as string | null;
        const document = makeDocument(next.path, { contentHash: hash ?? hexOf('1'), semIface: hexOf('m') });
        const deps = [{ path: next.to, syn: hexOf('i'), sem: hexOf('m') }];
        facts.semantic.putDocument(idOfContext(facts, context.key), document, makeOrigin(context, { deps }));
      }
    }
  });

  test('T6 after an edit of one file no dependency is read again', () => {
    twoFiles();
    const asked: string[] = [];
    following(asked).counts();
    expect(asked).toContain(stateEdgesSql);
    asked.length = 0;
    put(record('b.ts', { contentHash: hexOf('new'), synIface: hexOf('new') }));
    expect(following(asked).of('a.ts').freshness).toBe('pending_check');
    expect(asked).not.toContain(stateEdgesSql);
    asked.length = 0;
    put(record('c.ts'));
    expect(following(asked).of('c.ts').freshness).toBe('unsupported');
    expect(asked).toContain(stateEdgesSql);
  });

  test('T2 a changed interface makes dependents stale after the dependency has been indexed again', () => {
    const context = twoFiles();
    expect(states().of('a.ts').freshness).toBe('clean');
    put(record('b.ts', { contentHash: hexOf('new'), synIface: hexOf('new') }));
    expect(states().of('a.ts').freshness).toBe('pending_check');
    index(context, 'b.ts', [], { contentHash: hexOf('new'), semIface: hexOf('new') });
    expect(states().of('a.ts')).toEqual({
      path: 'a.ts',
      freshness: 'stale',
      reason: null,
      detail: null,
      contexts: [
        {
          key: 'ts:tsconfig.json',
          freshness: 'stale',
          why: 'depends on b.ts, whose interface changed',
          dependency: 'b.ts',
        },
      ],
    });
  });

  test('T3 R4 a deleted dependency makes its dependents stale', () => {
    twoFiles();
    facts.writer.transaction(() => facts.writer.deleteFile('b.ts'));
    expect(states().of('a.ts')).toMatchObject({
      freshness: 'stale',
      contexts: [{ why: 'depends on b.ts, which is gone', dependency: 'b.ts' }],
    });
    expect(short(states().of('b.ts'))).toBe('unsupported unknown_file');
  });

  test('R5 an import that leads elsewhere makes its file stale', () => {
    twoFiles();
    put(record('b.ts.first'));
    facts.writer.transaction(() => facts.writer.setResolutions('a.ts', [leadsTo('b.ts.first')], syn('a.ts')));
    expect(states().of('a.ts')).toMatchObject({
      freshness: 'stale',
      contexts: [{ why: 'has an import that leads elsewhere than when it was indexed', dependency: null }],
    });
  });

  test('T7 another configuration, tool or environment is never clean', () => {
    const context = twoFiles();
    for (const change of [{ configHash: 'other' }, { toolId: 'tool@2' }, { envHash: 'other' }]) {
      contexts({ ...context, ...change });
      expect(states().of('a.ts')).toMatchObject({
        freshness: 'unindexed',
        contexts: [{ why: 'was indexed with another configuration or tool' }],
      });
      contexts(context);
      index(context, 'a.ts', [dep('b.ts')]);
      index(context, 'b.ts', []);
      expect(states().of('a.ts').freshness).toBe('clean');
    }
  });

  test('data is known by its bytes: a JSON file that changed makes its importers stale, one that did not leaves them clean', () => {
    const context = makeContext('c', ['a.ts', 'data.json']);
    const data = { language: 'json', parse: null, synIface: null, ifaceClosed: false } as const;
    put(record('a.ts', {}, leadsTo('data.json')), record('data.json', { ...data, contentHash: hexOf('1') }));
    contexts(context);
    index(context, 'a.ts', [['data.json', hexOf('1'), null]]);
    expect(states().of('a.ts').freshness).toBe('clean');
    put(record('data.json', { ...data, contentHash: hexOf('2') }));
    expect(states().of('a.ts').freshness).toBe('stale');
    expect(short(states().of('data.json'))).toBe('unsupported no_adapter');
  });
});

describe('a reader that cannot reconcile', () => {
  const differ = (change: Partial<Record<keyof Differences, readonly string[]>>): Differences => ({
    changed: new Set(change.changed),
    added: new Set(change.added),
    gone: new Set(change.gone),
  });

  test('T1 calls files that differ dirty, and does not trust their interface', () => {
    twoFiles();
    const found = states(differ({ changed: ['b.ts'] }));
    expect(found.of('b.ts')).toMatchObject({ freshness: 'dirty' });
    expect(found.of('a.ts')).toMatchObject({
      freshness: 'pending_check',
      contexts: [{ why: 'depends on b.ts, which is dirty and may have another interface now' }],
    });
  });

  test('T3 calls files that are gone dirty, and their dependents stale', () => {
    twoFiles();
    const found = states(differ({ gone: ['b.ts'] }));
    expect(found.of('b.ts')).toMatchObject({ freshness: 'dirty', reason: 'gone', contexts: [{ why: 'is gone' }] });
    expect(found.of('a.ts')).toMatchObject({ freshness: 'stale', contexts: [{ dependency: 'b.ts' }] });
    expect(found.counts()).toMatchObject({ dirty: 1, stale: 1 });
  });

  test('R5 calls a new file unindexed, and stale who would be led to it', () => {
    twoFiles();
    const found = states(differ({ added: ['b.ts.first', 'new.ts', 'new.md'] }));
    expect(short(found.of('new.ts'))).toBe('unindexed new');
    expect(short(found.of('new.md'))).toBe('unsupported no_adapter');
    expect(found.of('a.ts').freshness).toBe('stale');
    expect(found.list('unindexed', 10).map(({ path }) => path)).toEqual(['new.ts']);
    expect(found.counts()).toMatchObject({ stale: 1, clean: 1, unindexed: 1, unsupported: 2 });
  });

  test('T7 trusts nothing when a configuration has changed', () => {
    twoFiles();
    expect(states(differ({ changed: ['package.json'] })).of('b.ts')).toMatchObject({
      freshness: 'pending_check',
      contexts: [{ why: 'is in a project whose configuration has changed since' }],
    });
  });
});

test('states of one generation are computed once for all views, and a write is always seen', () => {
  twoFiles();
  const asked: string[] = [];
  let session: ReadSession | undefined;
  const statement: ReadSession['statement'] = (sql) => {
    asked.push(sql);
    return (session as ReadSession).statement(sql);
  };
  const open = (): FileStates =>
    createFileStates({
      read: (ask) =>
        facts.read((real) => {
          session = real;
          return ask({ ...real, statement });
        }),
      differences: noDifferences,
      generation: facts.writer.generation,
    });
  expect(open().of('a.ts').freshness).toBe('clean');
  const once = asked.length;
  expect(open().of('b.ts').freshness).toBe('clean');
  expect(asked).toHaveLength(once);
  put(record('a.ts', { contentHash: hexOf('new') }, leadsTo('b.ts')));
  expect(open().of('a.ts').freshness).toBe('dirty');
  expect(asked.length).toBeGreaterThan(once);
});

describe('what no indexer speaks about', () => {
  test('T8 is unsupported, with the reason', () => {
    put(
      record('a.rb', { language: 'ruby' }),
      record('notes.md', { language: 'markdown', parse: null }),
      record('free.ts'),
      record('big.ts', { skipReason: 'large', contentHash: null, parse: null }),
      record('a.py', { language: 'python' }),
      record('off.ts'),
    );
    contexts(
      makeContext('c', ['big.ts', 'a.rb']),
      makeContext('off', ['off.ts'], { enabled: false }),
      makeContext('py', ['a.py'], {
        family: 'python',
        indexer: 'scip-python',
        probe: 'missing_tool',
        probeDetail: 'npm install -g scip-python',
      }),
    );
    const found = states();
    const paths = ['a.rb', 'notes.md', 'free.ts', 'big.ts', 'a.py', 'off.ts'];
    expect(paths.map((path) => short(found.of(path)))).toEqual([
      'unsupported no_adapter',
      'unsupported no_adapter',
      'unsupported no_context',
      'unsupported large',
      'unsupported missing_tool',
      'unsupported disabled',
    ]);
    expect(found.of('a.py')).toMatchObject({
      detail: 'npm install -g scip-python',
      contexts: [{ key: 'py', freshness: 'unsupported', why: 'missing_tool: npm install -g scip-python' }],
    });
    expect(found.unsettled()).toEqual([]);
    expect(found.counts()).toMatchObject({ unsupported: 6 });
  });

  test('F6 a link answers as the file it leads to, and leads nowhere with a reason', () => {
    twoFiles();
    const link = { kind: 'alias', contentHash: null, parse: null, language: null } as const;
    put(
      record('link.ts', { ...link, canonicalPath: 'a.ts' }),
      record('out.ts', { ...link, skipReason: 'outside_root' }),
    );
    put(record('sparse.ts', { presence: 'absent', contentHash: null, parse: null }));
    expect(states().of('link.ts')).toMatchObject({ path: 'a.ts', freshness: 'clean' });
    expect(short(states().of('out.ts'))).toBe('unsupported outside_root');
    expect(short(states().of('sparse.ts'))).toBe('unsupported absent');
    expect(states().counts()).toMatchObject({ clean: 2, unsupported: 0 });
  });

  test('T9 a file of several contexts has the worst of their states; one that cannot run says nothing', () => {
    const app = makeContext('a:app', ['a.ts']);
    const tests = makeContext('b:tests', ['a.ts']);
    const broken = makeContext('c:broken', ['a.ts'], { probe: 'config_error', probeDetail: 'extends itself' });
    put(record('a.ts'));
    contexts(app, tests, broken);
    index(app, 'a.ts', []);
    expect(states().of('a.ts')).toMatchObject({
      freshness: 'unindexed',
      contexts: [
        { key: 'a:app', freshness: 'clean', why: null },
        { key: 'b:tests', freshness: 'unindexed', why: 'has not been indexed' },
        { key: 'c:broken', freshness: 'unsupported', why: 'config_error: extends itself' },
      ],
    });
    index(tests, 'a.ts', []);
    expect(states().of('a.ts').freshness).toBe('clean');
    expect(states().countsIn(idOfContext(facts, 'c:broken'))).toMatchObject({ unsupported: 1, clean: 0 });
    expect(states().countsIn(idOfContext(facts, 'a:app'))).toMatchObject({ unsupported: 0, clean: 1 });
  });

  test('R24 what a refresh would settle is listed by context', () => {
    const context = twoFiles();
    const later = makeContext('ts:z.json', ['z.ts', 'b.ts']);
    put(record('z.ts'), record('b.ts', { contentHash: hexOf('new'), synIface: null }));
    contexts(context, later);
    expect(states().unsettled()).toEqual([
      { contextId: idOfContext(facts, context.key), paths: ['a.ts', 'b.ts'] },
      { contextId: idOfContext(facts, later.key), paths: ['b.ts', 'z.ts'] },
    ]);
    expect(
      states()
        .list('unindexed', 1)
        .map(({ path }) => path),
    ).toEqual(['b.ts']);
    expect(states().counts()).toMatchObject({ unindexed: 2, pending_check: 1, clean: 0 });
  });
});
