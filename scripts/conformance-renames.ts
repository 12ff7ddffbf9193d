// Renames against the conformance corpus, through the pipeline that the command line uses; nothing is committed.
//   npm run conformance -- rename|capture [<corpus>] [--out <file>] [--only <text>] [--verbose] [--write-docs]
// A case that is `wrong` fails the run: a plan that would be committed and is not what the compiler calls the same program.

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCases } from './conformance/rename-case.ts';
import { reportRenames } from './conformance/report-renames.ts';
import { runRenames } from './conformance/run-renames.ts';
import { writeSection } from './conformance/write-document.ts';

const titles = { rename: 'Rename', capture: 'Capture' } as const;

export async function runSuite(suite: keyof typeof titles): Promise<void> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      only: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const project = join(dirname(fileURLToPath(import.meta.url)), '..');
  const corpus = positionals[0] ?? join(project, `../shared/corpus/${suite}.dev.jsonl`);
  if (!existsSync(corpus)) {
    console.log(`conformance ${suite}: skipped, there is no ${corpus}`);
    return;
  }
  const cases = readCases(corpus, options.only);
  const done = await runRenames(cases, (at, total) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${at}/${total}`);
  });
  if (options.out !== undefined)
    writeFileSync(options.out, done.map(({ result }) => `${JSON.stringify(result)}\n`).join(''));
  const report = reportRenames(suite, done);
  const isWrong = (line: string) => line.startsWith('WRONG');
  for (const line of options.verbose ? report.details : report.details.filter(isWrong)) console.log(line);
  console.log(report.summary.join('\n'));
  if (options['write-docs'] && options.only === undefined)
    writeSection(join(project, 'docs/conformance.md'), suite, titles[suite], report.markdown);
  process.exitCode = report.wrong === 0 ? 0 : 1;
}
