import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { findSchemaDifference, readSchema, schemaVersion } from './store-schema.ts';

function makeDatabase(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  const { tables, indexes } = readSchema();
  db.exec([...tables, ...indexes, `PRAGMA user_version = ${schemaVersion}`].join(';\n'));
  return db;
}

describe('the schema', () => {
  test('every table but the full-text ones is STRICT', () => {
    const loose = readSchema().tables.filter((sql) => !/\) STRICT(?:, WITHOUT ROWID)?$/.test(sql));
    expect(loose.map((sql) => sql.slice(0, 34))).toEqual([
      'CREATE VIRTUAL TABLE fts_ident USI',
      'CREATE VIRTUAL TABLE fts_text USIN',
    ]);
  });

  test('S9: the schema knows itself', () => {
    expect(findSchemaDifference(makeDatabase())).toBeUndefined();
  });

  test.each([
    ['an older version', 'PRAGMA user_version = 0', 'schema version 0'],
    ['a newer version', `PRAGMA user_version = ${schemaVersion + 1}`, `schema version ${schemaVersion + 1}`],
    ['a missing index', 'DROP INDEX syn_by_name', 'missing: CREATE INDEX syn_by_name'],
    ['a missing table', 'DROP TABLE exports', 'missing: CREATE TABLE exports'],
    ['another column', 'ALTER TABLE exports ADD COLUMN more TEXT', 'table exports'],
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON files BEGIN SELECT 1; END', 'trigger t'],
    ['a view', 'CREATE VIEW v AS SELECT 1', 'view v'],
  ])('S9: %s is a difference', (_, sql, difference) => {
    const db = makeDatabase();
    db.exec(sql);
    expect(findSchemaDifference(db)).toContain(difference);
  });
});
