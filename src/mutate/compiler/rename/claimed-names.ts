/**
 * Claims that say one of the two names, of something that nothing is known of: that a text is a key of the owner, or that a value has a
 * member of that name.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { type OpenProgram, type Programs, placeKey, type RenameWorld } from '../job/job-types.ts';
import { listNameTokens } from '../job/name-tokens.ts';
import { ownerName } from './doubted-family.ts';
import { shapeOf } from './type-shapes.ts';

const K = ts.SyntaxKind;

const depthMax = 4;
const typesMax = 200;

/**
 * `text as keyof Owner`: is a value of this type a text that may be the old name, as one of the keys of an owner, or does it hold one?
 * What is deep in it counts only where all that the text may be are keys of one owner.
 */
export function createKeyClaims(
  programs: Programs,
  program: OpenProgram,
  oldName: string,
  owners: () => readonly ts.Type[],
): (type: ts.Type) => boolean {
  const known = new Map<number, boolean>();
  const shape = (type: ts.Type) => shapeOf(programs, program, type);
  const areKeys = (texts: readonly string[]) =>
    owners().some((owner) => texts.every((text) => shape(owner).property(text) !== undefined));
  const search = (root: ts.Type): boolean => {
    const seen = new Map([[root.id, { type: root, depth: 0 }]]);
    for (const { type, depth } of seen.values()) {
      const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type];
      const texts = parts.flatMap((part) => (part.isStringLiteralType() ? [part.value] : []));
      if (texts.includes(oldName) && (depth === 0 || areKeys(texts))) return true;
      if (depth === depthMax || seen.size > typesMax) continue;
      for (const part of parts) {
        const own = shape(part);
        if (own.kind === 'open' || own.kind === 'plain' || own.kind === 'parameter') continue;
        const inner = [...own.args, ...own.properties.map((one) => one.type), ...(own.indexed ? [own.indexed] : [])];
        for (const one of inner) if (!seen.has(one.id)) seen.set(one.id, { type: one, depth: depth + 1 });
      }
    }
    return false;
  };
  return (type) => {
    const found = known.get(type.id) ?? search(type);
    known.set(type.id, found);
    return found;
  };
}

/** Files that say a type, or the name of one, that has a member of one of the two names and is not renamed. */
export function listClaiming({ oldName, question, occurrences }: RenameWorld, program: OpenProgram): readonly string[] {
  const own = new Set(occurrences.map(({ token }) => placeKey({ ...token, outside: false })));
  const names = [oldName, question.newName];
  const said = new Set<string>();
  for (const path of program.files) {
    const text = program.sourceFile(path)?.text ?? '';
    if (!names.some((name) => text.includes(name))) continue;
    for (const token of listNameTokens(program, path)) {
      const { parent } = token.node;
      if (!names.includes(token.text) || own.has(placeKey({ ...token, outside: false }))) continue;
      if (parent.kind !== K.PropertySignature && parent.kind !== K.MethodSignature) continue;
      said.add(ownerName(parent.parent) ?? token.text);
      said.add(token.text);
    }
  }
  if (said.size === 0) return [];
  return program.files.filter((path) => {
    const text = program.sourceFile(path)?.text ?? '';
    return [...said].some((name) => text.includes(name));
  });
}
