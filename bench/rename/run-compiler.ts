/** `tsc --noEmit` of the compiler that the proofs use, from process start. Errors of the project are its own affair. */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runProcess } from '../semantic/run-process.ts';

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

export async function runCompiler(root: string): Promise<number> {
  return (await runProcess(process.execPath, [tsc, '--noEmit', '-p', root], root, [0, 1, 2])).ms;
}
