/** The indexer's process: reads what it is told, indexes, says how long it took. */

import { readFileSync } from 'node:fs';
import { compilerVersion, readCompilerVersion } from '../../../kernel/exec/compiler-packages.ts';
import { countMemoryKills, isCompilerGone } from '../compiler/compiler-process.ts';
import type { TsgoJob } from '../typescript-indexer.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const killsBefore = countMemoryKills();
const installed = readCompilerVersion();
if (installed === compilerVersion) {
  const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as TsgoJob;
  const { indexProgram } = await import('./index-program.ts');
  try {
    process.exitCode = await indexProgram(job, say);
  } catch (error) {
    if (!isCompilerGone(error)) throw error;
    // What it said itself, if anything, stands above this.
    if (killsBefore !== undefined && (countMemoryKills() ?? 0) > killsBefore)
      say('out_of_memory: meanwhile the system has ended a process for want of memory');
    process.stderr.write(`the compiler ended and can answer no more: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
} else {
  // Its interface is unstable: with another version, answers could mean something else unnoticed.
  say(
    `${installed === undefined ? 'missing_tool' : 'bad_version'}: the package typescript is ${installed ?? 'not installed'}, and this indexer is written for version ${compilerVersion}`,
  );
  process.exitCode = 1;
}
