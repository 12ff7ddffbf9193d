/**
 * `unknown_inherited` where types do not tell what inherits: a class that extends a parameter, or something without a type, may extend the
 * owner, and then a member of one of the two names there takes the place of the other; and code of a package may call, on what extends its
 * class, a member that its types do not speak of.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfThere } from '../../../kernel/base/if-there.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { declarationStart } from '../job/declarations.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import type { ItemDraft } from '../session/messages.ts';
import { isUntyped, type Owner, outermost, site } from './doubted-family.ts';
import { hasModifier, memberDeclaration } from './member-types.ts';
import { expressionOf } from './names-as-data.ts';

const K = ts.SyntaxKind;

export function findUntoldInheritance(world: RenameWorld, owners: readonly Owner[]): readonly ItemDraft[] {
  if (world.oldName.startsWith('#')) return [];
  const classes = owners.filter(({ node }) => ts.isClassLikeDeclaration(node));
  if (classes.length === 0) return [];
  return [...findHeirs(world, classes), ...classes.flatMap((owner) => findCallers(world, owner))];
}

// Heirs. Only of a class that is given away as a value: others are extended by their name.

function findHeirs(world: RenameWorld, classes: readonly Owner[]): readonly ItemDraft[] {
  const given = classes.find(
    ({ node, name }) => node.kind === K.ClassExpression || (name !== undefined && isGiven(world, name)),
  );
  if (given === undefined) return [];
  const names = [world.oldName, world.question.newName];
  const found = new Map<string, ItemDraft>();
  for (const name of names)
    for (const { program, token } of tokensNamed(world.programs, name)) {
      const declaration = memberDeclaration(token.node);
      const heir = declaration?.parent;
      if (declaration === undefined || heir === undefined || !ts.isClassLikeDeclaration(heir)) continue;
      const key = placeKey({ path: token.path, start: declarationStart(declaration), outside: false });
      if (world.familyKeys.has(key) || hasModifier(declaration, K.StaticKeyword) || !isOfAnything(program, heir))
        continue;
      const detail = `This class may extend \`${given.name ?? 'the class'}\`, and has a \`${name}\` of its own.`;
      found.set(`${token.path}\0${token.start}`, site('unknown_inherited', token.path, token.node, detail));
    }
  return [...found.values()];
}

/** Passed on, and not merely made, extended, asked for or looked into. */
function isGiven(world: RenameWorld, name: string): boolean {
  return tokensNamed(world.programs, name).some(({ token }) => {
    const value = expressionOf(token.node);
    if (value === undefined) return false;
    const at = outermost(value);
    const { parent } = at;
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== at;
    if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === K.EqualsToken && parent.right === at;
    return passes.has(parent.kind);
  });
}

const passes: ReadonlySet<ts.SyntaxKind> = new Set([
  K.VariableDeclaration,
  K.PropertyAssignment,
  K.ShorthandPropertyAssignment,
  K.ArrayLiteralExpression,
  K.ReturnStatement,
  K.ArrowFunction,
  K.ConditionalExpression,
]);

/** What it extends is a type parameter, or has no type. */
function isOfAnything({ project: { checker } }: OpenProgram, heir: ts.Node): boolean {
  const base = basesOf(heir)[0];
  const { expression } = (base ?? {}) as { readonly expression?: ts.Node };
  if (expression === undefined) return false;
  const type = askOr(() => checker.getTypeAtLocation(expression), undefined);
  return type === undefined || isUntyped(type) || type.isTypeParameter();
}

function basesOf(node: ts.Node): readonly ts.Node[] {
  const clauses = (node as { readonly heritageClauses?: readonly ts.HeritageClause[] }).heritageClauses ?? [];
  return clauses.flatMap(({ token, types }) => (token === K.ExtendsKeyword ? [...types] : []));
}

// Packages. Code of theirs that declares or makes the class is read as text.

const filesMax = 200;
const bytesMax = 4_000_000;

function findCallers(world: RenameWorld, { program, node, name }: Owner): readonly ItemDraft[] {
  const { programs, oldName, question } = world;
  const names = [oldName, question.newName].map(escaped).join('|');
  const calls = new RegExp(String.raw`\b(?:this|self|_this|that)\s*(?:\?\.|\.)\s*(?:${names})(?![\w$])`);
  return listForeignBases(world, program, node, 0).flatMap(({ base, symbol, folder }): ItemDraft[] => {
    const isClass = new RegExp(`(?<![\\w$])${escaped(symbol.name)}(?![\\w$])`);
    if (!codeOf(program, folder).some((text) => isClass.test(text) && calls.test(text))) return [];
    const { path } = programs.place(base.getSourceFile().fileName);
    const detail = `Code of the package looks up \`${oldName}\` or \`${question.newName}\` on what extends \`${symbol.name}\`, as \`${name ?? 'the class'}\` does; its types do not say so.`;
    return [site('unknown_inherited', path, base, detail)];
  });
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}

type ForeignBase = { readonly base: ts.Node; readonly symbol: ts.Symbol; readonly folder: string };

const basesMax = 10;

/** Classes of packages that it extends, also by way of others. */
function listForeignBases(
  world: RenameWorld,
  program: OpenProgram,
  node: ts.Node,
  depth: number,
): readonly ForeignBase[] {
  const { programs } = world;
  return basesOf(node).flatMap((base): readonly ForeignBase[] => {
    const symbol = askOr(() => program.project.checker.getTypeAtLocation(base)?.getSymbol(), undefined);
    const handle = symbol?.declarations[0];
    if (symbol === undefined || handle === undefined) return [];
    if (!programs.place(handle.path).outside) {
      const above = depth < basesMax ? handle.resolve(program.project) : undefined;
      return above === undefined ? [] : listForeignBases(world, program, above, depth + 1);
    }
    const folder = /^.*\/node_modules\/(?!@types\/)(?:@[^/]+\/)?[^/]+(?=\/)/.exec(handle.path)?.[0];
    return folder?.startsWith(`${programs.root}/`) === true ? [{ base, symbol, folder }] : [];
  });
}

const knownCode = new WeakMap<OpenProgram, Map<string, readonly string[]>>();

function codeOf(program: OpenProgram, folder: string): readonly string[] {
  const known = knownCode.get(program) ?? new Map<string, readonly string[]>();
  knownCode.set(program, known);
  const texts = known.get(folder) ?? readCode(folder);
  known.set(folder, texts);
  return texts;
}

/** No link is followed. */
function readCode(folder: string): readonly string[] {
  const texts: string[] = [];
  let bytes = 0;
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined && texts.length < filesMax && bytes < bytesMax; at = pending.pop())
    for (const entry of askOr(() => readdirSync(at as string, { withFileTypes: true }), [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules') pending.push(path);
      if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name) || texts.length >= filesMax) continue;
      const text = readTextIfThere(path) ?? '';
      bytes += text.length;
      texts.push(text);
    }
  return texts;
}
