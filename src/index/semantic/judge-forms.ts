/**
 * Does the text at each range fit the symbol it is said to be? (code-plane.md §6.3.) An index whose text has moved under it shows here and
 * nowhere else, so every form below was admitted because an indexer was seen to emit it, and no text fits by being a word alone.
 *
 * Of 0.7 million occurrences in seven libraries, these are the texts that are not the symbol's name (see `symbol-shape.ts` for names):
 *
 *   name       the name; a class's name where its constructor is meant (`new K`); the name part of Python's `Base as B` and `(Base)`,
 *              to which the range is narrowed
 *   string     the name in quotes, with or without them in the range: `k['acc']`, `T["_tag"]`, `'a-b': 1`, Python's `x: 'Base'`
 *   module     a quoted specifier or `pkg.core`, `..core`, `example.com/x/inner`, where the symbol is a module
 *   keyword    `default` of an import or export; `constructor`; `new.target`; `this`, `super`, `export`; `__name__` and its like; `exports`
 *              and `module` of CommonJS, where the symbol is the file; Rust's
 *              `self`, `Self`, `crate`, `super`; C#'s and C++'s few
 *   synthetic  the empty range
 *   alias      a word that this document introduces as another name of a symbol with this name: inside an import or export clause of
 *              TypeScript (`{ a as b }`, `import b`, `* as b`, and `{ b }` where another file exported `a as b`), before a `require` of
 *              CommonJS (`const b = require('…')`, `{ a: b }`) and after `exports.`, by Python's `a as b`,
 *              in a Go import or package clause; then every use of that word for that name. A Go package's qualifier that its path holds
 *              (`sqlite3` for `go-sqlite3`). A name that Python imports from a module which has it from elsewhere, or by `*`: scip-python
 *              binds it to that module.
 *
 * A local has no name of its own: it is what its definition says, else its first text. One without a definition stands for something in
 * another file (a default import, a renamed export, CommonJS properties) and may have any whole words. A range that cuts a word in two
 * fits nothing.
 *
 * Known faults: scip-python (0.6) now and then binds a word to another member of the same module, to the class or to the namespace around
 * it (`self.x` with `__slots__`, `os.path.join`); scip-typescript (0.4) binds the key of `{ ['k']: v }` in a pattern to the local `v`,
 * and a shorthand to a type literal. Where
 * whole words are at fault they are dropped like any failed text and counted apart (`excused`): they say less about the document than
 * about the tool. Ranges that cut words are judged strictly, whatever the tool.
 */

import type { Family } from '../../languages/projects/context-spec.ts';
import { type OccurrenceForm, occurrenceForms } from '../store/document-facts.ts';
import { isBounded, isQuoted, isWord, type SourceText, unquote, wordBefore } from './source-text.ts';
import type { SymbolShape } from './symbol-shape.ts';

/** What is judged: columns of one document, narrowed in place. */
export type Ranges = {
  /** UTF-16 indices in the text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Position in `shapes`. */
  readonly symbols: Int32Array;
  readonly isDefinition: (at: number) => boolean;
  readonly shapes: readonly SymbolShape[];
  /** `display_name` of locals. */
  readonly displayName: (symbol: number) => string | undefined;
};

export const failedForm = -1;
export const excusedForm = -2;

type Judgement = {
  /** Position in `occurrenceForms`, or one of the two above. */
  readonly forms: Int8Array;
  /** Of each symbol; `null` where not even a text tells. */
  readonly names: readonly (string | null)[];
  readonly failed: number;
  readonly excused: number;
};

const codes = Object.fromEntries(occurrenceForms.map((form, code) => [form, code])) as Readonly<
  Record<OccurrenceForm, number>
>;
/** A whole word that is not the name: decided when all introductions of the document are known. */
const openForm = -3;

export function judgeForms(source: SourceText, family: Family, ranges: Ranges): Judgement {
  const { starts, ends, symbols, shapes } = ranges;
  const { text } = source;
  const forms = new Int8Array(starts.length);
  const introduced = new Set<string>();
  const { names, defined } = nameSymbols(source, family, ranges, introduced);
  let openCount = 0;
  for (let at = 0; at < starts.length; at += 1) {
    const symbol = symbols[at] as number;
    const shape = shapes[symbol] as SymbolShape;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const form = start === end ? codes.synthetic : judgeText(text, start, end, shape, names, symbol, family);
    forms[at] = form;
    if (form !== openForm) continue;
    openCount += 1;
    if (shape.isLocal && !defined.has(symbol)) forms[at] = codes.alias;
  }
  if (openCount > 0) settleOpen(text, family, ranges, names, forms, introduced);
  let [failed, excused] = [0, 0];
  for (let at = 0; at < forms.length; at += 1) {
    if ((forms[at] as number) >= 0) continue;
    const shape = shapes[symbols[at] as number] as SymbolShape;
    const isExcused = isToolFault(text, starts[at] as number, ends[at] as number, shape, family);
    forms[at] = isExcused ? excusedForm : failedForm;
    if (isExcused) excused += 1;
    else failed += 1;
  }
  return { forms, names, failed, excused };
}

/** A name that the compiler failed to answer about: our own indexer says so with this symbol. */
function isGap({ name }: SymbolShape, family: Family): boolean {
  return family === 'typescript' && name === '<gap>';
}

function isToolFault(text: string, start: number, end: number, shape: SymbolShape, family: Family): boolean {
  const { isLocal } = shape;
  if (isGap(shape, family)) return true;
  if (family === 'typescript') return isLocal && unquote(text.slice(start, end)) !== undefined;
  return family === 'python' && isBounded(text, start, end, family) && dottedName.test(text.slice(start, end));
}

/** Names of locals and of what only texts can name; narrows Python's ranges first, because the rest of one is the name. */
function nameSymbols(source: SourceText, family: Family, ranges: Ranges, introduced: Set<string>) {
  const { starts, ends, symbols, shapes } = ranges;
  const { text } = source;
  const names: (string | null)[] = shapes.map(({ name }) => name);
  const known = new Set<number>();
  const defined = new Set<number>();
  if (family === 'python') narrowPython(text, ranges, introduced);
  for (let at = 0; at < starts.length; at += 1) {
    const symbol = symbols[at] as number;
    const shape = shapes[symbol] as SymbolShape;
    const isFree = shape.name === null;
    if (!isFree && shape.numbered === null) continue;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const isDefinition = ranges.isDefinition(at);
    if (defined.has(symbol) || start === end || (known.has(symbol) && !isDefinition)) continue;
    const written = text.slice(start, end);
    const name = (shape.isLocal && ranges.displayName(symbol)) || (unquote(written) ?? written);
    if (shape.numbered !== null && !isNumbered(shape.numbered, name)) continue;
    names[symbol] = name;
    known.add(symbol);
    if (isDefinition) defined.add(symbol);
  }
  return { names, defined };
}

/** `x1` + digits. */
function isNumbered(numbered: string, name: string): boolean {
  return numbered.length > name.length && numbered.startsWith(name) && /^\d+$/.test(numbered.slice(name.length));
}

function judgeText(
  text: string,
  start: number,
  end: number,
  shape: SymbolShape,
  names: readonly (string | null)[],
  symbol: number,
  family: Family,
): number {
  // In a clause of an import it would pass for another name of something.
  if (isGap(shape, family)) return excusedForm;
  const name = names[symbol] ?? null;
  if (name !== null && end - start === name.length && text.startsWith(name, start)) {
    if (!isBounded(text, start, end, family)) return failedForm;
    if (shape.name === null && !isWord(text, start, end, family) && !isAttribute(name, family)) {
      return isUnresolvedModule(shape, name, family) ? codes.module : failedForm;
    }
    if (!isQuoted(text, start, end)) return codes.name;
    return shape.role === 'module' ? codes.module : codes.string;
  }
  const written = text.slice(start, end);
  const content = unquote(written);
  // `key10` is the eleventh `key` and the first `key1`: the tool spells them alike.
  if (shape.numbered !== null && isBounded(text, start, end, family)) {
    if (isNumbered(shape.numbered, content ?? written)) return content === name ? codes.string : codes.alias;
  }
  if (content !== undefined) {
    if (shape.role === 'module') return codes.module;
    return content === name || unescapeWord(content) === name ? codes.string : failedForm;
  }
  if (!isBounded(text, start, end, family)) return failedForm;
  if (family === 'typescript' && isTypeLiteral(shape))
    return isWord(text, start, end, family) ? excusedForm : failedForm;
  if (shape.modulePath !== null && isModuleText(shape, written, family)) return codes.module;
  if (isKeyword(text, start, written, shape, family)) return codes.keyword;
  if (family === 'typescript' && written.includes('\\u') && unescapeWord(written) === name) return codes.alias;
  if (family === 'typescript' && name?.includes('\\u') && unescapeWord(name) === written) return codes.alias;
  return isWord(text, start, end, family) ? openForm : failedForm;
}

/** `typeLiteral107:` is a type without a name; what has one is not it. */
function isTypeLiteral({ isNumbered, name }: SymbolShape): boolean {
  return isNumbered && name !== null && /^typeLiteral\d*$/.test(name);
}

/** `<div data-x xlink:href>`: a local without a declaration. */
function isAttribute(name: string, family: Family): boolean {
  return family === 'typescript' && /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:[-:][\p{ID_Continue}$]*)+$/u.test(name);
}

/** `from . import x`, `import a.b`: scip-python makes a local of what it cannot find. */
function isUnresolvedModule({ isLocal }: SymbolShape, name: string, family: Family): boolean {
  return isLocal && family === 'python' && dottedName.test(name);
}

/** `pkg.core`, `..core`, `.` */
const dottedName = /^(?:\.+|\.*[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)$/u;

function isModuleText(shape: SymbolShape, written: string, family: Family): boolean {
  if (written === shape.modulePath) return true;
  if (family !== 'python' || shape.role !== 'module' || !dottedName.test(written)) return false;
  // `os` of `os.path`; what a relative import ends with, or its dots alone.
  if (shape.modulePath?.startsWith(`${written}.`) === true) return true;
  const last = written.slice(written.lastIndexOf('.') + 1);
  return last === shape.name || last === '';
}

const keywords: Readonly<Record<Family, ReadonlySet<string>>> = {
  typescript: new Set(['default', 'this', 'super', 'export']),
  python: new Set(),
  go: new Set(),
  rust: new Set(['self', 'Self', 'super', 'crate']),
  java: new Set(['this', 'super', 'new']),
  csharp: new Set(['this', 'base', 'new', 'var']),
  c: new Set(['this', 'operator', 'auto']),
};

function isKeyword(text: string, start: number, written: string, shape: SymbolShape, family: Family): boolean {
  if (shape.role === 'constructor' && written === 'constructor') return true;
  if (family === 'typescript' && written === 'target')
    return /new\s*\.\s*$/.test(text.slice(Math.max(0, start - 16), start));
  if (family === 'typescript' && shape.role === 'module' && (written === 'exports' || written === 'module'))
    return true;
  if (family === 'python') {
    return /^__\w+__$/.test(written) && (shape.role === 'scope' || shape.suffix === 'type');
  }
  return keywords[family].has(written);
}

function unescapeWord(written: string): string {
  if (!written.includes('\\')) return written;
  return written.replace(/\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))|\\(['"`\\])/g, (_, braced, plain, quote) => {
    const code = Number.parseInt(braced ?? plain ?? '', 16);
    return quote ?? (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
  });
}

function settleOpen(
  text: string,
  family: Family,
  ranges: Ranges,
  names: readonly (string | null)[],
  forms: Int8Array,
  introduced: Set<string>,
): void {
  const { starts, ends, symbols, shapes } = ranges;
  const pairAt = (at: number): string =>
    `${names[symbols[at] as number]}\0${text.slice(starts[at] as number, ends[at] as number)}`;
  const clauses = findClauses(text, family);
  const wildcards = family === 'python' && /\bimport\s*\(?\s*\*/.test(text);
  for (let at = 0; at < forms.length; at += 1) {
    if (forms[at] !== openForm) continue;
    const [start, end] = [starts[at] as number, ends[at] as number];
    const shape = shapes[symbols[at] as number] as SymbolShape;
    if (introducesAt(text, start, end, shape, family, clauses)) introduced.add(pairAt(at));
  }
  for (let at = 0; at < forms.length; at += 1) {
    if (forms[at] !== openForm) continue;
    const fits =
      introduced.has(pairAt(at)) || (wildcards && (shapes[symbols[at] as number] as SymbolShape).role === 'module');
    forms[at] = fits ? codes.alias : failedForm;
  }
}

function introducesAt(
  text: string,
  start: number,
  end: number,
  shape: SymbolShape,
  family: Family,
  clauses: readonly (readonly [number, number])[],
): boolean {
  switch (family) {
    case 'typescript':
      return isInside(clauses, start);
    case 'python':
      return shape.role === 'module' && isInside(clauses, start);
    case 'go':
      if (shape.role !== 'module') return false;
      if (wordBefore(text, start) === 'package' || /^[ \t]+["`]/.test(text.slice(end, end + 8))) return true;
      return text[end] === '.' && shape.modulePath?.includes(text.slice(start, end)) === true;
    default:
      return wordBefore(text, start) === 'as' || wordBefore(text, start) === 'using';
  }
}

/** From the keyword to what ends the names: a closing brace, a specifier, `=`, `;`. Comments are bounded so that a hostile text stays linear. */
const clausePattern =
  /(?<![\w$.])(?:import\s+(?=[\p{ID_Start}$_{*'"])|import(?=[{*])|export\s*(?:type\s*)?(?=[{*])|export\s+as\s+namespace\s+|export\s+import\s+)(?:[\p{ID_Continue}$\s,{*]|\/\/[^\n]*|\/\*[\s\S]{0,4000}?\*\/|(?:'[^'\n]*'|"[^"\n]*")(?=\s*(?:as\b|[,}])))*/gu;

/** Names and patterns that get what a `require` of CommonJS gives, and names under which it exports. */
const requirePattern =
  /(?<=(?<![\p{ID_Continue}$.])(?:module\.)?exports\.)[\p{ID_Continue}$]+(?=\s*=(?!=))|(?<![\p{ID_Continue}$.])(?:[\p{ID_Continue}$]+|\{[^{}]{0,4000}\})\s*=\s*require\s*\(\s*['"]/gu;

/** Names that are imported from a module, which scip-python binds to that module where the module has them from elsewhere. */
const fromPattern = /\bfrom\s+[.\p{L}\p{N}_]+\s+import\s*(?:\([^()]{0,20000}|[^\n()]*)/gu;

function findClauses(text: string, family: Family): readonly (readonly [number, number])[] {
  const clauses: (readonly [number, number])[] = [];
  if (family !== 'typescript' && family !== 'python') return clauses;
  const pattern = family === 'typescript' ? clausePattern : fromPattern;
  for (const match of text.matchAll(pattern)) clauses.push([match.index, match.index + match[0].length]);
  if (family !== 'typescript' || !/require|exports/.test(text)) return clauses;
  for (const match of text.matchAll(requirePattern)) clauses.push([match.index, match.index + match[0].length]);
  return clauses.sort(([a], [b]) => a - b);
}

function isInside(clauses: readonly (readonly [number, number])[], at: number): boolean {
  let [low, high] = [0, clauses.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [start, end] = clauses[middle] as readonly [number, number];
    if (at < start) high = middle - 1;
    else if (at >= end) low = middle + 1;
    else return true;
  }
  return false;
}

const renamed = /^([\p{L}\p{N}_.]+)\s+as\s+([\p{L}\p{N}_]+)$/u;
const enclosed = /^[(\s]+([\p{L}\p{N}_.]+)[\s)]+$/u;
const narrowableChars = 1_000;

/** scip-python's ranges are those of syntax nodes: `Base as B` of an import, `(Base)` with its parentheses. */
function narrowPython(text: string, { starts, ends, symbols, shapes }: Ranges, introduced: Set<string>): void {
  for (let at = 0; at < starts.length; at += 1) {
    const [start, end] = [starts[at] as number, ends[at] as number];
    const { name, role, modulePath } = shapes[symbols[at] as number] as SymbolShape;
    if (end - start <= (name?.length ?? 0) || end - start > narrowableChars) continue;
    const written = text.slice(start, end);
    const pair = renamed.exec(written);
    if (pair !== null) {
      const [, before = '', after = ''] = pair;
      // A local of an import is the new name; anything else the old one.
      if (name === null) starts[at] = end - after.length;
      else ends[at] = start + before.length;
      if (name !== null) introduced.add(`${name}\0${after}`);
      continue;
    }
    // `email.utils`, bound to `email`.
    if (role === 'module' && written.startsWith(`${modulePath}.`) && dottedName.test(written)) {
      ends[at] = start + (modulePath as string).length;
      continue;
    }
    const inner = enclosed.exec(written)?.[1];
    if (inner === undefined) continue;
    starts[at] = start + written.indexOf(inner);
    ends[at] = (starts[at] as number) + inner.length;
  }
}
