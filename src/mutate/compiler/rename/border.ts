/**
 * The untyped border (mutation.md §2.6): where a value that has the renamed member, at any depth, goes to something that does not know it,
 * or comes from there; and where two members of one name meet by shape alone. At every flow the type of the value and what is wanted of it
 * are walked side by side. What is wider than the owner, and type parameters that take it, carry it on: their flows are looked at in
 * turn.
 */

import { lazy } from '../../../kernel/base/lazy.ts';
import { lineNumberAt } from '../../../kernel/tree/positions.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { createPlaces } from '../job/declarations.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import { listAffected, type Seed } from '../proof/affected-files.ts';
import type { DeclarationPlace, ItemDraft } from '../session/messages.ts';
import { createKeyClaims, listClaiming } from './claimed-names.ts';
import { createComparisons, isPrivateFamily } from './compared-values.ts';
import { findConjured } from './conjured-values.ts';
import { hasError, isOptional, isUntyped, listOwners, type Site, site, typesAt, walkNodes } from './doubted-family.ts';
import { type Flow, listFlows, pinpoint, type Taker, type Wanted } from './flows.ts';
import { hasModifier, isFamilySymbol, memberDeclaration } from './member-types.ts';
import type { Glance } from './quiet-callees.ts';
import { originOf, parameterAt, type Shape, shapeOf, simple } from './type-shapes.ts';

// Ties by shape: two members of one name, of which one is renamed, meet where the compiler lets an object pass without it.

export const tieKinds = ['missed', 'lost', 'gained'] as const;

/**
 * `missed`: a taker of the old name no longer gets what is renamed. `lost`: a taker of the renamed one no longer sees what has the old name.
 * `gained`: what has the new name and what is renamed suddenly meet.
 */
export type TieKind = (typeof tieKinds)[number];

/** A place where two members meet: the renamed one, and another. */
export type TiedSite = Site & {
  /** Where the other one is declared; null where that cannot be told. */
  readonly others: readonly DeclarationPlace[] | null;
};

export type Ties = Readonly<Record<TieKind, readonly TiedSite[]>>;

const K = ts.SyntaxKind;

/** What may go wrong between what a value is and what is wanted of it. */
type Trouble =
  | { readonly kind: 'leaves' | 'enters' | 'otherLeaves' | 'otherEnters' | 'otherGiven' | 'keys' | 'reads' }
  /** What must have the member does not, for the compiler: where it says so there, something else knows better. */
  | { readonly kind: 'lacks' }
  | { readonly kind: TieKind; readonly symbols: readonly ts.Symbol[] }
  /** The value goes on under a type of the repository that has no such member, or under a type parameter. */
  | { readonly kind: 'widens' | 'given'; readonly to: ts.Type }
  /** Something else that has one of the names goes on under a type that has none; what is of such a type is taken for an owner. */
  | { readonly kind: 'otherWidens' | 'narrows' | 'sharedNarrows'; readonly to: ts.Type }
  /** It is called with what nothing is said of. */
  | { readonly kind: 'blind' };

type Crossing = Site & { readonly taker: Taker | undefined; readonly assertion?: Glance | undefined };

export type Border = {
  readonly items: readonly ItemDraft[];
  readonly ties: Ties;
};

const roundsMax = 4;
const placesEnough = 10;

export function findBorder(world: RenameWorld): Border {
  const ties: Record<TieKind, TiedSite[]> = { missed: [], lost: [], gained: [] };
  if (!world.isMember || world.oldName.startsWith('#')) return { items: [], ties };
  const found = {
    leaves: [],
    enters: [],
    given: [],
    otherLeaves: [],
    otherEnters: [],
    reads: [],
    keys: [],
    compared: [],
    unfollowed: [],
    mounted: [],
    besides: [],
  } as Found;
  for (const program of world.programs.open) crossIn(world, program, found, ties);
  return {
    items: judge(world, found),
    ties: { missed: unite(ties.missed), lost: unite(ties.lost), gained: unite(ties.gained) },
  };
}

type Found = {
  readonly leaves: Crossing[];
  readonly enters: Crossing[];
  /** Thrown, or given to a package that says it does not care what it is. */
  readonly given: Crossing[];
  readonly otherLeaves: Crossing[];
  readonly otherEnters: Crossing[];
  /** Members of anything are looked up by a computed key. */
  readonly reads: Crossing[];
  /** Any string is claimed to be the name of a member. */
  readonly keys: Crossing[];
  /** It leaves to be compared with what has the renamed member wherever it does, unless some of them got there unseen. */
  readonly compared: Crossing[];
  /** There are more types than are looked at. */
  readonly unfollowed: Crossing[];
  /** An element of what takes an owner for its properties: whatever clones it can give it more of them. */
  readonly mounted: Crossing[];
  /** Something else that has one of the names is passed beside an element, or beside anything. */
  readonly besides: Crossing[];
};

function crossIn(world: RenameWorld, program: OpenProgram, found: Found, ties: Record<TieKind, TiedSite[]>): void {
  const { programs, oldName } = world;
  const own = world.family.filter(({ outside }) => !outside);
  const findPlaces = createPlaces(program);
  // Whatever leaves then is asked about.
  const isEnough = kindOfFamily(world).isData || isSpelledSomewhere(world);
  // `this.a = …` in JavaScript declares it; other rules know it where a class or a type says so.
  const isByAssignment = !world.occurrences.some(({ token }) => memberDeclaration(token.node) !== undefined);
  const carriers = new Map<number, ts.Type>();
  const comparisons: Comparison[] = [];
  const isKeptByClass = isPrivateFamily(world);
  const widened = new Set<number>();
  const narrowed: { readonly type: number; readonly at: Crossing }[] = [];
  let files: readonly string[] = listAffected(programs, program, { seeds: own }) ?? program.files;
  const reached = new Set<string>();
  for (let round = 0; round < roundsMax && files.length > 0; round++) {
    for (const path of files) reached.add(path);
    const mayHold = (path: string | undefined) => path === undefined || reached.has(path);
    const walk = createWalk(world, program, new Set(carriers.keys()), mayHold);
    const fresh = new Map<number, ts.Type>();
    const carry = (given: ts.Type) => {
      const type = shapeOf(programs, program, given).generic?.type ?? given;
      if (!carriers.has(type.id)) fresh.set(type.id, type);
    };
    for (const path of files) {
      const file = program.sourceFile(path);
      // Enough to ask about, and more places would not change the question.
      if (file === undefined || walk.isSpent() || (isEnough && found.leaves.length > placesEnough)) continue;
      if (round === 0) found.mounted.push(...listMounted(program, path, file, walk));
      for (const flow of listFlows(programs, program, file)) {
        if (walk.isSpent()) break;
        const at = (taker: Taker | undefined, assertion?: Glance): Crossing => ({
          path,
          node: flow.value,
          taker,
          assertion,
        });
        if (flow.how === 'thrown') {
          if (flow.source !== undefined && walk.carries(flow.source)) found.given.push(at(undefined));
          continue;
        }
        if (flow.how === 'read') {
          const kind = flow.source === undefined ? undefined : walk.reading(flow.source);
          if (kind === 'carried' || (kind === 'own' && (isByAssignment || flow.value.parent.kind === K.ForInStatement)))
            found.leaves.push(at(undefined));
          else if (kind === 'open') found.reads.push(at(undefined));
          continue;
        }
        for (const { trouble, wanted } of walk.flow(flow)) {
          if (flow.how === 'inherited' && trouble.kind === 'leaves') continue;
          if (staysHere.has(trouble.kind) && isChecked(flow)) continue;
          const isOther = trouble.kind === 'otherLeaves' || trouble.kind === 'otherGiven';
          if (isOther && found.mounted.length > 0 && isBesideElement(program, flow.value, wanted.taker))
            found.besides.push(at(wanted.taker));
          if (isKeptByClass && wanted.comparedWith !== undefined && flow.source !== undefined) {
            const isGiven = trouble.kind === 'given' && wanted.taker?.origin === 'package';
            const into = trouble.kind === 'leaves' ? found.leaves : isGiven ? found.given : undefined;
            const types = [flow.source, wanted.comparedWith] as const;
            if (into !== undefined) {
              comparisons.push({ ...at(wanted.taker, wanted.assertion), into, types });
              continue;
            }
          }
          switch (trouble.kind) {
            case 'widens':
              carry(trouble.to);
              break;
            case 'blind':
              found.enters.push(at(wanted.taker));
              break;
            case 'otherWidens':
              widened.add(trouble.to.id);
              break;
            case 'narrows':
            case 'sharedNarrows':
              if (trouble.kind === 'narrows' || isShared(flow.value))
                narrowed.push({ type: trouble.to.id, at: at(wanted.taker) });
              break;
            case 'given':
              if (wanted.taker?.origin === 'package') found.given.push(at(wanted.taker));
              else if (wanted.taker?.origin !== 'library') carry(trouble.to);
              break;
            case 'otherGiven':
              if (wanted.taker?.origin === 'package' || wanted.assertion !== undefined)
                found.otherLeaves.push(at(wanted.taker));
              break;
            case 'missed':
            case 'lost':
            case 'gained': {
              const each = trouble.symbols.map(findPlaces);
              const others = each.every(({ length }) => length > 0) ? each.flat() : null;
              ties[trouble.kind].push({ path, node: pinpoint(program, flow.value, oldName), others });
              break;
            }
            case 'lacks':
              if (hasError(program, file, flow.value)) found.enters.push(at(wanted.taker));
              break;
            default:
              found[trouble.kind].push(at(wanted.taker, wanted.assertion));
          }
        }
      }
      if (round === 0)
        found.enters.push(
          ...findConjured(world, program, file, walk).map((node) => ({ path, node, taker: undefined })),
        );
    }
    if (walk.isSpent()) {
      const { token } = world.target;
      found.unfollowed.push({ path: token.path, node: token.node, taker: undefined });
      break;
    }
    for (const parameter of walk.parametersOf()) carry(parameter);
    for (const [id, type] of fresh) carriers.set(id, type);
    files = filesOf(world, program, [...fresh.values()]);
  }
  const walk = createWalk(world, program, new Set(carriers.keys()), () => true);
  if (!isEnough && found.leaves.length > 0)
    for (const path of listClaiming(world, program)) {
      const file = reached.has(path) ? undefined : program.sourceFile(path);
      for (const flow of file === undefined ? [] : listFlows(programs, program, file))
        for (const { trouble, wanted } of walk.flow(flow))
          if (trouble.kind === 'otherEnters') found.otherEnters.push({ path, node: flow.value, taker: wanted.taker });
    }
  found.enters.push(...narrowed.flatMap((one) => (widened.has(one.type) ? [one.at] : [])));
  for (const { into, types, ...crossing } of comparisons)
    (isTyped(crossing.path) && walk.areAlike(...types) ? found.compared : into).push(crossing);
}

/** `<C />`, where `C` takes an owner for its properties. */
function listMounted(program: OpenProgram, path: string, file: ts.SourceFile, walk: Walk): readonly Crossing[] {
  if (!/\.[cm]?[jt]sx$/.test(path)) return [];
  const tags: ts.Node[] = [];
  walkNodes(file, (node) => {
    if (node.kind !== K.JsxSelfClosingElement && node.kind !== K.JsxOpeningElement) return;
    const { tagName } = node as ts.Node & { readonly tagName: ts.Node };
    if (!/^[a-z]/.test(tagName.getText())) tags.push(tagName);
  });
  const types = typesAt(program, tags);
  return tags.flatMap((node, at) => {
    const type = types[at];
    return type !== undefined && walk.isMadeFrom(type) ? [{ path, node, taker: undefined }] : [];
  });
}

/** `cloneElement(child, more)` */
function isBesideElement(program: OpenProgram, value: ts.Node, taker: Taker | undefined): boolean {
  if (taker === undefined || taker.origin === 'library') return false;
  const { arguments: given = [] } = taker.call as { readonly arguments?: readonly ts.Node[] };
  const others = given.filter((one) => one !== value);
  return typesAt(program, others).some((type) => isUntyped(type) || elements.test(type?.getSymbol()?.name ?? ''));
}

const elements = /^(?:JSX)?(?:\w*Element|\w*Node|VNode)$/;

/** It was there before, and something else may have hold of it. */
function isShared({ kind }: ts.Node): boolean {
  return kind === K.Identifier || kind === K.PropertyAccessExpression;
}

/** `x satisfies T`: it goes nowhere, and stays what it is. */
function isChecked({ value, how }: Flow): boolean {
  return how === 'taken' && value.parent.kind === K.SatisfiesExpression;
}

const staysHere: ReadonlySet<Trouble['kind']> = new Set(['leaves', 'otherLeaves', 'widens', 'given', 'otherGiven']);

/** Of a private member: two values of these types are compared. */
type Comparison = Crossing & { readonly into: Crossing[]; readonly types: readonly [ts.Type, ts.Type] };

/** Where such a type is declared, and all that mentions it. */
function filesOf({ programs }: RenameWorld, program: OpenProgram, types: readonly ts.Type[]): readonly string[] {
  const seeds: Seed[] = [];
  for (const type of types)
    for (const handle of askOr(() => type.getSymbol()?.declarations ?? [], [])) {
      const { path, outside } = programs.place(handle.path);
      if (outside) continue;
      const node = handle.resolve(program.project);
      seeds.push(node === undefined || node.kind === K.TypeParameter ? { path } : { path, start: node.getStart() });
    }
  if (seeds.length === 0) return [];
  const isParameter = types.every((type) => type.isTypeParameter());
  if (isParameter) return [...new Set(seeds.map(({ path }) => path))];
  return listAffected(programs, program, { seeds }) ?? program.files;
}

// The walk.

type Reach = { readonly carries: boolean; readonly names: boolean };

const reachDepth = 5;
const reachTypes = 200;
const walkDepth = 8;
/** Generic code can have a type of its own at every call; each costs about a millisecond. */
const typesMax = 4_000;

type Walk = {
  flow(flow: Flow): readonly { readonly trouble: Trouble; readonly wanted: Wanted }[];
  /** Of two values of these types, one has the renamed member wherever the other does, but for what neither type speaks of. */
  areAlike(one: ts.Type, other: ts.Type): boolean;
  /** Whose own names are read here: the owner's, something's that may be one, or anything's. */
  reading(type: ts.Type): 'own' | 'carried' | 'open' | undefined;
  carries(type: ts.Type): boolean;
  /** It is a function that takes what has the member. */
  isGivenTo(type: ts.Type): boolean;
  /** It is a function whose first parameter is an owner. */
  isMadeFrom(type: ts.Type): boolean;
  /** More types were looked into than a question is worth. */
  isSpent(): boolean;
  /** Parameters of generic types of the repository that were given an owner. */
  parametersOf(): readonly ts.Type[];
};

function createWalk(
  world: RenameWorld,
  program: OpenProgram,
  carriers: ReadonlySet<number>,
  mayHold: (path: string | undefined) => boolean,
): Walk {
  const { programs, oldName } = world;
  const looksAt = (assertion: Glance) => assertion.looksAt.has(oldName) || assertion.looksAt.has(newName);
  const isThis = (type: ts.Type) => type.isTypeParameter() && type.isThisType === true;
  const { newName } = world.question;
  const { checker } = program.project;
  const looked = new Set<number>();
  const shape = (type: ts.Type): Shape => {
    looked.add(type.id);
    return shapeOf(programs, program, type);
  };
  const isSpent = () => looked.size > typesMax;
  const families = new Map<number, boolean>();
  const isFamily = (symbol: ts.Symbol): boolean => {
    const known = families.get(symbol.id);
    if (known !== undefined) return known;
    const is = askOr(() => isFamilySymbol(world, program, symbol), false);
    families.set(symbol.id, is);
    return is;
  };
  const parameters = new Map<number, ts.Type>();

  const children = (type: ts.Type, isRoot: boolean): readonly ts.Type[] => {
    const own = shape(type);
    const { kind, parts, args } = own;
    if (kind === 'open' || kind === 'plain') return [];
    if (kind === 'union') return parts;
    if (kind === 'parameter') {
      const constraint = askOr(() => checker.getBaseConstraintOfType(type), undefined);
      return constraint === undefined || constraint.id === type.id ? [] : [constraint];
    }
    const found = [...args];
    // What is declared in a file that no chain of mentions leads to has none of it.
    if (own.isNamed ? own.origin !== 'here' || !mayHold(own.declaredIn) : !isRoot && !mayHold(own.writtenIn))
      return found;
    const { properties, calls, indexed } = own;
    found.push(...properties.map((one) => one.type));
    // What a class makes is looked at where its instances go.
    const made = own.isNamed || own.isLiteral ? [] : own.makes;
    for (const call of [...calls, ...made])
      found.push(...call.parameters, ...(call.returns === undefined ? [] : [call.returns]));
    if (indexed !== undefined) found.push(indexed);
    return found;
  };

  /** Of a generic type, whatever it is given. */
  const isCarrier = (type: ts.Type): boolean =>
    carriers.has(type.id) || (carriers.size > 0 && carriers.has(shape(type).generic?.type.id ?? -1));

  /** What no chain of mentions leads to, and what others declare, has none of it. */
  const mayBeOwner = (own: Shape): boolean => {
    if (!own.isNamed) return true;
    return own.origin === 'here' && mayHold(own.declaredIn);
  };
  const isOwner = (type: ts.Type): boolean => {
    if (isCarrier(type)) return true;
    const own = shape(type);
    if ((own.kind !== 'object' && !type.isIntersectionType()) || !mayBeOwner(own)) return false;
    const old = own.property(oldName);
    return old !== undefined && isFamily(old);
  };
  const isOther = (type: ts.Type): boolean => {
    const own = shape(type);
    if (own.kind !== 'object' && !type.isIntersectionType()) return false;
    const old = own.property(oldName);
    return (old !== undefined && !isFamily(old)) || own.property(newName) !== undefined;
  };

  /** `Error`, `EventTarget`: values of the repository's own classes are called that in many places. */
  const owners = lazy(() => listOwners(world).filter((owner) => owner.program === program));
  const mayHoldOwner = (type: ts.Type, own: Shape): boolean =>
    own.kind === 'object' &&
    own.origin !== 'here' &&
    owners().some((owner) => askOr(() => checker.isTypeAssignableTo(owner.type, type), false));

  const isKeyOfOwner = createKeyClaims(programs, program, oldName, () => owners().map(({ type }) => type));

  /** What has the member at any depth. */
  const carrying = new Map<number, boolean>();
  const carriesDeep = (root: ts.Type): boolean => {
    const known = carrying.get(root.id);
    if (known !== undefined) return known;
    const seen = new Set<number>([root.id]);
    let level = [root];
    for (let depth = 0; level.length > 0 && depth <= reachDepth && seen.size <= reachTypes; depth++) {
      const next: ts.Type[] = [];
      for (const type of level) {
        if (seen.size > reachTypes || isSpent()) break;
        if (carrying.get(type.id) ?? isOwner(type)) {
          carrying.set(root.id, true);
          noteParameters(root);
          return true;
        }
        if (carrying.has(type.id)) continue;
        for (const child of children(type, depth === 0)) {
          if (seen.has(child.id) || (child.flags & simple) !== 0) continue;
          seen.add(child.id);
          next.push(child);
        }
      }
      level = next;
    }
    // What was not looked at in full is looked at again from elsewhere.
    if (level.length === 0 && seen.size <= reachTypes && !isSpent()) for (const id of seen) carrying.set(id, false);
    else carrying.set(root.id, false);
    return false;
  };

  /** Other members of either name are only looked for nearby: they decide nothing alone. */
  const namesNearby = (type: ts.Type, depth = 0): boolean => {
    if (isOther(type)) return true;
    const { kind, parts, args } = shape(type);
    if (depth > 1 || kind === 'open' || kind === 'plain') return false;
    return (kind === 'union' ? parts : args).some((part) => namesNearby(part, depth + 1));
  };
  const reach = (type: ts.Type): Reach => ({ carries: carriesDeep(type), names: namesNearby(type) });

  const noteParameters = (type: ts.Type, depth = 0): void => {
    const own = shape(type);
    if (depth < 4) for (const part of own.kind === 'union' ? own.parts : own.args) noteParameters(part, depth + 1);
    if (own.kind !== 'object' || own.origin !== 'here' || own.generic === undefined) return;
    if (own.generic.type.id === type.id) return;
    for (const [at, parameter] of own.generic.parameters.entries()) {
      const given = own.args[at];
      if (given !== undefined && given.id !== parameter.id && carriesDeep(given))
        parameters.set(parameter.id, parameter);
    }
  };

  const { isUniform, areAlike } = createComparisons(world, program, { shape, isOwner, isOther, isCarrier, isSpent });

  const leave = (type: ts.Type): readonly Trouble[] => {
    const { carries, names } = reach(type);
    return [...(carries ? [{ kind: 'leaves' } as const] : []), ...(names ? [{ kind: 'otherLeaves' } as const] : [])];
  };
  const enter = (type: ts.Type): readonly Trouble[] => {
    const { carries, names } = reach(type);
    return [...(carries ? [{ kind: 'enters' } as const] : []), ...(names ? [{ kind: 'otherEnters' } as const] : [])];
  };

  const met = new Map<string, readonly Trouble[]>();
  const meet = (s: ts.Type, t: ts.Type, how: Flow['how'], depth: number): readonly Trouble[] => {
    if (s.id === t.id || depth > walkDepth || isSpent()) return [];
    const key = `${s.id} ${t.id} ${how}`;
    const known = met.get(key);
    if (known !== undefined) return known;
    met.set(key, []);
    const result = compare(s, t, how, depth);
    met.set(key, result);
    return result;
  };

  const compare = (s: ts.Type, t: ts.Type, how: Flow['how'], depth: number): readonly Trouble[] => {
    const [S, T] = [shape(s), shape(t)];
    const isAnyText = S.kind === 'open' || (how === 'asserted' && (s.flags & ts.TypeFlags.String) !== 0);
    if (isAnyText && isKeyOfOwner(t)) return [{ kind: 'keys' }, ...(S.kind === 'open' ? enter(t) : [])];
    if (T.kind === 'plain') return [];
    if (S.kind === 'plain') return [];
    if (T.kind === 'open') return S.kind === 'open' ? [] : leave(s);
    if (S.kind === 'open') {
      const isTable = how === 'asserted' && T.indexed !== undefined && shape(T.indexed).calls.length > 0;
      return isTable ? [{ kind: 'reads' }, ...enter(t)] : enter(t);
    }
    if (s.isUnionType()) return S.parts.flatMap((part) => meet(part, t, how, depth + 1));
    if (t.isUnionType()) return chooseOf(s, T.parts, how, depth);
    if (T.kind === 'parameter') return give(s, t, how, depth);
    if (S.kind === 'parameter') {
      if (how === 'asserted' && !isThis(s) && carriesDeep(t)) return [{ kind: 'enters' }];
      const constraint = askOr(() => checker.getBaseConstraintOfType(s), undefined);
      return constraint === undefined || shape(constraint).kind === 'open' ? [] : meet(constraint, t, how, depth + 1);
    }
    return compareObjects(s, t, how, depth);
  };

  /** To a type parameter; where its bound allows a look-up by any string, strings read it. */
  const give = (s: ts.Type, t: ts.Type, how: Flow['how'], depth: number): readonly Trouble[] => {
    const constraint = askOr(() => checker.getBaseConstraintOfType(t), undefined);
    const { carries, names } = reach(s);
    const found: Trouble[] = [];
    if (carries) found.push({ kind: 'given', to: t });
    if (names) found.push({ kind: 'otherGiven' });
    if (constraint !== undefined && constraint.id !== t.id && shape(constraint).kind === 'object')
      found.push(...meet(s, constraint, how, depth + 1).filter(({ kind }) => kind !== 'widens' && kind !== 'blind'));
    return found;
  };

  const fits = (s: ts.Type, part: ts.Type) => askOr(() => checker.isTypeAssignableTo(s, part), true);

  const chooseOf = (s: ts.Type, parts: readonly ts.Type[], how: Flow['how'], depth: number): readonly Trouble[] => {
    if (parts.some(({ id }) => id === s.id)) return [];
    const worth = parts.filter((part) => shape(part).kind !== 'plain');
    const carrying = isOwner(s) ? worth.filter(isOwner) : [];
    const fitting =
      how === 'taken' && carrying.length === 0 && worth.length > 1 ? worth.filter((part) => fits(s, part)) : [];
    const chosen = carrying.length > 0 ? carrying : fitting.length > 0 ? fitting : worth;
    const results = chosen.map((part) => meet(s, part, how, depth + 1));
    return results.reduce<readonly Trouble[]>(
      (best, one, at) => (at === 0 || one.length < best.length ? one : best),
      [],
    );
  };

  /** It holds what has the member, where the other has no place for it. */
  const hides = (S: Shape, T: Shape): boolean =>
    S.properties.some(
      ({ name, type }) =>
        (type.flags & simple) === 0 &&
        T.property(name) === undefined &&
        shape(type).calls.length === 0 &&
        carriesDeep(type),
    );

  /** It says of something, of which the other does not speak, that it may be read by any name, or by one of the two. */
  const bares = (S: Shape, T: Shape): boolean =>
    T.properties.some(
      ({ name, type }) => S.property(name) === undefined && (shape(type).kind === 'open' || namesNearby(type)),
    );

  const compareObjects = (s: ts.Type, t: ts.Type, how: Flow['how'], depth: number): readonly Trouble[] => {
    const [S, T] = [shape(s), shape(t)];
    const found: Trouble[] = [];
    const [ps, pt] = [S.property(oldName), T.property(oldName)];
    const [sOwn, tOwn] = [ps !== undefined && isFamily(ps), pt !== undefined && isFamily(pt)];
    const isLoose = (symbol: ts.Symbol) => how === 'asserted' || how === 'copied' || isOptional(symbol);
    if (sOwn && pt === undefined) {
      if (T.indexed !== undefined) found.push({ kind: 'leaves' });
      else if (T.origin === 'here' && how !== 'copied') found.push({ kind: 'widens', to: t });
    } else if (!sOwn && T.origin === 'here' && T.indexed === undefined && how !== 'copied' && hides(S, T))
      found.push({ kind: 'widens', to: t });
    if (!sOwn && isCarrier(s) && (T.indexed !== undefined || (how === 'asserted' && bares(S, T))))
      found.push({ kind: 'leaves' });
    if (sOwn && pt !== undefined && !tOwn && isLoose(pt)) found.push({ kind: 'missed', symbols: [pt] });
    if (!sOwn && ps !== undefined && tOwn && pt !== undefined && isLoose(pt))
      found.push({ kind: 'lost', symbols: [ps] });
    // What a literal does not have, it does not bring along, unless it has a key that is computed.
    const isClosed = S.isLiteral && S.indexed === undefined && isTyped(S.writtenIn);
    if (ps === undefined && tOwn && how !== 'copied' && !isClosed && (S.indexed !== undefined || how === 'asserted'))
      found.push({ kind: 'enters' });
    if (ps === undefined && pt !== undefined && tOwn && how === 'taken' && !isOptional(pt) && !isClosed)
      found.push({ kind: 'lacks' });
    if (how === 'taken' && ps === undefined && tOwn && !isClosed) found.push({ kind: 'narrows', to: s });
    const isOtherThere = (ps !== undefined && !sOwn) || (!sOwn && S.property(newName) !== undefined);
    if (isOtherThere && how !== 'copied' && pt === undefined && T.origin === 'here' && T.indexed === undefined)
      found.push({ kind: 'otherWidens', to: t });
    // What the library calls `CustomEvent<I>` may be any event.
    const isClaimed = how === 'asserted' && !s.isTypeReference() && !S.isLiteral && T.origin !== 'here';
    if (isClaimed && T.args.some(carriesDeep) && !carriesDeep(s)) found.push({ kind: 'enters' });
    if (ps === undefined && pt !== undefined && !tOwn && how === 'asserted' && (isCarrier(s) || mayHoldOwner(s, S)))
      found.push({ kind: 'missed', symbols: [pt] });
    if (sOwn) {
      const fresh = T.property(newName);
      if (fresh !== undefined && S.property(newName) === undefined && isLoose(fresh))
        found.push({ kind: 'gained', symbols: [fresh] });
    } else if (ps !== undefined && pt === undefined && T.indexed !== undefined) found.push({ kind: 'otherLeaves' });
    if (!sOwn && tOwn && pt !== undefined && isLoose(pt)) {
      const own = S.property(newName);
      if (own !== undefined && T.property(newName) === undefined) found.push({ kind: 'gained', symbols: [own] });
    }
    for (const part of t.isIntersectionType() ? T.parts : [])
      if (shape(part).kind === 'parameter') found.push(...give(s, part, how, depth));
    if (how === 'copied') return found;
    for (const [from, to] of pairs(s, t, S, T))
      found.push(...meet(from, to, how === 'asserted' ? how : 'taken', depth + 1));
    if (how === 'taken') found.push(...shared(S, T, depth));
    const [called, calling] = [S.calls[0], T.calls[0]];
    const isBlind = calling?.parameters.some((_, at) => isNever(parameterAt(program, calling, at))) === true;
    if (isBlind && called?.parameters.some(carriesDeep) === true) found.push({ kind: 'blind' });
    return distinct(found);
  };

  /** A list of owners that is passed as a list of something wider: what is put into it there is an owner here. */
  const shared = (S: Shape, T: Shape, depth: number): readonly Trouble[] => {
    if (S.generic === undefined || S.generic.type.id !== T.generic?.type.id || S.origin !== 'library') return [];
    if (!/^(?:Array|Map|Set)$/.test(S.generic.type.getSymbol()?.name ?? '')) return [];
    return S.args.flatMap((from, at) => {
      const to = T.args[at];
      if (to === undefined || to.id === from.id || !isOwner(from)) return [];
      const back = meet(to, from, 'taken', depth + 1);
      return back.flatMap((one) => (one.kind === 'narrows' ? [{ kind: 'sharedNarrows' as const, to: one.to }] : []));
    });
  };

  /** The parts of two objects that meet when the objects do, as far as one of them is of interest. */
  function* pairs(s: ts.Type, t: ts.Type, S: Shape, T: Shape): Generator<readonly [ts.Type, ts.Type]> {
    const isWorth = (type: ts.Type) => {
      const { carries, names } = reach(type);
      return carries || names;
    };
    const areReferences = s.isTypeReference() && t.isTypeReference();
    if (
      areReferences &&
      (S.generic?.type.id === T.generic?.type.id || (S.properties.length === 0 && T.properties.length === 0))
    ) {
      const [several, single] =
        S.args.length !== T.args.length && T.args.length === 1 ? [true, T.args[0]] : [false, undefined];
      for (const [at, from] of S.args.entries()) {
        const to = several ? single : T.args[at];
        if (to !== undefined && (isWorth(from) || isWorth(to))) yield [from, to];
      }
      return;
    }
    const typeIn = (own: Shape, name: string): ts.Type | undefined => {
      const listed = own.properties.find((one) => one.name === name)?.type;
      if (listed !== undefined) return listed;
      const symbol = own.property(name);
      return symbol === undefined ? undefined : askOr(() => checker.getTypeOfSymbol(symbol), undefined);
    };
    const seen = new Set<string>();
    for (const { name, type } of S.properties) {
      if (!isWorth(type)) continue;
      seen.add(name);
      const to = typeIn(T, name) ?? T.indexed;
      if (to !== undefined) yield [type, to];
    }
    for (const { name, type } of T.properties) {
      if (seen.has(name) || !isWorth(type)) continue;
      const from = typeIn(S, name) ?? S.indexed;
      if (from !== undefined) yield [from, type];
    }
    if (S.indexed !== undefined && T.indexed !== undefined) yield [S.indexed, T.indexed];
    const made = T.makes[0]?.returns;
    const making = made === undefined ? undefined : S.makes[0]?.returns;
    if (making !== undefined && made !== undefined) yield [making, made];
    const [given, wanted] = [S.calls[0], T.calls[0]];
    if (given === undefined || wanted === undefined) return;
    const count = Math.max(given.parameters.length, wanted.parameters.length);
    for (let at = 0; at < count; at++) {
      const [passed, taken] = [parameterAt(program, wanted, at), parameterAt(program, given, at)];
      if (passed !== undefined && taken !== undefined) yield [passed, taken];
    }
    if (given.returns !== undefined && wanted.returns !== undefined && (wanted.returns.flags & ts.TypeFlags.Void) === 0)
      yield [given.returns, wanted.returns];
  }

  return {
    flow({ value, source, how, wanted }) {
      if (source === undefined) return [];
      // What a class gives to the parameters of its base stands nowhere else.
      if (how === 'inherited') for (const { type } of wanted()) if (type !== null) carriesDeep(type);
      const isText = how === 'asserted' && (source.flags & ts.TypeFlags.String) !== 0;
      if (!isText && shape(source).kind === 'plain') return [];
      return wanted().flatMap((one) => {
        if (one.assertion !== undefined && !one.assertion.compares && !looksAt(one.assertion)) return [];
        if (one.comparedWith?.id === source.id && isTyped(value.getSourceFile().fileName) && isUniform(source))
          return [];
        const troubles = one.type === null ? leave(source) : meet(source, one.type, how, 0);
        return troubles.map((trouble) => ({ trouble, wanted: one }));
      });
    },
    reading(type) {
      const own = shape(type);
      if (own.kind === 'open') return 'open';
      const bound = isThis(type) ? askOr(() => checker.getBaseConstraintOfType(type), undefined) : undefined;
      const parts = own.kind === 'union' ? own.parts : [bound ?? type];
      if (parts.some(isCarrier)) return 'carried';
      return parts.some(isOwner) ? 'own' : undefined;
    },
    carries: carriesDeep,
    isGivenTo: (type) => shape(type).calls.some(({ parameters: taken }) => taken.some(carriesDeep)),
    isMadeFrom: (type) =>
      shape(type).calls.some(({ parameters: [first] }) => first !== undefined && shape(first).parts.some(isOwner)),
    areAlike,
    isSpent,
    parametersOf: () => [...parameters.values()],
  };
}

/** `(...x: never[]) => unknown`: any function, that is called with whatever is asserted. */
function isNever(type: ts.Type | undefined): boolean {
  return type !== undefined && (type.flags & ts.TypeFlags.Never) !== 0;
}

/** In JavaScript, objects that are written out may get more members later. */
function isTyped(path: string | undefined): boolean {
  return path === undefined || !/\.[cm]?jsx?$/.test(path);
}

function distinct(troubles: readonly Trouble[]): readonly Trouble[] {
  const seen = new Map<string, Trouble>();
  for (const one of troubles) {
    const of = 'to' in one ? one.to.id : 'symbols' in one ? one.symbols.map(({ id }) => id).join() : '';
    seen.set(`${one.kind} ${of}`, one);
  }
  return [...seen.values()];
}

// What is asked. Data carries the names of its properties wherever it goes; a method is found only by something that says its name.

function judge(world: RenameWorld, found: Found): readonly ItemDraft[] {
  const { oldName, question } = world;
  const kind = kindOfFamily(world);
  const isNamed = found.otherEnters.length > 0 || found.reads.length > 0 || isSpelledSomewhere(world);
  const isLookedFor = (assertion: Glance | undefined) =>
    assertion?.looksAt.has(oldName) === true || assertion?.looksAt.has(question.newName) === true;
  const isCompared = (assertion: Glance | undefined) =>
    assertion?.compares === true && kind.isMethod && found.otherLeaves.length === 0 && !isLookedFor(assertion);
  const leaves = found.leaves.filter(
    ({ taker, assertion }) =>
      kind.isData || isNamed || isLookedFor(assertion) || (isReader(taker) && !isCompared(assertion)),
  );
  const isCloned = kind.isData && found.besides.length > 0;
  const enters = [...found.enters, ...(isCloned ? found.mounted : [])].filter(
    ({ node }) => kind.isData || (kind.isShape && !isText(node)) || found.otherLeaves.length > 0,
  );
  const isExpected = found.otherLeaves.length > 0 || found.otherEnters.length > 0;
  const given = kind.isData && isExpected ? found.given : [];
  // Where an instance went out of sight, or something was taken for one, what nothing is said of may hold it.
  const isSeen = [found.leaves, found.enters, found.given, found.keys, found.unfollowed].every(
    ({ length }) => length === 0,
  );
  const compared = kind.isData && !isSeen ? found.compared : [];
  const out = tell(
    'untyped_exit',
    [...leaves, ...given, ...compared, ...found.keys],
    `A value that has \`${oldName}\` goes from here to code that may read the names of its members, as data or as \`${question.newName}\``,
  );
  const made = findUnmade(world);
  const tooMany = `More types have to do with \`${oldName}\` than are followed; whether it is read as data is not known`;
  return [
    ...out,
    ...tell('untyped_exit', out.length > 0 ? [] : found.unfollowed, tooMany),
    ...tell(
      'untyped_boundary',
      enters,
      `What this is was not made under the eyes of the compiler; it may carry \`${oldName}\``,
    ),
    ...tell(
      'untyped_exit',
      findStatics(world),
      `A package that this class extends may read \`${oldName}\` of the class by its name`,
    ),
    ...tell(
      'untyped_boundary',
      made,
      `Nothing in the class gives \`${oldName}\` its value; what does knows it by its name`,
    ),
  ];
}

/** Text that is read holds data, and no methods. */
function isText(node: ts.Node): boolean {
  return /^(?:await\s+)?(?:JSON\s*\.\s*parse\s*\(|[\w.$]+\s*\.\s*json\s*\(\s*\)$)/.test(node.getText());
}

/** It takes anything and may call it by its name, or lists the names of methods, too. */
function isReader(taker: Taker | undefined): boolean {
  if (taker === undefined) return false;
  return (
    taker.origin === 'package' || /^(?:getOwnPropertyNames|getOwnPropertyDescriptors|ownKeys|Proxy)$/.test(taker.name)
  );
}

/** One question for each reason, at the first of its places, which names some of the others. */
function tell(kind: ItemDraft['kind'], crossings: readonly Crossing[], says: string): readonly ItemDraft[] {
  const places = new Map(crossings.map((one) => [`${one.path}\0${one.node.getStart()}`, one]));
  const [first, ...others] = [...places.values()].sort((a, b) =>
    a.path === b.path ? a.node.getStart() - b.node.getStart() : a.path < b.path ? -1 : 1,
  );
  if (first === undefined) return [];
  const named = others
    .slice(0, 3)
    .map(({ path, node }) => `${path}:${lineNumberAt(node.getSourceFile().text, node.getStart())}`);
  const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
  const also = named.length === 0 ? '' : ` (also ${named.join(', ')}${more})`;
  return [site(kind, first.path, first.node, `${says}${also}.`)];
}

type FamilyKind = {
  /** An object has it as a property of its own. */
  readonly isData: boolean;
  /** It is a method wherever it is declared, and no accessor. */
  readonly isMethod: boolean;
  /** A type alone declares it: what has it may be made anywhere. */
  readonly isShape: boolean;
};

function kindOfFamily(world: RenameWorld): FamilyKind {
  let [isData, isShape, isMethod] = [false, false, true];
  for (const { token } of world.occurrences) {
    if (!world.familyKeys.has(placeKey({ ...token, outside: false }))) continue;
    const declaration = memberDeclaration(token.node);
    if (declaration === undefined) {
      isData = true;
      continue;
    }
    const inLiteral = declaration.parent.kind === K.ObjectLiteralExpression;
    if (!methods.has(declaration.kind) || inLiteral) isData = true;
    if (declaration.kind === K.GetAccessor || declaration.kind === K.SetAccessor) isMethod = false;
    if (declaration.kind === K.MethodSignature || declaration.kind === K.PropertySignature) isShape = true;
  }
  return { isData, isShape, isMethod: isMethod && !isData };
}

const methods: ReadonlySet<ts.SyntaxKind> = new Set([
  K.MethodDeclaration,
  K.MethodSignature,
  K.GetAccessor,
  K.SetAccessor,
]);

/** Does a string anywhere say one of the two names, alone or as a step of a path? */
function isSpelledSomewhere({ programs, oldName, question }: RenameWorld): boolean {
  const names = [oldName, question.newName].map((name) => name.replaceAll('$', '\\$')).join('|');
  const spelled = new RegExp(String.raw`(['"\`])(?:[\w$]+\.)*(?:${names})(?:\.[\w$]+)*\1`);
  return programs.open.some((program) =>
    program.files.some((path) => spelled.test(program.sourceFile(path)?.text ?? '')),
  );
}

/** `declare a: T` and `a!: T` in a class that never assigns it. */
function findUnmade(world: RenameWorld): readonly Crossing[] {
  const isAssigned = tokensNamed(world.programs, world.oldName).some(({ token }) => isWritten(token.node));
  return world.occurrences.flatMap(({ token }) => {
    const declaration = memberDeclaration(token.node);
    if (declaration?.kind !== K.PropertyDeclaration) return [];
    if (!world.familyKeys.has(placeKey({ ...token, outside: false }))) return [];
    const { postfixToken } = declaration as { readonly postfixToken?: ts.Node };
    const isDeclared = hasModifier(declaration, K.DeclareKeyword);
    const isPromised = postfixToken?.kind === K.ExclamationToken;
    return (isDeclared || isPromised) && !isAssigned ? [{ path: token.path, node: token.node, taker: undefined }] : [];
  });
}

/** `static table = 'users'` in a class that extends one of a package. */
function findStatics(world: RenameWorld): readonly Crossing[] {
  return world.occurrences.flatMap(({ program, token }) => {
    const declaration = memberDeclaration(token.node);
    if (declaration === undefined || !hasModifier(declaration, K.StaticKeyword)) return [];
    if (!world.familyKeys.has(placeKey({ ...token, outside: false }))) return [];
    const { heritageClauses = [] } = declaration.parent as { readonly heritageClauses?: readonly ts.HeritageClause[] };
    const bases = heritageClauses.flatMap(({ token: word, types }) => (word === K.ExtendsKeyword ? [...types] : []));
    const isForeign = typesAt(program, bases).some(
      (type) =>
        originOf(
          world.programs,
          askOr(() => type?.getSymbol()?.declarations[0]?.path, undefined),
        ) === 'package',
    );
    return isForeign ? [{ path: token.path, node: token.node, taker: undefined }] : [];
  });
}

function isWritten(name: ts.Node): boolean {
  const access = name.parent;
  if (access.kind !== K.PropertyAccessExpression) return false;
  const { parent } = access;
  return parent.kind === K.BinaryExpression && (parent as ts.Node & { readonly left: ts.Node }).left === access;
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

export function siteKey({ path, node }: Site): string {
  return `${path}\0${node.getStart()}`;
}
