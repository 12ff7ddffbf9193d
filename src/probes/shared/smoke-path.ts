/** The file a smoke test consists of: the one a command names, else one that is called so. */

import { compareCodeUnits } from '../../kernel/base/json.ts';

/** By-name inputs that `findSmokeFile` looks through. */
export const smokeFileGlobs: readonly string[] = [
  'scripts/smoke*',
  'scripts/**/smoke*',
  '**/smoke.{sh,py,js,mjs,cjs,ts,mts}',
];

/** `cd x && ./scripts/smoke.sh prod` → `scripts/smoke.sh`. Paths that leave the root or are computed are not paths of the repository. */
export function smokePathIn(command: string, directory: string): string | null {
  for (const word of command.split(/[\s;&|()"'=]+/, 2_000)) {
    const name = word.slice(word.lastIndexOf('/') + 1);
    if (!name.includes('smoke') || !/^[\w.-]{1,200}$/.test(name)) continue;
    if (!word.includes('/') && !/\.[a-z]{1,4}$/.test(name)) continue;
    const path = [...directory.split('/'), ...word.split('/')].filter((part) => part !== '' && part !== '.');
    if (!word.startsWith('/') && !path.includes('..') && !/[$*{}]/.test(word)) return path.join('/');
  }
  return null;
}

/** The nearest to the root of the files that are called a smoke script. */
export function findSmokeFile(paths: readonly string[]): string | null {
  const depth = (path: string) => path.split('/').length;
  return [...paths].sort((a, b) => depth(a) - depth(b) || compareCodeUnits(a, b))[0] ?? null;
}
