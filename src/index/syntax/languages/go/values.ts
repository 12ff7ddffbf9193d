/** Constants and variables. A constant's value is part of what others compile against, so `iota` and repeated values are spelt out. */

import type { Node } from 'web-tree-sitter';
import { listChildren } from '../../walk-tree.ts';
import type { RecordPart } from '../shared/record-draft.ts';

export type GoValue = {
  readonly names: readonly Node[];
  readonly spec: Node;
  readonly parts: readonly RecordPart[];
  readonly inferred: boolean;
};

export function readConstants(declaration: Node, text: string): GoValue[] {
  let repeated: readonly RecordPart[] = [];
  let usesIota = false;
  return listChildren(declaration)
    .filter((spec) => spec.type === 'const_spec')
    .map((spec, iota) => {
      const type = spec.childForFieldName('type');
      const value = spec.childForFieldName('value');
      if (value !== null) {
        repeated = [...typePart(type), '=', spanOf(value)];
        usesIota = /\biota\b/.test(text.slice(value.startIndex, value.endIndex));
      }
      const names = namesOf(spec);
      const at = usesIota ? `@${iota}` : '';
      const parts = [`const ${textsOf(names, text)}`, ...repeated, at];
      return { names, spec, parts, inferred: false };
    });
}

export function readVariables(declaration: Node, text: string): GoValue[] {
  return listChildren(declaration)
    .flatMap((child) => (child.type === 'var_spec_list' ? listChildren(child) : [child]))
    .filter((spec) => spec.type === 'var_spec')
    .map((spec) => {
      const names = namesOf(spec);
      const type = spec.childForFieldName('type');
      const value = spec.childForFieldName('value');
      const start = `var ${textsOf(names, text)}`;
      if (type !== null || value === null) return { names, spec, parts: [start, ...typePart(type)], inferred: false };
      return { names, spec, parts: [start, '=', spanOf(value)], inferred: true };
    });
}

function namesOf(spec: Node): Node[] {
  return spec.childrenForFieldName('name').filter((name) => name.type === 'identifier');
}

function textsOf(names: readonly Node[], text: string): string {
  return names.map((name) => text.slice(name.startIndex, name.endIndex)).join(',');
}

function typePart(type: Node | null): RecordPart[] {
  return type === null ? [] : [' ', spanOf(type)];
}

function spanOf(node: Node): { start: number; end: number } {
  return { start: node.startIndex, end: node.endIndex };
}
