/**
 * The installed distributions as scip-python's environment file names them, read from their records: no interpreter and no package
 * manager is started. What cannot be read, or is beyond the limits, is left out: references to it lose their package, not their place.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { isPlainDirectory, readBounded } from './read-bounded.ts';

type Distribution = { readonly name: string; readonly version: string; readonly files: readonly string[] };

const maxDistributions = 2_000;
const maxFiles = 50_000;
const maxRecordBytes = 4 * 1024 ** 2;

export function describePythonPackages(sitePackages: readonly string[], repoRoot: string): string {
  // The tool takes the first entry for "not found": it must not be a real one.
  const found: Distribution[] = [{ name: '', version: '', files: [] }];
  let files = 0;
  for (const directory of sitePackages) {
    for (const name of isPlainDirectory(directory, repoRoot) ? listDistributions(directory) : []) {
      const isOver = found.length > maxDistributions;
      const distribution = isOver ? undefined : readDistribution(join(directory, name), repoRoot);
      if (distribution === undefined || files + distribution.files.length > maxFiles) continue;
      files += distribution.files.length;
      found.push(distribution);
    }
  }
  return JSON.stringify(found);
}

function listDistributions(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.dist-info'))
      .sort(compareCodeUnits);
  } catch {
    return [];
  }
}

function readDistribution(directory: string, repoRoot: string): Distribution | undefined {
  const read = (name: string) => readBounded(join(directory, name), maxRecordBytes, repoRoot) ?? '';
  const metadata = read('METADATA');
  const name = /^Name:[ \t]*(\S+)/m.exec(metadata)?.[1];
  const version = /^Version:[ \t]*(\S+)/m.exec(metadata)?.[1];
  if (name === undefined || version === undefined) return undefined;
  const files = read('RECORD')
    .split('\n')
    .map((line) => line.slice(0, Math.max(0, line.indexOf(','))))
    .filter((path) => /\.pyi?$/.test(path) && !path.startsWith('..') && !path.startsWith('/'));
  return { name, version, files };
}
