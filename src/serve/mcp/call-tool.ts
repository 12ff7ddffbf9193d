/** One call from its words to its answer: an isolation edge, where a bug becomes an answer and nothing else of it gets out. */

import { isJsonObject } from '../../kernel/base/json.ts';
import type { z } from '../../kernel/base/schema.ts';
import { findNearest, shown } from '../../kernel/base/text.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { visibleJson } from '../../kernel/secrets/outgoing.ts';
import { whyRefused } from '../operations/answer-words.ts';
import { answerBytes, shrinkTo } from './answer-pages.ts';
import { failedOutcomes, invalidAnswer, problemAnswer, sayIssue } from './problem-answers.ts';
import type { Tool, ToolAnswer, ToolInput, ToolWorld } from './tool.ts';
import { tools } from './tool-list.ts';
import { slimHeads } from './tool-wording.ts';

type CalledTool = { readonly text: string; readonly isError: boolean };

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

/** What was given, or what is wrong with it. An unknown field is most likely the one that is missing. */
function readArguments({ name, input }: Tool, given: unknown): ToolInput | string {
  const read = input.safeParse(coerceInput(input, given));
  if (read.success) return read.data;
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const field = issue?.path.join('.') ?? '';
  return `${name}: ${field === '' ? '' : `${field}: `}${sayIssue(issue?.message ?? 'not understood')}`;
}

/** Every answer passes here, so that none is larger than the budget. */
function send(answer: ToolAnswer): CalledTool {
  const { value, isCut } = shrinkTo(answer, answerBytes);
  const sent = value === null ? { outcome: answer.outcome, truncated: true, next: answer.next.slice(0, 500) } : value;
  return {
    text: visibleJson(isCut ? { ...sent, truncated: true } : sent),
    isError: failedOutcomes.includes(answer.outcome),
  };
}

/**
 * Inputs as models write them: a number as a string, one string for a list, an object as its JSON, `null` for nothing, a place as an
 * object. What could mean only one thing is read as that; everything else is left as it is, for the schema to refuse by name.
 */
export function coerceInput(schema: z.ZodObject, given: unknown): unknown {
  return coerce(schema, given ?? {});
}

function coerce(field: z.ZodType, value: unknown): unknown {
  const schema = unwrap(field);
  const def = schema._zod.def as {
    readonly type: string;
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly element?: z.ZodType;
    readonly entries?: Readonly<Record<string, string>>;
  };
  switch (def.type) {
    case 'object': {
      const object = isText(value, '{') ? parsed(value) : value;
      return isJsonObject(object) && def.shape !== undefined ? coerceFields(def.shape, object) : object;
    }
    case 'array': {
      const list = isText(value, '[') ? parsed(value) : value;
      const items: readonly unknown[] = Array.isArray(list) ? list : [list];
      return def.element === undefined ? items : items.map((item) => coerce(def.element as z.ZodType, item));
    }
    case 'record':
      return isText(value, '{') ? parsed(value) : value;
    case 'number':
      return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'enum':
      return typeof value === 'string' ? nameAmong(Object.values(def.entries ?? {}), value) : value;
    case 'string':
      return typeof value === 'number' ? String(value) : (placeText(value) ?? value);
    default:
      return value;
  }
}

function coerceFields(
  shape: Readonly<Record<string, z.ZodType>>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    // Models write null for a field they leave out.
    if (value === null || value === undefined) continue;
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    fields.push([name, field === undefined ? value : coerce(field, value)]);
  }
  return Object.fromEntries(fields);
}

/** `{path, line, col}` as `path:line:col`. */
function placeText(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path = value['file'], line, col = value['column'] } = value;
  if (typeof path !== 'string') return undefined;
  const whole = (part: unknown) => (/^\d{1,9}$/.test(String(part)) ? `:${String(part)}` : undefined);
  const [atLine, atCol] = [line === undefined ? '' : whole(line), col === undefined ? '' : whole(col)];
  if (atLine === undefined || atCol === undefined || (atLine === '' && atCol !== '')) return undefined;
  return `${path}${atLine}${atCol}`;
}

/** `Def_Use` for `def-use`. */
function nameAmong(known: readonly string[], given: string): string {
  const plain = (text: string) => text.trim().toLowerCase().replaceAll('_', '-');
  return known.find((name) => name === given) ?? known.find((name) => plain(name) === plain(given)) ?? given;
}

function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = schema._zod.def as { readonly innerType?: z.ZodType };
  return innerType === undefined ? schema : unwrap(innerType);
}

function isText(value: unknown, begins: string): value is string {
  return typeof value === 'string' && value.trimStart().startsWith(begins);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
