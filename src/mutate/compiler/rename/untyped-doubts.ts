/**
 * Doubts where types are missing (mutation.md §2.6): the old name looked up in something of type `any`, a value of type `any` that becomes an
 * owner of the member, an export reached through a module that has no type, and bases whose members cannot be listed.
 */

import { join, posix } from 'node:path';
import { assert } from '../../../kernel/base/assert.ts';
import { readTextIfThere } from '../../../kernel/base/if-there.ts';
import { lineNumberAt } from '../../../kernel/tree/positions.ts';
import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { EditForm } from '../../vocabulary.ts';
import type { BoundToken, OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import { withoutEnding } from '../job/programs.ts';
import type { ItemDraft } from '../session/messages.ts';
import { beforeAssertions, isUntyped, type Owner, site } from './doubted-family.ts';
import { importedAs } from './quiet-callees.ts';

/** `untyped_access`: the compiler binds such a name to nothing, so whether it means the renamed member is for a reader to say. */
export function findUntypedAccesses(world: RenameWorld): readonly ItemDraft[] {
  if (!world.isMember || world.oldName.startsWith('#')) return [];
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const found = tokensNamed(world.programs, world.oldName).flatMap((bound): Asked[] => {
    if (planned.has(`${bound.token.path}\0${bound.token.start}`)) return [];
    // M14: where the compiler fails on the receiver, nothing is known of it.
    const access = askOr(() => findAccess(bound), { receiver: 'something', form: formOf(bound) });
    if (access === undefined) return [];
    const { token } = bound;
    const text = token.node.getSourceFile().text.slice(token.start, token.end);
    const newText =
      access.form === 'destructured_property' ? `${world.question.newName}: ${text}` : world.question.newName;
    const { path, start, end } = token;
    const isString = token.kind === 'string' || token.kind === 'template';
    const item: ItemDraft = {
      path,
      start,
      end,
      kind: isString ? 'string_reference' : 'untyped_access',
      detail: `\`${world.oldName}\` is looked up in ${access.receiver}, of which the compiler knows nothing.`,
      edits: { rename: [{ path, start, end, oldText: text, newText, form: access.form }] },
    };
    return [{ item, bound, key: askOr(() => receiverKey(bound), undefined) ?? `${path}\0${start}` }];
  });
  return [...Map.groupBy(found, ({ key }) => key).values()].map(askOnce);
}

type Asked = { readonly item: ItemDraft; readonly bound: BoundToken; readonly key: string };

/** What is looked up in one constant, or one parameter that nothing is assigned to, is one thing wherever that is: one question. */
function receiverKey({ program, token: { node, path } }: BoundToken): string | undefined {
  const access = node.parent;
  if (!ts.isPropertyAccessExpression(access) || !ts.isIdentifier(access.expression)) return undefined;
  const receiver = access.expression;
  const [declared, ...more] = program.project.checker.getSymbolAtLocation(receiver)?.declarations ?? [];
  const declaration = more.length > 0 ? undefined : declared?.resolve(program.project);
  const file = node.getSourceFile();
  if (declaration === undefined || declaration.getSourceFile() !== file) return undefined;
  const isConstant = /^const\b/.test(declaration.parent.getText()) && ts.isVariableDeclaration(declaration);
  const isKept = isConstant || (declaration.kind === K.Parameter && !isAssigned(file.text, receiver.text));
  return isKept ? `${path}\0${declaration.getStart()}` : undefined;
}

/** Also where it is not this one: then it is not known, and every place is asked about. */
function isAssigned(text: string, name: string): boolean {
  const escaped = name.replaceAll('$', String.raw`\$`);
  return new RegExp(
    String.raw`(?<![.\w$])${escaped}\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\+\+|--|[\]},)]\s*=(?![=>]))`,
  ).test(text);
}

function askOnce(ones: readonly Asked[]): ItemDraft {
  // Several programs may have the file.
  const places = new Map(ones.map((one) => [one.item.start, one]));
  const [first, ...others] = [...places.values()].sort((a, b) => a.item.start - b.item.start);
  assert(first !== undefined, 'a group has a member');
  if (others.length === 0) return first.item;
  const lines = others.map(({ item, bound }) => lineNumberAt(bound.token.node.getSourceFile().text, item.start));
  const named = [...new Set(lines)];
  const more = named.length > linesNamed ? ` and ${named.length - linesNamed} more` : '';
  const also = `also in ${named.length === 1 ? 'line' : 'lines'} ${named.slice(0, linesNamed).join(', ')}${more}`;
  const edits = [first, ...others].flatMap(({ item }) => item.edits['rename'] ?? []);
  return { ...first.item, detail: first.item.detail.replace(/\.$/, ` (${also}).`), edits: { rename: edits } };
}

const linesNamed = 5;

function formOf({ token: { node, kind } }: BoundToken): EditForm {
  const { parent } = node;
  if (kind === 'string' || kind === 'template') return 'string';
  return ts.isBindingElement(parent) && parent.propertyName === undefined ? 'destructured_property' : 'plain';
}

type Access = { readonly receiver: string; readonly form: EditForm };

function findAccess({ program, token }: BoundToken): Access | undefined {
  const { checker } = program.project;
  const { node } = token;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return isUntyped(checker.getTypeAtLocation(parent.expression)) ? say(parent.expression, 'plain') : undefined;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
    return isUntyped(checker.getTypeAtLocation(parent.expression)) ? say(parent.expression, 'string') : undefined;
  if (ts.isJsxAttribute(parent) && parent.name === node) {
    const tag = (parent.parent.parent as { readonly tagName?: ts.Node }).tagName;
    return tag !== undefined && isUntyped(checker.getTypeAtLocation(tag)) ? say(tag, 'plain') : undefined;
  }
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent))
    return findDestructured(program.project, parent, node);
  return undefined;
}

function findDestructured({ checker }: ts.Project, element: ts.BindingElement, node: ts.Node): Access | undefined {
  if (element.dotDotDotToken !== undefined) return undefined;
  const isKey = element.propertyName === node;
  if (!isKey && (element.name !== node || element.propertyName !== undefined)) return undefined;
  if (!isUntyped(checker.getTypeAtLocation(element.parent))) return undefined;
  return { receiver: 'what is taken apart here', form: isKey ? 'plain' : 'destructured_property' };
}

function say(receiver: ts.Node, form: EditForm): Access {
  const text = receiver.getText().replaceAll(/\s+/g, ' ');
  return { receiver: `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``, form };
}

// `untyped_access` to an export: `const { a } = require('./m')` where the compiler does not know `require`, and the keys of a module that
// a test puts in the place of another (`vi.mock('./m', () => ({ a }))`). The name is that of the export, and the compiler ties it to nothing.

const K = ts.SyntaxKind;

export function findModuleLookups(world: RenameWorld): readonly ItemDraft[] {
  if (world.isMember || world.reach === 'file') return [];
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const keeps = new Set(world.occurrences.filter(keepsExport).map(({ token }) => token.path));
  const own = new Set(
    world.family.filter(({ path, outside }) => !outside && !keeps.has(path)).map(({ path }) => withoutEnding(path)),
  );
  return tokensNamed(world.programs, world.oldName).flatMap(({ token }) => {
    const { path, start, end } = token;
    const lookup = planned.has(`${path}\0${start}`) ? undefined : findLookup(token.node);
    if (lookup === undefined || !leadsTo(own, path, lookup.specifier)) return [];
    const text = token.node.getSourceFile().text.slice(start, end);
    const newText = lookup.form === 'plain' ? world.question.newName : `${world.question.newName}: ${text}`;
    const edit = { path, start, end, oldText: text, newText, form: lookup.form };
    const detail = `\`${world.oldName}\` of \`${lookup.specifier}\` is meant, which the compiler does not follow here.`;
    return [{ path, start, end, kind: 'untyped_access' as const, detail, edits: { rename: [edit] } }];
  });
}

/** `module.exports = { a }` becomes `{ a: b }`: importers find what they found. */
function keepsExport({ token: { node }, edit }: RenameWorld['occurrences'][number]): boolean {
  if (edit?.form !== 'shorthand_value') return false;
  const { parent } = node.parent.parent;
  return ts.isBinaryExpression(parent) && /^(?:module\s*\.\s*)?exports$/.test(parent.left.getText());
}

type Lookup = { readonly specifier: string; readonly form: EditForm };

function findLookup(node: BoundToken['token']['node']): Lookup | undefined {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return lookup(loaded(parent.expression), 'plain');
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)) {
    const declaration = parent.parent.parent;
    if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined) return undefined;
    const isKey = parent.propertyName === node;
    if (!isKey && (parent.name !== node || parent.propertyName !== undefined)) return undefined;
    return lookup(loaded(declaration.initializer), isKey ? 'plain' : 'destructured_property');
  }
  const isKey =
    (parent as { readonly name?: ts.Node }).name === node && parent.parent?.kind === K.ObjectLiteralExpression;
  if (!isKey) return undefined;
  return lookup(replaced(parent.parent), ts.isShorthandPropertyAssignment(parent) ? 'shorthand_property' : 'plain');
}

function lookup(specifier: string | undefined, form: EditForm): Lookup | undefined {
  return specifier === undefined ? undefined : { specifier, form };
}

/** `require('./m')`, `await import('./m')`, `await vi.importActual('./m')`. */
function loaded(expression: ts.Node): string | undefined {
  let made = beforeAssertions(expression);
  while (ts.isAwaitExpression(made)) made = beforeAssertions(made.expression);
  if (!ts.isCallExpression(made)) return undefined;
  const { expression: called } = made;
  const name = ts.isPropertyAccessExpression(called) ? called.name.getText() : called.getText();
  return loaders.has(name) ? firstString(made) : undefined;
}

const loaders: ReadonlySet<string> = new Set([
  'require',
  'import',
  'importActual',
  'importMock',
  'requireActual',
  'requireMock',
]);
const replacers: ReadonlySet<string> = new Set(['mock', 'doMock', 'unstable_mockModule', 'setMock']);

/** The module for which a factory makes this object. */
function replaced(literal: ts.Node): string | undefined {
  for (let at = literal.parent; at !== undefined; at = at.parent) {
    if (ts.isCallExpression(at)) {
      const { expression: called } = at;
      const isReplacer = ts.isPropertyAccessExpression(called) && replacers.has(called.name.getText());
      return isReplacer ? firstString(at) : undefined;
    }
    if (!between.has(at.kind)) return undefined;
  }
  return undefined;
}

const between: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ParenthesizedExpression,
  K.ReturnStatement,
  K.Block,
  K.ArrowFunction,
  K.FunctionExpression,
  K.AsExpression,
]);

/** Also `vi.mock(import('./m'), …)`. */
function firstString(call: ts.CallExpression): string | undefined {
  const [first] = call.arguments;
  if (first === undefined) return undefined;
  if (ts.isStringLiteral(first) || ts.isNoSubstitutionTemplateLiteral(first)) return first.text;
  return ts.isCallExpression(first) ? firstString(first) : undefined;
}

function leadsTo(own: ReadonlySet<string>, from: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return false;
  const bare = withoutEnding(posix.join(posix.dirname(from), specifier));
  return own.has(bare) || own.has(posix.join(bare, 'index'));
}

// `unknown_inherited`: an owner extends something whose members the compiler cannot list, so the new name may be one of them.

const depthMax = 20;

export function findUnknownBases(world: RenameWorld, owners: readonly Owner[]): readonly ItemDraft[] {
  if (world.oldName.startsWith('#')) return [];
  const found = new Map<ts.Node, ItemDraft>();
  const seen = new Set<ts.Node>();
  let level = owners.map(({ program, node }) => ({ program, node }));
  for (let depth = 0; depth < depthMax && level.length > 0; depth++) {
    level = level.flatMap(({ program, node }) => {
      if (seen.has(node)) return [];
      seen.add(node);
      return basesOf(node).flatMap((base) => {
        const type = askOr(() => program.project.checker.getTypeAtLocation(base), undefined);
        const declared = declarationsOf(
          world,
          program,
          isUntyped(type) ? namedSymbol(program, base) : type?.getSymbol(),
        );
        if (!isUntyped(type) || declared.length > 0 || isListedForNode(world, program, base)) return declared;
        const { path } = world.programs.place(base.getSourceFile().fileName);
        const detail = `The members of \`${base.getText().slice(0, 60)}\` cannot be listed; \`${world.question.newName}\` may be one.`;
        found.set(base, site('unknown_inherited', path, base, detail));
        return [];
      });
    });
  }
  return [...found.values()];
}

/**
 * `EventEmitter` of `node:events`, where the project loads no types of Node and they are installed all the same: neither name is a word
 * of what they say of the module, nor a member that they do not tell (github.com/nodejs/node, lib/events.js).
 */
function isListedForNode({ programs, oldName, question }: RenameWorld, program: OpenProgram, base: ts.Node): boolean {
  const names = [oldName, question.newName];
  const { expression } = base as { readonly expression?: ts.Node };
  if (expression === undefined) return false;
  const from = askOr(() => importedAs(program, expression), undefined);
  if (from?.module !== 'events' || !/^(?:EventEmitter|events)$/.test(from.name)) return false;
  const text = readTextIfThere(join(programs.root, 'node_modules/@types/node/events.d.ts'));
  if (text === undefined) return false;
  const words = new Set(text.split(/[^\p{ID_Continue}$]+/u));
  return names.every((name) => !words.has(name) && !untold.test(name));
}

const untold = /^(?:_events|_eventsCount|_maxListeners|domain|usingDomains|init)$/;

function basesOf(node: ts.Node): readonly ts.Node[] {
  const clauses = (node as { readonly heritageClauses?: readonly ts.HeritageClause[] }).heritageClauses ?? [];
  return clauses.flatMap(({ types }) => [...types]);
}

/** A class that extends itself by way of others has an error for a type; its members stand there all the same. */
function namedSymbol({ project: { checker } }: OpenProgram, base: ts.Node): ts.Symbol | undefined {
  const { expression } = base as { readonly expression?: ts.Node };
  const symbol = expression === undefined ? undefined : checker.getSymbolAtLocation(expression);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}

/** In the root; a base outside it has members that can be listed, or it would be untyped. */
function declarationsOf(
  { programs }: RenameWorld,
  program: OpenProgram,
  symbol: ts.Symbol | undefined,
): readonly { readonly program: OpenProgram; readonly node: ts.Node }[] {
  const kinds = [ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.ClassExpression, ts.SyntaxKind.InterfaceDeclaration];
  const handles = (symbol?.declarations ?? []).filter(({ kind }) => kinds.includes(kind));
  return handles.flatMap((handle) => {
    const node = programs.place(handle.path).outside ? undefined : handle.resolve(program.project);
    return node === undefined ? [] : [{ program, node }];
  });
}
