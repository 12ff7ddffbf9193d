/**
 * `untyped_boundary` by shape: types fit each other by the names of their properties, and where one is optional they still fit when the
 * names no longer meet. Then an object that carried the old name is silently ignored, one that is renamed no longer gives what somebody
 * else would take, or one that gets the new name is suddenly heard.
 * Nothing that the compiler says changes, so somebody has to look: asked once, at the first such place.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import { declarationStart } from '../../declaration-name.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../../in-job.ts';
import { listTexts } from '../../program-texts.ts';
import { listAffected } from '../../proof/affected-files.ts';
import { tokensNamed } from '../../tokens-named.ts';
import type { CompilerItem } from '../../types.ts';
import { attempt } from '../attempt.ts';
import { isFamilySymbol, memberDeclaration } from '../member-types.ts';
import { readClaimsIn } from './claims.ts';
import { isOptional, isOptionalMember, lookUp, type Owner } from './doubted-family.ts';
import { type Site, tellFirst } from './sites.ts';

export function findStructuralTies(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  if (owners.length === 0 || world.oldName.startsWith('#')) return [];
  const { oldName, question } = world;
  const own = [...new Set(world.family.map(({ path }) => path))];
  const others = membersNamed(world, oldName, (place) => !world.familyKeys.has(place));
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
      );
  });
  const gained = findSites(
    world,
    own,
    optional,
    () => true,
    (program) => (type) => {
      if (!lookUp(program, type, oldName).some((one) => isFamilySymbol(world, program, one))) return undefined;
      return (expected) => lookUp(program, expected, question.newName).some(isOptional);
    },
  );
  const missed = findSites(
    world,
    own,
    isNamedOutside(world) ? null : others,
    () => true,
    (program) => (type) => {
      if (!lookUp(program, type, oldName).some((one) => isFamilySymbol(world, program, one))) return undefined;
      return (expected) => {
        const wanted = lookUp(program, expected, oldName);
        return wanted.some(isOptional) && !wanted.some((one) => isFamilySymbol(world, program, one));
      };
    },
  );
  return [
    ...tellFirst(
      'untyped_boundary',
      missed,
      `What is expected here may have \`${oldName}\`, and this would no longer give it`,
    ),
    ...tellFirst(
      'untyped_boundary',
      lost,
      `This fits by its own \`${oldName}\`, which stays as it is and would no longer be seen`,
    ),
    ...tellFirst(
      'untyped_boundary',
      gained,
      `What is expected here may have \`${question.newName}\`, and this would come to have it`,
    ),
  ];
}

type Fits = (expected: ts.Type, value: ts.Node) => boolean;

/** Files that declare a member of that name, as far as they are wanted. */
function membersNamed(
  world: RenameWorld,
  name: string,
  isWanted: (place: string, declaration: ts.Node) => boolean,
): readonly string[] {
  const paths = new Set<string>();
  for (const { token } of tokensNamed(world.programs, name)) {
    const declaration = memberDeclaration(token.node);
    if (declaration === undefined) continue;
    const place = placeKey({ path: token.path, start: declarationStart(declaration), outside: false });
    if (isWanted(place, declaration)) paths.add(token.path);
  }
  return [...paths];
}

/** Values of a type that is of interest, in files that both sides can reach, where what is expected of them is of interest as well. */
function findSites(
  world: RenameWorld,
  own: readonly string[],
  /** Null: anywhere, also in a package. */
  others: readonly string[] | null,
  isWorth: (text: string) => boolean,
  judge: (program: OpenProgram) => (type: ts.Type) => Fits | undefined,
): readonly Site[] {
  const found = new Map<string, Site>();
  if (others?.length === 0) return [];
  for (const program of world.programs.open) {
    const worth = new Set(program.files.filter((path) => isWorth(program.sourceFile(path)?.text ?? '')));
    if (worth.size === 0) continue;
    const first = listAffected(world.programs, program, own, []);
    const second = others === null ? null : listAffected(world.programs, program, others, []);
    const reached = second === null ? undefined : new Set(second);
    const known = new Map<number, Fits | undefined>();
    const ask = judge(program);
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
        const expected = fits === undefined ? undefined : attempt(expectedHere, undefined);
        if (fits === undefined || expected === undefined || !attempt(() => fits(expected, value), false)) return;
        found.set(`${path}\0${value.getStart()}`, { path, node: value });
      });
    }
  }
  return [...found.values()];
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
