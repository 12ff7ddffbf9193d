/** One call from its words to its answer: an isolation edge, where a bug becomes an answer and nothing else of it gets out. */

import { findNearest, shown } from '../../kernel/base/text.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { visibleJson, visibleText } from '../../kernel/secrets/outgoing.ts';
import { whyRefused } from '../operations/answer-words.ts';
import { answerBytes, shrinkTo } from './answer-pages.ts';
import { sayAnswer } from './answer-text.ts';
import { failedOutcomes, invalidAnswer, problemAnswer } from './problem-answers.ts';
import { readArguments } from './read-arguments.ts';
import type { ToolAnswer, ToolWorld } from './tool.ts';
import { tools } from './tool-list.ts';
import { slimHeads } from './tool-wording.ts';

type CalledTool = {
  /** For the model. */
  readonly text: string;
  /** The same for a program. */
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
};

export async function callTool(
  name: string,
  given: unknown,
  open: () => Promise<ToolWorld>,
  onBug: (error: unknown) => void,
): Promise<CalledTool> {
  return send(await answerCall(name, given, open, onBug));
}

async function answerCall(
  name: string,
  given: unknown,
  open: () => Promise<ToolWorld>,
  onBug: (error: unknown) => void,
): Promise<ToolAnswer> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = tools.map((known) => known.name);
    const nearest = findNearest(name, names);
    const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
    return invalidAnswer(`'${shown(name, 80)}' is no tool${hint}; there are: ${names.join(', ')}`);
  }
  const input = readArguments(tool, given);
  if (typeof input === 'string') return invalidAnswer(input);
  try {
    const world = await open();
    const answer = await tool.run(input, world);
    return slimHeads('repo' in answer ? answer : { ...answer, repo: world.workspace.repo() });
  } catch (error) {
    if (error instanceof OutputRefused) return problemAnswer({ kind: 'refused', message: whyRefused(error) });
    onBug(error);
    const { name: kind } = error instanceof Error ? error : { name: 'error' };
    return {
      outcome: 'internal',
      message: `${tool.name} failed (${shown(kind, 80)}); this is a bug of codegenie, or the call was cancelled`,
      next: 'Call again once; if it fails again, tell the user.',
    };
  }
}

/** Every answer passes here, so that none is larger than the budget. */
function send(answer: ToolAnswer): CalledTool {
  const { said, ...fields } = answer;
  const { value, isCut } = shrinkTo(fields, answerBytes);
  const sent = value === null ? { outcome: answer.outcome, truncated: true, next: answer.next.slice(0, 500) } : value;
  const structured = isCut ? { ...sent, truncated: true } : sent;
  return {
    text: visibleText(sayAnswer(structured, said)),
    structured: JSON.parse(visibleJson(structured)) as Readonly<Record<string, unknown>>,
    isError: failedOutcomes.includes(answer.outcome),
  };
}
