/** Paths into a document as people type them: `a.b[3].c`, and `a["x.y"]` for a key that holds a dot or a bracket. */

import { at, type Step } from './loose-json.ts';

/** Undefined when the text is no path. */
export function parseFieldPath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const token = /\.?([^.[\]"]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;
  while (token.lastIndex < text.length) {
    const from = token.lastIndex;
    const found = token.exec(text);
    if (found === null) return undefined;
    if (found[1] !== undefined && found[0].startsWith('.') !== from > 0) return undefined;
    steps.push(found[2] !== undefined ? Number(found[2]) : (found[1] ?? (found[3] ?? '').replace(/\\(.)/g, '$1')));
  }
  return steps.length === 0 ? undefined : steps;
}

export function renderFieldPath(steps: readonly Step[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (/[.[\]"\\]/.test(step) || step === '') return `${text}["${step.replace(/["\\]/g, '\\$&')}"]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** Reads a step of a list only by number and a member only by name, as the path was written. */
export function readFieldPath(
  value: unknown,
  steps: readonly Step[],
): { readonly found: boolean; readonly value: unknown } {
  let here = value;
  for (const step of steps) {
    if (Array.isArray(here) !== (typeof step === 'number')) return { found: false, value: undefined };
    const next = at(here, step);
    if (next === undefined) return { found: false, value: undefined };
    here = next;
  }
  return { found: true, value: here };
}

/** Paths that exist, breadth first, so that a bound cuts the deep ones; of a list only the first members are named. */
export function listFieldPaths(value: unknown, bound = 20_000): readonly string[] {
  const paths: string[] = [];
  let level: readonly { readonly steps: readonly Step[]; readonly value: unknown }[] = [{ steps: [], value }];
  while (level.length > 0 && paths.length < bound) {
    const next: { steps: readonly Step[]; value: unknown }[] = [];
    for (const node of level) {
      if (typeof node.value !== 'object' || node.value === null || node.steps.length > 24) continue;
      const members: readonly (readonly [Step, unknown])[] = Array.isArray(node.value)
        ? node.value.slice(0, 3).map((item, position) => [position, item] as const)
        : Object.entries(node.value);
      for (const [step, item] of members) {
        const steps = [...node.steps, step];
        paths.push(renderFieldPath(steps));
        next.push({ steps, value: item });
        if (paths.length >= bound) return paths;
      }
    }
    level = next;
  }
  return paths;
}
