/** The published program, where the thread that imports is a file of its own: a daemon, and an output that is large enough for it. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { refreshLimits } from '../../src/index/refresh/refresh-limits.ts';
import { packageDirectory } from '../../src/kernel/base/package-files.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';

const count = 150;
const files = {
  'tsconfig.json':
    '{"compilerOptions":{"noEmit":true,"target":"esnext","module":"esnext","lib":["esnext"],"types":[]}}',
  ...Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `src/f${n}.ts`,
      `import { v${(n + 1) % count} as next } from './f${(n + 1) % count}';\nexport const v${n}: number = ${n};\n${uses(n)}`,
    ]),
  ),
};
function uses(n: number): string {
  const one = (k: number) => `export function get${k}(a: number): number { return a > ${k} ? next : v${n} + a; }\n`;
  return Array.from({ length: 60 }, (_, k) => one(k)).join('');
}

let repo: FixtureRepo;
let place: string;
const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, [join(place, 'bin/codegenie.mjs'), ...args], {
    cwd: repo.root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: repo.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
afterEach(() => {
  run('daemon', 'stop');
  repo.dispose();
  rmSync(place, { recursive: true, force: true });
});

test('a daemon of the published program imports a large output in its thread', () => {
  repo = createFixtureRepo(files);
  repo.commit();
  place = mkdtempSync(join(tmpdir(), 'codegenie-built-'));
  execFileSync(process.execPath, [join(packageDirectory, 'scripts/build.ts'), place], {
    cwd: packageDirectory,
    stdio: 'pipe',
  });
  mkdirSync(join(place, 'bin'));
  for (const file of ['bin/codegenie.mjs', 'package.json']) cpSync(join(packageDirectory, file), join(place, file));
  symlinkSync(join(packageDirectory, 'node_modules'), join(place, 'node_modules'));
  expect(readdirSync(join(place, 'dist'))).toContain('import-worker.js');
  run('daemon', 'start');
  const indexed = JSON.parse(run('index', '--semantic', '--json')) as {
    readonly refreshed: { readonly jobs: readonly object[] };
  };
  // What is kept of the output is as large as the output.
  const kept = join(repo.cacheDir, 'cache/scip');
  const sizes = readdirSync(kept).map((name) => statSync(join(kept, name)).size);
  expect(Math.max(...sizes)).toBeGreaterThan(refreshLimits.importedApartBytes);
  expect(indexed.refreshed.jobs.at(-1)).toMatchObject({ status: 'completed', accepted: count });
  const found = JSON.parse(run('refs', 'src/f1.ts:2:14', '--json')) as object;
  expect(found).toMatchObject({ freshness: { state: 'clean' }, count: { relation: 'eq' } });
});
