/** The JSON Schema of what an operation answers, heads included: what `--json` prints when the outcome is `ok`. */

import type { JsonObject } from '../kernel/base/json.ts';
import { z } from '../kernel/base/schema.ts';
import { changeHeads, heads } from './answer-heads.ts';
import { describe } from './section-schemas.ts';

const ANSWER_VERSION = '1.0.0';

export type DescribedOperation = {
  readonly name: string;
  readonly says: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
};

export function answerSchemaName(operation: string): string {
  return `operation-${operation}`;
}

export function answerSchemaOf({ name, says, output }: DescribedOperation): JsonObject {
  return describe(answerSchemaName(name), ANSWER_VERSION, says, z.intersection(heads, output));
}

export function mutationSchemaName(mutation: string): string {
  return `change-${mutation.replaceAll('_', '-')}`;
}

export function mutationSchemaOf({ name, says, output }: DescribedOperation): JsonObject {
  return describe(mutationSchemaName(name), ANSWER_VERSION, says, z.intersection(changeHeads, output));
}

/** The same of an answer about a change. */
export function parseChange(mutation: Pick<DescribedOperation, 'output'>, answer: unknown): unknown {
  return { ...(changeHeads.parse(answer) as object), ...(mutation.output.parse(answer) as object) };
}

/** Checks an answer whole: its heads and its body. */
export function parseAnswer(operation: Pick<DescribedOperation, 'output'>, answer: unknown): unknown {
  return { ...(heads.parse(answer) as object), ...(operation.output.parse(answer) as object) };
}
