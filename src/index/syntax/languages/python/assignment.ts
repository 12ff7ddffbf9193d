/** What an assignment binds: every target of `a = b, *c = value` and `self.x: T = value`, with what follows from it. */

import type { Node } from 'web-tree-sitter';
import { listChildren } from '../../walk-tree.ts';

export type AssignedTarget = {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** `self.x` and `cls.x` belong to the class around; a plain name to the scope it stands in. */
  readonly ofInstance: boolean;
};

export type Assignment = {
  readonly targets: readonly AssignedTarget[];
  readonly type: Node | null;
  /** What is assigned in the end, past all chained targets. */
  readonly value: Node | null;
  readonly augmented: boolean;
};

export function readAssignment(statement: Node, text: string): Assignment | undefined {
  let at = statement.firstNamedChild;
  if (at?.type !== 'assignment' && at?.type !== 'augmented_assignment') return undefined;
  const augmented = at.type === 'augmented_assignment';
  const type = at.childForFieldName('type');
  const targets: AssignedTarget[] = [];
  for (;;) {
    collectTargets(at.childForFieldName('left'), text, targets);
    const value: Node | null = at.childForFieldName('right');
    if (value?.type !== 'assignment') return { targets, type, value, augmented };
    at = value;
  }
}

function collectTargets(left: Node | null, text: string, targets: AssignedTarget[]): void {
  const pending = left === null ? [] : [left];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { type, startIndex: start } = node;
    if (type === 'identifier') {
      const end = node.endIndex;
      if (end > start) targets.push({ name: text.slice(start, end), start, end, ofInstance: false });
    } else if (type === 'attribute') {
      const object = node.childForFieldName('object');
      const name = node.childForFieldName('attribute');
      if (object?.type !== 'identifier' || name === null || name.startIndex === name.endIndex) continue;
      const owner = text.slice(object.startIndex, object.endIndex);
      if (owner !== 'self' && owner !== 'cls') continue;
      const span = { start: name.startIndex, end: name.endIndex };
      targets.push({ name: text.slice(span.start, span.end), ...span, ofInstance: true });
    } else if (/pattern/.test(type)) {
      pending.push(...listChildren(node).reverse());
    }
  }
}
