/**
 * `npm run test:near [-- <base>]`: the tests that stand nearest to what changed since `base` (default: the last commit), and the tidy
 * test. Near means few imports away. It takes about a minute, and says what it left out: CI runs everything.
 */

import { spawnSync } from 'node:child_process';
import { listNearTests, root } from './house.ts';

const maxTests = 40;

const base = process.argv[2] ?? 'HEAD';
const changed = new Set(
  [...git('diff', '--name-only', '--diff-filter=d', base), ...git('ls-files', '--others', '--exclude-standard')].filter(
    (path) => /\.[cm]?ts$/.test(path),
  ),
);
const near = listNearTests(changed);
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

function git(...words: readonly string[]): string[] {
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}
