/**
 * The border between a probe and the engine (gather.md §7.1): what comes out of `run` is unknown until it has passed here.
 * An output that passes is JSON, in the probe's own sections, as their schemas say, under declared ids and artifact names, and
 * no key of it is shaped like the name of a secret. The first violation decides; each has its own id.
 */

import type { Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { z } from '../../kernel/base/schema.ts';
import { singleLine, stripControls, truncate } from '../../kernel/base/text.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import {
  artifactKinds,
  type Confidence,
  type Diagnostic,
  type Evidence,
  type Probe,
  type RawArtifact,
  type SkipReason,
  type Slice,
  skipReasons,
} from '../contract.ts';

type OutputErrorId =
  | 'output.invalid'
  | 'output.not_json'
  | 'output.secret_field_name'
  | 'output.section_not_owned'
  | 'output.undeclared_id'
  | 'artifact.undeclared';

/** An output with every list filled in. */
type ValidOutput =
  | {
      readonly kind: 'ran';
      readonly slice: Slice;
      readonly rawArtifacts: readonly RawArtifact[];
      readonly confidence: Confidence;
      readonly warnings: readonly string[];
      readonly errors: readonly string[];
      readonly diagnostics: readonly Diagnostic[];
      readonly evidence: readonly Evidence[];
    }
  | {
      readonly kind: 'skipped';
      readonly reason: SkipReason;
      readonly detail?: string;
      /** Absent if the probe gave none. */
      readonly slice?: Slice;
      readonly warnings: readonly string[];
    };

type OutputRefusal = { readonly ok: false; readonly errorId: OutputErrorId; readonly detail: string };
type Validation = { readonly ok: true; readonly output: ValidOutput } | OutputRefusal;

/** Said by the coordinator about a probe; a probe that says one itself is not believed. */
export const coordinatorErrorIds: readonly string[] = [
  'probe.timeout',
  'probe.threw',
  'output.invalid',
  'output.not_json',
  'output.secret_field_name',
  'output.section_not_owned',
  'output.undeclared_id',
  'artifact.undeclared',
  'artifact.too_large',
];

const ids = z.array(z.string()).optional();
const diagnostic = z.strictObject({
  id: z.string(),
  path: z.string().exactOptional(),
  line: z.int().exactOptional(),
  detail: z.string().exactOptional(),
});
const evidence = z.union([
  z.strictObject({
    path: z.string(),
    hash: z.string().exactOptional(),
    lines: z.tuple([z.int(), z.int()]).exactOptional(),
  }),
  z.strictObject({ artifact: z.string() }),
]);
const rawArtifact = z.strictObject({
  name: z.string(),
  kind: z.enum(artifactKinds),
  from: z.union([z.instanceof(Uint8Array), z.strictObject({ file: z.string().min(1) })]),
});
/** Everything but the slice, which is looked at on its own first. */
const outputShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ran'),
    slice: z.unknown(),
    rawArtifacts: z.array(rawArtifact).optional(),
    confidence: z.enum(['high', 'medium', 'low']),
    warnings: ids,
    errors: ids,
    diagnostics: z.array(diagnostic).optional(),
    evidence: z.array(evidence).optional(),
  }),
  z.strictObject({
    kind: z.literal('skipped'),
    reason: z.enum(skipReasons),
    detail: z.string().optional(),
    slice: z.unknown().optional(),
    warnings: ids,
  }),
]);

/** `isStored`: its slice was read from the cache, so that it is JSON whatever it says. */
export function validateOutput(probe: Probe, output: unknown, isStored = false): Validation {
  const shape = outputShape.safeParse(output);
  if (!shape.success) return refuse('output.invalid', describeIssue(shape.error));
  const given = shape.data;
  const slice = validateSlice(probe, given.slice ?? {}, isStored);
  if (!slice.ok) return slice;
  const refusal = given.kind === 'ran' ? refuseIds(probe, given) : refuseIds(probe, { warnings: given.warnings });
  if (refusal !== undefined) return refusal;
  const warnings = [...new Set(given.warnings)];
  if (given.kind === 'skipped') {
    const { reason, detail } = given;
    return {
      ok: true,
      output: {
        kind: 'skipped',
        reason,
        ...(detail === undefined ? {} : { detail: singleLine(detail) }),
        ...(given.slice === undefined ? {} : { slice: slice.value }),
        warnings,
      },
    };
  }
  const rawArtifacts = given.rawArtifacts ?? [];
  const undeclared = refuseArtifacts(probe, rawArtifacts);
  if (undeclared !== undefined) return undeclared;
  return {
    ok: true,
    output: {
      kind: 'ran',
      slice: slice.value,
      rawArtifacts,
      confidence: given.confidence,
      warnings,
      errors: [...new Set(given.errors)],
      diagnostics: (given.diagnostics ?? []).slice(0, limits.diagnosticsPerProbe).map(printable),
      evidence: (given.evidence ?? []).slice(0, limits.evidencePerProbe),
    },
  };
}

/** Sections that a schema has let through, with what it made of them: a replayed one comes to the document as it was given here. */
const fitted = new WeakMap<object, Json>();

/** What the section's own schema made of this very value before; undefined where it has not seen it. */
export function findFitted(section: unknown): Json | undefined {
  return typeof section === 'object' && section !== null ? fitted.get(section) : undefined;
}

function validateSlice(
  probe: Probe,
  slice: unknown,
  isStored: boolean,
): { readonly ok: true; readonly value: Slice } | OutputRefusal {
  const notJson = isStored ? undefined : findNotJson(slice);
  if (notJson !== undefined) return refuse('output.not_json', notJson);
  if (typeof slice !== 'object' || slice === null || Array.isArray(slice)) {
    return refuse('output.invalid', 'the slice is not an object of sections');
  }
  const secretKey = findSecretKey(slice as Slice);
  if (secretKey !== undefined) return refuse('output.secret_field_name', secretKey);
  const value: Record<string, Json> = {};
  for (const [path, given] of Object.entries(slice as Slice)) {
    const schema = Object.hasOwn(probe.sections, path) ? probe.sections[path] : undefined;
    if (schema === undefined) return refuse('output.section_not_owned', `${path} is not a section of ${probe.name}`);
    const section = schema.safeParse(given);
    if (!section.success) return refuse('output.invalid', `${path}: ${describeIssue(section.error)}`);
    const dropped = findDropped(given, section.data);
    if (dropped !== undefined) return refuse('output.invalid', `${path}${dropped} is not in the schema`);
    const changed = isStored ? undefined : findNotJson(section.data);
    if (changed !== undefined) return refuse('output.not_json', `${path}: ${changed}`);
    // The parsed value: its keys are in the order of the schema.
    value[path] = section.data as Json;
    if (typeof given === 'object' && given !== null) fitted.set(given, section.data as Json);
  }
  return { ok: true, value };
}

/** A schema that is not closed drops what it does not know; that is a bug of the probe, found here rather than never. */
function findDropped(given: unknown, parsed: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || typeof parsed !== 'object' || parsed === null) return undefined;
  for (const key of Object.keys(given)) {
    const isHeld = Object.hasOwn(parsed, key);
    const child = (given as Readonly<Record<string, unknown>>)[key];
    const dropped = isHeld ? findDropped(child, (parsed as Readonly<Record<string, unknown>>)[key]) : '';
    // Where it stands is spelled for the one that is dropped, not for all that are held.
    if (dropped !== undefined) return `${Array.isArray(given) ? `[${key}]` : `.${key}`}${dropped}`;
  }
  return undefined;
}

type GivenIds = {
  readonly warnings?: readonly string[] | undefined;
  readonly errors?: readonly string[] | undefined;
  readonly diagnostics?: readonly { readonly id: string }[] | undefined;
};

function refuseIds(probe: Probe, given: GivenIds): OutputRefusal | undefined {
  const either = [...probe.warningIds, ...probe.errorIds];
  const said: (readonly [string, string, readonly string[]])[] = [
    ...(given.warnings ?? []).map((id) => ['warning', id, probe.warningIds] as const),
    ...(given.errors ?? []).map((id) => ['error', id, probe.errorIds] as const),
    ...(given.diagnostics ?? []).map(({ id }) => ['diagnostic', id, either] as const),
  ];
  for (const [what, id, declared] of said) {
    if (coordinatorErrorIds.includes(id))
      return refuse('output.undeclared_id', `${what} ${id} is the coordinator's to say`);
    if (!declared.includes(id)) return refuse('output.undeclared_id', `${what} ${id} is not declared by ${probe.name}`);
  }
  return undefined;
}

function refuseArtifacts(probe: Probe, artifacts: readonly RawArtifact[]): OutputRefusal | undefined {
  const names = new Set<string>();
  for (const { name } of artifacts) {
    if (!isSafeArtifactName(name)) return refuse('artifact.undeclared', `${JSON.stringify(name)} is not a safe name`);
    if (!probe.artifacts.some((pattern) => artifactMatches(pattern, name))) {
      return refuse('artifact.undeclared', `${name} is not declared by ${probe.name}`);
    }
    if (names.has(name)) return refuse('output.invalid', `artifact ${name} is given twice`);
    names.add(name);
  }
  return undefined;
}

/** Cut to length only after redaction: half a secret is no longer recognised. */
function printable(given: Diagnostic): Diagnostic {
  return {
    ...given,
    ...(given.path === undefined ? {} : { path: stripControls(given.path) }),
    ...(given.detail === undefined ? {} : { detail: singleLine(given.detail) }),
  };
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'does not match its schema';
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${path === '' ? '' : `${path.replace(/^\./, '')}: `}${issue.message}`;
}

/** Names and messages come from the probe, so what is said about them is redacted like all else. */
function refuse(errorId: OutputErrorId, detail: string): OutputRefusal {
  const redacted = redactString(detail, { entropy: true }).text;
  return { ok: false, errorId, detail: truncate(singleLine(redacted), limits.diagnosticDetailChars) };
}

/** Deeper than any parser's cap plus what a section wraps around it; later passes may recurse. */
const MAX_DEPTH = 2 * limits.parseDepth;

const secretShaped =
  /secret|token|password|credential|api[_-]?key|auth[_-]?token|bearer|access[_-]?key|private[_-]?key/i;
/** The names of the secrets that a workflow refers to, never their values. */
const exemptKeys: ReadonlySet<string> = new Set(['references_secrets']);

type Frame = { readonly value: object; readonly path: string; readonly entries: Iterator<readonly [string, unknown]> };

/** What is wrong and where, or undefined for a JSON value. */
function findNotJson(root: unknown): string | undefined {
  const stack: Frame[] = [];
  const ancestors = new Set<object>();
  let problem = enter(root, '');
  for (let frame = stack.at(-1); frame !== undefined && problem === undefined; frame = stack.at(-1)) {
    const next = frame.entries.next();
    if (next.done === true) {
      ancestors.delete(frame.value);
      stack.pop();
    } else {
      const [key, child] = next.value;
      problem = enter(child, Array.isArray(frame.value) ? `${frame.path}[${key}]` : `${frame.path}.${key}`);
    }
  }
  return problem;

  function enter(value: unknown, path: string): string | undefined {
    const what = describeNotJson(value);
    if (what !== undefined) return `${what} at ${shown(path)}`;
    if (typeof value !== 'object' || value === null) return undefined;
    if (ancestors.has(value)) return `cycle at ${shown(path)}`;
    if (stack.length >= MAX_DEPTH) return `more than ${MAX_DEPTH} levels at ${shown(path).slice(0, 80)}`;
    ancestors.add(value);
    stack.push({ value, path, entries: Object.entries(value)[Symbol.iterator]() });
    return undefined;
  }
}

/** The first key that is shaped like the name of a secret, as `<key> at <path>`. The value must be JSON already. */
export function findSecretKey(root: Json): string | undefined {
  if (!hasSecretKey(root, new Set())) return undefined;
  const pending: { readonly value: Json; readonly path: string }[] = [{ value: root, path: '' }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at.value !== 'object' || at.value === null) continue;
    const children: typeof pending = [];
    for (const [key, value] of Object.entries(at.value)) {
      const path = Array.isArray(at.value) ? `${at.path}[${key}]` : `${at.path}.${key}`;
      if (secretShaped.test(key) && !exemptKeys.has(key)) return `${key} at ${shown(path)}`;
      children.push({ value, path });
    }
    // Not spread: a list of a hundred thousand files would be that many arguments.
    for (let index = children.length - 1; index >= 0; index -= 1)
      pending.push(children[index] as (typeof pending)[number]);
  }
  return undefined;
}

/** Keys repeat, and nearly all values have none: the place is spelled only where there is one. */
function hasSecretKey(value: Json, harmless: Set<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some((item) => hasSecretKey(item, harmless));
  for (const [key, child] of Object.entries(value)) {
    if (!harmless.has(key)) {
      if (secretShaped.test(key) && !exemptKeys.has(key)) return true;
      harmless.add(key);
    }
    if (hasSecretKey(child, harmless)) return true;
  }
  return false;
}

/**
 * Is a value JSON and nothing but JSON, and are its keys fit to be published? Both walks are iterative and name the place.
 */
function describeNotJson(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : String(value);
    case 'object':
      return value === null ? undefined : describeNotPlain(value);
    default:
      return typeof value;
  }
}

function describeNotPlain(value: object): string | undefined {
  if (Object.getOwnPropertySymbols(value).length > 0) return 'symbol key';
  if (Array.isArray(value)) {
    const keys = Object.keys(value);
    return keys.length === value.length && keys.every((key, index) => key === String(index))
      ? undefined
      : 'array with holes';
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return undefined;
  return value.constructor?.name ?? 'object with a prototype';
}

function shown(path: string): string {
  return path === '' ? 'the top' : path.replace(/^\./, '');
}

const MAX_NAME_CHARS = 255;

/** A leaf name, `prefix-*.ext` (the star stands for at least one character and no slash), or `dir/` for all that is below. */
export function artifactMatches(pattern: string, name: string): boolean {
  if (pattern.endsWith('/')) return name.length > pattern.length && name.startsWith(pattern);
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === name;
  const [prefix, suffix] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (!name.startsWith(prefix) || !name.endsWith(suffix) || name.length <= prefix.length + suffix.length) return false;
  return !name.slice(prefix.length, name.length - suffix.length).includes('/');
}

/** Relative, plain segments only: it can be joined to any directory and stays below it. */
export function isSafeArtifactName(name: string): boolean {
  if (name.length === 0 || name.length > MAX_NAME_CHARS) return false;
  return name.split('/').every((segment) => /^[A-Za-z0-9_][A-Za-z0-9._@+-]*$/.test(segment));
}
