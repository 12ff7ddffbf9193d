/** A plan in a process that has the index open: without the compiler, and with it and its proof. */

import { createQuestion } from '../../src/index/navigate/question.ts';
import { findOneSubject } from '../../src/index/navigate/subject.ts';
import { isNotAnswered } from '../../src/index/view/not-answered.ts';
import type { CompilerJob, CompilerQuestion, CompilerUnavailable } from '../../src/mutate/compiler/session/messages.ts';
import { draftPlan } from '../../src/mutate/plan-change.ts';
import { planByIndex } from '../../src/mutate/rename/by-index/rename-by-index.ts';
import rename from '../../src/mutate/rename/rename.ts';
import type { MutationWorld } from '../../src/mutate/world.ts';
import { createTable, median, ms, time } from '../figures.ts';
import { command } from '../semantic/indexing.ts';
import { runProcess } from '../semantic/run-process.ts';
import type { RenameSubject } from './make-project.ts';
import { openWorlds, type Worlds } from './open-world.ts';
import { runCompiler } from './run-compiler.ts';

const quickRounds = 10;

export async function benchPlan(subject: RenameSubject, pairs: number): Promise<void> {
  const { root } = subject;
  await runProcess(process.execPath, [command, '-C', root, 'index', '--quiet', '--semantic'], root);
  const worlds = await openWorlds(root);
  try {
    const byIndex = await planWithoutCompiler(subject, worlds);
    const [proved, checked]: [number[], number[]] = [[], []];
    const steps: Steps = { open: [], rename: [], doubt: [], prove: [] };
    let says = '';
    for (let round = 0; round < pairs; round += 1) {
      checked.push(await runCompiler(root));
      proved.push(
        await time(async () => {
          says = await planWithProof(subject, await worlds.open(), steps);
        }),
      );
    }
    const table = createTable(`${subject.name}: plan of \`${subject.oldName}\`, ${byIndex.says}; ${says}`);
    table.add({
      measure: 'plan without the shadow proof, by the index, warm',
      ours: ms(byIndex.times),
      ...(subject.name === 'generated'
        ? { target: { says: '≤ 300 ms of 1 000 occurrences in 200 files', value: median(byIndex.times), most: 300 } }
        : {}),
    });
    const ratio = median(proved) / median(checked);
    table.add({
      measure: 'plan with the shadow proof, index at hand',
      ours: ms(proved),
      peer: `tsc --noEmit ${ms(checked)}`,
      ratio,
      target: { says: '≤ 1.5 ×', value: ratio, most: 1.5 },
    });
    const peer = `tsc --noEmit ${ms(checked)}`;
    const step = (measure: string, times: readonly number[]) =>
      table.add({ measure, ours: ms(times), peer, ratio: median(times) / median(checked) });
    step('… of that starting the compiler and opening the project', steps.open);
    step('… of that what the name means everywhere', steps.rename);
    // Where little is asked, the proof is found before: it waits for nothing.
    step('… of that the proof, where it is small, and what is left in doubt', steps.doubt);
    if (steps.prove.length > 0) step('… of that waiting for the proof', steps.prove);
  } finally {
    await worlds.close();
  }
}

async function planWithoutCompiler(
  { path, line, col, newName }: RenameSubject,
  worlds: Worlds,
): Promise<{ readonly times: readonly number[]; readonly says: string }> {
  const times: number[] = [];
  let says = '';
  const ask = async () => {
    const world = await worlds.open();
    const question = createQuestion(world.view, world);
    const found = await findOneSubject(question, { target: `${path}:${line}:${col}` });
    if (isNotAnswered(found)) throw new Error(found.message);
    const plan = await planByIndex({ question, subject: found.subject, newName, prove: false });
    const files = plan.kind === 'findings' ? new Set(plan.edits.map((edit) => edit.path)).size : 0;
    says =
      plan.kind === 'findings'
        ? `by the index ${plan.edits.length} edits in ${files} files, ${plan.items.length} questions`
        : `by the index ${plan.kind}: ${plan.detail}`;
  };
  // What is compiled once in a process is no part of a warm plan.
  await ask();
  await ask();
  for (let round = 0; round < quickRounds; round += 1) times.push(await time(ask));
  return { times, says };
}

type Steps = Record<'open' | 'rename' | 'doubt' | 'prove', number[]>;

async function planWithProof(
  { path, line, col, newName }: RenameSubject,
  world: MutationWorld,
  steps: Steps,
): Promise<string> {
  const drafted = await draftPlan({ ...world, openCompiler: timed(world.openCompiler, steps) }, rename, {
    target: `${path}:${line}:${col}`,
    new_name: newName,
    public_names: 'rename',
  });
  if (drafted.kind === 'answer') return `by the compiler ${JSON.stringify(drafted.answer.outcome).slice(0, 200)}`;
  const { provenance, notes, items } = drafted.draft;
  return `by the compiler ${provenance}, ${items.length} questions; ${notes.find((note) => note.startsWith('proven')) ?? ''}`;
}

function timed(openCompiler: MutationWorld['openCompiler'], steps: Steps): MutationWorld['openCompiler'] {
  return async (programs) => {
    const begun = performance.now();
    const job: CompilerJob | CompilerUnavailable = await openCompiler(programs);
    steps.open.push(performance.now() - begun);
    if (job.kind === 'unavailable') return job;
    const ask = async (question: CompilerQuestion) => {
      const asked = performance.now();
      const answer = await job.ask(question);
      steps[question.kind].push(performance.now() - asked);
      return answer;
    };
    return { ...job, ask: ask as CompilerJob['ask'] };
  };
}
