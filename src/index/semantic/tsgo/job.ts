/** The indexer's process: reads what it is told, indexes, says how long it took. */

import { readFileSync } from 'node:fs';
import { compilerVersion, readCompilerVersion } from '../../../kernel/compiler/compiler-packages.ts';
import type { TsgoJob } from './job-file.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const installed = readCompilerVersion();
if (installed === compilerVersion) {
  const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as TsgoJob;
  const { indexProgram } = await import('./index-program.ts');
  process.exitCode = await indexProgram(job, say);
} else {
  // Its interface is unstable: with another version, answers could mean something else without anybody noticing.
  say(
    `the package typescript is ${installed ?? 'not installed'}, and this indexer is written for version ${compilerVersion}`,
  );
  process.exitCode = 1;
}
