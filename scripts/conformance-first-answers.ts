// The same questions before, while and after the indexers run, of real projects.
//   npm run conformance -- first-answers [<directory> …] [--questions <n>]
// Without a directory: two packages that ship their sources, fetched once. A violation, which fails the run: an answer that says `eq` or zero and
// is not what the whole index says; and, where a program asks the compiler itself, any other answer than that of the whole index.

import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { cachePackage, commitTree } from '../bench/real-corpus.ts';
import { compareFirstAnswers, phases } from './conformance/first-answers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { questions: { type: 'string', default: '200' } },
});
const packages = ['rxjs@7.8.2', '@reduxjs/toolkit@2.14.0'];
let wrong = 0;
const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-first-')));
try {
  const roots = positionals.length > 0 ? positionals.map((path) => realpathSync(path)) : packages.map(copyPackage);
  for (const root of roots) {
    const makeStateDir = () => mkdtempSync(join(base, 'store-'));
    const found = await compareFirstAnswers(
      root,
      makeStateDir,
      Number(values.questions),
      existsSync(join(root, '.git')),
    );
    console.log(`${basename(root)}: ${found.questions} questions, ${found.contexts} contexts`);
    for (const phase of phases) {
      const { asked, exact, partial, unknown, whole, wrong: bad } = found.phases[phase];
      console.log(
        `  ${phase.padEnd(8)} ${asked} asked: ${exact} eq, ${partial} lower bounds, ${unknown} not known; ${whole} with the places of the whole index; ${bad} wrong`,
      );
    }
    for (const line of found.wrong) console.log(`  wrong ${line}`);
    wrong += found.wrong.length;
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

function copyPackage(name: string): string {
  const root = join(base, name.replaceAll('/', '+'));
  cpSync(cachePackage(name), root, { recursive: true });
  commitTree(root);
  return root;
}
