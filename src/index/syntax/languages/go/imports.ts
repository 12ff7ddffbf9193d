/**
 * Go's imports. A package may call itself something else than the last part of its path; the file shows which guess is right, since
 * Go refuses imports that are not used.
 */

import type { Node } from 'web-tree-sitter';
import type { RawImport } from '../../facts.ts';

export type GoImport = RawImport & {
  /** Nothing in the file shows under which name the package is known. */
  readonly unknownName: boolean;
};

export function readImportSpec(spec: Node, text: string, mayGuess: boolean): GoImport | undefined {
  const path = spec.childForFieldName('path');
  if (path === null || path.endIndex - path.startIndex < 2) return undefined;
  const specifier = text.slice(path.startIndex + 1, path.endIndex - 1);
  const name = spec.childForFieldName('name');
  const written = name === null ? null : text.slice(name.startIndex, name.endIndex);
  const base = { specifier, literal: true, typeOnly: false, start: spec.startIndex, end: spec.endIndex };
  const start = path.startIndex;
  if (written === '_') return { ...base, kind: 'side_effect', names: [], unknownName: false };
  if (written === '.')
    return { ...base, kind: 'import', names: [{ name: '*', alias: null, start }], unknownName: true };
  const guesses = guessNames(specifier);
  const used = written !== null ? guesses[0] : mayGuess ? guesses.find((guess) => isQualifier(guess, text)) : undefined;
  const names = [{ name: used ?? guesses[0] ?? specifier, alias: written, start }];
  return { ...base, kind: 'import', names, unknownName: used === undefined && written === null };
}

/** `gopkg.in/yaml.v3` → yaml; `github.com/mattn/go-sqlite3` → sqlite3; `example.com/shop/v2` → shop. Likeliest first. */
function guessNames(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? path;
  const own = (/^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last).replace(/\.v\d+$/, '');
  const pieces = own.split(/[-.]/).filter((piece) => piece !== '');
  return [
    ...new Set([
      own,
      own.replace(/^go[-.]?|[-.]?go$/g, ''),
      pieces.join(''),
      pieces.join('_'),
      ...pieces.toReversed(),
      last,
    ]),
  ].filter((guess) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(guess));
}

function isQualifier(name: string, text: string): boolean {
  for (let at = text.indexOf(`${name}.`); at !== -1; at = text.indexOf(`${name}.`, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}_.]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
