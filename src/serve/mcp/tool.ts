/**
 * What an agent can call, defined once: a thin mapping of one name and one flat input onto questions and changes that are defined
 * elsewhere. A tool decides nothing: it renames fields, asks the façade, and says what to do next.
 */

import type { IndexProgress } from '../../index/sync/reconcile.ts';
import type { z } from '../../kernel/base/schema.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** One JSON object. Every one has an `outcome` and a `next`; `said` is what it says in lines, for the text, and is not sent besides. */
export type ToolAnswer = {
  readonly outcome: unknown;
  readonly next: string;
  readonly said?: string | undefined;
  readonly [field: string]: unknown;
};

export type ToolWorld = {
  readonly workspace: Workspace;
  /** One line for the caller who waits. */
  readonly onStep: (says: string) => void;
};

export type ToolInput = Readonly<Record<string, unknown>>;

export type Tool = {
  readonly name: string;
  /** For the model: when to call it instead of a text tool, and what each outcome asks for. */
  readonly says: string;
  readonly input: z.ZodObject;
  /** Fields that are taken and not listed: other names, and what need not be said any more. */
  readonly unlisted?: readonly string[];
  /** Objects that few calls need: listed with what is said of them, and without their fields. */
  readonly brief?: readonly string[];
  /** False for the one tool that may write to the user's files. */
  readonly readsOnly: boolean;
  readonly run: (input: ToolInput, world: ToolWorld) => Promise<ToolAnswer>;
};

export function defineTool(tool: Tool): Tool {
  return tool;
}

/** The fields of an operation or a change, whose input is always an object. */
export function fieldsOf<K extends string>(
  asked: { readonly input: z.ZodType },
  names: readonly K[],
): Readonly<Record<K, z.ZodType>> {
  const { shape } = asked.input as z.ZodObject;
  return Object.fromEntries(names.map((name) => [name, shape[name] as z.ZodType])) as Readonly<Record<K, z.ZodType>>;
}

/** A field that belongs to some of what a tool can be asked: which of them need it is for them to say. */
export function loose(field: z.ZodType): z.ZodType {
  const { innerType } = field._zod.def as { readonly innerType?: z.ZodType };
  const { type } = field._zod.def;
  return type === 'default' && innerType !== undefined ? innerType.optional() : field.optional();
}

export function indexingStep({ step, done, total }: IndexProgress): string {
  return `indexing: ${step} ${done} of ${total}`;
}

/** A candidate of an earlier answer, as it was given: `path:line:col function name` means its place. */
export function readTarget(target: unknown): unknown {
  return typeof target === 'string' && target.length < 4_096
    ? target.replace(/^(\S.*?:\d+:\d+)\s+[a-z_]+\s\S.*$/s, '$1')
    : target;
}
