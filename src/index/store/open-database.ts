/**
 * How the store opens its database files, which lie in the user's own directories. Should another program have been there: no database is
 * reached through a link, a new file is private from its first instant, and no SQL text inside a file is trusted with functions.
 */

import { chmodSync, closeSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lstatOwn, OutputRefused } from '../../kernel/base/write-file.ts';

export type Refused = { readonly kind: 'refused'; readonly path: string; readonly why: string };

/** Turns a refusal into its value; everything else passes. */
export function orRefused<T>(act: () => T): T | Refused {
  try {
    return act();
  } catch (error) {
    if (error instanceof OutputRefused) return { kind: 'refused', path: error.path, why: error.why };
    throw error;
  }
}

type DatabaseAccess = 'create' | 'write' | 'read';

const busyTimeoutMs = 5_000;

/** `create` makes the file if there is none; the others throw what SQLite throws. A link throws `OutputRefused`. */
export function openDatabase(path: string, access: DatabaseAccess, timeoutMs = busyTimeoutMs): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseForeignFile(`${path}${suffix}`);
  if (access === 'create') makePrivateFile(path);
  const db = new DatabaseSync(path, {
    readOnly: access === 'read',
    timeout: timeoutMs,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
  });
  try {
    // SQLite follows links in the name it is given and says where it arrived: the look above could have been outrun.
    const expected = `${realpathSync(dirname(path))}/${basename(path)}`;
    if (db.location() !== expected) throw new OutputRefused(path, 'is a symbolic link');
    db.enableDefensive(true);
    db.exec('PRAGMA trusted_schema = OFF');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseForeignFile(path: string): void {
  const found = lstatOwn(path);
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw new OutputRefused(path, 'is a symbolic link');
  if (!found.isFile()) throw new OutputRefused(path, 'is not a regular file');
}

/** SQLite would make it as the umask says; the files beside it take their mode from it. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new OutputRefused(path, `cannot be created (${code ?? 'unknown'})`);
    // Restored CI caches flatten modes.
    if (((lstatOwn(path)?.mode ?? 0o600) & 0o777) !== 0o600) chmodSync(path, 0o600);
  }
}
