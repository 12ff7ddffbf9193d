/**
 * Who else has the new name (mutation.md §2.7, M10): in the scopes, types and modules that a rename touches, each with both places. The
 * proof decides again and independently; what is found here is what a person can be told. Nothing is changed and nothing is guessed: a
 * place where the compiler cannot be asked is left to the proof.
 */

import { reservedWordsOf, startsComponent } from '../../../languages/naming.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { NameToken, OpenProgram, Programs, RenameWorld } from '../job/job-types.ts';
import { askOr, listUnboundNames, type UnboundName } from '../job/name-tokens.ts';
import type { Clash, DeclarationPlace } from '../session/messages.ts';
import {
  globalScope,
  holdsNode,
  isFunctionLike,
  isGlobal,
  isSameScope,
  nearerScope,
  type Scope,
  scopeOfDeclaration,
  scopesOfSymbol,
  wordForScope,
} from './lexical-scope.ts';
import {
  implementedTypes,
  isFamilySymbol,
  lookedUpIn,
  memberDeclaration,
  ownerType,
  parameterPropertyOwner,
} from './member-types.ts';
import { flagsOf, type Meaning, meaningOfDeclaration, meanings, positionOf } from './name-positions.ts';
import { listWrites, type Write } from './occurrences.ts';

/** Told at most; one is enough to refuse. */
const clashesMax = 50;

export function findClashes(world: RenameWorld): readonly Clash[] {
  const writes = listWrites(world);
  const found = [
    ...findSyntaxClashes(world, writes),
    ...findLexicalClashes(world, writes),
    ...findMemberClashes(world, writes),
    ...findExportClashes(world, writes),
  ];
  const distinct = new Map<string, Clash>();
  const told = new Set<string>();
  for (const clash of found) {
    const other = `${clash.other?.path}\0${clash.other?.start}`;
    // The same two places under a second reason say nothing new.
    if (clash.reason === 'export_clash' && told.has(other)) continue;
    told.add(other);
    const key = `${clash.reason}\0${clash.path}\0${clash.start}\0${other}`;
    if (!distinct.has(key)) distinct.set(key, clash);
  }
  return [...distinct.values()].slice(0, clashesMax);
}

// Names that scopes decide about (mutation.md §2.7): would the new name stand beside one that is already declared there, would a renamed
// reference find a nearer declaration, would the renamed declaration come between an existing reference and what it means? Asked of the
// compiler's own lookup at each place, so that the special rules of the language need not be told again here.

/** A scope that gets the new name. */
type Gain = {
  readonly program: OpenProgram;
  readonly scope: Scope;
  readonly meaning: Meaning;
  readonly by: Write;
};

function findLexicalClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const gains = listGains(writes);
  const others = listUnboundNames(world, world.question.newName);
  return [
    ...findCollisions(world, gains, others),
    ...findCapturedReferences(world, writes),
    ...findCapturingDeclarations(world, gains, others),
  ];
}

function listGains(writes: readonly Write[]): readonly Gain[] {
  return writes.flatMap((by) => {
    // Inside its enum a member is in scope by its bare name.
    const isEnumMember = by.isMember && by.token.node.parent.kind === ts.SyntaxKind.EnumMember;
    const declaration = by.declares ?? (isEnumMember ? by.token.node.parent : null);
    if (declaration === null) return [];
    const scope = scopeOfDeclaration(by.program, declaration);
    if (scope === undefined) return [];
    return [{ program: by.program, scope, meaning: meaningOf(by.program, declaration, by.token.node), by }];
  });
}

/** An import means whatever it stands for. */
function meaningOf({ project: { checker } }: OpenProgram, declaration: ts.Node, name: ts.Node): Meaning {
  const meaning = meaningOfDeclaration(declaration);
  if (meaning !== meanings.all) return meaning;
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return meaning;
  const target = checker.getAliasedSymbol(symbol);
  const isKnown = !checker.isUnknownSymbol(target);
  return isKnown ? meaningOfFlags(target.flags) : meaning;
}

function meaningOfFlags(flags: ts.SymbolFlags): Meaning {
  let meaning = 0;
  if (flags & ts.SymbolFlags.Value) meaning |= meanings.value;
  if (flags & ts.SymbolFlags.Type) meaning |= meanings.type;
  if (flags & ts.SymbolFlags.Namespace) meaning |= meanings.namespace;
  return meaning === 0 ? meanings.all : meaning;
}

/** Types and values of one name in one scope are one symbol to the compiler: a use of one would then use both. */
function findCollisions(world: RenameWorld, gains: readonly Gain[], others: readonly UnboundName[]): readonly Clash[] {
  const { programs, question } = world;
  const clashes: Clash[] = [];
  for (const { program, token } of others) {
    const position = positionOf(token.node);
    if (position.kind !== 'declares') continue;
    const scope = scopeOfDeclaration(program, position.declaration);
    if (scope === undefined) continue;
    for (const gain of gains) {
      if (gain.program !== program || !isSameScope(gain.scope, scope)) continue;
      const place = placeOfNode(programs, token.node);
      const detail = `\`${question.newName}\` is already declared ${wordForScope(scope)} at ${tellPlace(programs, place)}.`;
      clashes.push(makeClash('collision', gain.by.token, place, detail));
    }
  }
  return [...clashes, ...gains.flatMap((gain) => findGlobalCollision(world, gain))];
}

/** A script's top level is shared with the standard library and the packages the program includes. */
function findGlobalCollision({ programs, question }: RenameWorld, { program, scope, by }: Gain): readonly Clash[] {
  if (!isGlobal(scope)) return [];
  const file = by.token.node.getSourceFile();
  const symbol = program.project.checker.resolveName(question.newName, flagsOf(meanings.all), file, false);
  if (symbol === undefined || !symbol.declarations.some(({ path }) => programs.place(path).outside)) return [];
  const place = placeOfSymbol(programs, program.project, symbol);
  const where = place === null ? 'by the language' : `in ${tellPlace(programs, place)}`;
  return [makeClash('collision', by.token, place, `\`${question.newName}\` is already declared globally, ${where}.`)];
}

/** Reference side: what would the new name find here, and is that nearer than what the old one finds? */
function findCapturedReferences(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { programs, question, oldName } = world;
  const resolveNewName = createNewNameResolver(world);
  return writes.flatMap(({ program, token, refers, declares }) => {
    const meaning = declares !== null && isHoisted(declares) ? meanings.value : refers;
    if (meaning === 0) return [];
    const { checker } = program.project;
    const found = resolveNewName(program, token, meaning);
    if (found === undefined) return [];
    const own = checker.resolveName(oldName, flagsOf(meaning), token.node, false);
    if (own === undefined) return [];
    const nearer = nearerScope(
      token.node,
      scopesOfSymbol(programs, program, found),
      scopesOfSymbol(programs, program, own),
    );
    if (nearer !== 'a') return [];
    const place = placeOfSymbol(programs, program.project, found);
    const where = place === null ? '' : ` at ${tellPlace(programs, place)}`;
    const detail = `Here \`${question.newName}\` would mean the one declared${where}, which is nearer than what \`${oldName}\` means.`;
    return [makeClash('capture', token, place, detail)];
  });
}

/** A `var` in an inner block belongs to the function: a `let` of its new name around it would be in the way. */
function isHoisted(declaration: ts.Node): boolean {
  let at = declaration;
  while (ts.isBindingElement(at)) at = at.parent.parent;
  return (
    at.kind === ts.SyntaxKind.VariableDeclaration &&
    at.parent.kind === ts.SyntaxKind.VariableDeclarationList &&
    (at.parent.flags & (ts.NodeFlags.Let | ts.NodeFlags.Const | ts.NodeFlags.Using)) === 0
  );
}

/** Declaration side: which references to the new name mean a declaration further out, or none, and would find the renamed one first? */
function findCapturingDeclarations(
  world: RenameWorld,
  gains: readonly Gain[],
  others: readonly UnboundName[],
): readonly Clash[] {
  const { programs, question } = world;
  return others.flatMap(({ program, token }) => {
    const position = positionOf(token.node);
    if (position.kind !== 'refers') return [];
    const { checker } = program.project;
    const near = gains.filter(
      (gain) => gain.program === program && gain.meaning & position.meaning && holdsNode(gain.scope, token.node),
    );
    if (near.length === 0) return [];
    const found = checker.resolveName(question.newName, flagsOf(position.meaning), token.node, false);
    const foundScopes = found === undefined ? [] : scopesOfSymbol(programs, program, found);
    const gain = near.find(
      ({ scope, meaning }) =>
        nearerScope(token.node, [scope], foundScopes) === 'a' && isVisible(world, program, scope, meaning, token.node),
    );
    if (gain === undefined) return [];
    const here = placeOfNode(programs, token.node);
    const today = tellMeaning(world, program, found);
    const detail = `\`${question.newName}\` at ${tellPlace(programs, here)} means ${today} today and would mean the renamed \`${world.oldName}\`.`;
    return [makeClash('capture', gain.by.token, here, detail)];
  });
}

/** Not everything inside a scope sees all of it: a parameter's default does not see the body. The old name shows what is seen. */
function isVisible(world: RenameWorld, program: OpenProgram, scope: Scope, meaning: Meaning, at: ts.Node): boolean {
  const own = program.project.checker.resolveName(world.oldName, flagsOf(meaning), at, false);
  if (own === undefined) return false;
  const scopes = scopesOfSymbol(world.programs, program, own);
  return nearerScope(at, scopes.length === 0 ? [globalScope] : scopes, [scope]) !== 'b';
}

function tellMeaning({ programs }: RenameWorld, program: OpenProgram, found: ts.Symbol | undefined): string {
  const place = found === undefined ? null : placeOfSymbol(programs, program.project, found);
  if (place !== null) return `the one declared at ${tellPlace(programs, place)}`;
  return found === undefined ? 'nothing the compiler knows' : 'what the language brings along';
}

// Members (mutation.md §2.7): is there a member of the new name in the same type, in a base or derived type, inside or outside the root,
// or in a type through which the renamed one is used? And who looks the new name up today where the renamed one will be found?

/** Uses looked at one by one; beyond it the proof alone decides. */
const usesMax = 5000;

function findMemberClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const members = writes.filter(({ isMember, declares }) => isMember || declares !== null);
  const others = world.isMember ? listUnboundNames(world, world.question.newName) : [];
  return [
    ...members.slice(0, usesMax).flatMap((write) => askOr(() => findSameMember(world, write), [])),
    ...others.slice(0, usesMax).flatMap((standing) => askOr(() => findMeeting(world, standing), [])),
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
function findMeeting(world: RenameWorld, standing: UnboundName): readonly Clash[] {
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

/**
 * Names that modules and namespaces show (mutation.md §2.7): does one that shows the renamed symbol show another of the new name, its own
 * or through `export *`? Where the same scope declares both, that is told as a collision and not again.
 */
function findExportClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  return world.programs.open.flatMap((program) => {
    const own = writes.filter((write) => write.program === program);
    if (own.length === 0) return [];
    return [...findModuleClashes(world, program, own), ...own.flatMap((write) => findNamespaceClash(world, write))];
  });
}

function findModuleClashes(world: RenameWorld, program: OpenProgram, writes: readonly Write[]): readonly Clash[] {
  const byPlace = new Map(writes.map((write) => [`${write.token.path}\0${write.token.start}`, write]));
  const touched = new Set(writes.map(({ token }) => token.path));
  // What the language confines to its file is shown by no other.
  const paths = world.reach === 'file' ? program.files.filter((path) => touched.has(path)) : program.files;
  return paths.flatMap((path) => {
    const file = program.sourceFile(path);
    if (file === undefined || !(touched.has(path) || passesOn(file))) return [];
    return findModuleClash(world, program, file, byPlace);
  });
}

function findModuleClash(
  world: RenameWorld,
  program: OpenProgram,
  file: ts.SourceFile,
  byPlace: ReadonlyMap<string, Write>,
): readonly Clash[] {
  const { programs, question, oldName } = world;
  const { checker } = program.project;
  const module = checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const shown = checker.getMemberInModuleExports(module, oldName);
  const place = shown === undefined ? null : placeOfSymbol(programs, program.project, shown);
  const write = place === null ? undefined : byPlace.get(`${place.path}\0${place.start}`);
  // `export { b as a }` goes on showing the old name.
  if (write === undefined || write.edit.form === 'export_keeps_public') return [];
  if (question.newName === 'then' && program.files.some((each) => program.sourceFile(each)?.text.includes('import('))) {
    const detail = '`import()` calls what a module exports as `then`, and its importers would get the result instead.';
    return [makeClash('capture', write.token, null, detail)];
  }
  const other = checker.getMemberInModuleExports(module, question.newName);
  if (other === undefined) return [];
  const { path } = programs.place(file.fileName);
  const otherPlace = placeOfSymbol(programs, program.project, other);
  const where = otherPlace === null ? '' : `, from ${tellPlace(programs, otherPlace)}`;
  const detail = `\`${path}\` already exports \`${question.newName}\`${where}, and would export the renamed \`${oldName}\` under the same name.`;
  return [makeClash('export_clash', write.token, otherPlace, detail)];
}

/** `export * from`: shows names that it does not say. The text is asked first, because most files need not be looked into. */
function passesOn(file: ts.SourceFile): boolean {
  if (!/\bexport\s*(?:type\s*)?(?:\/|\*)/.test(file.text)) return false;
  return file.statements.some((statement) => ts.isExportDeclaration(statement) && statement.exportClause === undefined);
}

/** Statics of a class and exports of the namespace it is merged with are one list. */
function findNamespaceClash({ programs, question }: RenameWorld, write: Write): readonly Clash[] {
  if (write.declares === null && !write.isMember) return [];
  const { program, token } = write;
  const symbol = program.project.checker.getSymbolAtLocation(token.node);
  const owner = symbol?.getParent();
  if (owner === undefined || (owner.flags & (ts.SymbolFlags.Module | ts.SymbolFlags.Class)) === 0) return [];
  if (owner.declarations.some(({ kind }) => kind === ts.SyntaxKind.SourceFile)) return [];
  const other = owner.getExports().get(ts.escapeLeadingUnderscores(question.newName));
  if (other === undefined || symbol === undefined || !isAmongExports(owner, symbol)) return [];
  const place = placeOfSymbol(programs, program.project, other);
  const where = place === null ? '' : ` at ${tellPlace(programs, place)}`;
  return [
    makeClash('export_clash', token, place, `\`${owner.name}\` already has \`${question.newName}\`, declared${where}.`),
  ];
}

function isAmongExports(owner: ts.Symbol, symbol: ts.Symbol): boolean {
  return owner.getExports().get(symbol.escapedName)?.id === symbol.getExportSymbol().id;
}

// Names whose rules need no symbols (mutation.md §2.7): private names, which the classes around them decide about; labels, which the
// statements around them do; and words that are reserved where the rename would write them.

const K = ts.SyntaxKind;

function findSyntaxClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { target } = world;
  if (target.token.kind === 'private') return findPrivateClashes(world, writes);
  if (target.token.kind === 'label') return findLabelClashes(world, writes);
  return writes.flatMap((write) => findReservedUse(world, write));
}

/** The class whose private names a place can use, nearest first. */
function* classesAround(node: ts.Node): Generator<ts.Node> {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
    if (ts.isClassLikeDeclaration(at)) yield at;
}

function declaresPrivate(owner: ts.Node, name: string): ts.Node | undefined {
  const { members } = owner as ts.Node & { readonly members: readonly ts.Node[] };
  for (const member of members) {
    const own = (member as { readonly name?: ts.Node }).name;
    if (own !== undefined && ts.isPrivateIdentifier(own) && own.text === name) return own;
  }
  return undefined;
}

function findPrivateClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { programs, question, oldName } = world;
  const { newName } = question;
  const owners = new Set<ts.Node>();
  const clashes: Clash[] = [];
  for (const { token } of writes) {
    for (const around of classesAround(token.node)) {
      const other = declaresPrivate(around, newName);
      const isOwner = declaresPrivate(around, oldName) !== undefined;
      if (isOwner) owners.add(around);
      if (other !== undefined) {
        const place = placeOfNode(programs, other);
        const detail = isOwner
          ? `The class already has \`${newName}\` at ${tellPlace(programs, place)}.`
          : `Here \`${newName}\` would mean the one of the inner class, declared at ${tellPlace(programs, place)}.`;
        clashes.push(makeClash(isOwner ? 'collision' : 'capture', token, place, detail));
      }
      if (isOwner) break;
    }
  }
  for (const { token } of listUnboundNames(world, newName)) {
    for (const around of classesAround(token.node)) {
      if (declaresPrivate(around, newName) !== undefined) break;
      const own = owners.has(around) ? declaresPrivate(around, oldName) : undefined;
      if (own === undefined) continue;
      const place = placeOfNode(programs, token.node);
      const detail = `\`${newName}\` at ${tellPlace(programs, place)} means another class's today and would mean the renamed \`${oldName}\`.`;
      const at = { ...programs.place(own.getSourceFile().fileName), start: own.getStart(), end: own.getEnd() };
      clashes.push(makeClash('capture', at, place, detail));
      break;
    }
  }
  return clashes;
}

/** A label inside another of the same name is an error, used or not. */
function findLabelClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { programs, question, oldName } = world;
  const labels = listUnboundNames(world, question.newName).filter(
    ({ token }) => token.kind === 'label' && token.node.parent.kind === K.LabeledStatement,
  );
  return writes.flatMap(({ token }) => {
    const statement = token.node.parent;
    if (statement.kind !== K.LabeledStatement) return [];
    const other = labels.find(
      ({ token: { node } }) => isLabelAround(statement, node.parent) || isLabelAround(node.parent, statement),
    );
    if (other === undefined) return [];
    const place = placeOfNode(programs, other.token.node);
    const detail = `The label \`${question.newName}\` at ${tellPlace(programs, place)} and \`${oldName}\` are one inside the other.`;
    return [makeClash('collision', token, place, detail)];
  });
}

function isLabelAround(outer: ts.Node, inner: ts.Node): boolean {
  for (let at: ts.Node | undefined = inner; at !== undefined && !isFunctionLike(at); at = at.parent)
    if (at === outer) return true;
  return false;
}

/** A member may be called `delete`; a variable, also one that the same declaration makes, may not. */
function findReservedUse({ question: { newName } }: RenameWorld, write: Write): readonly Clash[] {
  const { token, declares, refers } = write;
  const words = reservedWordsOf('typescript');
  if ((declares !== null || refers !== 0) && words?.always.has(newName))
    return [makeClash('reserved_name', token, null, `\`${newName}\` is reserved and cannot be written here.`)];
  if (isTag(token.node) && startsComponent(newName) !== startsComponent(token.text)) {
    const kind = startsComponent(newName) ? 'a component, not an element' : 'an element, not a component';
    return [makeClash('invalid_name', token, null, `\`<${newName}>\` would be ${kind}.`)];
  }
  return [];
}

function isTag(node: ts.Node): boolean {
  const { parent } = node;
  return (
    parent.kind === K.JsxOpeningElement ||
    parent.kind === K.JsxSelfClosingElement ||
    parent.kind === K.JsxClosingElement
  );
}

// What the new name would find at a place. A file that never says it declares nothing of that name, so everywhere in it the lookup ends in
// the scope that all files share: one question for all such places instead of one for each. Not where others can put names into a scope of
// the file (namespaces and enums go on in other files), and not for names that functions and modules bring along by themselves.

type ResolveNewName = (program: OpenProgram, token: NameToken, meaning: Meaning) => ts.Symbol | undefined;

const bringsItself: ReadonlySet<string> = new Set([
  'arguments',
  'exports',
  'module',
  'require',
  'undefined',
  'globalThis',
]);

function createNewNameResolver(world: RenameWorld): ResolveNewName {
  const { newName } = world.question;
  const saying = new Map<OpenProgram, Set<string>>();
  for (const { program, token } of listUnboundNames(world, newName)) {
    const paths = saying.get(program) ?? new Set<string>();
    saying.set(program, paths.add(token.path));
  }
  const isSilent = new Map<string, boolean>();
  const shared = new Map<OpenProgram, Map<Meaning, ts.Symbol | undefined>>();

  const judge = (program: OpenProgram, path: string): boolean => {
    const key = `${program.key}\0${path}`;
    const known = isSilent.get(key);
    if (known !== undefined) return known;
    const text = program.sourceFile(path)?.text ?? '';
    const silent =
      !bringsItself.has(newName) && !saying.get(program)?.has(path) && !/\b(?:namespace|module|enum)\b/.test(text);
    isSilent.set(key, silent);
    return silent;
  };

  return (program, token, meaning) => {
    const { checker } = program.project;
    const ask = () => checker.resolveName(newName, flagsOf(meaning), token.node, false);
    if (!judge(program, token.path)) return ask();
    const found = shared.get(program) ?? new Map<Meaning, ts.Symbol | undefined>();
    shared.set(program, found);
    if (!found.has(meaning)) found.set(meaning, ask());
    return found.get(meaning);
  };
}

// How clashes are told: both places, and one sentence a person understands.

type At = { readonly path: string; readonly start: number; readonly end: number };

function makeClash(reason: Clash['reason'], at: At, other: DeclarationPlace | null, detail: string): Clash {
  return { path: at.path, start: at.start, end: at.end, reason, detail, other };
}

function placeOfNode(programs: Programs, node: ts.Node): DeclarationPlace {
  return { ...programs.place(node.getSourceFile().fileName), start: node.getStart() };
}

/** `src/a.ts:3:7`, 1-based. */
export function tellPlace(
  programs: Programs,
  { path, start }: { readonly path: string; readonly start: number },
): string {
  for (const program of programs.open) {
    const file = program.sourceFile(path);
    if (file === undefined) continue;
    const { line, character } = file.getLineAndCharacterOfPosition(Math.max(0, start));
    return `${path}:${line + 1}:${character + 1}`;
  }
  return path.replace(/^.*\/node_modules\//, '');
}

/** The first declaration of a symbol, or null where the compiler brings it along. Texts outside the root are not loaded for it. */
export function placeOfSymbol(programs: Programs, project: ts.Project, symbol: ts.Symbol): DeclarationPlace | null {
  const handle = symbol.declarations[0];
  if (handle === undefined) return null;
  const place = programs.place(handle.path);
  if (place.outside) return { ...place, start: 0 };
  const node = handle.resolve(project);
  const name = (node as { readonly name?: ts.Node } | undefined)?.name ?? node;
  return { ...place, start: name?.getStart() ?? 0 };
}
