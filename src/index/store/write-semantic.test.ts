import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renderDump } from '../../../test/support/canonical-dump.ts';
import {
  idOfContext,
  makeContext,
  makeDocument,
  makeOrigin,
  putContext,
} from '../../../test/support/semantic-records.ts';
import { createScratchStore, makeFile, makeRecord, type ScratchStore } from '../../../test/support/store-records.ts';
import type { WritableFacts } from './facts-file.ts';
import { checkInvariants } from './invariants.ts';
import { listContexts, listContextsOfFile, listMembers, planContexts } from './stored-contexts.ts';
import { findLineHashes, listDependencies, listDependents, listFactsOfFile } from './stored-facts.ts';
import { listItemsOfFile } from './stored-items.ts';
import { listJobs } from './stored-jobs.ts';
import { listOccurrencesOf, listOccurrencesOfFile } from './stored-occurrences.ts';
import { findSymbolByKey, listInfosOf, listRelations } from './stored-symbols.ts';
import type { ContextRow } from './write-semantic.ts';

let store: ScratchStore;
let facts: WritableFacts;
beforeEach(() => {
  store = createScratchStore();
  facts = store.fill(['a.ts', 'b.ts', 'c.ts'].map((path) => makeRecord(path)));
});
afterEach(() => {
  expect(facts.read(checkInvariants)).toEqual([]);
  facts.close();
  store.dispose();
});

const put = (contexts: readonly ContextRow[]) => facts.writer.transaction(() => facts.semantic.putContexts(contexts));
/** Lines of the dump that name this path, without the file's own row. */
const linesOf = (path: string): readonly string[] =>
  facts
    .read(renderDump)
    .split('\n')
    .filter(
      (line) => /^(?:occurrence|info|relation|indexed|dependency|ambiguity) /.test(line) && line.includes(`"${path}"`),
    );
const count = (table: string): number =>
  facts.read((session) => Number(session.statement(`SELECT count(*) AS n FROM ${table}`).get()?.['n']));
const pageWrites = (act: () => void): number => {
  const total = () => facts.read((session) => Number(session.statement('SELECT total_changes() AS n').get()?.['n']));
  const before = total();
  act();
  return total() - before;
};

describe('contexts', () => {
  test('keep their ids by their keys, and say what changed', () => {
    const a = makeContext('a', ['a.ts', 'b.ts']);
    const b = makeContext('b', ['b.ts']);
    expect(put([b, a])).toEqual({ added: ['a', 'b'], changed: [], removed: [] });
    const ids = facts.read(listContexts).map(({ id }) => id);
    expect(put([a, b])).toEqual({ added: [], changed: [], removed: [] });
    for (const change of [
      { configHash: 'other' },
      { toolId: 'tool@2' },
      { envHash: 'other' },
      { probe: 'missing_tool' },
      { enabled: false },
      { members: ['a.ts'] },
      { members: ['a.ts', 'b.ts', 'c.ts'] },
    ] as const) {
      const before = facts.read(listContexts);
      expect(put([{ ...a, ...change }, b]), JSON.stringify(change)).toEqual({ added: [], changed: ['a'], removed: [] });
      expect(facts.read(listContexts)).not.toBe(before);
      put([a, b]);
    }
    // A person reads these; no answer depends on them.
    expect(put([{ ...a, probeDetail: 'see there', toolPath: '/x' }, b]).changed).toEqual([]);
    expect(facts.read(listContexts)[0]).toMatchObject({ probeDetail: 'see there', toolPath: '/x' });
    expect(put([a, makeContext('c', [])])).toEqual({ added: ['c'], changed: [], removed: ['b'] });
    expect(facts.read(listContexts).map(({ id, key }) => [key, id])).toEqual([
      ['a', ids[0]],
      ['c', idOfContext(facts, 'c')],
    ]);
  });

  test('are read as they were written', () => {
    const { members, ...row } = makeContext('a', ['b.ts', 'a.ts'], { config: { b: 1, a: ['x'] }, toolId: null });
    const id = putContext(facts, { ...row, members });
    expect(facts.read(listContexts)).toEqual([{ ...row, id }]);
    expect(facts.read((session) => listMembers(session, id))).toEqual(['a.ts', 'b.ts']);
    expect(facts.read((session) => listContextsOfFile(session, 'a.ts'))).toEqual([{ ...row, id }]);
    expect(facts.read((session) => listContextsOfFile(session, 'c.ts'))).toEqual([]);
  });

  test('D7: a member has a row, or is left out until it has one; a path that goes is no member', () => {
    const a = makeContext('a', ['a.ts', 'new.ts']);
    const id = putContext(facts, a);
    expect(facts.read((session) => listMembers(session, id))).toEqual(['a.ts']);
    facts.writer.transaction(() => {
      const { record, resolutions } = makeRecord('new.ts');
      facts.writer.putFile(record, resolutions);
    });
    expect(put([a]).changed).toEqual(['a']);
    facts.writer.transaction(() => facts.writer.deleteFile('a.ts'));
    expect(facts.read((session) => listMembers(session, id))).toEqual(['new.ts']);
  });

  test('a plan tells whether there is anything to write', () => {
    const a = makeContext('a', ['a.ts']);
    const isEmpty = (rows: readonly ContextRow[]): boolean =>
      facts.read((session) => {
        const { contexts, removed } = planContexts(session, rows);
        return removed.length === 0 && contexts.every(({ differs, isChanged }) => !differs && !isChanged);
      });
    expect(isEmpty([a])).toBe(false);
    put([a]);
    expect(isEmpty([a])).toBe(true);
    expect(isEmpty([{ ...a, members: [...a.members, 'nowhere.ts'] }])).toBe(true);
    expect(isEmpty([{ ...a, toolPath: '/y' }])).toBe(false);
    expect(isEmpty([{ ...a, config: { other: 1 } }])).toBe(false);
    expect(isEmpty([])).toBe(false);
  });

  test('one member more among many is one row more', () => {
    const many = Array.from({ length: 500 }, (_, at) => `m/${at}.ts`);
    facts.writer.transaction(() => {
      for (const path of many) facts.writer.putFile({ file: makeFile(path), facts: null, text: null }, []);
    });
    put([makeContext('a', many)]);
    // The row, its entry in `members_by_path` is not counted; the generation is.
    expect(pageWrites(() => put([makeContext('a', [...many, 'a.ts'])]))).toBeLessThanOrEqual(3);
  });

  test('a context that goes takes its facts and jobs along, and nothing of the others', () => {
    const [a, b] = [makeContext('a', ['a.ts']), makeContext('b', ['a.ts'])];
    put([a, b]);
    const document = makeDocument('a.ts', {
      occurrences: [{ at: 0, key: 'k/x', roles: 1 }],
      infos: { 'k/x': 'sig' },
      relations: [['k/x', 'implements', 'k/y']],
      items: [{ key: 'k/x', kind: 'indexer_gap', at: 3 }],
    });
    facts.writer.transaction(() => {
      for (const row of [a, b]) {
        const deps = [{ path: 'b.ts', syn: 's', sem: null }];
        const contextId = idOfContext(facts, row.key);
        facts.semantic.putDocument(contextId, document, makeOrigin(row, { deps }));
        const request = { contextId, scope: null, trigger: 't', priority: 0, notBeforeMs: 0, nowMs: 0, head: null };
        facts.jobs.enqueue(request);
        const { id } = facts.jobs.claim({ owner: 'o', nowMs: 1, leaseUntilMs: 2, contextIds: [contextId] }) ?? {
          id: 0,
        };
        facts.jobs.supersede(id, { nowMs: 2, detail: '' });
      }
    });
    const ofB = linesOf('a.ts').filter((line) => line.includes('"b"'));
    expect(put([b]).removed).toEqual(['a']);
    expect(linesOf('a.ts')).toEqual(ofB);
    expect(ofB.length).toBe(6);
    expect(facts.read((session) => listJobs(session, null, 10)).map(({ contextId }) => contextId)).toEqual([
      idOfContext(facts, 'b'),
      idOfContext(facts, 'b'),
    ]);
  });

  test('T7: another environment leaves no fact of the context indexed', () => {
    const a = makeContext('a', ['a.ts']);
    const id = putContext(facts, a);
    facts.writer.transaction(() => facts.semantic.putDocument(id, makeDocument('a.ts'), makeOrigin(a)));
    const configHashes = () =>
      facts.read((session) => listFactsOfFile(session, 'a.ts')).map(({ configHash }) => configHash);
    expect(configHashes()).toEqual([a.configHash]);
    put([{ ...a, envHash: 'node 25' }]);
    expect(configHashes()).toEqual(['']);
    facts.writer.transaction(() => facts.semantic.putDocument(id, makeDocument('a.ts'), makeOrigin(a)));
    expect(configHashes()).toEqual([a.configHash]);
  });
});

describe('documents', () => {
  let a: ContextRow;
  let b: ContextRow;
  let idA: number;
  let idB: number;
  beforeEach(() => {
    a = makeContext('a', ['a.ts', 'b.ts']);
    b = makeContext('b', ['a.ts']);
    put([a, b]);
    idA = idOfContext(facts, 'a');
    idB = idOfContext(facts, 'b');
  });
  const write = (contextId: number, document = makeDocument('a.ts'), origin = makeOrigin(contextId === idA ? a : b)) =>
    facts.writer.transaction(() => facts.semantic.putDocument(contextId, document, origin));

  const full = () =>
    makeDocument('a.ts', {
      occurrences: [
        { at: 20, key: 'k/x' },
        { at: 0, key: 'k/x', roles: 1 },
        { at: 0, key: 'k/y', roles: 1, form: 'alias' },
        { at: 40, end: 40, key: 'k/x', form: 'synthetic' },
      ],
      infos: { 'k/x': 'function x(): void', 'k/y': null },
      relations: [['k/x', 'implements', 'k/z']],
      items: [
        { key: 'k/x', kind: 'multiple_definitions', at: 0, detail: 'twice' },
        { name: 'getUser', kind: 'indexer_gap', at: 20 },
      ],
    });

  test('are read as they were written', () => {
    const deps = [
      { path: 'b.ts', syn: 's', sem: 'm' },
      { path: 'gone.ts', syn: null, sem: null },
      { path: 'c.ts', syn: 's', sem: null },
    ];
    expect(write(idA, full(), makeOrigin(a, { deps, jobId: 9 }))).toBe(true);
    facts.read((session) => {
      const x = findSymbolByKey(session, 'k/x');
      expect(x).toMatchObject({ key: 'k/x', name: 'x', family: 'typescript', package: '@', inRepo: true });
      const id = x?.id ?? 0;
      expect(
        listOccurrencesOfFile(session, 'a.ts').map(({ start, end, key, roles, form }) => [
          start,
          end,
          key,
          roles,
          form,
        ]),
      ).toEqual([
        [0, 8, 'k/x', 1, 'name'],
        [0, 8, 'k/y', 1, 'alias'],
        [20, 28, 'k/x', 8, 'name'],
        [40, 40, 'k/x', 8, 'synthetic'],
      ]);
      expect(listOccurrencesOf(session, [id])[0]).toEqual({
        path: 'a.ts',
        contextId: idA,
        symbolId: id,
        start: 0,
        end: 8,
        roles: 1,
        form: 'name',
        line: 0,
        column: 4,
        endLine: 0,
        endColumn: 12,
      });
      expect(listInfosOf(session, id)).toEqual([
        {
          symbolId: id,
          contextId: idA,
          path: 'a.ts',
          raw: 'raw k/x',
          kind: 'function',
          signature: 'function x(): void',
          sigHash: expect.any(String),
        },
      ]);
      const z = findSymbolByKey(session, 'k/z')?.id;
      expect(listRelations(session, id, 'from')).toEqual([
        { symbolId: z, kind: 'implements', contextId: idA, path: 'a.ts' },
      ]);
      expect(listRelations(session, z ?? 0, 'to').map(({ symbolId }) => symbolId)).toEqual([id]);
      expect(
        listItemsOfFile(session, 'a.ts').map(({ kind, symbolId, name, detail }) => [kind, symbolId, name, detail]),
      ).toEqual([
        ['multiple_definitions', id, null, 'twice'],
        ['indexer_gap', null, 'getUser', ''],
      ]);
      expect(listFactsOfFile(session, 'a.ts')).toEqual([
        {
          contextId: idA,
          contextKey: 'a',
          hashAtIndex: full().contentHash,
          configHash: a.configHash,
          toolId: 'tool@1',
          semIface: full().semIface,
          ownIface: null,
          origin: 'indexer',
          jobId: 9,
        },
      ]);
      expect(findLineHashes(session, 'a.ts', idA)).toEqual(full().lineHashes);
      expect(findLineHashes(session, 'a.ts', idB)).toBe(undefined);
      expect(listDependencies(session, 'a.ts', idA)).toEqual([deps[0], deps[2], deps[1]]);
      expect(listDependents(session, 'gone.ts')).toEqual([{ path: 'a.ts', contextId: idA, syn: null, sem: null }]);
    });
  });

  test('S8, R14: replacing what is said about one file touches no row of another, nor of another context', () => {
    write(idA, full());
    write(idB, full());
    write(idA, makeDocument('b.ts', { occurrences: [{ at: 4, key: 'k/x' }] }), makeOrigin(a));
    const before = { b: linesOf('b.ts'), other: linesOf('a.ts').filter((line) => line.includes('"b"')) };
    write(idA, makeDocument('a.ts', { occurrences: [{ at: 0, key: 'k/new', roles: 1 }] }));
    expect(linesOf('b.ts')).toEqual(before.b);
    expect(linesOf('a.ts').filter((line) => line.includes('"b"'))).toEqual(before.other);
    facts.read((session) => {
      expect(listOccurrencesOfFile(session, 'a.ts', idA).map(({ key }) => key)).toEqual(['k/new']);
      // An identity outlives those who spoke of it.
      expect(findSymbolByKey(session, 'k/z')).toBeDefined();
    });
    facts.writer.transaction(() => facts.writer.deleteFile('a.ts'));
    expect(linesOf('b.ts')).toEqual(before.b);
    expect(linesOf('a.ts')).toEqual([]);
  });

  test('what says nothing new is not written again, what it was made with is', () => {
    write(idA, full(), makeOrigin(a, { deps: [{ path: 'b.ts', syn: 's', sem: 'm' }] }));
    const again = { ...full(), contentHash: 'f'.repeat(64), semIface: 'other', lineHashes: new Uint8Array(8) };
    const origin = makeOrigin(a, { deps: [{ path: 'b.ts', syn: 's', sem: 'm' }], jobId: 3, toolId: 'tool@2' });
    expect(pageWrites(() => write(idA, again, origin))).toBeLessThanOrEqual(3);
    facts.read((session) => {
      expect(listFactsOfFile(session, 'a.ts')[0]).toMatchObject({
        hashAtIndex: 'f'.repeat(64),
        semIface: 'other',
        toolId: 'tool@2',
        jobId: 3,
      });
      expect(findLineHashes(session, 'a.ts', idA)).toEqual(new Uint8Array(8));
    });
    write(idA, full(), makeOrigin(a, { deps: [{ path: 'b.ts', syn: 's2', sem: null }] }));
    expect(facts.read((session) => listDependencies(session, 'a.ts', idA))).toEqual([
      { path: 'b.ts', syn: 's2', sem: null },
    ]);
    expect(facts.read((session) => listOccurrencesOfFile(session, 'a.ts'))).toHaveLength(4);
  });

  test('every difference of a document is written', () => {
    const variants = [
      full(),
      { ...full(), relations: [] },
      { ...full(), items: full().items.slice(1) },
      { ...full(), infos: full().infos.slice(1) },
      { ...full(), occurrences: full().occurrences.slice(9) },
      { ...full(), occurrences: full().occurrences.map((value, at) => (at === 8 ? value + 1 : value)) },
      { ...full(), symbols: full().symbols.map((one) => (one.key === 'k/x' ? { ...one, key: 'k/other' } : one)) },
    ];
    const dumps = variants.map((variant) => {
      write(idA, variant);
      return linesOf('a.ts').join('\n');
    });
    expect(new Set(dumps).size).toBe(variants.length);
  });

  test('D15: what is no file here or no member is not written', () => {
    expect(write(idA, makeDocument('c.ts'))).toBe(false);
    expect(write(idA, makeDocument('nowhere.ts'))).toBe(false);
    facts.writer.transaction(() =>
      facts.writer.putFile(
        { file: makeFile('b.ts', { kind: 'alias', contentHash: null }), facts: null, text: null },
        [],
      ),
    );
    expect(write(idA, makeDocument('b.ts'))).toBe(false);
    expect(count('file_facts')).toBe(0);
  });

  test('S8: facts survive an edit of their file', () => {
    write(idA, full());
    const before = linesOf('a.ts');
    const { record, resolutions } = makeRecord('a.ts', 'Edited');
    facts.writer.transaction(() => facts.writer.putFile(record, resolutions));
    expect(linesOf('a.ts')).toEqual(before);
  });

  test.each([
    ['a link', { kind: 'alias', contentHash: null }],
    ['secret-bearing', { contentHash: null, skipReason: 'secret' }],
    ['too large', { skipReason: 'large' }],
    ['gone from disk', { contentHash: null, presence: 'absent', skipReason: 'unreadable' }],
  ] as const)('D9: facts go when their file becomes %s', (_, change) => {
    write(idA, full());
    facts.writer.transaction(() =>
      facts.writer.putFile({ file: makeFile('a.ts', change), facts: null, text: null }, []),
    );
    expect(linesOf('a.ts')).toEqual([]);
    for (const table of ['occurrences', 'symbol_info', 'symbol_rel', 'ambiguities', 'file_facts'])
      expect(count(table)).toBe(0);
  });

  test('S11: facts go when their file is no member any more', () => {
    write(idA, full());
    write(idB, full());
    expect(put([{ ...a, members: ['b.ts'] }, b]).changed).toEqual(['a']);
    expect(facts.read((session) => listFactsOfFile(session, 'a.ts')).map(({ contextKey }) => contextKey)).toEqual([
      'b',
    ]);
  });

  test('R28: a transaction that fails leaves nothing, and the next one no id of what was undone', () => {
    const dump = facts.read(renderDump);
    expect(() =>
      facts.writer.transaction(() => {
        facts.semantic.putDocument(idA, full(), makeOrigin(a, { deps: [{ path: 'b.ts', syn: 's', sem: 'm' }] }));
        throw new Error('undo');
      }),
    ).toThrow('undo');
    expect(facts.read(renderDump)).toBe(dump);
    expect(count('symbols') + count('dep_texts')).toBe(0);
    write(idA, full(), makeOrigin(a, { deps: [{ path: 'b.ts', syn: 's', sem: 'm' }] }));
    expect(facts.read((session) => listOccurrencesOfFile(session, 'a.ts'))).toHaveLength(4);
  });

  test('only inside a transaction with a generation', () => {
    expect(() => facts.semantic.putDocument(idA, full(), makeOrigin(a))).toThrow('outside of a transaction');
    expect(() => facts.writer.remember(() => facts.semantic.putDocument(idA, full(), makeOrigin(a)))).toThrow(
      'a fact is written',
    );
    const { generation } = facts.writer;
    write(idA);
    expect(facts.writer.generation).toBe(generation + 1);
  });

  test('an import sees in its transaction what it has written', () => {
    facts.writer.transaction(() => {
      facts.semantic.putDocument(idA, full(), makeOrigin(a));
      expect(facts.read((session) => listOccurrencesOfFile(session, 'a.ts'))).toHaveLength(4);
      facts.semantic.putDocument(idA, makeDocument('a.ts'), makeOrigin(a));
      expect(facts.read((session) => listOccurrencesOfFile(session, 'a.ts'))).toEqual([]);
    });
  });

  test('a sweep removes the identities that nothing refers to, and no other', () => {
    write(idA, full(), makeOrigin(a, { deps: [{ path: 'b.ts', syn: 's', sem: 'm' }] }));
    write(idA, makeDocument('b.ts', { occurrences: [{ at: 0, key: 'k/y' }] }), makeOrigin(a));
    const sweep = () => facts.writer.remember(() => facts.semantic.removeUnusedIdentities());
    expect(sweep()).toBe(0);
    const { generation } = facts.writer;
    const dump = () => facts.read(renderDump);
    write(idA, makeDocument('a.ts', { items: [{ key: 'k/x', kind: 'indexer_gap', at: 1 }] }));
    const before = dump();
    expect(sweep()).toBe(1);
    expect(dump()).toBe(before);
    expect(facts.writer.generation).toBe(generation + 1);
    expect(
      ['k/x', 'k/y', 'k/z'].map((key) => facts.read((session) => findSymbolByKey(session, key)) !== undefined),
    ).toEqual([true, true, false]);
    expect(count('dep_texts')).toBe(0);
    // In one transaction with those who spoke of it last, and with those who speak of it next.
    facts.writer.transaction(() => {
      facts.semantic.putDocument(idA, makeDocument('a.ts'), makeOrigin(a));
      expect(facts.semantic.removeUnusedIdentities()).toBe(1);
      facts.semantic.putDocument(idA, full(), makeOrigin(a));
    });
    expect(facts.read((session) => listOccurrencesOfFile(session, 'a.ts'))).toHaveLength(4);
  });
});

test('removing a context or an identity reads no table from end to end', () => {
  // What a cascade does is in the program of the statement: a table without a fitting index would be rewound and walked.
  const tables = facts.read((session) =>
    session.statement("SELECT rootpage, name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all(),
  );
  const names = new Map(tables.map((row) => [Number(row['rootpage']), String(row['name'])]));
  for (const sql of [
    'DELETE FROM contexts WHERE id = 1',
    'DELETE FROM symbols WHERE id = 1',
    'DELETE FROM dep_texts WHERE id = 1',
    'DELETE FROM jobs WHERE id = 1',
    'DELETE FROM files WHERE id = 1',
    'DELETE FROM file_facts WHERE file_id = 1 AND context_id = 1',
  ]) {
    const program = facts.read((session) => session.statement(`EXPLAIN ${sql}`).all());
    const opened = new Map<number, string | undefined>();
    const walked: string[] = [];
    for (const { opcode, p1, p2 } of program) {
      const cursor = Number(p1);
      if (opcode === 'OpenRead' || opcode === 'OpenWrite') opened.set(cursor, names.get(Number(p2)));
      // A list of what is to be deleted, as long as that is.
      if (opcode === 'OpenEphemeral') opened.delete(cursor);
      const name = opened.get(cursor);
      if (opcode === 'Rewind' && name !== undefined) walked.push(name);
    }
    expect(walked, sql).toEqual([]);
  }
});
