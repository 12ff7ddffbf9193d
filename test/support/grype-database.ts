/** A vulnerability database of grype's fifth form with a few entries of our own, for the grypes that read that form. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasTool } from './tools.ts';

export function hasGrypeOfFifthForm(): boolean {
  if (!hasTool('grype')) return false;
  return /Supported DB Schema:\s*5\b/.test(execFileSync('grype', ['version'], { encoding: 'utf8' }));
}

export type GrypeEntry = {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly constraint: string;
  readonly format: string;
  readonly fixedIn: string;
  readonly severity: string;
};

export function writeGrypeDatabase(directory: string, built: string, entries: readonly GrypeEntry[]): void {
  mkdirSync(join(directory, '5'), { recursive: true });
  const file = join(directory, '5/vulnerability.db');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE id (build_timestamp DATETIME, schema_version INTEGER);
    CREATE TABLE vulnerability (pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, package_name TEXT, namespace TEXT, package_qualifiers TEXT,
      version_constraint TEXT, version_format TEXT, cpes TEXT, related_vulnerabilities TEXT, fixed_in_versions TEXT, fix_state TEXT, advisories TEXT);
    CREATE TABLE vulnerability_metadata (id TEXT, namespace TEXT, data_source TEXT, record_source TEXT, severity TEXT, urls TEXT,
      description TEXT, cvss TEXT, PRIMARY KEY (id, namespace));
    CREATE TABLE vulnerability_match_exclusion (pk INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, constraints TEXT, justification TEXT);
    INSERT INTO id VALUES ('2026-05-01 00:00:00+00:00', 5);
  `);
  const vulnerability = database.prepare(
    `INSERT INTO vulnerability (id, package_name, namespace, version_constraint, version_format, fixed_in_versions, fix_state)
     VALUES (?, ?, ?, ?, ?, ?, 'fixed')`,
  );
  const metadata = database.prepare('INSERT INTO vulnerability_metadata (id, namespace, severity) VALUES (?, ?, ?)');
  for (const each of entries) {
    vulnerability.run(each.id, each.name, each.namespace, each.constraint, each.format, JSON.stringify([each.fixedIn]));
    metadata.run(each.id, each.namespace, each.severity);
  }
  database.close();
  const checksum = `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
  writeFileSync(join(directory, '5/metadata.json'), JSON.stringify({ built, version: 5, checksum }));
}
