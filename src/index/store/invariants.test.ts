import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchStore, makeRecord, type ScratchStore } from '../../../test/support/store-records.ts';
import { checkInvariants, invariants } from './invariants.ts';
import { createReader } from './read-session.ts';

let store: ScratchStore;
let path: string;
beforeAll(() => {
  store = createScratchStore();
  const facts = store.fill([makeRecord('src/a.ts'), makeRecord('src/b.ts')]);
  facts.close();
  path = `${store.place.cacheDir}/index/facts-1.db`;
  const db = new DatabaseSync(path);
  db.exec(`
    INSERT INTO contexts(id, key, family, root, indexer, granularity, config_json, config_hash, env_hash, probe, enabled)
      VALUES (1, 'ts:x', 'ts', '', 'tsgo', 'file', '{}', 'c', 'e', 'ok', 1);
    INSERT INTO symbols(id, symbol_key, family, package, in_repo, name, name_fold) VALUES (1, 'k', 'ts', '@', 1, 'n', 'n');
    INSERT INTO context_members(context_id, path) VALUES (1, 'src/a.ts');
    INSERT INTO file_facts(file_id, context_id, hash_at_index, config_hash, tool_id, origin, digest, deps_digest, line_hashes)
      VALUES (1, 1, 'h', 'c', 't', 'indexer', 'd', 'e', x'');
    INSERT INTO dep_texts VALUES (1, 'src/b.ts'), (2, 'i');
    INSERT INTO file_deps VALUES (1, 1, 1, 2, NULL);
    INSERT INTO occurrences VALUES (1, 1, 10, 20, 1, 1, 'name', 0, 10, 0, 20);
    INSERT INTO jobs(id, context_id, status, trigger, not_before_ms, created_ms) VALUES (1, 1, 'completed', 'x', 0, 0);
  `);
  db.close();
});
afterAll(() => store.dispose());

/** What breaks if this is done to a sound store; the store itself stays as it is. */
function breakWith(sql: string): readonly string[] {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    db.enableDefensive(false);
    db.exec('BEGIN');
    db.exec(sql);
    return createReader(db)(checkInvariants).map(({ id }) => id);
  } finally {
    db.exec('ROLLBACK');
    db.close();
  }
}

describe('invariants of a store', () => {
  test('a sound store breaks none', () => {
    expect(breakWith('SELECT 1')).toEqual([]);
  });

  const cases: readonly (readonly [id: string, sql: string])[] = [
    ['D1', "UPDATE files SET kind = 'alias' WHERE path = 'src/b.ts'"],
    ['D2', "UPDATE files SET content_hash = NULL, skip_reason = NULL WHERE path = 'src/b.ts'"],
    ['D3', 'DELETE FROM file_facts'],
    ['D4', 'UPDATE occurrences SET end_byte = 10'],
    ['D4', 'UPDATE occurrences SET end_byte = 5'],
    ['D5', "UPDATE jobs SET status = 'running', lease_until_ms = 5"],
    ['D6', "UPDATE jobs SET status = 'superseded'"],
    ['D7', "INSERT INTO context_members(context_id, path) VALUES (1, 'src/gone.ts')"],
    ['D8', "INSERT INTO occurrences VALUES (1, 1, 15, 25, 1, 1, 'name', 0, 10, 0, 20)"],
    ['D9', "UPDATE files SET skip_reason = 'secret' WHERE path = 'src/b.ts'"],
    ['D9', "UPDATE files SET skip_reason = 'secret', content_hash = NULL WHERE path = 'src/b.ts'"],
    ['D9', "UPDATE files SET skip_reason = 'secret' WHERE path = 'src/a.ts'"],
    ['D10', 'UPDATE syn_symbols SET parent_id = id'],
    ['D10', 'UPDATE syn_symbols SET parent_id = 1 WHERE file_id = 2'],
    ['D11', 'DELETE FROM fts_text WHERE rowid = 1'],
    [
      'D11',
      "INSERT INTO fts_text(rowid, body) VALUES (99, 'aaaa'); INSERT INTO fts_ident(rowid, names) VALUES (99, 'a')",
    ],
    ['D12', "UPDATE files SET content_hash = NULL, skip_reason = 'binary' WHERE path = 'src/b.ts'"],
    ['D14', 'UPDATE file_deps SET syn_id = 99'],
    ['D14', 'UPDATE file_deps SET sem_id = 99'],
    ['D15', 'DELETE FROM context_members'],
    ['D13', "UPDATE imports SET resolved_path = 'elsewhere' WHERE ordinal = 2"],
    ['foreign_key_check', 'DELETE FROM symbols'],
    ['integrity_check', 'DELETE FROM fts_text_data WHERE id > 1000'],
    [
      'integrity_check',
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'syn_by_name'; PRAGMA writable_schema = RESET",
    ],
  ];

  test.each(cases)('%s notices: %s', (id, sql) => {
    expect(breakWith(sql)).toContain(id);
  });

  test('each is made to fail above, and none by something else alone', () => {
    expect([...new Set(cases.map(([id]) => id))].sort()).toEqual(invariants.map(({ id }) => id).sort());
    // What is allowed: an empty synthetic occurrence, nested ones, a queued job, a superseded one with a successor.
    expect(breakWith("UPDATE occurrences SET end_byte = 10, form = 'synthetic'")).toEqual([]);
    expect(breakWith("INSERT INTO occurrences VALUES (1, 1, 12, 18, 1, 1, 'name', 0, 10, 0, 20)")).toEqual([]);
    expect(breakWith("UPDATE jobs SET status = 'superseded', successor_id = 1")).toEqual([]);
  });

  test('names the rows it found, and not all of many', () => {
    const db = new DatabaseSync(path);
    db.exec('BEGIN');
    db.exec("UPDATE files SET content_hash = NULL, skip_reason = NULL WHERE path = 'src/b.ts'");
    const broken = createReader(db)(checkInvariants);
    db.exec('ROLLBACK');
    db.close();
    expect(broken.find(({ id }) => id === 'D2')?.rows).toEqual([{ path: 'src/b.ts' }]);
  });
});
