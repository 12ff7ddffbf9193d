// Renames and moves judged by running the program before and after.
//   npm run conformance -- behaviour [<file.jsonl>] [--out <file>] [--class <text>] [--id <text>] [--verbose] [--write-docs]
// A case that is `wrong` fails the run: it was applied without a question, and the program prints something else.

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readBehaviourCases } from './conformance/behaviour-case.ts';
import { reportBehaviour } from './conformance/report-behaviour.ts';
import { type BehaviourResult, runBehaviour } from './conformance/run-behaviour.ts';
import { writeSection } from './conformance/write-document.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    class: { type: 'string' },
    id: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
});
const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const corpus = positionals[0] ?? join(project, '../shared/corpus/behaviour.dev.jsonl');
if (!existsSync(corpus)) console.log(`conformance behaviour: skipped, there is no ${corpus}`);
else {
  const cases = readBehaviourCases(corpus, options);
  const results = await runBehaviour(cases, (result) => {
    if (options.verbose || !['met', 'in_vain'].includes(result.verdict)) console.log(describe(result));
  });
  if (options.out !== undefined) writeFileSync(options.out, results.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const report = reportBehaviour(results);
  console.log(report.summary.join('\n'));
  if (options['write-docs'] && cases.length === readBehaviourCases(corpus).length)
    writeSection(join(project, 'docs/conformance.md'), 'behaviour', 'Behaviour', report.markdown);
  process.exitCode = report.wrong === 0 ? 0 : 1;
}

function describe({ id, class: of, verdict, outcome, reasons, before, after, ms }: BehaviourResult): string {
  const ran = verdict === 'wrong' || verdict === 'unusable' ? [`before ${before}`, `after  ${after ?? '–'}`] : [];
  const lines = [...reasons, ...ran].map((line) => `\n    ${line.replaceAll('\n', '\n    ')}`);
  return `${verdict} ${id} [${of}] ${outcome}, ${ms} ms${lines.join('')}`;
}
