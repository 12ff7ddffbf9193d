/**
 * `structural_tie`: types fit each other by the names of their properties, and where one is optional they still fit when the names no
 * longer meet. Nothing that the compiler says changes, so it is a question.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { askOr, tokensNamed } from '../job/bind-tokens.ts';
import { createPlaces, declarationStart, type FindPlaces } from '../job/declarations.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { listAffected, listTexts, type Seed } from '../proof/affected-files.ts';
import type { DeclarationPlace } from '../session/messages.ts';
import {
  beforeAssertions,
  isOptional,
  isOptionalMember,
  lookUp,
  type Owner,
  partsOf,
  readClaimsIn,
  type Site,
} from './doubted-family.ts';
import { isFamilySymbol, memberDeclaration } from './member-types.ts';

export const tieKinds = ['missed', 'lost', 'gained'] as const;

/**
 * `missed`: a taker of the old name no longer gets what is renamed. `lost`: a taker of the renamed one no longer sees what has the old name.
 * `gained`: a taker of the new name suddenly gets what is renamed.
 */
export type TieKind = (typeof tieKinds)[number];

/** A place where two members meet: the renamed one, and another. */
export type TiedSite = Site & {
  /** Where the other one is declared; null where that cannot be told. */
  readonly others: readonly DeclarationPlace[] | null;
};

export type Ties = Readonly<Record<TieKind, readonly TiedSite[]>>;

/** Each sorted by place. */
export function findTies(world: RenameWorld, owners: readonly Owner[]): Ties {
  const values = findStructuralTies(world, owners);
  const keys = findGenericArguments(world, owners);
  return {
    missed: unite([...values.missed, ...keys.missed]),
    lost: unite([...values.lost, ...keys.lost]),
    gained: unite([...values.gained, ...keys.gained]),
  };
}

/** A place that several programs have is one place, with what each of them knows. */
function unite(sites: readonly TiedSite[]): readonly TiedSite[] {
  const distinct = new Map<string, TiedSite>();
  for (const site of sites) {
    const known = distinct.get(siteKey(site));
    distinct.set(siteKey(site), known === undefined ? site : { ...site, others: join(known.others, site.others) });
  }
  return [...distinct.values()].sort((a, b) =>
    a.path === b.path ? a.node.getStart() - b.node.getStart() : a.path < b.path ? -1 : 1,
  );
}

function join(one: TiedSite['others'], other: TiedSite['others']): TiedSite['others'] {
  return one === null || other === null ? null : [...one, ...other];
}

export const tieWords: Readonly<Record<TieKind, (oldName: string, newName: string) => string>> = {
  missed: (oldName) => `What is expected here may have \`${oldName}\`, and this would no longer give it`,
  lost: (oldName) => `This fits by a \`${oldName}\` of its own, which would no longer be seen`,
  gained: (_, newName) => `What is expected here may have \`${newName}\`, and this would come to have it`,
};

/** All that these symbols are declared by. */
function placesOf(findPlaces: FindPlaces, symbols: readonly ts.Symbol[]): TiedSite['others'] {
  const each = symbols.map(findPlaces);
  return each.every(({ length }) => length > 0) ? each.flat() : null;
}

export function siteKey({ path, node }: Site): string {
  return `${path}\0${node.getStart()}`;
}

/**
 * Ties by shape: an object that carried the old name is silently ignored, one that is renamed no longer gives what other code would
 * take, or one that gets the new name is suddenly heard.
 */
function findStructuralTies(world: RenameWorld, owners: readonly Owner[]): Ties {
  if (owners.length === 0 || world.oldName.startsWith('#')) return { missed: [], lost: [], gained: [] };
  const { oldName, question } = world;
  const own = world.family;
  const others = isNamedOutside(world) ? null : membersNamed(world, oldName, (place) => !world.familyKeys.has(place));
  const optional = membersNamed(world, question.newName, (_, declaration) => isOptionalMember(declaration));
  // A member that is demanded is missed by the compiler, except where its errors are not reported.
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
            askOr(() => ask(type), undefined),
          );
        const fits = known.get(type.id);
        if (fits === undefined) return;
        const meetIn = (expected: ts.Type | undefined) => (expected === undefined ? [] : fits(expected, value));
        const here = askOr(() => meetIn(expectedHere()), []);
        const isSettled = here.length > 0 || isSaidByKey(value, world.oldName);
        const met = isSettled ? here : askOr(() => meetIn(wantedByParameter(program, value)), []);
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

/**
 * Ties by a type parameter: a literal that is passed where a parameter is `T extends Owner` is of a type of its own, and its keys are its
 * own. Where the member of that name is optional, the literal fits if only one of the two is renamed, and is silently ignored.
 */
function findGenericArguments(world: RenameWorld, owners: readonly Owner[]): Ties {
  const ties = { missed: [] as TiedSite[], lost: [] as TiedSite[], gained: [] as TiedSite[] };
  for (const { program, token } of owners.length === 0 ? [] : tokensNamed(world.programs, world.oldName)) {
    const declaration = memberDeclaration(token.node);
    const literal = declaration?.parent;
    if (declaration === undefined || literal?.kind !== ts.SyntaxKind.ObjectLiteralExpression) continue;
    const place = { path: token.path, start: declarationStart(declaration), outside: false };
    const isOurs = world.familyKeys.has(placeKey(place));
    if (!isOurs && !owners.some((owner) => owner.isOptional)) continue;
    const site = { path: token.path, node: token.node };
    const wanted = askOr(() => wantedByParameter(program, literal), undefined);
    if (wanted === undefined) continue;
    const heard = (name: string) => askOr(() => lookUp(program, wanted, name).filter(isOptional), []);
    const isRenamed = (one: ts.Symbol) => askOr(() => isFamilySymbol(world, program, one), false);
    const members = heard(world.oldName);
    if (!isOurs) {
      if (members.some(isRenamed)) ties.lost.push({ ...site, others: [place] });
      continue;
    }
    const others = members.filter((one) => !isRenamed(one));
    if (others.length > 0) ties.missed.push({ ...site, others: placesOf(createPlaces(program), others) });
    if (heard(world.question.newName).length > 0) ties.gained.push({ ...site, others: null });
  }
  return ties;
}

/**
 * What a parameter `T extends Owner` wants of a value before it is known what is passed. Once it is, the compiler expects of the value what
 * the value is, and no longer says who takes it.
 */
function wantedByParameter(program: OpenProgram, value: ts.Node): ts.Type | undefined {
  const { checker } = program.project;
  const passed = findCall(program, value);
  const generic = passed === undefined ? undefined : checker.getResolvedSignature(passed.call)?.getTarget();
  if (passed === undefined || generic === undefined) return undefined;
  const parameters = generic.getParameters();
  const parameter = parameters[passed.at];
  if (parameter === undefined || (generic.hasRestParameter && passed.at >= parameters.length - 1)) return undefined;
  const constraintOf = (type: ts.Type | undefined) =>
    type === undefined ? undefined : (checker.getBaseConstraintOfType(type) ?? type);
  let wanted = constraintOf(checker.getTypeOfSymbol(parameter));
  for (const step of passed.steps) wanted = wanted === undefined ? undefined : constraintOf(step(wanted));
  return wanted;
}

/** From what is wanted of the whole to what is wanted of a part. */
type Step = (type: ts.Type) => ts.Type | undefined;

type Passed = { readonly call: ts.Node; readonly at: number; readonly steps: readonly Step[] };

/** The call that gets the value, alone or as a part of something, and the way to that part. */
function findCall(program: OpenProgram, value: ts.Node): Passed | undefined {
  const steps: Step[] = [];
  for (let [node, parent] = [value, value.parent]; parent !== undefined; [node, parent] = [parent, parent.parent]) {
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      const at = (parent.arguments ?? ([] as readonly ts.Node[])).indexOf(node as ts.Expression);
      return at < 0 ? undefined : { call: parent, at, steps };
    }
    if (ts.isReturnStatement(parent)) parent = functionAround(parent);
    if (parent === undefined) return undefined;
    const step = stepInto(program, parent);
    if (step !== undefined) steps.unshift(step);
    else if (!passesOn.has(parent.kind)) return undefined;
  }
  return undefined;
}

function stepInto(program: OpenProgram, whole: ts.Node): Step | undefined {
  const { checker } = program.project;
  if (ts.isPropertyAssignment(whole)) {
    const { name } = whole;
    if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return undefined;
    return (type) => {
      const [member] = lookUp(program, type, name.text);
      return member === undefined ? undefined : checker.getTypeOfSymbol(member);
    };
  }
  if (ts.isArrayLiteralExpression(whole))
    return (type) => {
      const infos = partsOf(program, type).flatMap((part) => checker.getIndexInfosOfType(part));
      return infos.find(({ keyType }) => (keyType.flags & ts.TypeFlags.Number) !== 0)?.valueType;
    };
  if (ts.isArrowFunction(whole) || ts.isFunctionExpression(whole))
    return (type) => {
      const [signature] = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
      return signature === undefined ? undefined : checker.getReturnTypeOfSignature(signature);
    };
  return undefined;
}

function functionAround(statement: ts.Node): ts.Node {
  let at = statement;
  while (at.parent !== undefined && !functions.has(at.kind)) at = at.parent;
  return at;
}

const functions: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.GetAccessor,
]);

/** What is inside is what it is, or a part of it. */
const passesOn: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.SpreadAssignment,
  ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.AsExpression,
  ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.ConditionalExpression,
]);
