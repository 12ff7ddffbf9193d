/**
 * A large job is shared with a second thread, which machines with few cores never start: here it is, from the sources and from what is built of
 * them, where the thread is a file of its own. Whichever thread makes a document, it says the same.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageDirectory } from '../../src/kernel/base/package-files.ts';
import { renderProject, type TsgoJob } from '../../src/languages/typescript/typescript-indexer.ts';

/** Enough that the second thread is there before the first one is done. */
const count = 250;

// Nothing is said of `strict`: each thread has to complete the configuration, or types of half of the files are others.
const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json':
    '{"compilerOptions":{"noEmit":true,"target":"esnext","lib":["esnext"],"module":"esnext","moduleResolution":"bundler"}}',
  ...Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `src/f${n}.ts`,
      `import { v${(n + 1) % count} as next } from './f${(n + 1) % count}';\nexport const v${n} = { id: ${n}, name: null as null | string };\nexport const all${n} = [next.id, v${n}.name];\n${uses(n)}`,
    ]),
  ),
};
function uses(n: number): string {
  return Array.from(
    { length: 20 },
    (_, k) => `export function get${k}() { return v${n}.id > ${k} ? next.name : v${n}.name; }\n`,
  ).join('');
}
const members = Object.keys(files)
  .filter((path) => path.endsWith('.ts'))
  .sort();

let place: string;
beforeAll(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'tsgo-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, 'tree', path)), { recursive: true });
    writeFileSync(join(place, 'tree', path), text);
  }
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What a job prints, and the index that it writes. */
function runJob(program: string, isShared: boolean) {
  const root = join(place, 'tree');
  const jobDir = mkdtempSync(join(place, 'job-'));
  const context = { key: 'ts:tsconfig.json', family: 'typescript', root: '', config: {}, members } as const;
  const job: TsgoJob = {
    root,
    project: join(jobDir, 'tsconfig.json'),
    isRendered: true,
    typeRoots: [],
    members,
    scope: null,
    globals: null,
    output: join(jobDir, 'out.scip'),
    maxFileBytes: 4 * 1024 ** 2,
    isThrifty: false,
    isCareful: false,
    isShared,
  };
  writeFileSync(job.project, renderProject({ ...context, configPath: 'tsconfig.json' }, root));
  writeFileSync(join(jobDir, 'job.json'), JSON.stringify(job));
  const said = execFileSync(process.execPath, [program, join(jobDir, 'job.json')], { encoding: 'utf8' });
  return { said, index: readFileSync(job.output).toString('base64') };
}

test('R19 two threads write what one writes, from the sources and from the published form', () => {
  const sources = join(packageDirectory, 'src/languages/typescript/tsgo/tsgo-job.ts');
  const alone = runJob(sources, false);
  expect(alone.said).toMatch(/in 1 thread\n$/);

  const built = join(place, 'built');
  execFileSync(process.execPath, [join(packageDirectory, 'scripts/build.ts'), built], {
    cwd: packageDirectory,
    stdio: 'pipe',
  });
  // As in the package: beside what is built of it.
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(packageDirectory, name), join(built, name));
  for (const program of [sources, join(built, 'dist/tsgo-job.js')]) {
    const shared = runJob(program, true);
    expect(shared.said).toMatch(/in 2 threads\n$/);
    expect(shared.index === alone.index).toBe(true);
  }
});
