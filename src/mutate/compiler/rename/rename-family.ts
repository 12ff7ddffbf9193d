/**
 * Which declarations must change together (mutation.md §2.2): the closure of the target's declarations over all tokens of the old name.
 * A token that stands for several declarations at once ties them (M3); what an override is of is tied by `overrides`. The closure is of
 * places, not of symbols, so that programs which share a file agree without knowing of each other (M5).
 */

import { askInBatches } from '../../../languages/typescript/compiler/compiler-process.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { AliasPolicy } from '../../vocabulary.ts';
import { createPlaces, type FindPlaces } from '../job/declarations.ts';
import { type BoundToken, type Link, type LinkRole, type OpenProgram, placeKey } from '../job/job-types.ts';
import type { CodeSpan, DeclarationPlace, Refusal, RenameQuestion } from '../session/messages.ts';

export type SidedToken = BoundToken & { readonly sides: Sides };

/** How a place came into the family: through which token, from which place. Start places have no step. */
type Step = { readonly via: SidedToken | null; readonly from: string };

export type Family = {
  readonly places: ReadonlyMap<string, DeclarationPlace>;
  readonly steps: ReadonlyMap<string, Step>;
};

type FamilyRules = {
  readonly policy: AliasPolicy;
  /** Declarations that name each other by inheritance, in both directions. Asked for members only. */
  readonly overridesOf: (place: string) => readonly DeclarationPlace[];
  /** Export specifiers whose public name stays, whatever the policy (`public_names: keep`). */
  readonly keepsPublic: (token: BoundToken) => boolean;
  /** Import specifiers whose local name stays: their file has the new name already. */
  readonly keepsLocal: (token: BoundToken) => boolean;
};

export function withSides(tokens: readonly BoundToken[]): readonly SidedToken[] {
  return tokens.map((token) => ({ ...token, sides: readSides(token) }));
}

/** What a rename at this token is about: the variable of `{ a }`, the local of `const { a } = o`, the public name of `export { a }`. */
export function startSide({ shape }: Sides, policy: AliasPolicy): Side {
  return shape === 'export' && policy === 'keep_local' ? 'second' : 'first';
}

export function collectFamily(
  tokens: readonly SidedToken[],
  start: readonly DeclarationPlace[],
  rules: FamilyRules,
): Family {
  const byPlace = indexByPlace(tokens);
  const places = new Map<string, DeclarationPlace>();
  const steps = new Map<string, Step>();
  const queue: string[] = [];
  const add = (place: DeclarationPlace, step: Step | null): void => {
    const key = placeKey(place);
    if (places.has(key)) return;
    places.set(key, place);
    if (step !== null) steps.set(key, step);
    queue.push(key);
  };
  for (const place of start) add(place, null);
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const place of rules.overridesOf(key)) add(place, { via: null, from: key });
    for (const { token, side } of byPlace.get(key) ?? []) {
      const step = { via: token, from: key };
      for (const place of token.sides[side]) add(place, step);
      const ties = tiesOf(token.sides.shape, rules.policy);
      if (side === 'first' && ties.forward && !rules.keepsPublic(token)) {
        for (const place of token.sides.second) add(place, step);
      }
      if (side === 'second' && ties.back && !(token.sides.shape === 'import' && rules.keepsLocal(token))) {
        for (const place of token.sides.first) add(place, step);
      }
    }
  }
  return { places, steps };
}

export function touches(family: Family, places: readonly DeclarationPlace[]): boolean {
  return places.some((place) => family.places.has(placeKey(place)));
}

type SideOf = { readonly token: SidedToken; readonly side: Side };

function indexByPlace(tokens: readonly SidedToken[]): ReadonlyMap<string, readonly SideOf[]> {
  const byPlace = new Map<string, SideOf[]>();
  for (const token of tokens) {
    for (const side of ['first', 'second'] as const) {
      for (const place of token.sides[side]) {
        const key = placeKey(place);
        const known = byPlace.get(key);
        if (known === undefined) byPlace.set(key, [{ token, side }]);
        else known.push({ token, side });
      }
    }
  }
  return byPlace;
}

// Declarations that are one member although they stand apart (mutation.md §2.2): what a class or interface declares and the members of
// that name in everything it extends or implements, however far up and through whichever of its merged declarations; the properties of
// object types that a union spells out side by side, of which code before a check sees only the union's; and what literals pour together.

/** By place key, both directions. */
type Overrides = ReadonlyMap<string, readonly DeclarationPlace[]>;

type Owner = ts.ClassDeclaration | ts.ClassExpression | ts.InterfaceDeclaration;
type Membership = { readonly owner: Owner; readonly ofClass: boolean };

export function findOverrides(
  programs: readonly OpenProgram[],
  tokens: readonly SidedToken[],
  name: string,
): Overrides {
  const ties = new Map<string, DeclarationPlace[]>();
  const tie = (from: DeclarationPlace, to: DeclarationPlace): void => {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const known = ties.get(placeKey(one));
      if (known === undefined) ties.set(placeKey(one), [other]);
      else known.push(other);
    }
  };
  for (const program of programs) {
    const findPlaces = createPlaces(program);
    const lookup = createLookup(program, name, findPlaces);
    const owns = tokens.filter((one) => one.program === program);
    for (const { token } of owns) {
      const own = { path: token.path, start: token.start, outside: false };
      for (const base of relatives(token.node, lookup)) tie(own, base);
    }
    const heirs = owns.some(({ token }) => membershipOf(token.node)) ? findJointHeirs(program, name, findPlaces) : [];
    for (const [first, ...others] of [...heirs, ...findSpreadTies(program, name, owns, findPlaces)]) {
      for (const other of others) if (first !== undefined) tie(first, other);
    }
  }
  return ties;
}

/** Whether a declaration of this name can have relatives at all. */
export function hasRelatives(name: ts.Node): boolean {
  return membershipOf(name) !== undefined || unionOf(name) !== undefined || spreadLiteralOf(name) !== undefined;
}

function relatives(name: ts.Node, lookup: Lookup): readonly DeclarationPlace[] {
  const member = membershipOf(name);
  if (member !== undefined) return lookup.inherited(member);
  const union = unionOf(name);
  return union === undefined ? [] : lookup.ofUnion(union);
}

type Lookup = {
  inherited(member: Membership): readonly DeclarationPlace[];
  ofUnion(union: ts.UnionTypeNode): readonly DeclarationPlace[];
};

function createLookup(program: OpenProgram, name: string, findPlaces: FindPlaces): Lookup {
  const { checker } = program.project;
  const byOwner = new Map<ts.Node, readonly DeclarationPlace[]>();
  const placesIn = (type: ts.Type | undefined): readonly DeclarationPlace[] => {
    const member = type && checker.getPropertyOfType(type, name);
    return member === undefined ? [] : findPlaces(member);
  };

  const climb = ({ owner, ofClass }: Membership): readonly DeclarationPlace[] => {
    const found: DeclarationPlace[] = [];
    const seen = new Set<ts.Node>();
    const pending: Owner[] = [owner, ...ownersOf(symbolOf(owner), program)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const heritage of heritageTypes(next, ofClass)) {
        const type = checker.getTypeAtLocation(heritage);
        found.push(...placesIn(type));
        pending.push(...ownersOf(type?.getSymbol(), program));
      }
    }
    return found;
  };
  const symbolOf = ({ name: named }: Owner): ts.Symbol | undefined =>
    named === undefined ? undefined : checker.getSymbolAtLocation(named);

  const unions = new Map<ts.Node, readonly DeclarationPlace[]>();
  return {
    inherited: (member) => {
      // Static and other members of one class are looked up apart; few classes have both of one name.
      const known = member.ofClass ? undefined : byOwner.get(member.owner);
      const places = known ?? climb(member);
      if (!member.ofClass) byOwner.set(member.owner, places);
      return places;
    },
    ofUnion: (union) => {
      const places = unions.get(union) ?? placesIn(checker.getTypeFromTypeNode(union));
      unions.set(union, places);
      return places;
    },
  };
}

/** All declarations of a class or interface: each may name further bases. */
function ownersOf(symbol: ts.Symbol | undefined, program: OpenProgram): readonly Owner[] {
  return (symbol?.declarations ?? []).flatMap((handle) => {
    const isOwnerKind =
      handle.kind === ts.SyntaxKind.ClassDeclaration ||
      handle.kind === ts.SyntaxKind.ClassExpression ||
      handle.kind === ts.SyntaxKind.InterfaceDeclaration;
    const node = isOwnerKind ? handle.resolve(program.project) : undefined;
    return node !== undefined && isOwner(node) ? [node] : [];
  });
}

/** What to ask the type of: `extends B` of a static member is the class itself, of an instance member what `new` gives. */
function heritageTypes(owner: Owner, ofClass: boolean): readonly ts.Node[] {
  const clauses = owner.heritageClauses ?? [];
  if (!ofClass) return clauses.flatMap(({ types }) => [...types]);
  return clauses
    .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression));
}

function membershipOf(name: ts.Node): Membership | undefined {
  const member = memberDeclaration(name);
  if (member === undefined) return undefined;
  const ofClass = isStatic(member);
  const owner = ts.isParameterDeclaration(member) ? ownerOfParameter(member) : member.parent;
  return owner !== undefined && isOwner(owner) ? { owner, ofClass } : undefined;
}

/** A parameter with a modifier declares a property of the class. */
function ownerOfParameter({ modifiers, parent }: ts.ParameterDeclaration): ts.Node | undefined {
  return (modifiers?.length ?? 0) > 0 && ts.isConstructorDeclaration(parent) ? parent.parent : undefined;
}

/** The union that the object type of this property is written into. */
function unionOf(name: ts.Node): ts.UnionTypeNode | undefined {
  const type = memberDeclaration(name)?.parent;
  return type !== undefined && ts.isTypeLiteralNode(type) && ts.isUnionTypeNode(type.parent) ? type.parent : undefined;
}

function memberDeclaration(node: ts.Node): ts.Node | undefined {
  const named = ts.isComputedPropertyName(node.parent) ? node.parent : node;
  const declaration = named.parent;
  const isMember =
    ts.isPropertyDeclaration(declaration) ||
    ts.isMethodDeclaration(declaration) ||
    ts.isGetAccessorDeclaration(declaration) ||
    ts.isSetAccessorDeclaration(declaration) ||
    ts.isPropertySignatureDeclaration(declaration) ||
    ts.isMethodSignatureDeclaration(declaration) ||
    ts.isParameterDeclaration(declaration);
  return isMember && declaration.name === named ? declaration : undefined;
}

function isOwner(node: ts.Node): node is Owner {
  return ts.isClassDeclaration(node) || ts.isClassExpression(node) || ts.isInterfaceDeclaration(node);
}

function isStatic(member: ts.Node): boolean {
  const { modifiers } = member as { readonly modifiers?: readonly ts.Node[] };
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
}

// Members that become one only further down (mutation.md §2.2): a class that extends `A`, implements `I` and declares nothing gives `A.a`
// and `I.a` one meaning. No token of the name shows it, so types with several bases are looked for by themselves; few files have any.

/** What may have two bases, by its text alone; a wrong guess costs a look at the tree. */
const severalBases = /\bextends\b[^{};]*\bimplements\b|\bimplements\b[^{};]*,|\binterface\b[^{};]*\bextends\b[^{};]*,/;

const knownHeirs = new WeakMap<OpenProgram, readonly (readonly ts.Type[])[]>();

/** The declarations of the name that some type inherits together. */
function findJointHeirs(
  program: OpenProgram,
  name: string,
  findPlaces: FindPlaces,
): readonly (readonly DeclarationPlace[])[] {
  const heirs = knownHeirs.get(program) ?? listBases(program);
  knownHeirs.set(program, heirs);
  const { checker } = program.project;
  const placesIn = rememberByType((type) => checker.getPropertyOfType(type, name), findPlaces);
  return heirs.flatMap((bases) => {
    const inherited = bases.map(placesIn).filter(({ length }) => length > 0);
    return inherited.length > 1 ? [inherited.flat()] : [];
  });
}

/** Where the member of a type is declared; each type is asked once. */
function rememberByType(
  memberOf: (type: ts.Type) => ts.Symbol | undefined,
  findPlaces: FindPlaces,
): (type: ts.Type) => readonly DeclarationPlace[] {
  const known = new Map<number, readonly DeclarationPlace[]>();
  return (type) => {
    const seen = known.get(type.id);
    if (seen !== undefined) return seen;
    const member = memberOf(type);
    const places = member === undefined ? [] : findPlaces(member);
    known.set(type.id, places);
    return places;
  };
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

// Properties that become one where objects are poured together (mutation.md §2.2): in `{ a: 1, ...given }` and `{ ...usual, ...given }` the
// later `a` takes the place of the earlier one. To rename one of them would leave two, each with half of the story, and nothing that the
// compiler reports need tell: so they are renamed together or not at all.

const knownSpreads = new WeakMap<ts.SourceFile, readonly ts.ObjectLiteralExpression[]>();
const knownTypes = new WeakMap<OpenProgram, Map<ts.Node, ts.Type | undefined>>();

/** The declarations of the name that some literal makes one property. `tokens` are the program's own of that name. */
function findSpreadTies(
  program: OpenProgram,
  name: string,
  tokens: readonly SidedToken[],
  findPlaces: FindPlaces,
): readonly (readonly DeclarationPlace[])[] {
  const keys = new Map<ts.ObjectLiteralExpression, DeclarationPlace[]>();
  for (const { token } of tokens) {
    const literal = spreadLiteralOf(token.node);
    if (literal === undefined) continue;
    const own = { path: token.path, start: token.start, outside: false };
    keys.set(literal, [...(keys.get(literal) ?? []), own]);
  }
  // Files without the name are left out: to ask for the types of everything that is spread anywhere costs seconds.
  const paths = new Set(tokens.map(({ token }) => token.path));
  const literals = new Set([...keys.keys(), ...[...paths].flatMap((path) => listLiterals(program.sourceFile(path)))]);
  const types = typesOf(program, [...literals].flatMap(spreadsOf));
  const { checker } = program.project;
  const propertyOf = (type: ts.Type) => checker.getPropertyOfType(checker.getNonNullableType(type) ?? type, name);
  const placesIn = rememberByType(propertyOf, findPlaces);
  return [...literals].flatMap((literal) => {
    const spread = spreadsOf(literal).flatMap((expression) => {
      const type = types.get(expression);
      return type === undefined ? [] : [placesIn(type)];
    });
    const all = [keys.get(literal) ?? [], ...spread].filter(({ length }) => length > 0);
    return all.length > 1 ? [all.flat()] : [];
  });
}

/** The literal that this is a key of, if something is poured into it as well. */
function spreadLiteralOf(name: ts.Node): ts.ObjectLiteralExpression | undefined {
  const holder = ts.isComputedPropertyName(name.parent) ? name.parent : name;
  const member = holder.parent as ts.Node & { readonly name?: ts.Node };
  const literal = member.name === holder ? member.parent : undefined;
  if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return undefined;
  return literal.properties.some(ts.isSpreadAssignment) ? literal : undefined;
}

function spreadsOf({ properties }: ts.ObjectLiteralExpression): readonly ts.Expression[] {
  return properties.filter(ts.isSpreadAssignment).map(({ expression }) => expression);
}

/** Literals of two spreads or more: no token of the name need stand in them. */
function listLiterals(source: ts.SourceFile | undefined): readonly ts.ObjectLiteralExpression[] {
  if (source === undefined) return [];
  const listed = knownSpreads.get(source) ?? (mayPour(source.text) ? findLiterals(source) : []);
  knownSpreads.set(source, listed);
  return listed;
}

/** By its text alone; a wrong guess costs a look at the tree. */
function mayPour(text: string): boolean {
  const first = text.indexOf('...');
  return first !== -1 && text.includes('...', first + 3);
}

function findLiterals(source: ts.SourceFile): readonly ts.ObjectLiteralExpression[] {
  const found: ts.ObjectLiteralExpression[] = [];
  const pending: ts.Node[] = [source];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ts.isObjectLiteralExpression(node) && spreadsOf(node).length > 1) found.push(node);
    node.forEachChild((child) => {
      pending.push(child);
      return undefined;
    });
  }
  return found;
}

function typesOf(program: OpenProgram, nodes: readonly ts.Node[]): ReadonlyMap<ts.Node, ts.Type | undefined> {
  const types = knownTypes.get(program) ?? new Map<ts.Node, ts.Type | undefined>();
  knownTypes.set(program, types);
  const unknown = [...new Set(nodes)].filter((node) => !types.has(node));
  const answers = askInBatches(unknown, (batch) => program.project.checker.getTypeAtLocation(batch));
  for (const [at, node] of unknown.entries()) {
    const answer = answers[at];
    types.set(node, answer?.kind === 'answered' ? answer.value : undefined);
  }
  return types;
}

/**
 * M4: a family that reaches outside the repository is refused with the chain that reaches it. What is declared only outside is not ours
 * to rename at all.
 */
export function explainExternal(
  family: Family,
  start: readonly DeclarationPlace[],
  question: RenameQuestion,
): Refusal | undefined {
  const outside = [...family.places.values()].find((place) => place.outside);
  if (outside === undefined) return undefined;
  const isOwn = start.every((place) => place.outside);
  const detail = isOwn
    ? `declared outside the repository, in ${outside.path}`
    : `must change together with a declaration outside the repository, in ${outside.path}`;
  const at = { path: question.path, start: question.offset, end: question.offset };
  return {
    kind: 'refused',
    reason: isOwn ? 'external_symbol' : 'external_family',
    detail,
    evidence: isOwn ? [{ ...at, says: detail }] : chainTo(family, outside),
  };
}

/** From the target to the place, one entry per declaration on the way. */
function chainTo(family: Family, place: DeclarationPlace): readonly (CodeSpan & { readonly says: string })[] {
  const chain: (CodeSpan & { readonly says: string })[] = [];
  for (let key: string | undefined = placeKey(place); key !== undefined; ) {
    const at = family.places.get(key);
    const step = family.steps.get(key);
    if (at !== undefined) chain.unshift({ path: at.path, start: at.start, end: at.start, says: says(step) });
    if (step?.via) {
      const { path, start, end } = step.via.token;
      chain.unshift({ path, start, end, says: 'this name stands for both' });
    }
    key = step?.from;
  }
  return chain;
}

function says(step: { readonly via: unknown } | undefined): string {
  if (step === undefined) return 'what is renamed';
  return step.via === null ? 'inherits from it, or is inherited by it' : 'declared here';
}

// What a name token stands for, by its form (mutation.md §2.8). Most names have one side. A shorthand property, a binding element, an import
// or export specifier without its own alias say one name for two things; renaming one of them must not rename the other, so the sides are
// kept apart and `tiesOf` says how a rename goes from one to the other under each alias policy.

/**
 * `first` and `second` of each shape: `shorthand` variable and property; `binding` local and property; `import` local and exported name;
 * `whole_import` the local name of something that has no name of its own there (a default export, a module), and that; `export` local
 * and public name; `export_value` the local name in `export default a` and `export = a`, and what it exports.
 */
export type Shape = 'name' | 'shorthand' | 'binding' | 'import' | 'whole_import' | 'export' | 'export_value';

type Side = 'first' | 'second';

type Sides = {
  readonly shape: Shape;
  readonly first: readonly DeclarationPlace[];
  readonly second: readonly DeclarationPlace[];
};

/** Is the second side renamed because the first is (`forward`), and the first because the second is (`back`)? */
type Ties = { readonly forward: boolean; readonly back: boolean };

const apart: Ties = { forward: false, back: false };

function tiesOf(shape: Shape, policy: AliasPolicy): Ties {
  const through = policy === 'through';
  const ties: Record<Shape, Ties> = {
    name: apart,
    shorthand: apart,
    binding: apart,
    // What is exported is renamed with its importers; a local name alone only where names are meant to stay equal.
    import: { forward: through, back: true },
    whole_import: { forward: through, back: true },
    export: { forward: through, back: through },
    export_value: { forward: true, back: through },
  };
  return ties[shape];
}

function shapeOf(node: ts.Node): Shape {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) return 'shorthand';
  if (ts.isBindingElement(parent)) {
    const short = parent.name === node && parent.propertyName === undefined && parent.dotDotDotToken === undefined;
    return short && ts.isObjectBindingPattern(parent.parent) ? 'binding' : 'name';
  }
  if (ts.isImportSpecifier(parent)) return specifierShape(parent, node, 'import');
  if (ts.isExportSpecifier(parent)) return specifierShape(parent, node, 'export');
  if (ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return 'whole_import';
  if (
    ts.isImportEqualsDeclaration(parent) &&
    parent.name === node &&
    ts.isExternalModuleReference(parent.moduleReference)
  ) {
    return 'whole_import';
  }
  if (exportAssignmentOf(node) !== undefined) return 'export_value';
  return 'name';
}

/** `export default a`, `export = a`, `export = class a {}`. */
function exportAssignmentOf(node: ts.Node): ts.Node | undefined {
  const { parent } = node;
  const isOwnName = (ts.isClassExpression(parent) || ts.isFunctionExpression(parent)) && parent.name === node;
  const [value, holder] = isOwnName ? [parent, parent.parent] : [node, parent];
  return ts.isExportAssignment(holder) && holder.expression === value ? holder : undefined;
}

/** `{ default as a }` is a default import in other words; `{ a as c }` gives each name its own place. */
function specifierShape(
  specifier: ts.ImportSpecifier | ts.ExportSpecifier,
  node: ts.Node,
  bare: 'import' | 'export',
): Shape {
  if (specifier.propertyName === undefined) return bare;
  return specifier.name === node && specifier.propertyName.text === 'default' ? 'whole_import' : 'name';
}

function readSides(bound: BoundToken): Sides {
  const { token, binding } = bound;
  const shape = shapeOf(token.node);
  if (binding.kind !== 'bound') return { shape, first: [], second: [] };
  const of = (...roles: LinkRole[]): readonly DeclarationPlace[] =>
    binding.links.filter(({ role }) => roles.includes(role)).flatMap(({ places }) => places);
  // `declare module 'x';` gives every import of it the module itself: nothing is named there.
  const named = (wanted: LinkRole): readonly DeclarationPlace[] =>
    binding.links
      .filter(({ role, symbol }) => role === wanted && !isUntypedModule(symbol))
      .flatMap(({ places }) => places);
  switch (shape) {
    case 'shorthand':
      return { shape, first: of('value'), second: of('symbol', 'contextual') };
    case 'binding':
      return { shape, first: of('symbol'), second: of('contextual', 'alias') };
    case 'import':
      return { shape, first: of('symbol'), second: named('alias') };
    case 'whole_import':
      return { shape, first: of('symbol'), second: wholeModules(binding.links) };
    case 'export':
      return { shape, first: named('alias'), second: of('symbol') };
    case 'export_value':
      return {
        shape,
        first: of('symbol'),
        second: [placeOf(token.path, (exportAssignmentOf(token.node) ?? token.node).getStart())],
      };
    case 'name':
      return { shape, first: namePlaces(token.node, of), second: [] };
  }
}

/** The alias of `{ a as c }` is not `a`: of such a name, only what the token itself is. */
function namePlaces(
  node: ts.Node,
  of: (...roles: LinkRole[]) => readonly DeclarationPlace[],
): readonly DeclarationPlace[] {
  const { parent } = node;
  const aliased = ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
  const named = ts.isImportEqualsDeclaration(parent) || ts.isNamespaceExport(parent);
  if ((aliased || named) && parent.name === node) return of('symbol');
  const places = of('symbol', 'contextual');
  return places.length > 0 ? places : of('symbol', 'contextual', 'alias', 'value');
}

/** A module as a whole has no name that could be renamed with its importers; what it exports by `export =` has. */
function wholeModules(links: readonly Link[]): readonly DeclarationPlace[] {
  return links
    .filter(({ role, symbol }) => role === 'alias' && !isSourceModule(symbol))
    .flatMap(({ places }) => places)
    .filter(({ outside }) => !outside);
}

function isSourceModule(symbol: ts.Symbol): boolean {
  return (
    (symbol.flags & ts.SymbolFlags.ValueModule) !== 0 &&
    symbol.declarations.every(({ kind }) => kind === ts.SyntaxKind.SourceFile)
  );
}

function isUntypedModule(symbol: ts.Symbol): boolean {
  return (
    symbol.declarations.length > 0 &&
    symbol.declarations.every((handle) => {
      const node = handle.kind === ts.SyntaxKind.ModuleDeclaration ? handle.resolve() : undefined;
      return node !== undefined && ts.isModuleDeclaration(node) && node.body === undefined;
    })
  );
}

function placeOf(path: string, start: number): DeclarationPlace {
  return { path, start, outside: false };
}
