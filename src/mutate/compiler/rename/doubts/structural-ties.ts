/**
 * Ties by shape: an object that carried the old name is silently ignored, one that is renamed no longer gives what somebody else would
 * take, or one that gets the new name is suddenly heard.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import { declarationStart } from '../../declaration-name.ts';
import { createPlaces } from '../../declaration-places.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../../in-job.ts';
import { listTexts } from '../../program-texts.ts';
import { listAffected, type Seed } from '../../proof/affected-files.ts';
import { tokensNamed } from '../../tokens-named.ts';
import { attempt } from '../attempt.ts';
import { isFamilySymbol, memberDeclaration } from '../member-types.ts';
import { beforeAssertions, readClaimsIn } from './claims.ts';
import { isOptional, isOptionalMember, lookUp, type Owner } from './doubted-family.ts';
import { placesOf, type TiedSite, type Ties } from './ties.ts';
import { wantedByParameter } from './wanted-by-parameter.ts';

export function findStructuralTies(world: RenameWorld, owners: readonly Owner[]): Ties {
  if (owners.length === 0 || world.oldName.startsWith('#')) return { missed: [], lost: [], gained: [] };
  const { oldName, question } = world;
  const own = world.family;
  const others = isNamedOutside(world) ? null : membersNamed(world, oldName, (place) => !world.familyKeys.has(place));
  const optional = membersNamed(world, question.newName, (_, declaration) => isOptionalMember(declaration));
  // A member that is demanded is missed by the compiler, except where nobody listens to it.
  const isLossSeen = !owners.some(({ isOptional: isSpared }) => isSpared);
  const mayLose = (text: string) => !isLossSeen || hushes.test(text);
  const lost = findSites(world, own, others, mayLose, (program) => (type) => {
    const carried = lookUp(program, type, oldName);
    if (carried.length === 0 || carried.some((one) => isFamilySymbol(world, program, one))) return undefined;
    return (expected, value) =>
      lookUp(program, expected, oldName).some(
        (one) => isFamilySymbol(world, program, one) && (isOptional(one) || isHushed(value)),
      )
        ? carried
        : [];
  });
  const gained = findSites(
    world,
    own,
    optional,
    () => true,
    (program) => (type) => {
      if (!lookUp(program, type, oldName).some((one) => isFamilySymbol(world, program, one))) return undefined;
      return (expected) => lookUp(program, expected, question.newName).filter(isOptional);
    },
  );
  const missed = findSites(
    world,
    own,
    others,
    () => true,
    (program) => (type) => {
      if (!lookUp(program, type, oldName).some((one) => isFamilySymbol(world, program, one))) return undefined;
      return (expected) => {
        const wanted = lookUp(program, expected, oldName);
        return wanted.some(isOptional) && !wanted.some((one) => isFamilySymbol(world, program, one)) ? wanted : [];
      };
    },
  );
  return { missed, lost, gained };
}

/** Which other members the two meet by; none where they do not. */
type Fits = (expected: ts.Type, value: ts.Node) => readonly ts.Symbol[];

/** Where members of that name are declared, as far as they are wanted. */
function membersNamed(
  world: RenameWorld,
  name: string,
  isWanted: (place: string, declaration: ts.Node) => boolean,
): readonly Seed[] {
  const places: Seed[] = [];
  for (const { token } of tokensNamed(world.programs, name)) {
    const declaration = memberDeclaration(token.node);
    if (declaration === undefined) continue;
    const place = placeKey({ path: token.path, start: declarationStart(declaration), outside: false });
    if (isWanted(place, declaration)) places.push(token);
  }
  return places;
}

/** Values of a type that is of interest, in files that both sides can reach, where what is expected of them is of interest as well. */
function findSites(
  world: RenameWorld,
  own: readonly Seed[],
  /** Null: anywhere, also in a package. */
  others: readonly Seed[] | null,
  isWorth: (text: string) => boolean,
  judge: (program: OpenProgram) => (type: ts.Type) => Fits | undefined,
): readonly TiedSite[] {
  const found: TiedSite[] = [];
  if (others?.length === 0) return [];
  for (const program of world.programs.open) {
    const worth = new Set(program.files.filter((path) => isWorth(program.sourceFile(path)?.text ?? '')));
    if (worth.size === 0) continue;
    const first = listAffected(world.programs, program, { seeds: own });
    const second = others === null ? null : listAffected(world.programs, program, { seeds: others });
    const reached = second === null ? undefined : new Set(second);
    const known = new Map<number, Fits | undefined>();
    const ask = judge(program);
    const findPlaces = createPlaces(program);
    for (const path of first ?? program.files) {
      const file = reached === undefined || reached.has(path) ? program.sourceFile(path) : undefined;
      if (file === undefined || !worth.has(path)) continue;
      const { claims, types } = readClaimsIn(program, file);
      claims.forEach(({ value, type: expectedHere }, at) => {
        const type = types[at];
        if (type === undefined || (type.flags & carriesMembers) === 0) return;
        if (!known.has(type.id))
          known.set(
            type.id,
            attempt(() => ask(type), undefined),
          );
        const fits = known.get(type.id);
        if (fits === undefined) return;
        const meetIn = (expected: ts.Type | undefined) => (expected === undefined ? [] : fits(expected, value));
        const here = attempt(() => meetIn(expectedHere()), []);
        const isSettled = here.length > 0 || isSaidByKey(value, world.oldName);
        const met = isSettled ? here : attempt(() => meetIn(wantedByParameter(program, value)), []);
        if (met.length > 0) found.push({ path, node: value, others: placesOf(findPlaces, met) });
      });
    }
  }
  return found;
}

/** A literal, or what is poured into one that has a later key of the name: keys are looked at one by one. */
function isSaidByKey(value: ts.Node, name: string): boolean {
  if (ts.isObjectLiteralExpression(beforeAssertions(value))) return true;
  const { parent } = value;
  if (!ts.isSpreadAssignment(parent) || !ts.isObjectLiteralExpression(parent.parent)) return false;
  const { properties } = parent.parent;
  return properties
    .slice(properties.indexOf(parent) + 1)
    .some((later) => !ts.isSpreadAssignment(later) && (later.name as { readonly text?: string }).text === name);
}

/** Does a package, or a library of the compiler, say a member of that name? */
function isNamedOutside({ programs, oldName }: RenameWorld): boolean {
  const member = new RegExp(String.raw`(?<![\w$])${oldName.replaceAll('$', '\\$')}['"]?\s*\??\s*[:(<]`);
  for (const program of programs.open)
    for (const { outside, text } of listTexts(programs, program))
      if (outside && (text === undefined || member.test(text))) return true;
  return false;
}

const carriesMembers = ts.TypeFlags.Object | ts.TypeFlags.Intersection | ts.TypeFlags.Union;

const hushes = /@ts-(?:ignore|expect-error)\b/;

/** An error of this line is not heard, and hides others that would come. */
function isHushed(value: ts.Node): boolean {
  const { text } = value.getSourceFile();
  const line = text.lastIndexOf('\n', value.getStart()) + 1;
  const above = text.slice(text.lastIndexOf('\n', line - 2) + 1, line);
  return line > 0 && hushes.test(above);
}
