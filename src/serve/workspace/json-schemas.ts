/**
 * The JSON Schema of every section, of the whole context, of the configuration and of every answer: what `codegenie schema` prints and
 * `schemas/` holds. Made from the zod schemas that each is validated with, so it cannot promise something else than is checked.
 */

import { type ConfigKey, configKeys } from '../../gather/config.ts';
import type { Probe } from '../../gather/contract.ts';
import { ENVELOPE_VERSION, envelopeSchema } from '../../gather/publish/envelope.ts';
import { compareCodeUnits, type JsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';
import { toolNames } from '../../kernel/exec/tools.ts';
import { probes } from '../../probes/registry.gen.ts';
import { changeHeads, heads } from '../operations/operation.ts';

const ENVELOPE = 'envelope';
const CONFIG = 'config';

/** Every section path, sorted, `envelope` and `config`. */
export function schemaNames(): readonly string[] {
  return [...probes.flatMap((probe) => Object.keys(probe.sections)).sort(compareCodeUnits), ENVELOPE, CONFIG];
}

export function schemaOf(name: string): JsonObject | undefined {
  if (name === ENVELOPE) return describe(name, ENVELOPE_VERSION, 'The whole context', envelopeSchema(probes));
  if (name === CONFIG) return configSchema();
  const owner = probes.find((probe) => Object.hasOwn(probe.sections, name));
  return owner === undefined ? undefined : sectionSchema(owner, name);
}

function sectionSchema(owner: Probe, path: string): JsonObject {
  const version = owner.sectionVersions[path] as string;
  return describe(path, version, `${owner.says} (probe ${owner.name})`, owner.sections[path] as z.ZodType);
}

/** A schema as a document of its own. */
function describe(name: string, version: string, description: string, schema: z.ZodType): JsonObject {
  const { $schema, ...body } = z.toJSONSchema(schema, { target: 'draft-2020-12', override: dropSafeIntegerBounds });
  const $id = `https://codegenie.dev/schemas/${name}/${version}.json`;
  // What zod hangs on the object besides JSON (`~standard`) is not enumerable JSON and goes with the round trip.
  return JSON.parse(JSON.stringify({ $schema, $id, title: name, description, ...body })) as JsonObject;
}

/** zod writes the range of exact integers into every integer; it says nothing about the field. */
function dropSafeIntegerBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const CONFIG_VERSION = '1.0.0';

/** Of both files. Where one key has several ways to be written (nested, with dots, or half and half), all of them are there. */
function configSchema(): JsonObject {
  const tool = (says: string): JsonObject => ({ type: 'string', minLength: 1, description: says });
  const says = 'absolute path of the program (only in ~/.codegenie/config.yaml)';
  const nested = { ...strictly({ path: tool(says) }), required: ['path'] };
  const { properties, ...rest } = keysBelow('');
  const tools = Object.fromEntries(
    toolNames.flatMap((name) => [
      [name, nested],
      [`${name}.path`, tool(says)],
    ]),
  );
  const dotted = Object.fromEntries(Object.entries(tools).map(([name, schema]) => [`tools.${name}`, schema]));
  const $schema = { type: 'string', description: 'where this schema is, for editors; codegenie does not read it' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://codegenie.dev/schemas/${CONFIG}/${CONFIG_VERSION}.json`,
    title: 'codegenie configuration',
    description: 'Keys of ~/.codegenie/config.yaml and of .codegenie/config.yaml of a repository',
    ...rest,
    properties: { $schema, ...(properties as JsonObject), tools: strictly(tools), ...dotted },
  };
}

function strictly(properties: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: false, properties };
}

function keysBelow(prefix: string): JsonObject {
  const names = Object.keys(configKeys).filter((name) => name.startsWith(prefix) && name !== 'tools.paths');
  const properties = names.flatMap((name): [string, JsonObject][] => {
    const rest = name.slice(prefix.length);
    const ends = [...rest].flatMap((letter, at) => (letter === '.' ? [at] : []));
    const groups = ends.map((at): [string, JsonObject] => [
      rest.slice(0, at),
      keysBelow(`${prefix}${rest.slice(0, at)}.`),
    ]);
    return [...groups, [rest, keySchema(name as ConfigKey)]];
  });
  return strictly(Object.fromEntries(properties));
}

function keySchema(name: ConfigKey): JsonObject {
  const { schema, says, userOnly, default: fallback } = configKeys[name];
  const { $schema: _, ...body } = z.toJSONSchema(schema, { target: 'draft-2020-12', override: dropSafeIntegerBounds });
  const description = userOnly ? `${says} (only in ~/.codegenie/config.yaml)` : says;
  return JSON.parse(JSON.stringify({ description, default: fallback, ...body })) as JsonObject;
}

const ANSWER_VERSION = '1.0.0';

export type DescribedOperation = {
  readonly name: string;
  readonly says: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
};

/** The JSON Schema of what an operation answers, heads included: what `--json` prints when the outcome is `ok`. */
export function answerSchemaName(operation: string): string {
  return `operation-${operation}`;
}

export function answerSchemaOf({ name, says, output }: DescribedOperation): JsonObject {
  return describe(answerSchemaName(name), ANSWER_VERSION, says, z.intersection(heads, output));
}

export function changeSchemaName(change: string): string {
  return `change-${change.replaceAll('_', '-')}`;
}

export function changeSchemaOf({ name, says, output }: DescribedOperation): JsonObject {
  return describe(changeSchemaName(name), ANSWER_VERSION, says, z.intersection(changeHeads, output));
}

/** The same of an answer about a change. */
export function parseChange(change: Pick<DescribedOperation, 'output'>, answer: unknown): unknown {
  return { ...(changeHeads.parse(answer) as object), ...(change.output.parse(answer) as object) };
}

/** Checks an answer whole: its heads and its body. */
export function parseAnswer(operation: Pick<DescribedOperation, 'output'>, answer: unknown): unknown {
  return { ...(heads.parse(answer) as object), ...(operation.output.parse(answer) as object) };
}
