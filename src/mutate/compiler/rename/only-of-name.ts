/**
 * Whether a thing of the name can exist beside the renamed one, asked of the texts of all programs: values that have more than their
 * types say cannot bring along what nothing says. Names that are put together when the program runs are not seen here.
 */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import { tokensNamed } from '../job/bind-tokens.ts';
import { type OpenProgram, placeKey, type RenameWorld } from '../job/job-types.ts';
import { memberDeclaration } from './member-types.ts';

const K = ts.SyntaxKind;

const knownAlone = new WeakMap<RenameWorld, boolean>();

/**
 * No other key, and no string, says one of the two names anywhere in the programs. Variables may have them, and comments.
 */
export function isOnlyOfName(world: RenameWorld): boolean {
  const known = knownAlone.get(world) ?? isAlone(world);
  knownAlone.set(world, known);
  return known;
}

function isAlone(world: RenameWorld): boolean {
  const own = new Set(world.occurrences.map(({ token }) => placeKey({ ...token, outside: false })));
  const names = [world.oldName, world.question.newName];
  const tokens = names.flatMap((name) => tokensNamed(world.programs, name));
  const read = new Set<string>();
  for (const { token } of tokens) {
    const key = placeKey({ ...token, outside: false });
    if (!own.has(key) && (token.kind !== 'identifier' || isKey(token.node))) return false;
    read.add(key);
  }
  const escaped = names.map((name) => name.replaceAll('$', '\\$')).join('|');
  const word = new RegExp(String.raw`(?<![\w$])(?:${escaped})(?![\w$])`, 'g');
  const files = new Map(
    world.programs.open.flatMap((program) => program.files.map((path) => [path, program.sourceFile(path)?.text ?? ''])),
  );
  for (const [path, text] of files)
    for (const { index } of text.matchAll(word))
      if (!read.has(placeKey({ path, start: index, outside: false })) && !isInComment(text, index)) return false;
  return true;
}

/** It makes a member, or looks one up. */
function isKey(name: ts.Node): boolean {
  const { parent } = name;
  const { name: said, propertyName } = parent as { readonly name?: ts.Node; readonly propertyName?: ts.Node };
  if (parent.kind === K.PropertyAccessExpression) return said === name;
  if (parent.kind === K.BindingElement)
    return propertyName === name || (propertyName === undefined && parent.parent.kind === K.ObjectBindingPattern);
  return memberDeclaration(name) !== undefined || parent.kind === K.ShorthandPropertyAssignment;
}

/** Of a line that begins as one. */
function isInComment(text: string, at: number): boolean {
  return /^\s*(?:\/\/|\/\*|\*\s)/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
}

const knownHeirs = new WeakMap<OpenProgram, Map<string, boolean>>();

/** Something may be made from it: a class or a type, under whatever name it is known there. */
export function hasHeirs(program: OpenProgram, name: string): boolean {
  const known = knownHeirs.get(program) ?? new Map<string, boolean>();
  knownHeirs.set(program, known);
  const word = name.replaceAll('$', '\\$');
  const made = new RegExp(
    String.raw`\b(?:extends|implements)\b[^{;]*(?<![\w$])${word}(?![\w$])|(?<![\w$])${word}\s+as\b|\bdefault\s+(?:(?:abstract|class|interface)\s+)*${word}(?![\w$])|[=(,[?:&|]\s*${word}\s*(?:[,)\]&|?:]|;?\s*$)`,
    'm',
  );
  const found =
    known.get(name) ??
    program.files.some((path) => {
      const text = program.sourceFile(path)?.text ?? '';
      return text.includes(name) && made.test(text);
    });
  known.set(name, found);
  return found;
}
