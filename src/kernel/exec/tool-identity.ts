/**
 * Which build of a tool this is: 16 hex digits over its program file, or over what names an npm package, its entry file and the
 * packages it brings. Two builds with one version (a compiler upgraded beneath an indexer) are two tools.
 *
 * Memoised by the files' signatures: asking again costs a few stats, an upgrade is seen at once.
 */

import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { findCompilerManifests } from '../compiler/compiler-packages.ts';

const memo = new Map<string, string>();

/** Undefined when a file of it cannot be read. */
export function readToolIdentity(path: string, npmPackage: string | undefined, isOwn = false): string | undefined {
  try {
    const program = realpathSync(path);
    const files = isOwn
      ? [...listOwnParts(program), ...(findCompilerManifests() ?? [])]
      : [program, ...(npmPackage === undefined ? [] : listManifests(program, npmPackage))];
    const key = files.map((file) => [file, signatureOf(file)].join('\0')).join('\0');
    const known = memo.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    for (const file of files) addFile(hash, file);
    const identity = hash.digest('hex').slice(0, 16);
    memo.set(key, identity);
    return identity;
  } catch {
    return undefined;
  }
}

/** A script of ours and, where it runs from its sources, the files it is made of: they lie beside it. What is built names its parts by hash. */
function listOwnParts(program: string): string[] {
  if (!program.endsWith('.ts')) return [program];
  const home = dirname(program);
  const parts = readdirSync(home).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return parts.sort().map((name) => join(home, name));
}

/** The manifest of the package that the program belongs to, and those of its dependencies, found as Node finds them. */
function listManifests(program: string, npmPackage: string): string[] {
  for (let home = dirname(program); dirname(home) !== home; home = dirname(home)) {
    const manifest = readManifest(join(home, 'package.json'));
    if (manifest?.['name'] !== npmPackage) continue;
    const { dependencies } = manifest;
    const names = isJsonObject(dependencies) ? Object.keys(dependencies).sort() : [];
    return [join(home, 'package.json'), ...names.flatMap((name) => findDependency(home, name) ?? [])];
  }
  return [];
}

function findDependency(from: string, name: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const manifest = join(directory, 'node_modules', name, 'package.json');
    if (existsSync(manifest)) return manifest;
    if (dirname(directory) === directory) return undefined;
  }
}

function readManifest(path: string): JsonObject | undefined {
  try {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Json;
    return isJsonObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function addFile(hash: ReturnType<typeof createHash>, path: string): void {
  const chunk = Buffer.allocUnsafe(1024 ** 2);
  const file = openSync(path, 'r');
  try {
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

function signatureOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
