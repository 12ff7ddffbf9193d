/** One call from its words to its answer: an isolation edge, where a bug becomes an answer and nothing else of it gets out. */

import { findNearest } from '../../kernel/base/nearest.ts';
import { shown } from '../../kernel/base/words.ts';
import { answerBytes, shrinkTo } from './answer-budget.ts';
import { coerceInput } from './coerce-input.ts';
import { failedOutcomes, invalidAnswer, sayIssue } from './problem-answers.ts';
import { slimHeads } from './slim-answer.ts';
import type { Tool, ToolAnswer, ToolInput, ToolWorld } from './tool.ts';
import { tools } from './tools.ts';

export type CalledTool = { readonly text: string; readonly isError: boolean };

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
    onBug(error);
    const { name: kind } = error instanceof Error ? error : { name: 'error' };
    return {
      outcome: 'internal',
      message: `${tool.name} failed (${shown(kind, 80)}); this is a bug of codegenie, or the call was cancelled`,
      next: 'Call again once; if it fails again, tell the user.',
    };
  }
}

/** What was given, or what is wrong with it. A field nobody knows is most likely the one that is missing. */
function readArguments({ name, input }: Tool, given: unknown): ToolInput | string {
  const read = input.safeParse(coerceInput(input, given));
  if (read.success) return read.data;
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.path.join('.') ?? '';
  return `${name}: ${field === '' ? '' : `${field}: `}${sayIssue(issue?.message ?? 'not understood')}`;
}

/** Every answer passes here, so that none is larger than the budget whoever made it. */
function send(answer: ToolAnswer): CalledTool {
  const { value, isCut } = shrinkTo(answer, answerBytes);
  const sent = value === null ? { outcome: answer.outcome, truncated: true, next: answer.next.slice(0, 500) } : value;
  return {
    text: JSON.stringify(isCut ? { ...sent, truncated: true } : sent),
    isError: failedOutcomes.includes(answer.outcome),
  };
}
