/** Renames that are planned and proved at a daemon's socket, whose compiler is kept: after one of something else, and under other names again. */

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { measureTree } from '../../src/kernel/base/processes.ts';
import { forget, stateOf } from '../build-program.ts';
import { createTable, mb, median, ms } from '../figures.ts';
import { command } from '../semantic/indexing.ts';
import { runChild, runProcess } from '../semantic/run-process.ts';
import type { RenameAnswer, RenameAsk } from './language-service-child.ts';
import type { RenameSubject } from './make-project.ts';
import { runCompiler } from './run-compiler.ts';

type Place = Pick<RenameSubject, 'path' | 'line' | 'col' | 'oldName'>;

type Asked = { readonly ms: number; readonly processorMs: number; readonly rssMb: number };

export async function benchDaemon(
  subject: RenameSubject,
  others: { readonly before: Place | undefined; readonly worst: readonly Place[] },
  pairs: number,
): Promise<void> {
  const { root, path, line, col } = subject;
  const run = (...args: string[]) => runProcess(process.execPath, [command, '-C', root, ...args, '--quiet'], root);
  forget(root);
  await run('index');
  await run('daemon', 'start', '--syntactic-only');
  try {
    const { socket, pid } = JSON.parse(readFileSync(join(stateOf(root), 'run/writer.json'), 'utf8')) as {
      readonly socket: string;
      readonly pid: number;
    };
    let names = 0;
    const rename = async (place: Place): Promise<Asked> => {
      names += 1;
      const began = performance.now();
      const before = measureTree(pid).ticks;
      const body = { target: `${place.path}:${place.line}:${place.col}`, new_name: `${place.oldName}Next${names}` };
      // A proof that takes long goes on, and the same request waits for it again.
      let answer = '';
      do answer = await ask(socket, { ...body, public_names: 'rename' });
      while (answer.includes('"proof_running"'));
      if (!answer.includes('"proven"')) throw new Error(`${place.oldName} was not proved: ${answer.slice(0, 300)}`);
      const took = performance.now() - began;
      const { ticks, residentBytes } = measureTree(pid);
      return { ms: took, processorMs: (ticks - before) * 10, rssMb: residentBytes / 1024 ** 2 };
    };
    const first = await rename(others.before ?? subject);
    const after = others.before === undefined ? [] : [await rename(subject)];
    const service: RenameAsk = {
      config: join(root, 'tsconfig.json'),
      file: join(root, path),
      line: line - 1,
      column: col - 1,
      newName: subject.newName,
    };
    const services: RenameAnswer[] = [];
    const again: Asked[] = [];
    for (let round = 0; round < pairs; round += 1) {
      services.push(await runChild<RenameAnswer>('../rename/language-service-child.ts', service));
      again.push(await rename(subject));
    }
    const table = createTable(`${subject.name}: a rename at the socket of a daemon, planned and proved`);
    const row = (measure: string, asked: readonly Asked[], peer: readonly RenameAnswer[]) => {
      const [ours, theirs] = [asked.map((one) => one.ms), peer.map((one) => one.firstMs)];
      const ratio = median(ours) / median(theirs);
      const used = median(asked.map((one) => one.processorMs)) / median(peer.map((one) => one.processorMs));
      table.add({
        measure: `${measure}; ${mb(asked.map((one) => one.rssMb))} with its compilers`,
        ours: ms(ours),
        peer: `language service, cold, unproven ${ms(theirs)}; ours ÷ its processor time ${used.toFixed(2)}`,
        ratio,
        target: { says: '≤ 0.4 ×', value: ratio, most: 0.4 },
      });
    };
    table.add({
      measure: `the first, of ${others.before?.oldName ?? subject.oldName}, compiler cold`,
      ours: ms([first.ms]),
    });
    if (after.length > 0) row(`\`${subject.oldName}\`, the second`, after, services);
    row(`\`${subject.oldName}\`, again under another name`, again, services);
    for (const place of others.worst) {
      const [checked, warm]: [number[], Asked[]] = [[], []];
      const cold = await rename(place);
      for (let round = 0; round < pairs; round += 1) {
        checked.push(await runCompiler(root));
        warm.push(await rename(place));
      }
      const ratio = median(warm.map((one) => one.ms)) / median(checked);
      table.add({
        measure: `\`${place.oldName}\`, again under another name (the first time ${ms([cold.ms])}); ${mb(warm.map((one) => one.rssMb))}`,
        ours: ms(warm.map((one) => one.ms)),
        peer: `tsc --noEmit ${ms(checked)}`,
        ratio,
        target: { says: '≤ 1 ×', value: ratio, most: 1 },
      });
    }
  } finally {
    await run('daemon', 'stop');
  }
}

function ask(socketPath: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request({ socketPath, path: '/v1/renames', method: 'POST', headers });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.end(JSON.stringify(body));
  });
}
