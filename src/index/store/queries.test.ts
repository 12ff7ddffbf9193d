import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createScratchStore,
  makeFile,
  makeRecord,
  makeSymbol,
  type ScratchStore,
  type StoredRecord,
} from '../../../test/support/store-records.ts';
import type { WritableFacts } from './facts-file.ts';
import type { SymbolRow } from './file-rows.ts';
import type { ReadSession } from './read-session.ts';
import { countFiles } from './store-counts.ts';
import { findFile, listFilesBelow, listSitesOfFile, loadFileStates } from './stored-files.ts';
import {
  allProvides,
  listExportsOfFile,
  listImportersOf,
  listImportersWaitingFor,
  listImportsOfFile,
  loadImportRequests,
} from './stored-imports.ts';
import {
  listNames,
  listSymbolsAtNamePath,
  listSymbolsFolded,
  listSymbolsNamed,
  listSymbolsOfFile,
  listSymbolsWithPrefix,
} from './stored-symbols.ts';
import {
  listFilesMatchingName,
  listFilesMatchingText,
  listFilesWithNames,
  listRedactedFiles,
  listSkippedFiles,
} from './stored-text.ts';

const withSymbols = (path: string, symbols: readonly SymbolRow[]): StoredRecord => {
  const { record } = makeRecord(path, '', { test: path.includes('test') });
  const facts = { symbols, imports: [], exports: [], sites: [], provides: [] };
  return { record: { ...record, facts, text: { names: '', trigrams: '' } }, resolutions: [] };
};
const bare = { contentHash: null, parse: null, synIface: null, ifaceCore: null, stat: null, hashedUs: null } as const;
const rowOnly = (path: string, change: Parameters<typeof makeFile>[1]): StoredRecord => ({
  record: { file: makeFile(path, { ...bare, ...change }), facts: null, text: null },
  resolutions: [],
});

const a = makeRecord('src/a.ts');
const full = makeRecord('src/full.ts', 'Full', {
  bom: true,
  generated: true,
  vendored: true,
  test: true,
  conflicted: true,
  redacted: true,
  ifaceClosed: false,
  parse: 'errors',
  eol: 'crlf',
  language: null,
});

let store: ScratchStore;
let facts: WritableFacts;
beforeAll(() => {
  store = createScratchStore();
  facts = store.fill([
    a,
    full,
    withSymbols('lib/user.test.ts', [
      // Deliberately not in the order of the text.
      makeSymbol('second', { start: 500, end: 600 }),
      makeSymbol('User', { kind: 'class', start: 0, end: 400 }),
      makeSymbol('getUserName', { namePath: 'User/getUserName', parent: 1, start: 0, end: 300 }),
      makeSymbol('inner', { namePath: 'User/getUserName/inner', parent: 2, start: 100, end: 200 }),
    ]),
    withSymbols('lib/names.ts', [
      makeSymbol('GetUserName'),
      makeSymbol('getUserName'),
      makeSymbol('getUserName', { namePath: 'Admin/User/getUserName' }),
      makeSymbol('getUser'),
      makeSymbol('größe'),
    ]),
    rowOnly('link.ts', { kind: 'alias', canonicalPath: 'src/a.ts', language: null }),
    rowOnly('sparse.ts', { presence: 'absent' }),
    rowOnly('.env', { skipReason: 'secret', language: null }),
    rowOnly('big.bin', { skipReason: 'binary', language: null }),
  ]);
});
afterAll(() => {
  facts.close();
  store.dispose();
});
const ask = <T>(query: (session: ReadSession) => T): T => facts.read(query);
const places = (hits: readonly { readonly path: string; readonly namePath: string }[]): string[] =>
  hits.map(({ path, namePath }) => `${path} ${namePath}`).sort();

describe('files', () => {
  test('a row comes back as it was put', () => {
    for (const { record } of [a, full]) {
      const { generation, ...row } = ask((session) => findFile(session, record.file.path)) ?? { generation: 0 };
      expect(row).toEqual(record.file);
      expect(generation).toBe(1_000_000_001);
    }
    expect(ask((session) => findFile(session, 'link.ts'))).toMatchObject({
      kind: 'alias',
      canonicalPath: 'src/a.ts',
      stat: null,
    });
    expect(ask((session) => findFile(session, 'src/A.ts'))).toBeUndefined();
  });

  test('files below a prefix come in path order, up to the limit', () => {
    const paths = (prefix: string, limit = 100): string[] =>
      ask((session) => listFilesBelow(session, prefix, limit).map(({ path }) => path));
    expect(paths('src/')).toEqual(['src/a.ts', 'src/full.ts']);
    expect(paths('lib/u')).toEqual(['lib/user.test.ts']);
    expect(paths('', 3)).toEqual(['.env', 'big.bin', 'lib/names.ts']);
    expect(paths('', 100)).toHaveLength(8);
    expect(paths('src/a.ts/')).toEqual([]);
  });

  test('all states at once', () => {
    const states = ask(loadFileStates);
    expect(states.count).toBe(8);
    const at = states.path.indexOf('src/full.ts');
    const { stat, contentHash, hashedUs } = full.record.file;
    expect(
      Object.fromEntries(Object.entries(states).map(([key, column]) => [key, (column as readonly unknown[])[at]])),
    ).toEqual({
      ...stat,
      contentHash,
      hashedUs,
      path: 'src/full.ts',
      id: 2,
      kind: 'file',
      presence: 'present',
      skipReason: null,
      conflicted: true,
      canonicalPath: null,
      language: null,
      count: undefined,
    });
    const link = states.path.indexOf('link.ts');
    expect([states.kind[link], states.canonicalPath[link], states.size[link], states.ino[link]]).toEqual([
      'alias',
      'src/a.ts',
      null,
      null,
    ]);
    expect(states.presence[states.path.indexOf('sparse.ts')]).toBe('absent');
    expect(states.skipReason[states.path.indexOf('.env')]).toBe('secret');
  });

  test('counts', () => {
    expect(ask(countFiles)).toEqual({
      files: 6,
      aliases: 1,
      absent: 1,
      symbols: 15,
      imports: 6,
      generated: 1,
      vendored: 1,
      test: 2,
      conflicted: 1,
      redacted: 1,
      byLanguage: { none: 3, typescript: 3 },
      byParse: { errors: 1, ok: 3 },
      bySkipReason: { binary: 1, secret: 1 },
    });
  });
});

describe('symbols', () => {
  const name = { name: 'getUserName', nameFold: 'getusername' };

  test('by exact name, by folded name, by prefix', () => {
    expect(places(ask((session) => listSymbolsNamed(session, name, 10)))).toEqual([
      'lib/names.ts Admin/User/getUserName',
      'lib/names.ts getUserName',
      'lib/user.test.ts User/getUserName',
    ]);
    expect(ask((session) => listSymbolsFolded(session, 'getusername', 10))).toHaveLength(4);
    expect(ask((session) => listSymbolsWithPrefix(session, 'getuser', 10))).toHaveLength(5);
    expect(ask((session) => listSymbolsWithPrefix(session, 'grö', 10))).toHaveLength(1);
    expect(ask((session) => listSymbolsWithPrefix(session, 'getuser', 2))).toHaveLength(2);
    const [hit] = ask((session) =>
      listSymbolsNamed(session, { name: 'inner', nameFold: 'inner' }, 10).filter(({ path }) => path.includes('test')),
    );
    expect(hit).toEqual({
      name: 'inner',
      nameFold: 'inner',
      namePath: 'User/getUserName/inner',
      overload: 0,
      kind: 'function',
      exported: true,
      nameStart: 100,
      nameEnd: 105,
      start: 100,
      end: 200,
      line: 1,
      column: 2,
      path: 'lib/user.test.ts',
      language: 'typescript',
      test: true,
      generated: false,
      vendored: false,
    });
  });

  test('by name path: an end of it, or all of it from the top', () => {
    const at = (namePath: string): string[] =>
      places(ask((session) => listSymbolsAtNamePath(session, { ...name, namePath }, 10)));
    expect(at('User/getUserName')).toEqual([
      'lib/names.ts Admin/User/getUserName',
      'lib/user.test.ts User/getUserName',
    ]);
    expect(at('/User/getUserName')).toEqual(['lib/user.test.ts User/getUserName']);
    expect(at('/getUserName')).toEqual(['lib/names.ts getUserName']);
    expect(at('ser/getUserName')).toEqual([]);
  });

  test('all names, each once', () => {
    const names = ask(listNames);
    expect(names.filter((name) => /user/i.test(name))).toEqual(['getUser', 'GetUserName', 'getUserName', 'User']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('an outline is in the order of the text, with parents as positions', () => {
    const outline = ask((session) => listSymbolsOfFile(session, 'lib/user.test.ts'));
    expect(outline.map((row) => [row.name, row.parent])).toEqual([
      ['User', -1],
      ['getUserName', 0],
      ['inner', 1],
      ['second', -1],
    ]);
    expect(Object.keys(outline[0] ?? {}).sort()).toEqual(Object.keys(makeSymbol('x')).sort());
  });
});

describe('imports and exports', () => {
  test('imports with what they lead to', () => {
    const expected = a.record.facts?.imports.map((row, at) => ({ ...row, ...a.resolutions[at] }));
    expect(ask((session) => listImportsOfFile(session, 'src/a.ts'))).toEqual(expected);
    expect(ask((session) => listImportsOfFile(session, 'lib/names.ts'))).toEqual([]);
  });

  test('what a new resolution needs', () => {
    const { ifaceCore, synIface } = a.record.file;
    const loaded = ask((session) => loadImportRequests(session, 'src/a.ts'));
    expect(loaded).toMatchObject({ ifaceCore, synIface, resolutions: a.resolutions });
    expect(loaded?.requests[0]).toEqual({ specifier: './near', kind: 'import', literal: true, names: ['a'] });
    expect(ask((session) => loadImportRequests(session, 'no.ts'))).toBeUndefined();
  });

  test('importers, also of the second of several targets, each once', () => {
    const of = (path: string): string[] =>
      ask((session) => listImportersOf(session, path).map((one) => `${one.path} ${one.ordinal} ${one.specifier}`));
    expect(of('src/near.ts')).toEqual(['src/a.ts 0 ./near', 'src/full.ts 0 ./near']);
    expect(of('orders/a.go')).toEqual(['src/a.ts 2 acme/orders', 'src/full.ts 2 acme/orders']);
    expect(of('orders/b.go')).toEqual(of('orders/a.go'));
    expect(of('orders/')).toEqual([]);
  });

  test('R5: imports that wait for a path, a directory or a name', () => {
    expect(ask((session) => listImportersWaitingFor(session, ['src/pkg.ts', 'orders/', 'orders/']))).toEqual([
      'src/a.ts',
      'src/full.ts',
    ]);
    expect(ask((session) => listImportersWaitingFor(session, ['java:src_a_ts']))).toEqual([]);
  });

  test('exports, provided names and sites', () => {
    expect(ask((session) => listExportsOfFile(session, 'src/a.ts'))).toEqual(a.record.facts?.exports);
    expect(ask(allProvides)).toEqual([
      { name: 'java:src_a_ts', path: 'src/a.ts' },
      { name: 'java:src_full_tsFull', path: 'src/full.ts' },
    ]);
    expect(ask((session) => listSitesOfFile(session, 'src/a.ts'))).toEqual(a.record.facts?.sites);
  });
});

describe('text', () => {
  const paths = (found: readonly { readonly path: string }[]): string[] => found.map(({ path }) => path);

  test('files by trigrams', () => {
    const [shared = '', ofA = ''] = a.record.text?.trigrams.split(' ') ?? [];
    expect(paths(ask((session) => listFilesMatchingText(session, shared)))).toEqual(['src/a.ts', 'src/full.ts']);
    expect(paths(ask((session) => listFilesMatchingText(session, `${shared} AND ${ofA}`)))).toEqual(['src/a.ts']);
    expect(paths(ask((session) => listFilesMatchingText(session, 'zzzz OR zzzy')))).toEqual([]);
  });

  test('files by several identifiers, and by trigrams besides', () => {
    const [, ofA = ''] = a.record.text?.trigrams.split(' ') ?? [];
    const list = (names: readonly string[], query: string | null) =>
      paths(ask((session) => listFilesWithNames(session, names, query)));
    expect(list(['OuterFull'], null)).toEqual(['src/full.ts']);
    expect(list(['outerfull', 'none'], null)).toEqual([]);
    expect(list(['inner'], ofA)).toEqual(['src/a.ts']);
    expect(list(['OuterFull'], ofA)).toEqual([]);
  });

  test('files by identifier, whatever its letters', () => {
    expect(paths(ask((session) => listFilesMatchingName(session, 'outerfull')))).toEqual(['src/full.ts']);
    expect(paths(ask((session) => listFilesMatchingName(session, '$dollar')))).toEqual(['src/a.ts', 'src/full.ts']);
    // Part of an identifier is none.
    expect(paths(ask((session) => listFilesMatchingName(session, 'dollar')))).toEqual([]);
    for (const odd of ['NEAR', '', '*', 'OR', 'names*', '"']) {
      expect(paths(ask((session) => listFilesMatchingName(session, odd)))).toEqual([]);
    }
    // More than one word to the tokenizer: nothing is ruled out.
    for (const cut of ['a·b', 'a\u{200d}b', 'a"b', 'x AND y']) {
      expect(paths(ask((session) => listFilesMatchingName(session, cut)))).toHaveLength(4);
    }
  });

  test('what a text search must look at, and what it never sees', () => {
    expect(ask(listRedactedFiles)).toEqual([
      {
        path: 'src/full.ts',
        language: null,
        contentHash: full.record.file.contentHash,
        redacted: true,
        test: true,
        generated: true,
      },
    ]);
    expect(ask((session) => listSkippedFiles(session, 10))).toEqual([
      { path: 'big.bin', skipReason: 'binary' },
      { path: '.env', skipReason: 'secret' },
    ]);
  });
});
