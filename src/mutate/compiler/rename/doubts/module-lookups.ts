/**
 * `untyped_access` to an export: `const { a } = require('./m')` where the compiler does not know `require`, and the keys of a module that
 * a test puts in the place of ours (`vi.mock('./m', () => ({ a }))`). The name is that of the export, and the compiler ties it to nothing.
 */

import { posix } from 'node:path';
import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { EditForm } from '../../../outcome.ts';
import type { BoundToken, RenameWorld } from '../../in-job.ts';
import { tokensNamed } from '../../tokens-named.ts';
import type { CompilerItem } from '../../types.ts';
import { beforeAssertions } from './claims.ts';

const K = ts.SyntaxKind;

export function findModuleLookups(world: RenameWorld): readonly CompilerItem[] {
  if (world.isMember || world.reach === 'file') return [];
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  const own = new Set(world.family.filter(({ outside }) => !outside).map(({ path }) => withoutEnding(path)));
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

function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}
