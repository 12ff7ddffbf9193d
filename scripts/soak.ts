/**
 * `npm run soak [-- <times>] [<path> …]`: every test file that draws random cases, or below these paths, with new cases and
 * so many times as many of them as `npm test` draws. It prints each file as it ends, and last `N passed, N failed, N skipped`. The cost
 * grows with the number: by what one takes, ten are about an hour of two quiet cores. A case that fails is printed with its seed: it
 * becomes an example of its property, and then the fault is mended.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './house.ts';

const words = process.argv.slice(2);
const times = /^[\d.]+$/.test(words[0] ?? '') ? words.shift() : '10';
const below = words.length === 0 ? ['src', 'test'] : words;

const { stdout } = spawnSync('git', ['ls-files', '--', ...below], { cwd: root, encoding: 'utf8' });
const files = stdout
  .split('\n')
  .filter(
    (path) => path.endsWith('.test.ts') && readFileSync(join(root, path), 'utf8').includes('support/properties.ts'),
  );
if (files.length === 0) throw new Error(`no test file below ${below.join(', ')} draws random cases`);
console.log(`${files.length} files, ${times} times the cases of npm test`);
const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.ts'];
const { status } = spawnSync('npx', ['vitest', 'run', ...files, ...reporters, '--testTimeout=7200000'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CODEGENIE_SOAK: times },
});
process.exitCode = status ?? 1;
