/**
 * Import and export clauses, read from their text: the tree says where a statement begins and ends, the rest is quicker by hand.
 * A clause that does not read as one (a syntax error inside) gives what was understood up to there.
 */

import type { ImportedName, RawExport, RawImport } from '../facts.ts';
import { endOfString, endOfWord, skipTrivia, stringValue } from './js-lexing.ts';

type Specifier = {
  readonly name: string;
  readonly alias: string | null;
  readonly start: number;
  readonly typeOnly: boolean;
};

type Parsed<T> = { readonly value: T; readonly at: number };

/** `import …` of every form but `import x = a.b`. */
export function readImport(text: string, start: number, end: number): RawImport | undefined {
  let at = skipTrivia(text, start + 6, end);
  const names: ImportedName[] = [];
  let typeOnly = false;
  let word = wordAt(text, at, end);
  if (word === 'type' || word === 'typeof') {
    const after = skipTrivia(text, at + word.length, end);
    const next = wordAt(text, after, end);
    // `import type from 'x'` imports a default named `type`.
    const binds = next === 'from' && wordAt(text, skipTrivia(text, after + 4, end), end) !== 'from';
    if (!binds && (next !== '' || '{*'.includes(text.charAt(after)))) {
      typeOnly = true;
      at = after;
      word = next;
    }
  }
  if (isQuote(text, at)) return sideEffect(text, at, start, end);
  if (word !== '') {
    const nameStart = at;
    at = skipTrivia(text, at + word.length, end);
    if (text.charAt(at) === '=') return readImportRequire(text, { at, word, nameStart, typeOnly, start, end });
    names.push({ name: 'default', alias: word, start: nameStart });
    if (text.charAt(at) === ',') at = skipTrivia(text, at + 1, end);
  }
  let allTypes = false;
  if (text.charAt(at) === '*') {
    const star = at;
    at = skipTrivia(text, at + 1, end);
    at = skipTrivia(text, at + wordAt(text, at, end).length, end);
    const alias = wordAt(text, at, end);
    names.push({ name: '*', alias, start: star });
    at = skipTrivia(text, at + alias.length, end);
  } else if (text.charAt(at) === '{') {
    const clause = readSpecifiers(text, at, end);
    allTypes = names.length === 0 && clause.value.length > 0 && clause.value.every((specifier) => specifier.typeOnly);
    for (const { name, alias, start } of clause.value) names.push({ name, alias, start });
    at = clause.at;
  }
  const specifier = readFrom(text, at, end);
  if (specifier === null) return undefined;
  return { specifier, kind: 'import', literal: true, typeOnly: typeOnly || allTypes, names, start, end };
}

function sideEffect(text: string, at: number, start: number, end: number): RawImport {
  const specifier = stringValue(text.slice(at, endOfString(text, at, end)));
  return { specifier, kind: 'side_effect', literal: true, typeOnly: false, names: [], start, end };
}

function readImportRequire(
  text: string,
  found: { at: number; word: string; nameStart: number; typeOnly: boolean; start: number; end: number },
): RawImport | undefined {
  const { word, nameStart, typeOnly, start, end } = found;
  let at = skipTrivia(text, found.at + 1, end);
  if (wordAt(text, at, end) !== 'require') return undefined;
  at = skipTrivia(text, at + 7, end);
  if (text.charAt(at) !== '(') return undefined;
  at = skipTrivia(text, at + 1, end);
  if (!isQuote(text, at)) return undefined;
  const specifier = stringValue(text.slice(at, endOfString(text, at, end)));
  const names = [{ name: '*', alias: word, start: nameStart }];
  return { specifier, kind: 'require', literal: true, typeOnly, names, start, end };
}

type ExportClause = { readonly import: RawImport | null; readonly exports: readonly RawExport[] };

/** `export { … }`, `export { … } from`, `export * from`, `export * as x from`; `at` is behind `export`. */
export function readExportClause(text: string, start: number, from: number, end: number): ExportClause {
  let at = skipTrivia(text, from, end);
  const typeOnly = wordAt(text, at, end) === 'type';
  if (typeOnly) at = skipTrivia(text, at + 4, end);
  if (text.charAt(at) === '*') return readStar(text, { start, at, end, typeOnly });
  const { value: specifiers, at: behind } = readSpecifiers(text, at, end);
  const specifier = readFrom(text, behind, end);
  const exports = specifiers.map((found) => ({
    publicName: found.alias ?? found.name,
    localName: found.name,
    specifier,
    star: false,
    typeOnly: typeOnly || found.typeOnly,
  }));
  if (specifier === null) return { import: null, exports };
  const names = specifiers.map(({ name, alias, start }) => ({ name, alias, start }));
  const allTypes = typeOnly || (specifiers.length > 0 && specifiers.every((found) => found.typeOnly));
  return { import: { specifier, kind: 'reexport', literal: true, typeOnly: allTypes, names, start, end }, exports };
}

function readStar(text: string, found: { start: number; at: number; end: number; typeOnly: boolean }): ExportClause {
  const { start, end, typeOnly } = found;
  let at = skipTrivia(text, found.at + 1, end);
  let alias: string | null = null;
  if (wordAt(text, at, end) === 'as') {
    const name = readModuleName(text, skipTrivia(text, at + 2, end), end);
    alias = name.value;
    at = skipTrivia(text, name.at, end);
  }
  const specifier = readFrom(text, at, end);
  if (specifier === null) return { import: null, exports: [] };
  return {
    import: {
      specifier,
      kind: 'reexport',
      literal: true,
      typeOnly,
      names: [{ name: '*', alias, start: found.at }],
      start,
      end,
    },
    exports: [{ publicName: alias ?? '*', localName: null, specifier, star: true, typeOnly }],
  };
}

/** `{ a, b as c, type d, "e" as f }`; `at` is on the brace. */
function readSpecifiers(text: string, at: number, end: number): Parsed<Specifier[]> {
  const value: Specifier[] = [];
  at += 1;
  for (;;) {
    at = skipTrivia(text, at, end);
    if (at >= end) return { value, at };
    const character = text.charAt(at);
    if (character === '}') return { value, at: at + 1 };
    if (character === ',') {
      at += 1;
      continue;
    }
    let start = at;
    let name = readModuleName(text, at, end);
    // What cannot begin a specifier ends the clause: a syntax error.
    if (name.at === at) return { value, at };
    at = skipTrivia(text, name.at, end);
    let next = wordAt(text, at, end);
    let typeOnly = false;
    if (name.value === 'type' && !isQuote(text, start) && (isQuote(text, at) || isTypeModifier(text, at, next, end))) {
      typeOnly = true;
      start = at;
      name = readModuleName(text, at, end);
      at = skipTrivia(text, name.at, end);
      next = wordAt(text, at, end);
    }
    let alias: string | null = null;
    if (next === 'as') {
      const renamed = readModuleName(text, skipTrivia(text, at + 2, end), end);
      alias = renamed.value;
      at = renamed.at;
    }
    value.push({ name: name.value, alias, start, typeOnly });
  }
}

/** Behind `type`: `type as as x` and `type as` are a specifier named `as`; `type as x` is a specifier named `type`. */
function isTypeModifier(text: string, at: number, next: string, end: number): boolean {
  if (next === '') return false;
  if (next !== 'as') return true;
  const after = skipTrivia(text, at + 2, end);
  const second = wordAt(text, after, end);
  if (second === '') return !isQuote(text, after);
  return second === 'as' && wordAt(text, skipTrivia(text, after + 2, end), end) !== '';
}

function readModuleName(text: string, at: number, end: number): Parsed<string> {
  if (isQuote(text, at)) {
    const behind = endOfString(text, at, end);
    return { value: stringValue(text.slice(at, behind)), at: behind };
  }
  const behind = endOfWord(text, at, end);
  return { value: text.slice(at, behind), at: behind };
}

/** The specifier behind `from`, `null` where there is none. */
function readFrom(text: string, at: number, end: number): string | null {
  at = skipTrivia(text, at, end);
  if (wordAt(text, at, end) !== 'from') return null;
  at = skipTrivia(text, at + 4, end);
  return isQuote(text, at) ? stringValue(text.slice(at, endOfString(text, at, end))) : null;
}

export function wordAt(text: string, at: number, end: number): string {
  return text.slice(at, endOfWord(text, at, end));
}

function isQuote(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 34 || unit === 39;
}
