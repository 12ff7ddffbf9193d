/** Is a value JSON and nothing but JSON, and are its keys fit to be published? Both walks are iterative and name the place. */

import type { Json } from '../kernel/base/json.ts';
import { limits } from '../kernel/base/limits.ts';

/** Deeper than any parser's cap plus what a section wraps around it; later passes may recurse. */
const MAX_DEPTH = 2 * limits.parseDepth;

const secretShaped =
  /secret|token|password|credential|api[_-]?key|auth[_-]?token|bearer|access[_-]?key|private[_-]?key/i;
/** The names of the secrets that a workflow refers to, never their values. */
const exemptKeys: ReadonlySet<string> = new Set(['references_secrets']);

type Frame = { readonly value: object; readonly path: string; readonly entries: Iterator<readonly [string, unknown]> };

/** What is wrong and where, or undefined for a JSON value. */
export function findNotJson(root: unknown): string | undefined {
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
