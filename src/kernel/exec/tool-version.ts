/**
 * Which version of a tool this is, and which build.
 *
 * The version a tool has now, asked once per binary and process, never throwing (gather.md §5, rule 8).
 * A tool that answers without a version (`gitleaks` built by `go install` does) is named by the hash of its binary; one that
 * fails to answer is `unknown`, which keeps its results out of the cache.
 */

import { createHash } from 'node:crypto';
import { closeSync, existsSync, lstatSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blake3Hex } from '../base/hash.ts';
import { listNamesIfThere } from '../base/if-there.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { decodeLenient } from '../base/text.ts';
import { findCompilerManifests, readCompilerVersion } from './compiler-packages.ts';
import type { ExecOutcome, RememberedVersion, ToolVersion } from './exec.ts';
import type { FoundTool, ToolResolution } from './resolve-tool.ts';
import { parseVersion, type Tool } from './tools.ts';

/** Starts the tool with its version arguments, outside any repository. */
type AskVersion = (tool: FoundTool, args: readonly string[]) => Promise<ExecOutcome>;

const versions = new Map<string, Promise<string>>();

export async function readToolVersion(
  name: string,
  tool: Tool,
  at: ToolResolution,
  ask: AskVersion,
): Promise<ToolVersion> {
  if (at.kind === 'missing') {
    return { name, version: 'absent', path: null, ...(at.detail === null ? {} : { detail: at.detail }) };
  }
  const { path } = at.tool;
  try {
    const key = [path, fileIdentity(path), ...tool.versionArgs].join('\0');
    let version = versions.get(key);
    if (version === undefined) {
      version = readVersion(tool, at.tool, ask);
      versions.set(key, version);
      // A failure may be of the moment (a busy machine, a cancelled gather): the next question tries again.
      const known = await version.catch(() => 'unknown');
      if (known === 'unknown') versions.delete(key);
    }
    return { name, version: await version, path };
  } catch {
    return { name, version: 'unknown', path };
  }
}

/** Spares the start of a program that is asked for its version alone; a version that is read from a file is read again. */
export function stillHolds(tool: Tool, at: ToolResolution, remembered: RememberedVersion): boolean {
  if (at.kind === 'missing' || at.tool.path !== remembered.path || remembered.version === 'unknown') return false;
  if (tool.own !== undefined || tool.npmPackage !== undefined || tool.pypiPackage !== undefined) return false;
  try {
    const stats = [lstatSync(at.tool.path), statSync(at.tool.path)];
    return stats.every(({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs) < remembered.atMs);
  } catch {
    return false;
  }
}

async function readVersion(tool: Tool, found: FoundTool, ask: AskVersion): Promise<string> {
  if (tool.own !== undefined) {
    // Half of it is the compiler, the other half is our own code: both decide what it says.
    const [compiler, identity] = [readCompilerVersion(), readToolIdentity(found.path, undefined, true)];
    return compiler === undefined || identity === undefined ? 'unknown' : `${compiler}+${identity}`;
  }
  const packaged = tool.npmPackage === undefined ? undefined : readPackagedVersion(found.path, tool.npmPackage);
  if (packaged !== undefined) return packaged;
  const installed = tool.pypiPackage === undefined ? undefined : readInstalledVersion(found.path, tool.pypiPackage);
  if (installed !== undefined) return installed;
  const outcome = await ask(found, tool.versionArgs);
  if (outcome.kind !== 'exited' || outcome.code !== 0) return 'unknown';
  const said = parseVersion(decodeLenient(outcome.stdout)) ?? parseVersion(decodeLenient(outcome.stderr));
  return said ?? `blake3:${blake3Hex(readFileSync(found.path)).slice(0, 8)}`;
}

/** A tool that lives in its npm package has its package's version; reading it saves loading a whole compiler to be told so. */
function readPackagedVersion(path: string, packageName: string): string | undefined {
  for (let directory = dirname(realpathSync(path)); dirname(directory) !== directory; directory = dirname(directory)) {
    try {
      const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Json;
      if (isJsonObject(manifest) && manifest['name'] === packageName && typeof manifest['version'] === 'string') {
        return parseVersion(manifest['version']);
      }
    } catch {
      // No manifest here; one further up may name the package.
    }
  }
  return undefined;
}

/** `<prefix>/lib/python3.11/site-packages/semgrep-1.2.3.dist-info` beside `<prefix>/bin/semgrep`; of two, either may be the one that runs. */
function readInstalledVersion(path: string, packageName: string): string | undefined {
  const libraries = join(dirname(dirname(realpathSync(path))), 'lib');
  const found = listNamesIfThere(libraries)
    .filter((name) => name.startsWith('python3'))
    .flatMap((python) => ['site-packages', 'dist-packages'].map((folder) => join(libraries, python, folder)))
    .flatMap(listNamesIfThere)
    .filter((name) => name.startsWith(`${packageName}-`) && name.endsWith('.dist-info'));
  return found.length === 1 ? parseVersion((found[0] as string).slice(packageName.length + 1)) : undefined;
}

/** An upgraded tool is another binary, also for a process that has been up since before. */
export function fileIdentity(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return `${ino}:${size}:${mtimeMs}`;
}

const identities = new Map<string, string>();

/**
 * The build: 16 hex digits over its program file, or over what names an npm package, its entry file and the packages it brings. Two
 * builds with one version (a compiler upgraded beneath an indexer) are two tools. Memoised by the files' signatures: asking again costs
 * a few stats, an upgrade is seen at once. Undefined when a file of it cannot be read.
 */
export function readToolIdentity(path: string, npmPackage: string | undefined, isOwn = false): string | undefined {
  try {
    const program = realpathSync(path);
    const files = isOwn
      ? [...listOwnParts(program), ...(findCompilerManifests() ?? [])]
      : [program, ...(npmPackage === undefined ? [] : listManifests(program, npmPackage))];
    const key = files.map((file) => [file, signatureOf(file)].join('\0')).join('\0');
    const known = identities.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    for (const file of files) addFile(hash, file);
    const identity = hash.digest('hex').slice(0, 16);
    identities.set(key, identity);
    return identity;
  } catch {
    return undefined;
  }
}

/**
 * A script of this package and, where it runs from its sources, the files it is made of: all that it imports by a relative path, and what those
 * import. What is built names its parts by hash.
 */
function listOwnParts(program: string): string[] {
  if (!program.endsWith('.ts')) return [program];
  const parts = new Set([program]);
  for (const file of parts)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g)) {
      const part = join(dirname(file), path);
      if (existsSync(part)) parts.add(part);
    }
  return [...parts].sort();
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
