/** The declared inputs of a probe as import resolution sees them (`ResolveWorld`): their paths, and the configuration read beforehand. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { isConfigFile } from '../../../index/resolve/config-files.ts';
import type { ResolveWorld } from '../../../index/resolve/types.ts';
import { limits } from '../../../kernel/base/limits.ts';

export async function createInputsWorld(
  repo: ProbeRepo,
  configGlobs: readonly string[],
  filesProviding: (name: string) => readonly string[],
): Promise<ResolveWorld> {
  const all = repo.inputs.list();
  const files = new Set(all);
  const filesByDirectory = new Map<string, string[]>([['', []]]);
  for (const path of all) {
    const slash = path.lastIndexOf('/');
    groupOf(filesByDirectory, slash < 0 ? '' : path.slice(0, slash)).push(path);
    for (let at = slash; at > 0; at = path.lastIndexOf('/', at - 1)) groupOf(filesByDirectory, path.slice(0, at));
  }
  const contents = new Map<string, Uint8Array>();
  const configsByName = new Map<string, string[]>();
  for (const path of repo.inputs.list(configGlobs)) {
    if (!isConfigFile(path) || repo.inputs.fingerprint(path)?.kind !== 'file') continue;
    const read = await repo.inputs.read(path, limits.manifestBytes);
    if (read.kind !== 'read') continue;
    contents.set(path, read.bytes);
    groupOf(configsByName, path.slice(path.lastIndexOf('/') + 1)).push(path);
  }
  return {
    hasFile: (path) => files.has(path),
    hasDirectory: (path) => filesByDirectory.has(path),
    listDirectory: (path) => filesByDirectory.get(path) ?? [],
    filesProviding,
    readConfig: (path) => contents.get(path),
    configFilesNamed: (name) => configsByName.get(name) ?? [],
    allFiles: () => all,
  };
}

function groupOf(groups: Map<string, string[]>, key: string): string[] {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made: string[] = [];
  groups.set(key, made);
  return made;
}
