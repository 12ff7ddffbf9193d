/** The tsconfig that speaks for a repository: at the root if there is one, else the shallowest. */

import { posix } from 'node:path';
import type { ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { type ManifestContext, readManifest } from './manifests.ts';
import { type ResolvedTsconfig, resolveTsconfig, type TsconfigSource } from './tsconfig.ts';
import { listPackageJson } from './workspace-members.ts';

/** Reads it with its `extends` chain. `deriveInputs` takes `wanted` from the same walk that `run` takes the answer from. */
export async function resolvePrimaryTsconfig(repo: ProbeRepo, ctx: ManifestContext): Promise<ResolvedTsconfig | null> {
  const source = tsconfigSource(repo, ctx);
  const primary = await findPrimaryTsconfig(repo.inputs.list(['**/tsconfig*.json']), source.read);
  return primary === null ? null : resolveTsconfig(primary, source);
}

/**
 * The files to declare so that `wanted` can be read. What such a file extends in turn is known only once it has been read, which
 * is too late to declare it; configurations extend what lies beside them, so that is declared too: of the repository every JSON
 * file there, of an installed package, which no glob reaches, the usual names.
 */
export function withNeighbours(wanted: readonly string[]): readonly string[] {
  const declared = new Set(wanted);
  for (const path of wanted.filter((each) => posix.basename(each) !== 'package.json')) {
    const directory = posix.dirname(path);
    const within = (name: string) => posix.join(directory, name);
    if (!isVendoredPath(path)) declared.add(within('*.json'));
    else for (const name of ['tsconfig.json', 'tsconfig.base.json', 'base.json']) declared.add(within(name));
  }
  return [...declared].sort(compareCodeUnits);
}

/** Reading through a probe's inputs; packages of the repository itself are found by the name in their package.json. */
export function tsconfigSource(repo: ProbeRepo, ctx: ManifestContext): TsconfigSource {
  let byName: Map<string, string> | undefined;
  return {
    read: (id) => readManifest(repo, ctx, id),
    async findPackage(name) {
      byName ??= await mapPackageNames(repo, ctx);
      return byName.get(name);
    },
  };
}

async function mapPackageNames(repo: ProbeRepo, ctx: ManifestContext): Promise<Map<string, string>> {
  const byName = new Map<string, string>();
  for (const id of listPackageJson(repo)) {
    const manifest = id === 'package.json' ? null : await ctx.parsedManifest(id);
    const name = manifest?.['name'];
    if (typeof name === 'string' && !byName.has(name)) byName.set(name, id.slice(0, -'/package.json'.length));
  }
  return byName;
}

export async function findPrimaryTsconfig(
  paths: readonly string[],
  read: TsconfigSource['read'],
): Promise<string | null> {
  const [first] = paths.filter((path) => !isVendoredPath(path)).sort(byPrecedence);
  if (first === undefined) return null;
  const outcome = await read(first);
  if (outcome.kind !== 'read' || !isSolution(outcome.value)) return first;
  return referencesOf(outcome.value, posix.dirname(first)).find((path) => paths.includes(path)) ?? first;
}

/** A file that only lists projects has no options of its own; the first project that is there speaks for it. */
function isSolution(config: JsonObject): boolean {
  return config['compilerOptions'] === undefined && config['extends'] === undefined;
}

function referencesOf(config: JsonObject, directory: string): readonly string[] {
  const references = config['references'];
  if (!Array.isArray(references)) return [];
  return (references as readonly Json[]).slice(0, 256).flatMap((reference) => {
    const path = isJsonObject(reference) ? reference['path'] : undefined;
    if (typeof path !== 'string') return [];
    const target = posix.join(directory, path);
    return [target.endsWith('.json') ? target : posix.join(target, 'tsconfig.json')];
  });
}

function byPrecedence(a: string, b: string): number {
  return (
    a.split('/').length - b.split('/').length ||
    rank(posix.basename(a)) - rank(posix.basename(b)) ||
    compareCodeUnits(a, b)
  );
}

function rank(name: string): number {
  return name === 'tsconfig.json' ? 0 : name === 'tsconfig.base.json' ? 1 : 2;
}
