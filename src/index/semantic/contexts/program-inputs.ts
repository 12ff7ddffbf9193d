/**
 * What decides the meaning of a TypeScript program besides its configuration and its files: the nearest lockfile, and those fields of
 * the members' `package.json` files that steer resolution or name symbols. Versions and scripts do not; ranges of dependencies only
 * where no lockfile says what they come to.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { canonicalJson, compareCodeUnits, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { parseJsonObject } from '../../../kernel/formats/parse-json.ts';
import type { Packages } from '../../resolve/javascript/package-info.ts';
import { below, directoryOf } from '../../resolve/shared/root-paths.ts';
import type { ResolveWorld } from '../../resolve/types.ts';
import type { SourceFile } from './source-tree.ts';

export type ProgramInputs = (directory: string, files: readonly SourceFile[]) => JsonObject;

const lockfileNames = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
];
const steeringFields = [
  'name',
  'type',
  'exports',
  'imports',
  'main',
  'module',
  'types',
  'typings',
  'typesVersions',
] as const;
const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

export function createProgramInputs(world: ResolveWorld, packages: Packages): ProgramInputs {
  const locks = new Map<string, readonly Json[]>();
  const none: readonly Json[] = [];
  const manifests = new Map<string, JsonObject>();
  const summaries = new Map<string, string>();

  /** Lockfiles of the nearest directory that has one. A file too large to be read counts by its presence. */
  const lockfilesAt = (directory: string): readonly Json[] => {
    const known = locks.get(directory);
    if (known !== undefined) return known;
    const own = lockfileNames.map((name) => below(directory, name)).filter((path) => world.hasFile(path));
    const above = directory === '' ? none : lockfilesAt(directoryOf(directory));
    const nearest = own.length === 0 ? above : own.map((path) => [path, hashOf(world.readConfig(path))]);
    locks.set(directory, nearest);
    return nearest;
  };

  const summarise = (path: string, isLocked: boolean): string => {
    const key = `${isLocked} ${path}`;
    const known = summaries.get(key);
    if (known !== undefined) return known;
    const manifest = manifests.get(path) ?? readManifest(world.readConfig(path));
    manifests.set(path, manifest);
    const fields = isLocked ? steeringFields : [...steeringFields, ...dependencyFields];
    const said = fields.flatMap((field) => (manifest[field] === undefined ? [] : [[field, manifest[field]] as const]));
    const summary = blake3Hex(canonicalJson(Object.fromEntries(said)));
    summaries.set(key, summary);
    return summary;
  };

  return (directory, files) => {
    const lockfiles = lockfilesAt(directory);
    const found = new Set<string>();
    const places = new Set(files.map((file) => file.directory));
    for (const place of [directory, ...[...places].map(({ path }) => path)]) {
      const scope = packages.scopeOf(place);
      if (scope.package !== undefined) found.add(below(scope.package.directory, 'package.json'));
    }
    const paths = [...found].sort(compareCodeUnits);
    return { lockfiles, packages: paths.map((path) => [path, summarise(path, lockfiles.length > 0)]) };
  };
}

function hashOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : blake3Hex(bytes);
}

function readManifest(bytes: Uint8Array | undefined): JsonObject {
  const parsed = bytes && parseJsonObject(bytes, { maxBytes: limits.manifestBytes, maxDepth: limits.parseDepth });
  return parsed?.ok === true ? parsed.value : {};
}
