/** Task classes: what a kind of task needs from a gather, as data (gather.md §14). Built-in, then user, then repository files. */

import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { findNearest } from '../../kernel/base/text.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';

const derivedQuery = z.discriminatedUnion('compute', [
  z.strictObject({ id: z.string(), compute: z.literal('consumers_of'), pkg: z.string() }),
  z.strictObject({ id: z.string(), compute: z.literal('producers_of'), pkg: z.string() }),
  z.strictObject({ id: z.string(), compute: z.literal('reverse_lookup'), module: z.string() }),
  z.strictObject({ id: z.string(), compute: z.literal('refs_to'), symbol: z.string() }),
  z.strictObject({ id: z.string(), compute: z.literal('tests_exercising'), symbol: z.string() }),
]);
const queryPrimitives = ['consumers_of', 'producers_of', 'reverse_lookup', 'refs_to', 'tests_exercising'] as const;

const taskClassSchema = z.strictObject({
  schema_version: z.literal('1'),
  task_class: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  required_probes: z.array(z.string()).default([]),
  optional_probes: z.array(z.string()).default([]),
  required_skills: z.array(z.string()).default([]),
  confidence_floor: z.enum(['high', 'medium', 'low']).default('low'),
  derived_queries: z.array(derivedQuery).default([]),
});
export type TaskClass = z.output<typeof taskClassSchema>;

type TaskClassOutcome =
  | { readonly kind: 'found'; readonly taskClass: TaskClass; readonly source: string }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'invalid';
      readonly source: string;
      readonly reason: 'parse' | 'schema' | 'unknown_query_primitive' | 'unknown_probe';
      readonly detail: string;
    };

const builtIn: readonly TaskClass[] = [
  {
    schema_version: '1',
    task_class: 'general',
    required_probes: ['language_detection'],
    optional_probes: [],
    required_skills: [],
    confidence_floor: 'low',
    derived_queries: [],
  },
];

/** The first source that has the class decides: what ships with the program and what the user wrote come before the repository. */
export async function loadTaskClass(
  task: string,
  world: { readonly root: string; readonly home: string; readonly probeNames: readonly string[] },
): Promise<TaskClassOutcome> {
  const shipped = builtIn.find((candidate) => candidate.task_class === task);
  if (shipped !== undefined) return { kind: 'found', taskClass: shipped, source: 'built-in' };
  for (const [base, label] of [
    [world.home, '~/.codegenie'],
    [world.root, '.codegenie'],
  ] as const) {
    const path = `.codegenie/task-classes/${task}.yaml`;
    const outcome = readRegular(base, path, limits.yamlSmallBytes, createDirectoryGuard(base));
    if (outcome.kind === 'absent') continue;
    const source = `${label}/task-classes/${task}.yaml`;
    if (outcome.kind === 'failed') return { kind: 'invalid', source, reason: 'parse', detail: outcome.failure.kind };
    return parseTaskClass(outcome.bytes, source, world.probeNames);
  }
  return { kind: 'none' };
}

async function parseTaskClass(
  bytes: Uint8Array,
  source: string,
  probeNames: readonly string[],
): Promise<TaskClassOutcome> {
  const { parseYamlObject } = await import('../../kernel/formats/yaml.ts');
  const document = parseYamlObject(bytes, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  if (!document.ok) return { kind: 'invalid', source, reason: 'parse', detail: document.failure.kind };
  const queries = document.value['derived_queries'];
  for (const query of Array.isArray(queries) ? queries : []) {
    const compute = (query as { compute?: unknown } | null)?.compute;
    if (typeof compute === 'string' && !(queryPrimitives as readonly string[]).includes(compute)) {
      const nearest = findNearest(compute, queryPrimitives);
      return { kind: 'invalid', source, reason: 'unknown_query_primitive', detail: hint(compute, nearest) };
    }
  }
  const checked = taskClassSchema.safeParse(document.value);
  if (!checked.success) return { kind: 'invalid', source, reason: 'schema', detail: z.prettifyError(checked.error) };
  for (const name of [...checked.data.required_probes, ...checked.data.optional_probes]) {
    if (!probeNames.includes(name)) {
      return { kind: 'invalid', source, reason: 'unknown_probe', detail: hint(name, findNearest(name, probeNames)) };
    }
  }
  return { kind: 'found', taskClass: checked.data, source };
}

function hint(given: string, nearest: string | undefined): string {
  return nearest === undefined ? given : `${given} (did you mean ${nearest}?)`;
}
