/** How a command asks one operation: progress on stderr, then the answer as text or as one JSON document, then the ending. */

import { singleLine, stripControls } from '../kernel/base/text.ts';
import type { Freshness, Operation } from '../serve/operations/operation.ts';
import type { AskOptions } from '../serve/workspace.ts';
import type { Invocation } from './command.ts';
import type { Ending } from './exit-codes.ts';
import { createIndexProgress } from './index-progress.ts';
import { endWith, openForCommand, showConfigProblems } from './open-for-command.ts';

export async function runOperationCommand<I, O extends object>(
  invocation: Invocation,
  operation: Operation<I, O>,
  input: unknown,
  options: {
    readonly waitS?: number;
    /** Before it is shown. */
    readonly onAnswer?: (answer: O) => void;
  } & Pick<AskOptions, 'refresh' | 'onRefresh'> = {},
): Promise<Ending> {
  const { globals, terminal } = invocation;
  const opened = await openForCommand(invocation, undefined);
  if (opened.kind === 'ended') return opened.ending;
  const progress = createIndexProgress(terminal, globals);
  const outcome = await opened.workspace
    .ask(operation, input, { ...options, onProgress: progress.show, waitMs: (options.waitS ?? 60) * 1000 })
    .finally(progress.end);
  switch (outcome.kind) {
    case 'busy':
      return endWith(invocation, 'busy', singleLine(outcome.message));
    case 'refused':
      return endWith(invocation, 'output_refused', singleLine(outcome.message));
    case 'config_invalid':
      return showConfigProblems(invocation, outcome.problems);
    case 'not_answered': {
      const { message, candidates } = outcome.problem;
      if (globals.json) {
        terminal.stdout.write(`${JSON.stringify(outcome.problem)}\n`);
        return 'usage';
      }
      const list = candidates.map((candidate) => `\n  ${singleLine(candidate)}`).join('');
      return endWith(invocation, 'usage', `${singleLine(message)}${list}`);
    }
    case 'answered': {
      const { answer } = outcome;
      options.onAnswer?.(answer);
      terminal.stdout.write(
        globals.json ? `${JSON.stringify(answer)}\n` : `${stripControls(operation.render(answer))}\n`,
      );
      if (!globals.json && !globals.quiet && answer.freshness.state !== 'clean') {
        terminal.stderr.write(`${describeDirt(answer.freshness, outcome.view.unverified)}\n`);
      }
      return 'ok';
    }
  }
}

/** P1: an answer that the disk has overtaken says so, and says where. */
function describeDirt({ files, more }: Freshness, unverified: string | null): string {
  if (unverified !== null) return `note: ${singleLine(unverified)}`;
  const names = files.slice(0, 5).map((file) => `${singleLine(file.path)} (${file.state})`);
  const rest = files.length - names.length + more;
  return `note: not yet indexed as they are on disk: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
