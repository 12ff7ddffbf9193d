/**
 * `npm run test:near [-- <base>]`: the tests that stand nearest to what changed since `base` (default: the last commit), and the tidy
 * test. Near means few imports away. It takes about a minute, and says what it left out: CI runs everything.
 */

import { spawnSync } from 'node:child_process';
import { listSources, listTests, root } from './house.ts';

const maxTests = 40;
/** Tests of whole programs, containers and long sequences are taken only if they changed themselves. */
const slow = /^test\/(?:adversarial|code-plane|conformance|containers|e2e|engine|mutation|semantic|serve)\//;

const base = process.argv[2] ?? 'HEAD';
const changed = new Set(
  [...git('diff', '--name-only', '--diff-filter=d', base), ...git('ls-files', '--others', '--exclude-standard')].filter(
    (path) => /\.[cm]?ts$/.test(path),
  ),
);
const near = listNear();
const chosen = near.slice(0, maxTests).map(({ path }) => path);
console.log(
  `${changed.size} changed, ${near.length} tests can notice it` +
    (near.length > chosen.length ? `; the nearest ${chosen.length} run, \`npm test\` runs all` : ''),
);
const { status } = spawnSync('npx', ['vitest', 'run', ...new Set(['test/tidy.test.ts', ...chosen])], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function listNear(): { readonly path: string; readonly distance: number }[] {
  const files = [...listSources('src'), ...listSources('test'), ...listSources('scripts'), ...listTests()];
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files)
    for (const { target } of imports) importers.set(target, [...(importers.get(target) ?? []), path]);
  const distances = new Map([...changed].map((path) => [path, 0]));
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  return [...distances]
    .filter(([path, distance]) => path.endsWith('.test.ts') && (distance === 0 || !slow.test(path)))
    .map(([path, distance]) => ({ path, distance }))
    .sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1));
}

function git(...words: readonly string[]): string[] {
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}
