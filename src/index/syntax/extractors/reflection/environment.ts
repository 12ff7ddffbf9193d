/** Reads of environment variables: `process.env.NAME`, `import.meta.env.NAME`, destructured or as a whole. Writes are none. */

import type { Node } from 'web-tree-sitter';
import type { Visit } from './walk-with-ancestors.ts';

export interface EnvironmentReads {
  reads: number;
  inConditions: number;
  readonly names: Set<string>;
  /** Nodes that were counted with the one around them, or are no reads; by their span. */
  readonly done: Set<string>;
}

export function createEnvironmentReads(): EnvironmentReads {
  return { reads: 0, inConditions: 0, names: new Set(), done: new Set() };
}

/** Where a chain that may lead to the environment begins. */
export function mayBeEnvironment(text: string, start: number): boolean {
  return (
    text.startsWith('process', start) || text.startsWith('import.meta', start) || text.startsWith('globalThis', start)
  );
}

const environment = /^(?:(?:globalThis\s*\??\.\s*)?process\s*[?!]?\.\s*env|import\.meta\s*\??\.\s*env)!?$/;
/** Enough for every way to write it. */
const longest = 60;

export function isEnvironment(node: Node | null, text: string): node is Node {
  if (node === null || node.endIndex - node.startIndex > longest) return false;
  return environment.test(text.slice(node.startIndex, node.endIndex));
}

const conditional: ReadonlySet<string> = new Set([
  'if_statement',
  'switch_statement',
  'while_statement',
  'do_statement',
  'ternary_expression',
]);
const conditionDistance = 4;

export function countRead(env: EnvironmentReads, visit: Visit, names: readonly string[]): void {
  const reads = Math.max(1, names.length);
  env.reads += reads;
  for (const name of names) env.names.add(name);
  for (let distance = 1; distance <= conditionDistance; distance += 1) {
    if (conditional.has(visit.above(distance) ?? '')) {
      env.inConditions += reads;
      return;
    }
  }
}

export const spanOf = ({ startIndex, endIndex }: Node): string => `${startIndex} ${endIndex}`;

/** Property names of `const { A, B: b = 1, ...rest } = process.env`. */
export function namesOfPattern(pattern: Node, text: string): string[] {
  return pattern.namedChildren.flatMap((child) => {
    const key =
      child.type === 'shorthand_property_identifier_pattern'
        ? child
        : child.type === 'pair_pattern'
          ? child.childForFieldName('key')
          : child.type === 'object_assignment_pattern'
            ? child.childForFieldName('left')
            : null;
    return key === null ? [] : [text.slice(key.startIndex, key.endIndex).replace(/^['"]|['"]$/g, '')];
  });
}
