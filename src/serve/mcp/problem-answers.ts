/** What a tool answers when there is no answer: in the words the command line uses, with what to do about it. Never a stack trace. */

import type { NotAnswered } from '../../index/view/not-answered.ts';
import { shown } from '../../kernel/base/text.ts';
import type { ConfigInvalid } from '../workspace/workspace.ts';
import type { ToolAnswer } from './tool.ts';

type Failed =
  | { readonly kind: 'not_answered'; readonly problem: NotAnswered }
  | { readonly kind: 'busy' | 'refused'; readonly message: string }
  | ConfigInvalid;

/** `names`: fields of the tool by the name that the question gives them. */
export function problemAnswer(failed: Failed, names: Readonly<Record<string, string>> = {}): ToolAnswer {
  switch (failed.kind) {
    case 'not_answered':
      return notAnsweredAnswer(failed.problem, names);
    case 'busy':
      return { outcome: 'busy', message: failed.message, next: 'Call again in a few seconds; nothing was changed.' };
    case 'refused':
      return {
        outcome: 'output_refused',
        message: failed.message,
        next: 'Tell the user what is in the way, then call again.',
      };
    case 'config_invalid':
      return {
        outcome: 'config_invalid',
        message: failed.problems.map(({ file, message }) => `${file}: ${message}`).join('; '),
        next: 'Correct the named configuration file, then call again.',
      };
  }
}

export function invalidAnswer(message: string, candidates: readonly string[] = []): ToolAnswer {
  return notAnsweredAnswer({ outcome: 'invalid', message, candidates }, {});
}

const afterwards: Readonly<Record<NotAnswered['outcome'], string>> = {
  ambiguous: 'Call again with the candidate you mean.',
  not_found: 'Look for the right name with the tools symbols or search, then call again.',
  invalid: 'Correct the field that the message names, then call again.',
};

function notAnsweredAnswer(
  { outcome, message, candidates }: NotAnswered,
  names: Readonly<Record<string, string>>,
): ToolAnswer {
  const next =
    outcome !== 'ambiguous' && candidates.length > 0
      ? 'Call again with one of the candidates, if one is meant.'
      : afterwards[outcome];
  return {
    outcome,
    message: renameField(sayIssue(shown(message, 1_000)), names).replace(
      / near it are$/,
      ' near it are the candidates',
    ),
    candidates: [...candidates],
    next,
  };
}

/** zod's words for a person. */
export function sayIssue(message: string): string {
  return message.replace(/Invalid input: expected/, 'expected');
}

/** `path: …` or `deps: path: …`, where the tool calls it `target`. */
function renameField(message: string, names: Readonly<Record<string, string>>): string {
  return message.replace(/^((?:[a-z_]+: )?)([a-z_]+): /, (whole, asked: string, field: string) =>
    Object.hasOwn(names, field) ? `${asked}${names[field]}: ` : whole,
  );
}

/** Outcomes that a client should show as failures of the call. */
export const failedOutcomes: readonly unknown[] = ['invalid', 'busy', 'output_refused', 'config_invalid', 'internal'];
