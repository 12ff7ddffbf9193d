/**
 * The compiler job (mutation.md §3.1): a process of its own that opens programs and answers questions, one JSON line each, over its
 * standard streams. The first line says what to open. It ends when its input does, and what it started ends with it. What the first
 * questions need is loaded while they are on their way: the user waits for the first answer.
 */

import { setUnsavedTexts, unsavedTexts } from '../../../kernel/tree/unsaved-texts.ts';
import type { JobLine, JobReply } from '../session/messages.ts';
import type { Programs } from './job-types.ts';

let programs: Programs | undefined;
/** Of a line that has not ended yet; joined once, because a question can be long. */
let pending: string[] = [];
let turn: Promise<void> = Promise.resolve();

void import('./programs.ts')
  .then(() => import('../rename/answer-rename.ts'))
  .catch(() => {
    // The question that needs it meets the same error, and reports it.
  });

process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const [rest = '', ...more] = chunk.split('\n');
  pending.push(rest);
  for (const next of more) {
    const line = pending.join('');
    pending = [next];
    turn = turn.then(() => answerLine(line));
  }
});
process.stdin.on('end', () => {
  turn = turn.then(() => {
    programs?.close();
    process.exit(0);
  });
});

/** Of what stays, or undefined when it has ended: whatever is wrong with it, a new compiler does not have. */
function renewOr(
  before: Programs,
  { root, programs: specs }: Extract<JobLine, { kind: 'open' }>,
): Programs | undefined {
  let renewed: Programs | undefined;
  try {
    renewed = before.root === root ? before.renew(specs) : undefined;
  } catch {
    // A compiler that was ended, or a file that came and went while it looked.
  }
  if (renewed === undefined) before.close();
  return renewed;
}

async function answerLine(line: string): Promise<void> {
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}

/** An error here is a bug, here or in the compiler: the session is told, and may ask something else. */
async function answer(line: string): Promise<JobReply> {
  try {
    return await answerQuestion(JSON.parse(line) as JobLine);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'failed', detail: detail.slice(0, 2_000) };
  }
}

async function answerQuestion(line: JobLine): Promise<JobReply> {
  if (line.kind === 'open') {
    const { openPrograms } = await import('./programs.ts');
    const before = programs;
    programs = undefined;
    const unsaved = Object.entries(line.unsaved ?? {});
    // What stays is compared with the disk, which says nothing of buffers.
    const isOfDisk = unsaved.length === 0 && unsavedTexts(line.root).size === 0;
    setUnsavedTexts(line.root, new Map(unsaved.map(([path, text]) => [path, Buffer.from(text)])));
    if (!isOfDisk) before?.close();
    programs =
      (isOfDisk && before && renewOr(before, line)) || openPrograms(line.root, line.programs, { stays: line.stays });
    return { kind: 'opened', programs: programs.open.map(({ key, files }) => ({ key, files: files.length })) };
  }
  if (programs === undefined) return { kind: 'failed', detail: 'nothing is open' };
  switch (line.kind) {
    case 'rename': {
      const { answerRename } = await import('../rename/answer-rename.ts');
      return answerRename(programs, line);
    }
    case 'doubt': {
      const { answerDoubts } = await import('../rename/answer-rename.ts');
      return answerDoubts(programs, line);
    }
    case 'prove': {
      const { prove } = await import('../proof/prove.ts');
      return prove(programs, line);
    }
  }
}
