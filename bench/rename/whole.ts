/** `codegenie rename` from process start, with everything it does, beside what others do from process start on the same project. */

import { join } from 'node:path';
import { forget } from '../build-program.ts';
import { createTable, median, ms } from '../figures.ts';
import { command } from '../semantic/indexing.ts';
import { runChild, runProcess } from '../semantic/run-process.ts';
import type { RenameAnswer, RenameAsk } from './language-service-child.ts';
import type { RenameSubject } from './make-project.ts';
import { runCompiler } from './run-compiler.ts';
import type { MorphAnswer } from './ts-morph-child.ts';

export async function benchWhole(subject: RenameSubject, pairs: number): Promise<void> {
  const { root, path, line, col, newName } = subject;
  const ask: RenameAsk = {
    config: join(root, 'tsconfig.json'),
    file: join(root, path),
    line: line - 1,
    column: col - 1,
    newName,
  };
  const args = [command, '-C', root, 'rename', `${path}:${line}:${col}`, newName, '--public-names', 'rename'];
  // A plan is an answer, and so is a question back.
  const rename = () => runProcess(process.execPath, [...args, '--quiet'], root, [0, 8]);
  const [ours, cold, theirs, checked]: [number[], number[], number[], number[]] = [[], [], [], []];
  const services: RenameAnswer[] = [];
  const morphs: MorphAnswer[] = [];
  for (let round = 0; round < pairs; round += 1) {
    checked.push(await runCompiler(root));
    services.push(await runChild<RenameAnswer>('../rename/language-service-child.ts', ask));
    theirs.push(services.at(-1)?.firstMs ?? 0);
    morphs.push(await runChild<MorphAnswer>('../rename/ts-morph-child.ts', ask));
    forget(root);
    cold.push((await rename()).ms);
    ours.push((await rename()).ms);
  }
  const [service] = services;
  const [morph] = morphs;
  const table = createTable(
    `${subject.name}: \`codegenie rename ${path}:${line}:${col} ${newName}\` from process start, with its proof; the language service finds ${service?.locations} places`,
  );
  const row = (measure: string, times: readonly number[], peer: string, others: readonly number[], most: number) => {
    const ratio = median(times) / median(others);
    table.add({
      measure,
      ours: ms(times),
      peer: `${peer} ${ms(others)}`,
      ratio,
      target: { says: most === 1 ? 'faster' : `≤ ${most} ×`, value: ratio, most },
    });
  };
  row('rename, index at hand', ours, 'tsc --noEmit', checked, 1.5);
  row('rename, index at hand', ours, `TypeScript ${service?.version} language service, rename`, theirs, 1);
  row('rename, no index yet', cold, `TypeScript ${service?.version} language service, rename`, theirs, 1);
  if (morph?.kind === 'renamed') {
    const renamed = morphs.flatMap((one) => (one.kind === 'renamed' ? one.firstMs : []));
    row('rename, index at hand', ours, `ts-morph (TypeScript ${morph.version}), rename, not saved`, renamed, 1);
  } else table.add({ measure: 'ts-morph', ours: '', peer: `not measured: ${morph?.why ?? 'it did not answer'}` });
}
