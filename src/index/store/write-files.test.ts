import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashDump, renderDump } from '../../../test/support/canonical-dump.ts';
import {
  createScratchStore,
  hexOf,
  makeFile,
  makeRecord,
  type ScratchStore,
} from '../../../test/support/store-records.ts';
import type { WritableFacts } from './facts-file.ts';
import type { FileRecord } from './file-rows.ts';
import { checkInvariants } from './invariants.ts';
import type { ReadSession } from './read-session.ts';
import { readSchema } from './store-schema.ts';
import { findFile, findRepoState, type RepoState } from './stored-files.ts';
import { listImportersOf, listImportersWaitingFor, listImportsOfFile } from './stored-imports.ts';
import { listFilesMatchingName } from './stored-text.ts';
import { createFactsWriter } from './write-files.ts';

let store: ScratchStore;
let facts: WritableFacts;
beforeEach(() => {
  store = createScratchStore();
  facts = store.fill([makeRecord('src/a.ts'), makeRecord('src/b.ts')]);
});
afterEach(() => {
  expect(facts.read(checkInvariants)).toEqual([]);
  facts.close();
  store.dispose();
});

const dump = (): string => facts.read(renderDump);
const put = (path: string, variant?: string): void => {
  const { record, resolutions } = makeRecord(path, variant);
  facts.writer.transaction(() => facts.writer.putFile(record, resolutions));
};

describe('transactions', () => {
  test('what follows from files is worked out anew after each change of one, and after no other', () => {
    const paths = () => facts.ofFiles('paths', listPaths);
    let looks = 0;
    const listPaths = (session: ReadSession) => {
      looks += 1;
      return session
        .statement('SELECT path FROM files ORDER BY path')
        .all()
        .map(({ path }) => path);
    };
    expect(paths()).toEqual(['src/a.ts', 'src/b.ts']);
    facts.writer.transaction(() => facts.semantic.putContexts([]));
    facts.writer.remember(() => {});
    expect(paths()).toEqual(['src/a.ts', 'src/b.ts']);
    expect(looks).toBe(1);
    put('src/c.ts');
    expect(paths()).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
    expect(() =>
      facts.writer.transaction(() => {
        facts.writer.deleteFile('src/a.ts');
        expect(paths()).toEqual(['src/b.ts', 'src/c.ts']);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(paths()).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts']);
    facts.writer.transaction(() => facts.writer.deleteFile('src/a.ts'));
    expect(paths()).toEqual(['src/b.ts', 'src/c.ts']);
  });

  test('each adds one to the generation, and a failed one nothing', () => {
    const first = facts.read((session) => session.generation);
    put('src/c.ts');
    expect(facts.read((session) => session.generation)).toBe(first + 1);
    expect(() =>
      facts.writer.transaction(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(facts.writer.generation).toBe(first + 1);
    put('src/d.ts');
    expect(facts.read((session) => findFile(session, 'src/d.ts')?.generation)).toBe(first + 2);
  });

  test('S7: what a transaction wrote before it failed is undone: facts, text and hashes', () => {
    const before = dump();
    const { record, resolutions } = makeRecord('src/a.ts', 'New');
    const broken = makeRecord('src/c.ts').record;
    const run = (): void => {
      facts.writer.putFile(record, resolutions);
      facts.writer.deleteFile('src/b.ts');
      // An import that neither leads somewhere nor has a reason breaks a CHECK halfway through the file.
      facts.writer.putFile(
        broken,
        broken.facts?.imports.map(() => ({ targets: [], reason: null, external: null, candidates: [] })) ?? [],
      );
    };
    expect(() => facts.writer.transaction(run)).toThrow('CHECK');
    expect(dump()).toBe(before);
    // Nothing is left waiting either that a later transaction would write.
    put('src/d.ts');
    facts.writer.transaction(() => facts.writer.deleteFile('src/d.ts'));
    expect(dump()).toBe(before);
  });

  test('R2: the hash is written last, when facts and text are there', () => {
    const db = new DatabaseSync(':memory:');
    db.exec([...readSchema().tables, ...readSchema().indexes].join(';\n'));
    db.exec(`
      INSERT INTO meta VALUES ('generation', '1'), ('clean', '1');
      CREATE TEMP TABLE seen(hash TEXT, symbols INTEGER, imports INTEGER, texts INTEGER);
      CREATE TEMP TRIGGER watch AFTER UPDATE ON files WHEN new.content_hash IS NOT NULL BEGIN
        INSERT INTO seen SELECT new.content_hash, (SELECT count(*) FROM syn_symbols WHERE file_id = new.id),
          (SELECT count(*) FROM imports WHERE file_id = new.id), (SELECT count(*) FROM fts_text_docsize WHERE id = new.id);
      END;
      CREATE TEMP TRIGGER early AFTER INSERT ON files WHEN new.content_hash IS NOT NULL BEGIN
        SELECT RAISE(ABORT, 'a hash before its facts');
      END;
    `);
    const writer = createFactsWriter(db, 'live');
    for (const variant of ['', 'New']) {
      const { record, resolutions } = makeRecord('src/a.ts', variant);
      writer.transaction(() => writer.putFile(record, resolutions));
    }
    expect(
      db
        .prepare('SELECT symbols, imports, texts FROM seen')
        .all()
        .map((row) => ({ ...row })),
    ).toEqual([
      { symbols: 3, imports: 3, texts: 1 },
      { symbols: 3, imports: 3, texts: 1 },
    ]);
    db.close();
  });

  test('a write outside of a transaction, a transaction in a transaction and one that waits are bugs', () => {
    expect(() => facts.writer.deleteFile('src/a.ts')).toThrow('outside');
    expect(() => facts.writer.transaction(() => facts.writer.transaction(() => 1))).toThrow('inside');
    expect(() => facts.writer.transaction(async () => 1)).toThrow('wait');
  });

  test('inside a transaction, reading sees what was put', () => {
    const { record, resolutions } = makeRecord('src/c.ts');
    facts.writer.transaction(() => {
      facts.writer.putFile(record, resolutions);
      expect(facts.read((session) => listImportersOf(session, 'src/near.ts').map(({ path }) => path))).toContain(
        'src/c.ts',
      );
    });
  });
});

describe('files', () => {
  test('S8: replacing and deleting one file changes nothing of another, semantic facts included', () => {
    const path = `${store.place.cacheDir}/index/facts-1.db`;
    const db = new DatabaseSync(path);
    db.exec(`
      INSERT INTO contexts(id, key, family, root, indexer, granularity, config_json, config_hash, env_hash, probe, enabled)
        VALUES (1, 'ts:x', 'ts', '', 'tsgo', 'file', '{}', 'c', 'e', 'ok', 1);
      INSERT INTO context_members(context_id, path) SELECT 1, path FROM files;
      INSERT INTO symbols(id, symbol_key, family, package, in_repo, name, name_fold) VALUES (1, 'k', 'ts', '@', 1, 'n', 'n');
      INSERT INTO file_facts(file_id, context_id, hash_at_index, config_hash, tool_id, origin, digest, deps_digest, line_hashes)
        SELECT id, 1, content_hash, 'c', 't', 'indexer', 'd', 'e', x'' FROM files;
      INSERT INTO dep_texts VALUES (1, 'src/a.ts');
      INSERT INTO file_deps SELECT id, 1, 1, NULL, NULL FROM files WHERE path = 'src/b.ts';
      INSERT INTO symbol_info SELECT id, 1, 1, 'raw', NULL, NULL, NULL FROM files;
      INSERT INTO occurrences SELECT id, 1, 5, 9, 1, 1, 'name', 0, 5, 0, 9 FROM files;
    `);
    db.close();
    const ofB = (): string[] =>
      dump()
        .split('\n')
        .filter((line) => line.includes('"src/b.ts"'));
    const semanticOfA = (): string[] =>
      dump()
        .split('\n')
        .filter((line) => /^(?:occurrence|indexed|info) .*"src\/a\.ts"/.test(line));
    const before = ofB();
    const kept = semanticOfA();
    expect(before.filter((line) => line.startsWith('occurrence '))).toHaveLength(1);
    put('src/a.ts', 'New');
    expect(ofB().filter((line) => !line.startsWith('fts'))).toEqual(before.filter((line) => !line.startsWith('fts')));
    // What an indexer said of the old bytes is still there to be realigned.
    expect(semanticOfA()).toEqual(kept);
    facts.writer.transaction(() => facts.writer.deleteFile('src/a.ts'));
    const left = ofB().filter((line) => !line.startsWith('fts'));
    expect(left).toEqual(before.filter((line) => !line.startsWith('fts')));
    expect(semanticOfA()).toEqual([]);
    // By path and without a key: what depended on it must see that it is gone.
    expect(left.filter((line) => line.startsWith('dependency '))).toHaveLength(1);
    put('src/a.ts');
  });

  test('deleting says whether there was anything, and takes the text with it', () => {
    const gone = facts.writer.transaction(() => facts.writer.deleteFile('src/a.ts'));
    expect(gone).toBe(true);
    expect(facts.writer.transaction(() => facts.writer.deleteFile('src/a.ts'))).toBe(false);
    expect(facts.read((session) => listFilesMatchingName(session, 'src_a_ts'))).toEqual([]);
    expect(dump()).not.toContain('src_a_ts');
  });

  test('put, delete and put again in one transaction is the last put', () => {
    const { record, resolutions } = makeRecord('src/c.ts', 'First');
    const last = makeRecord('src/c.ts', 'Last');
    facts.writer.transaction(() => {
      facts.writer.putFile(record, resolutions);
      facts.writer.putFile(record, resolutions);
      facts.writer.deleteFile('src/c.ts');
      facts.writer.putFile(last.record, last.resolutions);
    });
    expect(facts.read((session) => findFile(session, 'src/c.ts')?.contentHash)).toBe(last.record.file.contentHash);
    expect(facts.read((session) => listFilesMatchingName(session, 'OuterFirst'))).toEqual([]);
    expect(facts.read((session) => listFilesMatchingName(session, 'OuterLast'))).toHaveLength(1);
  });

  test('a file that became secret, binary or an alias keeps no fact and no text', () => {
    const bare: FileRecord = {
      file: makeFile('src/a.ts', {
        contentHash: null,
        skipReason: 'secret',
        parse: null,
        synIface: null,
        ifaceCore: null,
        ifaceClosed: false,
        stat: null,
        hashedUs: null,
      }),
      facts: null,
      text: null,
    };
    facts.writer.transaction(() => facts.writer.putFile(bare, []));
    expect(facts.read((session) => findFile(session, 'src/a.ts'))).toMatchObject({ ...bare.file });
    expect(
      dump()
        .split('\n')
        .filter((line) => line.includes('"src/a.ts"')),
    ).toHaveLength(1);
  });

  test('F14: two paths with one key are refused', () => {
    const { record, resolutions } = makeRecord('src/A.ts', '', { pathKey: 'src/a.ts' });
    expect(() => facts.writer.transaction(() => facts.writer.putFile(record, resolutions))).toThrow('UNIQUE');
    facts.writer.transaction(() => {
      facts.writer.deleteFile('src/a.ts');
      facts.writer.putFile(record, resolutions);
    });
    expect(facts.read((session) => findFile(session, 'src/A.ts')?.pathKey)).toBe('src/a.ts');
  });

  test('stat signatures come back to the microsecond, inodes beyond 2^53 folded', () => {
    const stat = { size: 5, mtimeUs: 1_999_999_999_999_999, ctimeUs: 1, ino: 2 ** 63 + 4096 };
    const before = facts.read(hashDump);
    facts.writer.transaction(() => facts.writer.touchStat('src/a.ts', stat, 1_999_999_999_999_998));
    const found = facts.read((session) => findFile(session, 'src/a.ts'));
    expect(found).toMatchObject({
      stat: { ...stat, ino: (2 ** 63 + 4096) % 2 ** 53 },
      hashedUs: 1_999_999_999_999_998,
    });
    // Nothing about the file has changed.
    expect(facts.read(hashDump)).toBe(before);
  });

  test('what an extractor says twice is one row', () => {
    const { record, resolutions } = makeRecord('src/c.ts');
    if (record.facts === null) throw new Error('no facts');
    const { sites, provides } = record.facts;
    const twice = {
      ...record.facts,
      sites: [...sites, ...sites],
      provides: [...provides, ...provides],
    };
    facts.writer.transaction(() => facts.writer.putFile({ ...record, facts: twice }, resolutions));
    const doubled = dump();
    facts.writer.transaction(() => facts.writer.putFile(record, resolutions));
    expect(dump()).toBe(doubled);
  });

  test('a number of resolutions that does not fit the imports is a bug', () => {
    const { record, resolutions } = makeRecord('src/c.ts');
    expect(() => facts.writer.transaction(() => facts.writer.putFile(record, resolutions.slice(1)))).toThrow('as many');
    for (const wrong of [resolutions.slice(1), [...resolutions, ...resolutions]]) {
      expect(() => facts.writer.transaction(() => facts.writer.setResolutions('src/a.ts', wrong, null))).toThrow(
        'as many',
      );
    }
    expect(() =>
      facts.writer.transaction(() => facts.writer.touchStat('no', { size: 1, mtimeUs: 1, ctimeUs: 1, ino: 1 }, 1)),
    ).toThrow('no row');
  });

  test('line hashes go when the bytes change, and stay when they do not', () => {
    const lineHashes = (): unknown => {
      const db = new DatabaseSync(`${store.place.cacheDir}/index/facts-1.db`);
      const row = db.prepare("SELECT hex(line_hashes) AS h FROM files WHERE path = 'src/a.ts'").get();
      db.close();
      return row?.['h'];
    };
    const db = new DatabaseSync(`${store.place.cacheDir}/index/facts-1.db`);
    db.exec("UPDATE files SET line_hashes = x'0102'");
    db.close();
    put('src/a.ts');
    expect(lineHashes()).toBe('0102');
    put('src/a.ts', 'New');
    expect(lineHashes()).toBe('');
  });
});

describe('besides', () => {
  test('R5: imports can lead elsewhere without a parse, and then are found under the new names only', () => {
    const moved = { targets: ['x/1.go', 'x/2.go'], reason: null, external: null, candidates: ['x/', 'x.go'] };
    const lost = { targets: [], reason: 'not_found' as const, external: null, candidates: ['y.ts'] };
    facts.writer.transaction(() => facts.writer.setResolutions('src/a.ts', [moved, lost, lost], hexOf('new')));
    const imports = facts.read((session) => listImportsOfFile(session, 'src/a.ts'));
    expect(
      imports.map(({ targets, reason, external, candidates }) => ({ targets, reason, external, candidates })),
    ).toEqual([moved, lost, lost]);
    expect(imports.map(({ specifier }) => specifier)).toEqual(['./near', 'pkg', 'acme/orders']);
    const importers = (path: string): readonly string[] =>
      facts.read((session) => listImportersOf(session, path).map((found) => found.path));
    expect([importers('x/1.go'), importers('x/2.go'), importers('src/near.ts'), importers('orders/b.go')]).toEqual([
      ['src/a.ts'],
      ['src/a.ts'],
      ['src/b.ts'],
      ['src/b.ts'],
    ]);
    expect(facts.read((session) => listImportersWaitingFor(session, ['x/', 'orders/', 'none']))).toEqual([
      'src/a.ts',
      'src/b.ts',
    ]);
    expect(facts.read((session) => findFile(session, 'src/a.ts')?.synIface)).toBe(hexOf('new'));
  });

  test('the state of the repository is absent, then the last one put', () => {
    expect(facts.read(findRepoState)).toBeUndefined();
    const state: RepoState = {
      head: 'none',
      gitIndexSig: null,
      ignoreEpoch: 'i',
      configEpoch: 'c',
      watch: 'off',
      reconciledMs: null,
    };
    facts.writer.transaction(() => facts.writer.putRepoState(state));
    facts.writer.transaction(() => facts.writer.putRepoState({ ...state, head: 'unborn', reconciledMs: 5 }));
    expect(facts.read(findRepoState)).toEqual({ ...state, head: 'unborn', reconciledMs: 5 });
  });

  test('a conflict is set and taken back', () => {
    for (const conflicted of [true, false]) {
      facts.writer.transaction(() => facts.writer.setConflicted('src/a.ts', conflicted));
      expect(facts.read((session) => findFile(session, 'src/a.ts')?.conflicted)).toBe(conflicted);
    }
  });
});
