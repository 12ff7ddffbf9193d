/**
 * Members (mutation.md §2.7): is there a member of the new name in the same type, in a base or derived type, inside or outside the root,
 * or in a type through which the renamed one is used? And who looks the new name up today where the renamed one will be found?
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../in-job.ts';
import type { Clash } from '../types.ts';
import { attempt } from './attempt.ts';
import { makeClash, placeOfNode, placeOfSymbol, tellPlace } from './clash-words.ts';
import type { Write } from './list-writes.ts';
import {
  implementedTypes,
  isFamilySymbol,
  lookedUpIn,
  memberDeclaration,
  ownerType,
  parameterPropertyOwner,
} from './member-types.ts';
import { positionOf } from './name-positions.ts';
import { listStandingNames, type StandingName } from './standing-names.ts';

/** Uses looked at one by one; beyond it the proof alone decides. */
const usesMax = 5000;

export function findMemberClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const members = writes.filter(({ isMember, declares }) => isMember || declares !== null);
  const others = world.isMember ? listStandingNames(world, world.question.newName) : [];
  return [
    ...members.slice(0, usesMax).flatMap((write) => attempt(() => findSameMember(world, write), [])),
    ...others.slice(0, usesMax).flatMap((standing) => attempt(() => findMeeting(world, standing), [])),
  ];
}

/** Where the old name is declared or looked up, the new one is there already. */
function findSameMember(world: RenameWorld, write: Write): readonly Clash[] {
  const { programs, question } = world;
  const { program, token } = write;
  for (const type of typesAt(write)) {
    const found = program.project.checker.getPropertyOfType(type, question.newName);
    if (found === undefined) continue;
    const place = placeOfSymbol(programs, program.project, found);
    const where = place === null ? '' : ` at ${tellPlace(programs, place)}`;
    const owner = program.project.checker.typeToString(type).slice(0, 80);
    const detail = `\`${owner}\` already has a member \`${question.newName}\`, declared${where}.`;
    return [makeClash('collision', token, place, detail)];
  }
  return [];
}

function typesAt({ program, token, isMember, declares }: Write): readonly ts.Type[] {
  if (declares !== null && !isMember) {
    // References to a property are searched for under the name of a rest element as well: the two must not be taken for each other.
    if (isRest(declares)) return lookedUpIn(program, token.node);
    const owner = parameterPropertyOwner(program, declares);
    return owner === undefined ? [] : [owner, ...implementedTypes(program, declares.parent.parent)];
  }
  if (!isMember) return [];
  const declaration = memberDeclaration(token.node);
  const owner = ownerType(program, token.node);
  const bases = declaration === undefined ? [] : implementedTypes(program, declaration.parent);
  return [...(owner === undefined ? [] : [owner]), ...bases, ...lookedUpIn(program, token.node)];
}

/** Where the new name is declared or looked up today, the renamed member will be, too. */
function findMeeting(world: RenameWorld, standing: StandingName): readonly Clash[] {
  const { programs, question, oldName } = world;
  const { program, token } = standing;
  const declaration = memberDeclaration(token.node);
  const position = positionOf(token.node);
  const isShorthandBinding = position.kind === 'declares' && isObjectPatternElement(position.declaration);
  if (declaration === undefined && position.kind !== 'member' && !isShorthandBinding) return [];
  const owner = ownerType(program, token.node);
  const types = [
    ...(owner === undefined || declaration === undefined
      ? []
      : [owner, ...implementedTypes(program, declaration.parent)]),
    ...lookedUpIn(program, token.node),
  ];
  const renamed = findRenamed(world, program, types);
  if (renamed === undefined) return [];
  const here = placeOfNode(programs, token.node);
  const family = placeOfSymbol(programs, program.project, renamed);
  const at = family ?? { path: token.path, start: token.start };
  const span = { path: at.path, start: at.start, end: at.start + oldName.length };
  if (types.some((type) => program.project.checker.getPropertyOfType(type, question.newName) !== undefined)) {
    const detail = `\`${question.newName}\` at ${tellPlace(programs, here)} belongs to a type that has \`${oldName}\` from ${tellPlace(programs, at)} as well.`;
    return [makeClash('collision', span, here, detail)];
  }
  const detail = `\`${question.newName}\` at ${tellPlace(programs, here)} means no declared member today and would mean the renamed \`${oldName}\`.`;
  return [makeClash('capture', span, here, detail)];
}

function findRenamed(world: RenameWorld, program: OpenProgram, types: readonly ts.Type[]): ts.Symbol | undefined {
  for (const type of types) {
    const found = program.project.checker.getPropertyOfType(type, world.oldName);
    if (found !== undefined && isFamilySymbol(world, program, found)) return found;
  }
  return undefined;
}

function isObjectPatternElement(declaration: ts.Node): boolean {
  const { propertyName, parent } = declaration as ts.Node & { readonly propertyName?: ts.Node };
  return propertyName === undefined && ts.isObjectBindingPattern(parent);
}

function isRest(declaration: ts.Node): boolean {
  return (
    ts.isBindingElement(declaration) &&
    declaration.dotDotDotToken !== undefined &&
    ts.isObjectBindingPattern(declaration.parent)
  );
}
