/**
 * Members that become one only further down (mutation.md §2.2): a class that extends `A`, implements `I` and declares nothing gives `A.a`
 * and `I.a` one meaning. No token of the name shows it, so types with several bases are looked for by themselves; few files have any.
 */

import { askInBatches } from '../../../kernel/compiler/ask-in-batches.ts';
import * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { FindPlaces } from '../declaration-places.ts';
import type { OpenProgram } from '../in-job.ts';
import type { DeclarationPlace } from '../types.ts';

/** What may have two bases, by its text alone; a wrong guess costs a look at the tree. */
const severalBases = /\bextends\b[^{};]*\bimplements\b|\bimplements\b[^{};]*,|\binterface\b[^{};]*\bextends\b[^{};]*,/;

const known = new WeakMap<OpenProgram, readonly (readonly ts.Type[])[]>();

/** The declarations of the name that some type inherits together. */
export function findJointHeirs(
  program: OpenProgram,
  name: string,
  findPlaces: FindPlaces,
): readonly (readonly DeclarationPlace[])[] {
  const heirs = known.get(program) ?? listBases(program);
  known.set(program, heirs);
  const { checker } = program.project;
  const byType = new Map<number, readonly DeclarationPlace[]>();
  const placesIn = (type: ts.Type): readonly DeclarationPlace[] => {
    const seen = byType.get(type.id);
    if (seen !== undefined) return seen;
    const member = checker.getPropertyOfType(type, name);
    const places = member === undefined ? [] : findPlaces(member);
    byType.set(type.id, places);
    return places;
  };
  return heirs.flatMap((bases) => {
    const inherited = bases.map(placesIn).filter(({ length }) => length > 0);
    return inherited.length > 1 ? [inherited.flat()] : [];
  });
}

function listBases(program: OpenProgram): readonly (readonly ts.Type[])[] {
  const heirs = program.files.flatMap((path) => {
    const source = program.sourceFile(path);
    return source !== undefined && severalBases.test(source.text) ? listHeirs(source) : [];
  });
  const asked = heirs.flatMap((bases, heir) => bases.map((base) => ({ base, heir })));
  const types = askInBatches(
    asked.map(({ base }) => base),
    (nodes) => program.project.checker.getTypeAtLocation(nodes),
  );
  const found: ts.Type[][] = heirs.map(() => []);
  for (const [at, { heir }] of asked.entries()) {
    const type = types[at];
    if (type?.kind === 'answered' && type.value !== undefined) found[heir]?.push(type.value);
  }
  return found;
}

function listHeirs(source: ts.SourceFile): readonly (readonly ts.Node[])[] {
  const heirs: (readonly ts.Node[])[] = [];
  const pending: ts.Node[] = [source];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ts.isClassDeclaration(node) || ts.isClassExpression(node) || ts.isInterfaceDeclaration(node)) {
      const bases = (node.heritageClauses ?? []).flatMap(({ types }) => [...types]);
      if (bases.length > 1) heirs.push(bases);
    }
    node.forEachChild((child) => {
      pending.push(child);
      return undefined;
    });
  }
  return heirs;
}
