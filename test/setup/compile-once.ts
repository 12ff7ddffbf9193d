/**
 * Runs once before the tests: what Node makes of the sources (types stripped, compiled) is kept and shared by every process and thread of the
 * suite. Jobs in a sandbox can only read it, so what they load is loaded here once.
 */

import { spawn } from 'node:child_process';
import { compiledDirectory, packageDirectory } from '../../src/kernel/base/package-files.ts';

const loaded = [
  'mutate/compiler/job/compiler-job.ts',
  'mutate/compiler/proof/prove.ts',
  'mutate/compiler/rename/answer-rename.ts',
  'languages/typescript/tsgo/index-program.ts',
];

export default async function compileOnce(): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] = compiledDirectory;
  const program = loaded.map((file) => `await import('${packageDirectory}/src/${file}');`).join('\n');
  await new Promise<void>((resolve) => {
    const args = ['--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { stdio: 'ignore', timeout: 60_000 });
    // Without it the suite is only slower.
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
}
