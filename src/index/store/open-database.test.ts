/** P9: what a database file of ours may do, should another program have written into it. */

import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './open-database.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'open-database-')));
  path = join(directory, 'a.db');
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE t(x TEXT);
    INSERT INTO t VALUES ('ours');
    CREATE VIEW planted AS SELECT told(x) AS x FROM t;
    CREATE TRIGGER planted_too AFTER INSERT ON t BEGIN UPDATE t SET x = told(NEW.x); END;`);
  db.close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe.each(['create', 'write', 'read'] as const)('P9 opened to %s', (access) => {
  let db: DatabaseSync;
  beforeEach(() => {
    db = openDatabase(path, access);
  });
  afterEach(() => db.close());

  test('what the file says is not trusted with functions: neither views nor triggers call them', () => {
    db.function('told', (_) => 'evil');
    expect(() => db.prepare('SELECT x FROM planted').all()).toThrow('unsafe use of told()');
    expect(() => db.prepare("INSERT INTO t VALUES ('new')").run()).toThrow(/unsafe use of told\(\)|readonly/);
    expect(db.prepare('SELECT x FROM t').all()).toEqual([{ x: 'ours' }]);
  });

  test('its schema cannot be written to as a table', () => {
    db.exec('PRAGMA writable_schema = ON');
    expect(() => db.exec("UPDATE sqlite_schema SET name = 'other' WHERE name = 't'")).toThrow('may not be modified');
  });

  test('no extension is loaded, from SQL or from here', () => {
    expect(() => db.exec("SELECT load_extension('/tmp/evil')")).toThrow();
    expect(() => db.loadExtension('/tmp/evil')).toThrow('extension loading is not allowed');
    expect(() => db.enableLoadExtension(true)).toThrow();
  });

  test('a name in double quotes that is no column is an error, not text', () => {
    expect(() => db.prepare('SELECT "nothing" FROM t')).toThrow('no such column');
  });
});

test.each(['', '-wal', '-shm', '-journal'])('P9 a link in the place of the database%s is refused', (suffix) => {
  const elsewhere = join(directory, 'elsewhere');
  writeFileSync(elsewhere, '');
  rmSync(`${path}${suffix}`, { force: true });
  symlinkSync(elsewhere, `${path}${suffix}`);
  for (const access of ['create', 'write', 'read'] as const)
    expect(() => openDatabase(path, access)).toThrow('is a symbolic link');
});
