/**
 * Whether types stand in the same order under another name (docs/decisions/0018). The compiler sorts the constituents of unions: first by
 * kind, then by the names of classes, interfaces and type aliases, byte by byte, and only then by where they are declared. What a union
 * keeps, infers or picks can depend on that order, in files that never heard of the name. The order stays as it is if no other type of the
 * program is called something between the old name and the new one, or like one of them.
 *
 * Names are read from the texts, whatever stands behind a word that declares a type: too many rather than one too few.
 */

import type { Node } from '../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, Programs } from '../in-job.ts';
import { listTexts } from '../program-texts.ts';
import type { ProofSubject } from '../types.ts';

/** An alias that no type carries: of a keyword, a literal, a template, or of what has a name already. */
export function isNameless(program: OpenProgram, name: Node): boolean {
  const { checker } = program.project;
  // What is made of a generic one may carry its name, whatever the declaration itself does.
  if ((name.parent as Node & { readonly typeParameters?: readonly Node[] }).typeParameters !== undefined) return false;
  try {
    const symbol = checker.getSymbolAtLocation(name);
    return symbol !== undefined && checker.getDeclaredTypeOfSymbol(symbol).getAliasSymbol()?.name !== symbol.name;
  } catch {
    // What could not be asked is not argued about.
    return false;
  }
}

export function keepsOrder(
  programs: Programs,
  program: OpenProgram,
  { oldName, newName, family }: ProofSubject,
): boolean {
  const [low = '', high = ''] = [oldName, newName].sort(compareBytes);
  const own = new Set(family.map(({ path, start }) => `${path}\0${start}`));
  for (const { fileName, path, outside, text } of listTexts(programs, program)) {
    if (text === undefined) return false;
    for (const { name, start } of listTypeNames(text, fileName)) {
      // An escape can spell any name.
      if (name.includes('\\')) return false;
      if (compareBytes(low, name) > 0 || compareBytes(name, high) > 0) continue;
      if (outside || !own.has(`${path}\0${start}`)) return false;
    }
  }
  return true;
}

const word = String.raw`(?:[\p{ID_Start}$_]|\\u)(?:[\p{ID_Continue}$\u200c\u200d]|\\u)*`;
const spelled = new RegExp(word, 'gu');
/** What the compiler takes for one, which is more than `\s`. */
const blank = String.raw`[\s\u0085\u200b]`;
const blanksHere = new RegExp(`${blank}*`, 'uy');
const lineEnd = /[\n\r\u2028\u2029]/g;
const declares = new RegExp(String.raw`(?<![\p{ID_Continue}$])(?:interface|class|type)(?=${blank}|/)`, 'gu');
const nameHere = new RegExp(word, 'uy');

/** JavaScript declares types in comments, in more ways than one: there every word is taken for one. */
function* listTypeNames(text: string, fileName: string): Generator<{ readonly name: string; readonly start: number }> {
  if (/\.[cm]?jsx?$/.test(fileName)) {
    for (const { 0: name, index } of text.matchAll(spelled)) yield { name, start: index };
    return;
  }
  const skip = createSkipper(text);
  for (const { 0: found, index } of text.matchAll(declares)) {
    const start = skip(index + found.length);
    if (start === undefined) return yield { name: unreadable, start: index };
    nameHere.lastIndex = start;
    const name = nameHere.exec(text)?.[0];
    if (name !== undefined) yield { name, start };
  }
}

/** Stands for any name. */
const unreadable = '\\';
const maxSkipped = 1_000_000;

/** Over blanks and comments; undefined once there was too much of them in one file to be worth it. */
function createSkipper(text: string): (at: number) => number | undefined {
  let skipped = 0;
  return (at) => {
    for (let next = at; ; ) {
      blanksHere.lastIndex = next;
      next += blanksHere.exec(text)?.[0].length ?? 0;
      const end = text.startsWith('//', next)
        ? findLineEnd(text, next)
        : text.startsWith('/*', next)
          ? text.indexOf('*/', next + 2) + 2
          : next;
      if (end === next) return next;
      // A comment that does not end has nothing behind it.
      const after = end < next ? text.length : end;
      skipped += after - next;
      if (skipped > maxSkipped) return undefined;
      next = after;
    }
  };
}

function findLineEnd(text: string, from: number): number {
  lineEnd.lastIndex = from;
  return lineEnd.exec(text)?.index ?? text.length;
}

/** As the compiler compares them: by their bytes in UTF-8. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
