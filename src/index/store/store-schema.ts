/**
 * The schema as `schema.sql` writes it, cut into statements. Read when a store is made or opened, never at start-up.
 * Invariant S9: a file whose number or whose statements differ from these is never read as current.
 */

import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { assert } from '../../kernel/base/assert.ts';

/** Goes up with every change of meaning; the comparison of statements catches what a person forgets. */
export const schemaVersion = 5;

type Schema = {
  readonly tables: readonly string[];
  /** Secondary indexes: a bulk fill makes them at its end, which is faster than keeping them in order row by row. */
  readonly indexes: readonly string[];
};

let known: Schema | undefined;

export function readSchema(): Schema {
  if (known === undefined) {
    // Beside this file in the sources, beside the bundle in what was built from them.
    const statements = splitStatements(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'));
    const isIndex = (statement: string): boolean => /^CREATE (?:UNIQUE )?INDEX /.test(statement);
    known = {
      tables: statements.filter((statement) => !isIndex(statement)),
      indexes: statements.filter(isIndex),
    };
  }
  return known;
}

/** What tells the schema of this database from ours, if anything: other statements, a trigger, a view. */
export function findSchemaDifference(db: DatabaseSync): string | undefined {
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version !== schemaVersion) return `schema version ${version}, not ${schemaVersion}`;
  const schema = readSchema();
  const expected = new Set([...schema.tables, ...schema.indexes]);
  const found = db.prepare('SELECT type, name, sql FROM sqlite_schema').all();
  for (const { type, name, sql } of found) {
    // Automatic indexes have no text; the four tables behind each full-text table are FTS5's own.
    if (sql === null || (type === 'table' && /^fts_(?:ident|text)_(?:data|idx|docsize|config)$/.test(String(name))))
      continue;
    if (!expected.delete(String(sql))) return `${type} ${name} is not of this schema`;
  }
  const [missing] = expected;
  return missing === undefined ? undefined : `missing: ${missing.slice(0, missing.indexOf('('))}`;
}

function splitStatements(text: string): string[] {
  const statements = text
    .split(/;$/m)
    .map((part) => part.replace(/^(?:[ \t]*(?:--.*)?\n)*/, '').trimEnd())
    .filter((part) => part !== '');
  for (const statement of statements)
    assert(statement.startsWith('CREATE '), `no statement: ${statement.slice(0, 60)}`);
  return statements;
}
