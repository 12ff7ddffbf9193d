// Renames of random symbols of a real project, there and back, each held against another compiler. Works on a copy.
//   npm run fuzz -- <dir> [--count 200] [--wide 15] [--seed 1] [--tsc each|together|never] [--back 1] [--only 3,17,40-99] [--out <file>] [--minutes 30]
// The same seed picks the same symbols and names. A failure ends the run with 1.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reportFuzz, sayTried } from './fuzz/report-fuzz.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import type { Tried } from './fuzz/try-rename.ts';

/** `3,17,40-99` */
function readNumbers(text: string): ReadonlySet<number> {
  return new Set(
    text.split(',').flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    }),
  );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    wide: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    tsc: { type: 'string', default: 'each' },
    back: { type: 'string', default: '1' },
    only: { type: 'string' },
    out: { type: 'string' },
    minutes: { type: 'string', default: '600' },
  },
});
const [source] = positionals;
if (source === undefined) throw new Error('name the directory of a project');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-fuzz-')));
const root = join(base, 'tree');
const stateDir = join(base, 'data');
try {
  cpSync(resolve(source), root, { recursive: true, verbatimSymlinks: true });
  mkdirSync(stateDir, { mode: 0o700 });
  const lines: string[] = [];
  const endMs = Date.now() + Number(values.minutes) * 60_000;
  const run = await runFuzz({
    root,
    stateDir,
    count: Number(values.count),
    wide: Number(values.wide),
    seed: Number(values.seed),
    tsc: values.tsc as 'each' | 'together' | 'never',
    backShare: Number(values.back),
    only: values.only === undefined ? undefined : readNumbers(values.only),
    until: () => Date.now() > endMs,
    onTried(tried: Tried, number: number) {
      const { edits, ...rest } = tried;
      lines.push(`${JSON.stringify({ number, edits: edits.length, ...rest })}\n`);
      if (values.out !== undefined) writeFileSync(values.out, lines.join(''));
      console.log(sayTried(tried, number));
    },
  });
  const report = reportFuzz(run);
  console.log(report.lines.join('\n'));
  process.exitCode = report.failed ? 1 : 0;
} finally {
  rmSync(base, { recursive: true, force: true });
}
