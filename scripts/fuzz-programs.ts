// Renames of random names in random programs that run: what is applied must leave what the program prints.
//   npm run fuzz -- programs [--programs 30] [--renames 10] [--seed 1] [--minutes 600] [--out <file.jsonl>] [--verbose]
// `--out` gets every failure as a case that `npm run conformance -- behaviour <file.jsonl>` runs again. A failure ends the run with 1.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compareCodeUnits } from '../src/kernel/base/json.ts';
import { alignRows } from './conformance/report-renames.ts';
import { type ProgramTry, runPrograms } from './fuzz/run-programs.ts';

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '30' },
    renames: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    out: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const endMs = Date.now() + Number(values.minutes) * 60_000;
const leftOut: number[] = [];
const tried = await runPrograms({
  programs: Number(values.programs),
  renames: Number(values.renames),
  seed: Number(values.seed),
  until: () => Date.now() > endMs,
  onTried(one) {
    if (values.verbose || one.failure !== undefined) console.log(describe(one));
  },
  onLeftOut: (seed) => leftOut.push(seed),
});
const failed = tried.filter(({ failure }) => failure !== undefined);
if (values.out !== undefined)
  writeFileSync(values.out, failed.map(({ asCase }) => `${JSON.stringify(asCase)}\n`).join(''));
const rows = [...Map.groupBy(tried, kindOf)]
  .sort(([a], [b]) => compareCodeUnits(a, b))
  .map(([kind, ones]) => {
    const applied = ones.filter(({ outcome }) => outcome === 'applied').length;
    const wrong = ones.filter(({ failure }) => failure !== undefined).length;
    return [
      kind,
      String(ones.length),
      String(applied),
      `${Math.round((100 * applied) / ones.length)} %`,
      String(wrong),
    ];
  });
console.log(alignRows([['', 'renames', 'applied', '', 'wrong'], ...rows]).join('\n'));
if (leftOut.length > 0) console.log(`left out, because they fail unchanged: ${leftOut.join(', ')}`);
console.log(`${tried.length} renames, ${failed.length} wrong`);
process.exitCode = failed.length === 0 ? 0 : 1;

function kindOf({ looseShare, place }: ProgramTry): string {
  const what = /^\p{Lu}/u.test(place.name)
    ? 'types'
    : /^run\d/.test(place.name)
      ? 'functions'
      : 'members, locals, helpers';
  return `${looseShare === 0 ? 'typed throughout' : 'with holes'}: ${what}`;
}

function describe({ seed, place, newName, outcome, reason, failure }: ProgramTry): string {
  const { path, line, col, name } = place;
  const why = [reason, failure].filter((text) => text !== undefined && text !== '').join('\n    ');
  return `${failure === undefined ? outcome : 'WRONG'} ${seed} ${path}:${line}:${col} ${name} → ${newName}${why === '' ? '' : `\n    ${why}`}`;
}
