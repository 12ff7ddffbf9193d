// Renames and moves of a real project, judged by its own tests; resumable.
//   npm run fuzz -- <dir> --tests "<command>" --work <dir> [--within src/,spec/] [--kinds class,local,class] [--count 30] [--seed 1] [--batch 20] [--minutes 60] [--limit 300]
//   npm run fuzz -- report <work>… [--write-docs] [--round 2] [--note <what a reader should know>]
// `--work` keeps the copy, the index and `log.jsonl`: another run with it goes on. `--count` is of each kind, and of one that `--kinds` names twice, twice as many.
// What breaks a test ends the run with 1.
// A round whose logs are not there any more keeps its table; the next one has a section of its own, with the sum of them all.

import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSection } from './conformance/write-document.ts';
import { changeKinds } from './fuzz/pick-changes.ts';
import { reportProjects, sayRound } from './fuzz/report-project.ts';
import { readProjectLog, runProject } from './fuzz/run-project.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string' },
    work: { type: 'string' },
    within: { type: 'string', default: '' },
    kinds: { type: 'string', default: changeKinds.join(',') },
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    batch: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '600' },
    limit: { type: 'string', default: '300' },
    'write-docs': { type: 'boolean', default: false },
    round: { type: 'string', default: '1' },
    note: { type: 'string', default: '' },
  },
});
const [first = '', ...others] = positionals;
if (first === 'report') {
  const report = reportProjects(
    others.map((work) => ({ name: basename(work), log: readProjectLog(join(work, 'log.jsonl')) })),
  );
  console.log(report.summary.join('\n'));
  const { round } = values;
  const docs = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs/conformance.md');
  const [part, title] =
    round === '1' ? ['projects', 'Real projects'] : [`projects_${round}`, `Real projects, round ${round}`];
  if (values['write-docs'])
    writeSection(
      docs,
      part,
      title,
      `${sayRound(Number(round), report, readFileSync(docs, 'utf8'))}${report.markdown}\n${values.note}`,
    );
  process.exitCode = report.broken === 0 ? 0 : 1;
} else {
  const { tests, work } = values;
  if (first === '' || tests === undefined || work === undefined)
    throw new Error('name the directory of a project, --tests and --work');
  mkdirSync(work, { recursive: true });
  const endMs = Date.now() + Number(values.minutes) * 60_000;
  const log = await runProject({
    root: realpathSync(resolve(first)),
    work: realpathSync(work),
    tests,
    within: values.within.split(',').filter((one) => one !== ''),
    kinds: values.kinds.split(',').map((named) => {
      const kind = changeKinds.find((one) => one === named);
      if (kind === undefined) throw new Error(`${named} is none of ${changeKinds.join(', ')}`);
      return kind;
    }),
    count: Number(values.count),
    seed: Number(values.seed),
    batch: Number(values.batch),
    limitMs: Number(values.limit) * 1000,
    until: () => Date.now() > endMs,
    onTried: ({ id, name, to, outcome, reasons, details, edits, ms }) =>
      console.log(
        `${outcome} ${id} ${name} → ${to}, ${edits.length} edits, ${ms} ms ${reasons.join(' ')}${details.map((one) => `\n    ${one.slice(0, 300)}`).join('')}`,
      ),
    onVerdict: ({ id, verdict, says }) => console.log(`${verdict} ${id} ${says}`),
  });
  const report = reportProjects([{ name: basename(work), log }]);
  console.log(report.summary.join('\n'));
  process.exitCode = report.broken === 0 ? 0 : 1;
}
