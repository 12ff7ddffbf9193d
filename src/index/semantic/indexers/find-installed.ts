/**
 * Which packages are installed for a TypeScript project, as far as it can be told without reading them: package managers write a state file
 * into `node_modules` with every installation. The types of dependencies come from there, and a lockfile that stays the same does not say
 * whether they are installed, or which of them.
 */

import { createDirectoryGuard, type Entry, lstatOf } from '../../../kernel/tree/safe-read.ts';

/** npm, pnpm, Yarn. */
const stateFiles = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'];

/** Empty where nothing is installed. `directories`: root-relative. */
export function findInstalledPackages(repoRoot: string, directories: readonly string[]): Record<string, string> {
  const guard = createDirectoryGuard(repoRoot);
  const seen = [...new Set([...directories, ''])].flatMap((directory) => {
    const modules = directory === '' ? 'node_modules' : `${directory}/node_modules`;
    if (!guard.holds(modules)) return [];
    const found = lstatOf(`${repoRoot}/${modules}`);
    // Behind a link nothing is looked at; whoever leads it elsewhere makes another link.
    if (found?.kind === 'link') return describe(modules, found);
    if (found?.kind !== 'directory') return [];
    return stateFiles.flatMap((name) => describe(`${modules}/${name}`, lstatOf(`${repoRoot}/${modules}/${name}`)));
  });
  return seen.length === 0 ? {} : { INSTALLED_PACKAGES: seen.join(' ') };
}

function describe(path: string, found: Entry | undefined): readonly string[] {
  return found === undefined ? [] : [`${path}:${found.stat.size}:${found.stat.mtimeNs}`];
}
