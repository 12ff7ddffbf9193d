/**
 * Properties that become one where objects are poured together (mutation.md §2.2): in `{ a: 1, ...given }` and `{ ...usual, ...given }` the
 * later `a` takes the place of the earlier one. To rename one of them would leave two, each with half of the story, and nothing that the
 * compiler reports need tell: so they are renamed together or not at all.
 */

import { askInBatches } from '../../../kernel/compiler/ask-in-batches.ts';
import * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { FindPlaces } from '../declaration-places.ts';
import type { OpenProgram } from '../in-job.ts';
import type { DeclarationPlace } from '../types.ts';
import type { SidedToken } from './collect-family.ts';

const known = new WeakMap<ts.SourceFile, readonly ts.ObjectLiteralExpression[]>();
const knownTypes = new WeakMap<OpenProgram, Map<ts.Node, ts.Type | undefined>>();

/** The declarations of the name that some literal makes one property. `tokens` are the program's own of that name. */
export function findSpreadTies(
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
  const byType = new Map<number, readonly DeclarationPlace[]>();
  const placesIn = (type: ts.Type): readonly DeclarationPlace[] => {
    const seen = byType.get(type.id);
    if (seen !== undefined) return seen;
    const property = checker.getPropertyOfType(checker.getNonNullableType(type) ?? type, name);
    const places = property === undefined ? [] : findPlaces(property);
    byType.set(type.id, places);
    return places;
  };
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
export function spreadLiteralOf(name: ts.Node): ts.ObjectLiteralExpression | undefined {
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
  const listed = known.get(source) ?? (mayPour(source.text) ? findLiterals(source) : []);
  known.set(source, listed);
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
