/**
 * Declarations → SCIP symbols, spelled as scip-typescript 0.4 spells them: the spelling of what is around a declaration, then a descriptor
 * of its own. Whatever stands below a block, or below something without a descriptor, is local to its document.
 *
 * Two kinds of descriptors are numbers. That tool counts as it goes, so its numbers depend on which files it has seen before; here they are
 * functions of the declaring file, because documents are indexed one at a time and must agree:
 * - keys of object literals (`a0:`, `a1:`), counted by name in the order of the file;
 * - type literals (`typeLiteral0:`), counted below what is around them.
 *
 * Where that tool has one symbol for several things of the language, or one for each document, there are others here:
 * - a static member beside one of instances of the same name is `<static>a`;
 * - what overloads have each, parameters and type parameters, is local;
 * - a type literal deeper in a type (`{ a: 1 } | { b: 2 }`, `{ a: 1 }[]`, `(o: { a: 1 }) => void`) belongs to what is declared around it, and is
 *   counted there (`typePart0:`). Below a block it stays local: other files reach it by inference alone.
 *
 * What a script declares by assigning has symbols here alone: see `js-commonjs.ts` and `tsgo-scripts.ts`.
 */

import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path/posix';
import { compilerVersion } from '../../../kernel/exec/compiler-packages.ts';
import type { Shape } from '../compiler/node-shape.ts';
import { type Node, type SourceFile, SyntaxKind } from '../compiler/typescript-api.ts';
import {
  type Assigned,
  findDeclared,
  findMaker,
  findPrototypeOwner,
  findThisClass,
  readAssigned,
} from './tsgo-scripts.ts';

/** Local to the document that speaks of it: `local`. Nothing at all: empty. */
export type Spelling = string;

export const local: Spelling = 'local';

export type SpellDeclaration = (declaration: Node) => Spelling;

export function createSpelling(spellFile: SpellFile): SpellDeclaration {
  const known = new Map<Node, Spelling>();
  const overloads = new Map<Node, ReadonlySet<Node>>();
  const numbers = new Map<SourceFile, Map<Node, number>>();

  const numberOf = (node: Node): number => {
    const file = node.getSourceFile();
    let ofFile = numbers.get(file);
    if (ofFile === undefined) {
      ofFile = new Map();
      // Known before it is filled: what is around a type literal is spelled on the way, and has its number by then.
      numbers.set(file, ofFile);
      countNumbered(file, spell, ofFile);
    }
    return ofFile.get(node) ?? 0;
  };

  const spellBelow = (node: Shape, owner: Spelling): Spelling => {
    if (owner === '' || owner === local) return local;
    if (isTransparent(node)) return owner;
    if (isOfOverload(node)) return local;
    const descriptor = describe(node);
    return descriptor === undefined ? local : owner + descriptor;
  };

  /** What needs nothing around it. */
  const spellAlone = (node: Shape): Spelling | undefined => {
    switch (node.kind) {
      case SyntaxKind.Block:
        return '';
      case SyntaxKind.SourceFile:
        return spellFile((node as SourceFile).fileName);
      case SyntaxKind.PropertyAssignment:
      case SyntaxKind.ShorthandPropertyAssignment: {
        const name = node.name?.getText() ?? '';
        return `${spell(node.getSourceFile())}${escapeName(`${name}${numberOf(node)}`)}:`;
      }
      case SyntaxKind.TypeLiteral: {
        const { owner, isDeep } = findTypeOwner(node, spell);
        return owner === local ? local : `${owner}${isDeep ? 'typePart' : 'typeLiteral'}${numberOf(node)}:`;
      }
      default:
        return undefined;
    }
  };

  /** A parameter or a type parameter of one of several declarations of a function. */
  const isOfOverload = (node: Shape): boolean => {
    const isOwn = node.kind === SyntaxKind.TypeParameter || (node.kind === SyntaxKind.Parameter && !isProperty(node));
    const made = isOwn ? (node.parent as Shape | undefined) : undefined;
    const around = made?.parent as Shape | undefined;
    if (made === undefined || around === undefined || !isOverloadable(made)) return false;
    let found = overloads.get(around);
    if (found === undefined) {
      found = listOverloads(around);
      overloads.set(around, found);
    }
    return found.has(made);
  };

  /** What an assignment declares: a name that a script exports, a member of a class, a property of a function. Nothing below it belongs to it. */
  const spellAssigned = (declaration: Node): Spelling => {
    const assigned = readAssigned(declaration);
    if (assigned === undefined) return local;
    const name = escapeName(assigned.name.getText());
    if (assigned.of === 'exports') return `${spell(declaration.getSourceFile())}exports/${name}.`;
    const owner = spellOwner(declaration, assigned);
    return owner === '' || owner === local ? local : `${owner}${name}.`;
  };

  const spellOwner = (declaration: Node, assigned: Exclude<Assigned, { of: 'exports' }>): Spelling => {
    if (assigned.of === 'named') {
      const owner = findDeclared(declaration.getSourceFile(), assigned.owner.getText());
      return owner === undefined ? local : spell(owner);
    }
    const around = assigned.of === 'this' ? findThisClass(declaration) : undefined;
    if (around !== undefined) return spell(around);
    const maker = assigned.of === 'this' ? findMaker(declaration) : findPrototypeOwner(assigned.owner);
    const spelled = maker === undefined ? local : spell(maker);
    // A function has properties of its own, too; of a class both are its members.
    return spelled === '' || spelled === local || spelled.endsWith('#') ? spelled : `${spelled}prototype.`;
  };

  function spell(declaration: Node): Spelling {
    if (declaration.kind === SyntaxKind.BinaryExpression) return spellAssigned(declaration);
    const pending: Node[] = [];
    let spelled: Spelling | undefined;
    for (let node: Node | undefined = declaration; node !== undefined; node = node.parent) {
      spelled = known.get(node) ?? spellAlone(node);
      if (spelled !== undefined) {
        known.set(node, spelled);
        break;
      }
      pending.push(node);
    }
    let owner = spelled ?? '';
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      owner = spellBelow(node, owner);
      known.set(node, owner);
    }
    return owner;
  }

  return spell;
}

/** What is declared around a type literal; `isDeep`: it is not all of a type there. */
function findTypeOwner(literal: Node, spell: SpellDeclaration): { readonly owner: Spelling; readonly isDeep: boolean } {
  for (let node = literal.parent; node !== undefined && node.kind !== SyntaxKind.Block; node = node.parent) {
    const owner = spell(node);
    if (owner !== '' && owner !== local) return { owner, isDeep: node !== literal.parent };
  }
  return { owner: local, isDeep: true };
}

/** `constructor(readonly a: string)` declares a member, too. */
export function isProperty({ kind, parent, modifiers }: Shape): boolean {
  return kind === SyntaxKind.Parameter && parent?.kind === SyntaxKind.Constructor && (modifiers ?? []).some(isAccess);
}

/** `import a = N.b` is a name of its own, as `type A = N.B` is; `import a = require('…')` and `export import a = N` pass one on. */
export function isOwnAlias({ kind, moduleReference, modifiers }: Shape): boolean {
  if (kind !== SyntaxKind.ImportEqualsDeclaration || moduleReference === undefined) return false;
  if (moduleReference.kind === SyntaxKind.ExternalModuleReference) return false;
  const isExported = (modifiers ?? []).some((one) => one.kind === SyntaxKind.ExportKeyword);
  return !(isExported && moduleReference.kind === SyntaxKind.Identifier);
}

function isAccess({ kind }: Node): boolean {
  switch (kind) {
    case SyntaxKind.PublicKeyword:
    case SyntaxKind.PrivateKeyword:
    case SyntaxKind.ProtectedKeyword:
    case SyntaxKind.ReadonlyKeyword:
    case SyntaxKind.OverrideKeyword:
      return true;
    default:
      return false;
  }
}

function isOverloadable({ kind }: Node): boolean {
  switch (kind) {
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.MethodDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.Constructor:
      return true;
    default:
      return false;
  }
}

/** Functions that are declared more than once here. */
function listOverloads(around: Shape): ReadonlySet<Node> {
  const listed = (around.members ??
    (around as { readonly statements?: readonly Node[] }).statements ??
    []) as readonly Shape[];
  const named = Map.groupBy(listed.filter(isOverloadable), (one) => `${isStatic(one)} ${one.name?.getText() ?? ''}`);
  return new Set([...named.values()].flatMap((ones) => (ones.length > 1 ? ones : [])));
}

export function isStatic({ modifiers }: Shape): boolean {
  return (modifiers ?? []).some(({ kind }) => kind === SyntaxKind.StaticKeyword);
}

/** Is there a member of instances of the same name? */
function hasTwin(member: Shape): boolean {
  if (!isStatic(member)) return false;
  const name = member.name?.getText();
  return ((member.parent as Shape | undefined)?.members ?? []).some(
    (other) => (other as Shape).name?.getText() === name && !isStatic(other as Shape),
  );
}

/** Things around declarations that say nothing. */
function isTransparent(node: Shape): boolean {
  switch (node.kind) {
    case SyntaxKind.ModuleBlock:
    case SyntaxKind.ImportDeclaration:
    case SyntaxKind.NamedImports:
    case SyntaxKind.VariableStatement:
    case SyntaxKind.VariableDeclarationList:
      return true;
    case SyntaxKind.ImportClause:
      return node.name === undefined;
    default:
      return false;
  }
}

function describe(node: Shape): string | undefined {
  switch (node.kind) {
    case SyntaxKind.InterfaceDeclaration:
    case SyntaxKind.EnumDeclaration:
    case SyntaxKind.TypeAliasDeclaration:
    case SyntaxKind.JSTypeAliasDeclaration:
    case SyntaxKind.ClassDeclaration:
    case SyntaxKind.ClassExpression:
      return withName(node, '', '#');
    case SyntaxKind.FunctionDeclaration:
    case SyntaxKind.MethodSignature:
    case SyntaxKind.MethodDeclaration:
      return withName(node, '', '().');
    case SyntaxKind.Constructor:
      return '`<constructor>`().';
    case SyntaxKind.PropertyDeclaration:
    case SyntaxKind.PropertySignature:
    case SyntaxKind.EnumMember:
    case SyntaxKind.VariableDeclaration:
      return withName(node, '', '.');
    case SyntaxKind.GetAccessor:
      return `${escapeName(`<get>${nameIn(node)}`)}().`;
    case SyntaxKind.SetAccessor:
      return `${escapeName(`<set>${nameIn(node)}`)}().`;
    case SyntaxKind.ModuleDeclaration:
      return withName(node, '', '/');
    case SyntaxKind.Parameter:
      return withName(node, '(', ')');
    case SyntaxKind.TypeParameter:
      return withName(node, '[', ']');
    case SyntaxKind.ImportEqualsDeclaration:
      return isOwnAlias(node) ? withName(node, '', '.') : undefined;
    case SyntaxKind.TypeReference:
      return `${escapeName(node.typeName?.getText() ?? '')}:`;
    default:
      return undefined;
  }
}

function withName(node: Shape, before: string, after: string): string | undefined {
  const text = nameIn(node);
  return text === '' ? undefined : `${before}${escapeName(text)}${after}`;
}

function nameIn(node: Shape): string {
  const text = node.name?.getText() ?? '';
  return text !== '' && hasTwin(node) ? `<static>${text}` : text;
}

/** Every key of an object literal and every type literal of a file with its number. */
function countNumbered(file: SourceFile, spell: SpellDeclaration, numbers: Map<Node, number>): void {
  const counts = new Map<string, number>();
  const count = (node: Node, key: string): void => {
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    numbers.set(node, number);
  };
  const pending: Node[] = [file];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    switch (node.kind) {
      case SyntaxKind.PropertyAssignment:
      case SyntaxKind.ShorthandPropertyAssignment:
        count(node, `key ${(node as Shape).name?.getText() ?? ''}`);
        break;
      case SyntaxKind.TypeLiteral: {
        const { owner, isDeep } = findTypeOwner(node, spell);
        if (owner !== local) count(node, `${isDeep ? 'part' : 'type'} ${owner}`);
        break;
      }
    }
    const from = pending.length;
    node.forEachChild((child) => {
      pending.push(child);
    });
    reverseTail(pending, from);
  }
}

/** Children were pushed in order, and the last one is taken first. */
export function reverseTail<T>(list: T[], from: number): void {
  for (let low = from, high = list.length - 1; low < high; low += 1, high -= 1) {
    const kept = list[low] as T;
    list[low] = list[high] as T;
    list[high] = kept;
  }
}

type SpellFile = (fileName: string) => string;

const anonymous = spellPackage('.', '.');

/**
 * How a file is spelled (code-plane.md §6.1): the package it belongs to, by the nearest `package.json` above it, and its path
 * below that, one namespace per segment. As scip-typescript has it: a file below no manifest is spelled from the root of the disk
 * on, in a package without a name, and a manifest without a version has version `HEAD`. The compiler's own library is spelled as a
 * part of `typescript`, wherever the package with the native program has it.
 *
 * Unlike there, what is reached through a link within the repository is what the link leads to: otherwise it would be a file
 * without definitions, and files that use it would depend on nothing. `root` is the realpath of the repository.
 */
export function createFileSpelling(root: string): SpellFile {
  const known = new Map<string, string>();
  const spell = (path: string): string => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const spelled = spellNew(path);
    known.set(path, spelled);
    return spelled;
  };
  const spellNew = (path: string): string => {
    const library = /\/@typescript\/typescript-[\w-]+\/lib\/(lib\.[\w.-]+)$/.exec(path)?.[1];
    if (library !== undefined) return `${spellPackage('typescript', compilerVersion)}lib/${escapeName(library)}/`;
    const target = path.startsWith(`${root}/`) ? findTarget(path, root) : undefined;
    if (target !== undefined) return spell(target);
    const named = readPackage(`${path}/package.json`);
    if (named !== undefined) return named;
    const parent = dirname(path);
    return parent === path ? anonymous : `${spell(parent)}${escapeName(basename(path))}/`;
  };
  return spell;
}

function spellPackage(name: string, version: string): string {
  return `scip-typescript npm ${name} ${version} `;
}

/** Of a link that leads to another place in the repository, that place. */
function findTarget(path: string, root: string): string | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return undefined;
    const target = realpathSync(path);
    return target.startsWith(`${root}/`) && target !== path ? target : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined without a manifest. */
function readPackage(manifest: string): string | undefined {
  try {
    if (!lstatSync(manifest).isFile()) return undefined;
  } catch {
    return undefined;
  }
  try {
    const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown; version?: unknown };
    if (typeof name !== 'string') return anonymous;
    return spellPackage(name, typeof version === 'string' ? version : 'HEAD');
  } catch {
    return anonymous;
  }
}

/** A descriptor's name, in backticks unless it is made of plain characters. */
function escapeName(name: string): string {
  return name === '' || /^[\w$+-]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
