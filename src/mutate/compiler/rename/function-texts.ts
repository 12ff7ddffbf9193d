/**
 * `name_as_data` where functions tell of others: the text of a function names whatever it calls, and is run where something else may have
 * that name; a trace names every function on the way to where it is taken. Both are asked about where the renamed one is among them.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import { askOr, tokensNamed } from '../job/name-tokens.ts';
import type { ItemDraft } from '../session/messages.ts';
import { outermost, type Site, tellFirst, walkNodes } from './doubted-family.ts';
import { isFunctionLike } from './lexical-scope.ts';
import { expressionOf, listSubjects, means, readsInside } from './names-as-data.ts';

const K = ts.SyntaxKind;

export function findFunctionTexts(world: RenameWorld): readonly ItemDraft[] {
  if (world.oldName.startsWith('#')) return [];
  const found = [...findTexts(world), ...findTraces(world)];
  return tellFirst(
    'name_as_data',
    found,
    `The text or the trace of functions, with \`${world.oldName}\` in it, is read here`,
  );
}

// `new Function(`return ${f}`)`: what `f` calls is looked up by its name where the text is run.

function findTexts(world: RenameWorld): readonly Site[] {
  const declared = world.family.filter(({ outside }) => !outside);
  const found = new Map<ts.Node, Site>();
  const seen = new Map<ts.Node, Site | undefined>();
  for (const { program, token } of world.occurrences) {
    if (isErased(program, token.node)) continue;
    for (let at: ts.Node | undefined = token.node; at !== undefined; at = at.parent) {
      if (!isFunctionLike(at)) continue;
      const [start, end] = [at.getStart(), at.getEnd()];
      // What it declares itself is in its text as well.
      if (declared.some((place) => place.path === token.path && place.start >= start && place.start < end)) continue;
      const text = seen.has(at) ? seen.get(at) : textOf(world, program, token.path, at);
      seen.set(at, text);
      if (text !== undefined) found.set(text.node, text);
    }
  }
  return [...found.values()];
}

/** It stands in a type, of which nothing is left in the text that runs; unless what is known of types at run time is written beside classes. */
function isErased({ project }: OpenProgram, name: ts.Node): boolean {
  if (project.compilerOptions['emitDecoratorMetadata'] === true) return false;
  for (let at: ts.Node | undefined = name; at !== undefined; at = at.parent) {
    if (at.kind >= K.FirstTypeNode && at.kind <= K.LastTypeNode) return true;
    if (at.kind === K.InterfaceDeclaration || at.kind === K.TypeAliasDeclaration) return true;
    if (ts.isHeritageClause(at) && at.token === K.ImplementsKeyword) return true;
  }
  return false;
}

/** Where the text of a function is made, by what it is called or where it stands. */
function textOf(world: RenameWorld, program: OpenProgram, path: string, made: ts.Node): Site | undefined {
  const [own] = isText(made) ? [{ path, node: made }] : madeInside(world, program, path, made);
  if (own !== undefined) return own;
  const holder = (made as { readonly name?: ts.Node }).name === undefined ? made.parent : made;
  const { name } = holder as { readonly name?: ts.Node };
  if (name === undefined || !ts.isIdentifier(name)) return undefined;
  for (const { program: its, token } of tokensNamed(world.programs, name.text)) {
    const value = expressionOf(token.node);
    if (value === undefined || its !== program || !means(its, token.node, holder)) continue;
    const [text] = isText(value) ? [{ path: token.path, node: value }] : madeInside(world, program, token.path, value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** By what it is given to. */
function madeInside(world: RenameWorld, program: OpenProgram, path: string, value: ts.Node): readonly Site[] {
  return askOr(() => readsInside(world, { program, path, value }, (one) => (isText(one) ? one : undefined)), []);
}

function isText(value: ts.Node): boolean {
  const at = outermost(value);
  const { parent } = at;
  const { kind } = K.TemplateSpan === parent.kind ? parent.parent.parent : parent;
  if (parent.kind === K.TemplateSpan) return kind !== K.TaggedTemplateExpression;
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === K.PlusToken;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === at && parent.name.getText() === 'toString';
  return (
    ts.isCallExpression(parent) &&
    parent.expression !== at &&
    /^(?:String|Function\.prototype\.toString\.call)$/.test(parent.expression.getText())
  );
}

// `new Error().stack.split(…)`: by a string that says the name, or for whatever stands there, on the way to which the renamed one is.

function findTraces(world: RenameWorld): readonly Site[] {
  const subjects = new Set<ts.Node>(listSubjects(world).map(({ node }) => node));
  if (subjects.size === 0) return [];
  const said = new RegExp(`['"\`/][^'"\`\\n]*(?<![\\w$])${world.oldName.replaceAll('$', '\\$')}(?![\\w$])`);
  return world.programs.open.flatMap((program) =>
    program.files.flatMap((path) => {
      const file = program.sourceFile(path);
      if (file === undefined || !/\.stack\b/.test(file.text)) return [];
      const [isSaid, isTaken] = [said.test(file.text), takesNames.test(file.text)];
      if (!isSaid && !isTaken) return [];
      const sites: Site[] = [];
      walkNodes(file, (node) => {
        if (!ts.isPropertyAccessExpression(node) || node.name.getText() !== 'stack') return;
        const at = outermost(node);
        const isTakenApart = ts.isPropertyAccessExpression(at.parent) && at.parent.expression === at;
        if ((isSaid && isTakenApart) || (isTaken && isOnTheWay(world, program, node, subjects)))
          sites.push({ path, node: node.name });
      });
      return sites;
    }),
  );
}

/** `/at (\w+)/`: what stands where traces have their names is taken out. */
const takesNames = /\/[^/\n]*\bat\b[^/\n]*\(/;

const callersMax = 3;
const namesMax = 40;

/** It calls what takes the trace, by no more than a few others. */
function isOnTheWay(world: RenameWorld, program: OpenProgram, trace: ts.Node, subjects: ReadonlySet<ts.Node>): boolean {
  const seen = new Set<ts.Node>();
  let level: readonly ts.Node[] = [trace];
  for (let depth = 0; depth <= callersMax && level.length > 0 && seen.size < namesMax; depth++) {
    const next: ts.Node[] = [];
    for (const call of level)
      for (let at: ts.Node | undefined = call; at !== undefined; at = at.parent) {
        if (!isFunctionLike(at) || seen.has(at)) continue;
        seen.add(at);
        if (subjects.has(at)) return true;
        next.push(...callsOf(world, program, at));
      }
    level = next;
  }
  return false;
}

function callsOf(world: RenameWorld, program: OpenProgram, made: ts.Node): readonly ts.Node[] {
  const holder = (made as { readonly name?: ts.Node }).name === undefined ? made.parent : made;
  const { name } = holder as { readonly name?: ts.Node };
  if (name === undefined || !ts.isIdentifier(name)) return [];
  return tokensNamed(world.programs, name.text).flatMap(({ program: its, token: { node } }) => {
    const value = expressionOf(node);
    const isCall = value !== undefined && ts.isCallExpression(value.parent) && value.parent.expression === value;
    return isCall && its === program && means(its, node, holder) ? [node] : [];
  });
}
