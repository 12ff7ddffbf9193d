/** M6: what the compiler says about every token of the old name that the census found, whoever it belongs to. */

import {
  isBindingElement,
  isExpression,
  isExpressionStatement,
  isIdentifier,
  isJsxAttribute,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isQualifiedName,
  isReturnStatement,
  isVariableDeclaration,
  type Node,
} from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, Programs, RenameWorld } from '../in-job.ts';
import { tokensNamed } from '../tokens-named.ts';
import type { CensusAccount, CodeSpan } from '../types.ts';
import { spanKey } from './plan-occurrences.ts';
import { tokensInFile } from './tokens-in-file.ts';

export function accountCensus(world: RenameWorld): readonly CensusAccount[] {
  const { programs, question, oldName } = world;
  const planned = new Set(world.occurrences.flatMap(({ token, edit }) => (edit === null ? [] : [spanKey(token)])));
  const bound = new Map<string, CensusAccount['account']>();
  const details = new Map<string, string>();
  const elsewhere = new Map<string, Set<string>>();
  const confined = world.reach === 'file';
  for (const { token, binding } of confined
    ? tokensInFile(programs, question.path, oldName)
    : tokensNamed(programs, oldName)) {
    const key = spanKey(token);
    const known = bound.get(key);
    // A program that binds the token knows more than one that does not, and a failure is no knowledge.
    if (binding.kind === 'bound') {
      bound.set(key, 'other_symbol');
      const places = binding.links.flatMap(({ places }) => places);
      // Where it comes from says more than where it is imported.
      const place = places.find(({ path }) => path !== token.path) ?? places[0];
      if (place !== undefined) details.set(key, `${place.path}:${place.start}`);
      const others = places.flatMap(({ path }) => (path === token.path ? [] : [path]));
      if (others.length > 0) elsewhere.set(key, new Set([...(elsewhere.get(key) ?? []), ...others]));
    } else if (binding.kind === 'none') {
      // What nobody declares is reached by no member access, and what a file keeps to itself by none either.
      const isElse = world.isMember ? isLexical(token.node) : confined && !isLexical(token.node);
      bound.set(key, known === 'other_symbol' || isElse ? 'other_symbol' : 'unbound');
    } else {
      bound.set(key, known ?? 'failed');
      details.set(key, binding.detail);
    }
  }
  return question.census.map((span) => {
    const key = spanKey(span);
    if (planned.has(key)) return { ...bare(span), account: 'planned', detail: null };
    if (confined && span.path !== question.path) {
      return { ...bare(span), account: 'other_symbol', detail: 'the name is confined to its file' };
    }
    if (!programs.open.some((program) => holds(program, span.path)))
      return { ...bare(span), account: 'uncovered', detail: null };
    const account = bound.get(key) ?? (isReadWell(programs, span.path) ? 'no_name' : 'unbound');
    const declaredIn = elsewhere.get(key);
    return {
      ...bare(span),
      account,
      detail: details.get(key) ?? null,
      ...(declaredIn === undefined ? {} : { declaredIn: [...declaredIn].sort() }),
    };
  });
}

/** Looked up in scopes, not in a type. */
function isLexical(node: Node): boolean {
  const { parent } = node;
  if (!isIdentifier(node)) return false;
  if (isPropertyAccessExpression(parent)) return parent.name !== node;
  if (isQualifiedName(parent)) return parent.right !== node;
  if (isPropertyAssignment(parent) || isJsxAttribute(parent) || isBindingElement(parent)) return false;
  return (
    isExpression(parent) || isExpressionStatement(parent) || isVariableDeclaration(parent) || isReturnStatement(parent)
  );
}

const readWell = new WeakMap<Programs, Map<string, boolean>>();

/** Without a syntax error in any program: then every name in it was seen. */
function isReadWell(programs: Programs, path: string): boolean {
  const known = readWell.get(programs) ?? new Map<string, boolean>();
  readWell.set(programs, known);
  const before = known.get(path);
  if (before !== undefined) return before;
  const isWell = programs.open.every(({ project, sourceFile }) => {
    const file = sourceFile(path);
    return file === undefined || project.program.getSyntacticDiagnostics(file.fileName).length === 0;
  });
  known.set(path, isWell);
  return isWell;
}

function bare({ path, start, end }: CodeSpan): CodeSpan {
  return { path, start, end };
}

function holds(program: OpenProgram, path: string): boolean {
  return program.sourceFile(path) !== undefined;
}

/** Every file that takes part: what is edited, what is declared, what the census asks about. */
export function listFiles(world: RenameWorld): readonly string[] {
  const files = new Set<string>([world.question.path]);
  for (const { token } of world.occurrences) files.add(token.path);
  for (const { path, outside } of world.family) if (!outside) files.add(path);
  if (world.reach === 'repo') for (const { path } of world.question.census) files.add(path);
  return [...files].sort();
}

export function textOf(programs: Programs, path: string): string | undefined {
  for (const program of programs.open) {
    const source = program.sourceFile(path);
    if (source !== undefined) return source.text;
  }
  return undefined;
}
