import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  idOfContext,
  makeContext,
  makeDocument,
  makeIdentity,
  makeOrigin,
} from '../../../test/support/semantic-records.ts';
import { createScratchStore, hexOf, makeRecord, type ScratchStore } from '../../../test/support/store-records.ts';
import type { WritableFacts } from './facts-file.ts';
import { checkInvariants } from './invariants.ts';
import { compared, loadStateColumns, type StateColumns } from './state-columns.ts';
import { countSemantic } from './store-counts.ts';
import { isLive } from './stored-contexts.ts';
import { listDependents } from './stored-facts.ts';
import { listItemsOfFile, listItemsOfSymbol } from './stored-items.ts';
import {
  listDefinedAt,
  listDefiningPaths,
  listDefinitionsOf,
  listOccurrencesOf,
  listOccurrencesOfFile,
} from './stored-occurrences.ts';
import {
  findSymbolById,
  findSymbolByKey,
  listInfosOf,
  listRelations,
  listSemanticSymbolsNamed,
} from './stored-symbols.ts';

let store: ScratchStore;
let facts: WritableFacts;
const app = makeContext('app', ['src/a.ts', 'src/b.ts', 'src/ä.ts']);
const tests = makeContext('tests', ['src/a.ts']);
const off = makeContext('off', ['src/b.ts'], { enabled: false });

beforeAll(() => {
  store = createScratchStore();
  // Written in another order than that of their paths.
  facts = store.fill(['src/ä.ts', 'src/b.ts', 'src/a.ts'].map((path) => makeRecord(path)));
  facts.writer.transaction(() => {
    facts.semantic.putContexts([app, tests, off]);
    const inApp = idOfContext(facts, 'app');
    facts.semantic.putDocument(
      inApp,
      makeDocument('src/a.ts', {
        occurrences: [
          { at: 0, end: 6, key: 'k/Outer', roles: 1 },
          { at: 10, end: 30, key: 'k/whole' },
          { at: 12, end: 18, key: 'k/getUser' },
          { at: 25, end: 25, key: 'k/empty', form: 'synthetic' },
        ],
        infos: { 'k/Outer': 'class Outer' },
        relations: [['k/Outer', 'implements', 'k/Base']],
        items: [{ key: 'k/getUser', kind: 'unresolved_reference', at: 12 }],
      }),
      makeOrigin(app, { deps: [{ path: 'src/b.ts', syn: hexOf('interface of src/b.ts'), sem: null }] }),
    );
    facts.semantic.putDocument(
      idOfContext(facts, 'tests'),
      makeDocument('src/a.ts', {
        occurrences: [{ at: 12, end: 18, key: 'k/getUser', roles: 2 }],
        relations: [['k/Outer', 'implements', 'k/Base']],
        items: [{ name: 'getUser', kind: 'indexer_gap', at: 40, detail: 'text' }],
      }),
      makeOrigin(tests),
    );
    facts.semantic.putDocument(
      inApp,
      makeDocument('src/b.ts', {
        occurrences: [
          { at: 4, end: 11, key: 'k/getUser', roles: 1 },
          { at: 40, end: 47, key: 'local src/b.ts abc getUser' },
          { at: 60, end: 67, key: 'k/getUser', roles: 9 },
        ],
        infos: { 'k/getUser': 'function getUser(): User', 'k/Outer': 'merged' },
      }),
      makeOrigin(app),
    );
    facts.semantic.putDocument(
      inApp,
      makeDocument('src/ä.ts', {
        occurrences: [
          { at: 2, key: 'k/getUser' },
          { at: 30, key: 'k/GETUSER' },
        ],
      }),
      makeOrigin(app, {
        deps: [
          { path: 'src/b.ts', syn: 'another', sem: null },
          { path: 'gone.ts', syn: null, sem: null },
        ],
      }),
    );
  });
});
afterAll(() => {
  expect(facts.read(checkInvariants)).toEqual([]);
  facts.close();
  store.dispose();
});

const idOf = (key: string): number => facts.read((session) => findSymbolByKey(session, key))?.id ?? 0;

describe('occurrences', () => {
  test('what is declared at places: the narrowest definition that begins there, with what its own file says of it', () => {
    const at = (...places: readonly (readonly [path: string, start: number])[]) =>
      facts.read((session) =>
        listDefinedAt(
          session,
          places.map(([path, start]) => ({ path, start })),
        ),
      );
    expect(at(['src/b.ts', 4], ['src/a.ts', 0], ['src/b.ts', 60])).toEqual([
      { signature: 'function getUser(): User' },
      { signature: 'class Outer' },
      { signature: 'function getUser(): User' },
    ]);
    // Not a definition, not its beginning, no such file.
    expect(at(['src/a.ts', 12], ['src/a.ts', 1], ['nowhere.ts', 0])).toEqual([undefined, undefined, undefined]);
    expect(at()).toEqual([]);
  });

  test('of a symbol: by path and place, whatever the order of writing; T9: of all contexts', () => {
    const places = facts
      .read((session) => listOccurrencesOf(session, [idOf('k/getUser'), idOf('k/getUser'), idOf('k/GETUSER')]))
      .map(({ path, start }) => `${path}:${start}`);
    expect(places).toEqual(['src/a.ts:12', 'src/a.ts:12', 'src/b.ts:4', 'src/b.ts:60', 'src/ä.ts:2', 'src/ä.ts:30']);
    expect(facts.read((session) => listOccurrencesOf(session, [9999]))).toEqual([]);
  });

  test('definitions, among other roles', () => {
    const found = facts.read((session) => listDefinitionsOf(session, [idOf('k/getUser'), idOf('k/Outer')]));
    expect(found.map(({ path, start, roles }) => [path, start, roles])).toEqual([
      ['src/a.ts', 0, 1],
      ['src/b.ts', 4, 1],
      ['src/b.ts', 60, 9],
    ]);
    const paths = facts.read((session) => listDefiningPaths(session, ['k/getUser', 'k/Outer', 'k/Base', 'k/nobody']));
    expect([...paths]).toEqual([
      ['k/getUser', [{ path: 'src/b.ts', contextId: 1 }]],
      ['k/Outer', [{ path: 'src/a.ts', contextId: 1 }]],
    ]);
  });

  test('of a file, in all contexts or in one', () => {
    const keys = (contextId?: number) =>
      facts.read((session) => listOccurrencesOfFile(session, 'src/a.ts', contextId)).map(({ key }) => key);
    expect(keys()).toEqual(['k/Outer', 'k/whole', 'k/getUser', 'k/getUser', 'k/empty']);
    expect(keys(idOfContext(facts, 'tests'))).toEqual(['k/getUser']);
  });
});

describe('identities', () => {
  test('by key and by id', () => {
    const { key: _, ...identity } = makeIdentity('k/getUser');
    const found = facts.read((session) => findSymbolByKey(session, 'k/getUser'));
    expect(found).toEqual({ id: idOf('k/getUser'), key: 'k/getUser', ...identity });
    expect(facts.read((session) => findSymbolById(session, idOf('k/getUser')))).toEqual(found);
    expect(facts.read((session) => findSymbolByKey(session, 'k/nobody'))).toBe(undefined);
    expect(facts.read((session) => findSymbolById(session, 9999))).toBe(undefined);
  });

  test('by name, without locals', () => {
    const named = (name: string) =>
      facts.read((session) => listSemanticSymbolsNamed(session, { name, nameFold: name.toLowerCase() }, 10));
    expect(named('getUser').map(({ key }) => key)).toEqual(['k/getUser']);
    expect(named('GETUSER').map(({ key }) => key)).toEqual(['k/GETUSER']);
  });

  test('what documents say of them', () => {
    const infos = facts.read((session) => listInfosOf(session, idOf('k/Outer')));
    expect(infos.map(({ path, signature }) => [path, signature])).toEqual([
      ['src/a.ts', 'class Outer'],
      ['src/b.ts', 'merged'],
    ]);
    const relations = facts.read((session) => listRelations(session, idOf('k/Base'), 'to'));
    expect(relations.map(({ symbolId, kind }) => [symbolId, kind])).toEqual([
      [idOf('k/Outer'), 'implements'],
      [idOf('k/Outer'), 'implements'],
    ]);
    expect(facts.read((session) => listRelations(session, idOf('k/Base'), 'from'))).toEqual([]);
  });

  test('T10: items by symbol, by name, by file', () => {
    const places = (items: ReturnType<typeof listItemsOfFile>) => items.map(({ kind, start }) => [kind, start]);
    facts.read((session) => {
      expect(places(listItemsOfSymbol(session, idOf('k/getUser')))).toEqual([['unresolved_reference', 12]]);
      expect(listItemsOfSymbol(session, idOf('k/Outer'))).toEqual([]);
      expect(places(listItemsOfFile(session, 'src/a.ts'))).toEqual([
        ['unresolved_reference', 12],
        ['indexer_gap', 40],
      ]);
      expect(listItemsOfFile(session, 'src/b.ts')).toEqual([]);
    });
  });
});

test('T3: dependents are found by path, whether or not the path is there', () => {
  const dependents = (path: string) =>
    facts.read((session) => listDependents(session, path)).map(({ path: from, syn }) => [from, syn]);
  expect(dependents('src/b.ts')).toEqual([
    ['src/a.ts', hexOf('interface of src/b.ts')],
    ['src/ä.ts', 'another'],
  ]);
  expect(dependents('gone.ts')).toEqual([['src/ä.ts', null]]);
  expect(dependents('src/a.ts')).toEqual([]);
});

test('counts', () => {
  const counts = facts.read(countSemantic);
  expect(counts.symbols).toBe(7);
  expect(counts.occurrences).toBe(10);
  expect(counts.contexts.get(idOfContext(facts, 'app'))).toEqual({ members: 3, indexed: 3 });
  expect(counts.contexts.get(idOfContext(facts, 'off'))).toEqual({ members: 1, indexed: 0 });
});

describe('state columns', () => {
  type Edge = { readonly to: string; readonly syn: number; readonly isUnknown: boolean; readonly indexed: boolean };
  const load = (): StateColumns => facts.read(loadStateColumns);
  const factsOf = (columns: StateColumns, path: string, key: string): number =>
    columns.facts.file.findIndex(
      (file, at) =>
        columns.files.path[file] === path && columns.contexts[columns.facts.context[at] as number]?.key === key,
    );
  const edgesOf = ({ facts: rows, edges, files }: StateColumns, row: number): readonly Edge[] =>
    Array.from({ length: (rows.edgeStart[row + 1] as number) - (rows.edgeStart[row] as number) }, (_, n) => {
      const edge = (rows.edgeStart[row] as number) + n;
      const target = edges.target[edge] as number;
      return {
        to: (target < 0 ? edges.missing.get(edge) : files.path[target]) ?? '',
        syn: edges.syn[edge] as number,
        isUnknown: edges.snapshotUnknown[edge] === 1,
        indexed: (edges.targetFacts[edge] as number) >= 0,
      };
    }).sort((x, y) => (x.to < y.to ? -1 : 1));

  test('have every file, member and dependency, compared with what is there now', () => {
    const columns = load();
    expect(columns.files.path).toEqual(['src/a.ts', 'src/b.ts', 'src/ä.ts']);
    expect(columns.contexts.map(({ key }) => key)).toEqual(['app', 'off', 'tests']);
    expect([...columns.members.context].map((of, at) => `${of} ${columns.members.file[at]}`)).toEqual([
      '0 0',
      '0 1',
      '0 2',
      '1 1',
      '2 0',
    ]);
    expect(columns.facts.count).toBe(4);
    expect([...columns.facts.hashEqual]).toEqual([1, 1, 1, 1]);
    expect([...columns.facts.configEqual]).toEqual([1, 1, 1, 1]);
    expect([...columns.facts.elsewhere]).toEqual([0, 0, 0, 0]);
    expect(edgesOf(columns, factsOf(columns, 'src/a.ts', 'app'))).toEqual([
      { to: 'src/b.ts', syn: compared.same, isUnknown: false, indexed: true },
    ]);
    expect(edgesOf(columns, factsOf(columns, 'src/a.ts', 'tests'))).toEqual([]);
    expect(edgesOf(columns, factsOf(columns, 'src/ä.ts', 'app'))).toEqual([
      { to: 'gone.ts', syn: compared.unknown, isUnknown: true, indexed: false },
      { to: 'src/b.ts', syn: compared.different, isUnknown: false, indexed: true },
    ]);
    expect(columns.contexts.map(isLive)).toEqual([true, false, true]);
  });

  test('follow the bytes, the configuration and where imports lead', () => {
    const undone = (act: () => void, look: (columns: StateColumns) => void): void => {
      expect(() =>
        facts.writer.transaction(() => {
          act();
          look(load());
          throw new Error('undo');
        }),
      ).toThrow('undo');
    };
    const at = (columns: StateColumns, column: keyof StateColumns['facts']) =>
      (columns.facts[column] as Uint8Array)[factsOf(columns, 'src/a.ts', 'app')];
    undone(
      () => facts.semantic.putContexts([{ ...app, configHash: 'other' }, tests, off]),
      (columns) => expect(at(columns, 'configEqual')).toBe(0),
    );
    undone(
      () => facts.semantic.putContexts([{ ...app, toolId: null }, tests, off]),
      (columns) => expect(at(columns, 'configEqual')).toBe(0),
    );
    undone(
      () => facts.semantic.putContexts([{ ...app, envHash: 'other' }, tests, off]),
      (columns) => expect(at(columns, 'configEqual')).toBe(0),
    );
    const { record, resolutions } = makeRecord('src/a.ts');
    const moved = resolutions.map((one, n) => (n === 0 ? { ...one, targets: ['src/c.ts'] } : one));
    undone(
      () => facts.writer.setResolutions('src/a.ts', moved, 'x'),
      (columns) => expect(at(columns, 'elsewhere')).toBe(1),
    );
    undone(
      () => facts.writer.putFile(record, resolutions),
      (columns) => expect(at(columns, 'elsewhere')).toBe(0),
    );
    undone(
      () => facts.writer.putFile(record, moved),
      (columns) => expect(at(columns, 'elsewhere')).toBe(1),
    );
    const edited = makeRecord('src/b.ts', 'Edited', { synIface: null });
    facts.writer.transaction(() => facts.writer.putFile(edited.record, edited.resolutions));
    const columns = load();
    expect(columns.facts.hashEqual[factsOf(columns, 'src/b.ts', 'app')]).toBe(0);
    // Its interface is unknown, its bytes are other ones: that is a difference.
    expect(edgesOf(columns, factsOf(columns, 'src/a.ts', 'app'))[0]?.syn).toBe(compared.different);
    facts.writer.transaction(() => facts.writer.deleteFile('src/b.ts'));
    const after = load();
    expect(edgesOf(after, factsOf(after, 'src/a.ts', 'app'))).toEqual([
      { to: 'src/b.ts', syn: compared.unknown, isUnknown: false, indexed: false },
    ]);
  });
});
