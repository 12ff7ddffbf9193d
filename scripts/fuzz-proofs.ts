// npm run fuzz -- proofs <dir> [--config <tsconfig>] [--count n] [--seed n]
// Renames of random members of a real project, each proved twice: with every argument that spares questions, and without any (decision
// 0018). The two must say the same. New names are free, near to the old one, or taken. Without a configuration all code is one program.

import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPrograms } from '../src/mutate/compiler/job/programs.ts';
import { prove } from '../src/mutate/compiler/proof/prove.ts';
import { answerRename } from '../src/mutate/compiler/rename/answer-rename.ts';
import { type ProgramSpec, proofQuestion } from '../src/mutate/compiler/session/messages.ts';
import { pickChanges } from './fuzz/pick-changes.ts';
import { createRandom } from './fuzz/random.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const root = realpathSync(positionals[0] ?? '.');
const random = createRandom(Number(values.seed));
const listed = execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8' }).split('\n');
const files = listed.filter((path) => /\.[cm]?[jt]sx?$/.test(path));
const spec: ProgramSpec =
  values.config === undefined ? { key: 'loose', config: null, files } : { key: 'config', config: values.config };
const programs = openPrograms(root, [spec]);
const kinds = ['public member', 'interface property', 'private member'] as const;
const picked = pickChanges({ root, within: [], kinds, count: Number(values.count), random });
const names = picked.map(({ name }) => name);
const counts = { same: 0, shorter: 0, refused: 0, differs: 0 };
for (const [at, { path, line, col, name }] of picked.entries()) {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const offset = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + col - 1;
  const [other = name] = [names[(at * 7 + 3) % names.length]];
  const newName = [`${name}Renamed`, `${name}s`, other, `${name.slice(0, -1)}X`][at % 4] ?? name;
  const ask = { path, offset, newName, aliasPolicy: 'through', publicNames: 'rename', census: [] } as const;
  const found = answerRename(programs, { kind: 'rename', ...ask });
  if (found.kind !== 'findings' || found.clashes.length > 0) {
    counts.refused += 1;
    continue;
  }
  const { reach, family, isMember, edits } = found;
  const question = proofQuestion({ oldName: name, newName, reach, family, isMember }, edits, []);
  const short = prove(programs, question);
  const full = prove(programs, question, { argues: false });
  const asked = [short, full].map((report) => (report.kind === 'proven' ? report.files : 0));
  const isSame = short.kind === full.kind;
  counts[isSame ? 'same' : 'differs'] += 1;
  if (isSame && (asked[0] ?? 0) < (asked[1] ?? 0)) counts.shorter += 1;
  const says = `${path}:${line}:${col} ${name} → ${newName}: ${short.kind} (${asked[0]} files), ${full.kind} (${asked[1]})`;
  console.log(isSame ? says : `DIFFERS ${says}\n${JSON.stringify(short)}\n${JSON.stringify(full)}`);
}
programs.close();
console.log(`${picked.length} picked: ${JSON.stringify(counts)}`);
process.exitCode = counts.differs === 0 ? 0 : 1;
