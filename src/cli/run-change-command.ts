/** How a command asks for a change: progress on stderr, then the answer as text or as one JSON document, then the ending. */

import { singleLine, stripControls } from '../kernel/base/text.ts';
import type { OutcomeKind } from '../mutate/vocabulary.ts';
import { type AnyAnswer, type Mutation, outcomeKindOf } from '../serve/mutations/mutation.ts';
import type { ChangeOutcome, Workspace } from '../serve/workspace.ts';
import type { Invocation } from './command.ts';
import type { Ending } from './exit-codes.ts';
import { createIndexProgress } from './index-progress.ts';
import { endWith, openForCommand, showConfigProblems } from './open-for-command.ts';
import { createStepProgress } from './step-progress.ts';

type Options = { readonly waitS?: number | undefined };

const defaultWaitS = 10;

export async function runChangeCommand<I, O extends AnyAnswer>(
  invocation: Invocation,
  mutation: Mutation<I, O>,
  input: unknown,
  options: Options = {},
): Promise<Ending> {
  const opened = await openForCommand(invocation, undefined);
  if (opened.kind === 'ended') return opened.ending;
  return endChange(invocation, mutation, await askChange(invocation, opened.workspace, mutation, input, options));
}

export async function askChange<I, O extends AnyAnswer>(
  { globals, terminal }: Invocation,
  workspace: Workspace,
  mutation: Mutation<I, O>,
  input: unknown,
  { waitS = defaultWaitS }: Options = {},
): Promise<ChangeOutcome<O>> {
  const files = createIndexProgress(terminal, globals);
  const steps = createStepProgress(terminal, globals);
  const end = () => {
    files.end();
    steps.end();
  };
  const onStep = (says: string) => {
    files.end();
    steps.show(says);
  };
  return workspace.change(mutation, input, { onProgress: files.show, onStep, waitMs: waitS * 1000 }).finally(end);
}

export function endChange<I, O extends AnyAnswer>(
  invocation: Invocation,
  mutation: Mutation<I, O>,
  outcome: ChangeOutcome<O>,
): Ending {
  const { globals, terminal } = invocation;
  switch (outcome.kind) {
    case 'busy':
      return endWith(invocation, 'busy', singleLine(outcome.message));
    case 'refused':
      return endWith(invocation, 'output_refused', singleLine(outcome.message));
    case 'config_invalid':
      return showConfigProblems(invocation, outcome.problems);
    case 'not_answered': {
      if (!globals.json) return endWith(invocation, 'usage', singleLine(outcome.problem.message));
      terminal.stdout.write(`${JSON.stringify(outcome.problem)}\n`);
      return 'usage';
    }
    case 'answered': {
      const { answer, look } = outcome;
      const text = globals.json
        ? JSON.stringify(answer)
        : paint(stripControls(mutation.render(answer, look)), invocation);
      terminal.stdout.write(`${text}\n`);
      if (invocation.flags['apply'] === true && isOnlyPlanned(answer)) {
        // Whoever asked to write goes on with what comes next only if it was written.
        if (globals.json) return 'needs_decision';
        return endWith(invocation, 'needs_decision', 'nothing was written: only what is proven is applied at once');
      }
      return endings[outcomeKindOf(answer)];
    }
  }
}

function isOnlyPlanned(answer: AnyAnswer): boolean {
  const { outcome } = answer;
  return typeof outcome === 'object' && 'state' in outcome && outcome.state === 'planned';
}

const endings: Readonly<Record<OutcomeKind, Ending>> = {
  ok: 'ok',
  ok_syntactic: 'ok',
  blocked: 'blocked',
  needs_decision: 'needs_decision',
  refused: 'refused',
  unsupported: 'unsupported',
};

/** Lines that go and lines that come, told apart at a glance. */
function paint(text: string, { globals, terminal }: Invocation): string {
  const colors = globals.color && terminal.stdout.isTTY === true && terminal.environment['NO_COLOR'] === undefined;
  if (!colors) return text;
  return text
    .replace(/^ +(?:\d+ )?- .*$/gm, (line) => `\x1b[31m${line}\x1b[39m`)
    .replace(/^ +\+ .*$/gm, (line) => `\x1b[32m${line}\x1b[39m`);
}
