/** The indexer's process: reads what it is told, indexes, says how long it took. */

import { readFileSync } from 'node:fs';
import type { TsgoJob } from './job-file.ts';

const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as TsgoJob;
const { indexProgram } = await import('./index-program.ts');
process.exitCode = await indexProgram(job, (line) => process.stdout.write(`${line}\n`));
