/**
 * What a repository says of its own files in `.gitattributes`: `linguist-generated`, `linguist-vendored`, `linguist-language`.
 * Of the attributes' grammar only the pattern and these three are read; the last matching line of the deepest file wins, as in git.
 * The file is the repository's, which may be hostile: a path is tried against the lines of the directories above it alone, and of these
 * there is a bounded number.
 */

import { compareCodeUnits } from '../base/json.ts';
import { type IgnoreRule, matchSegments, parseIgnoreFile, splitPath } from './path-patterns.ts';

/** Lines that say something to us; what comes after is not read. People write a handful. */
const rulesPerFile = 1_000;
const rulesInAll = 2_000;

export type LinguistFacts = { readonly generated?: boolean; readonly vendored?: boolean; readonly language?: string };

/** What a line says: a value, or that nothing that was said before counts (`!name`). */
type Said = { readonly [K in keyof LinguistFacts]: LinguistFacts[K] | undefined };
type AttributeRule = { readonly rule: IgnoreRule; readonly facts: Said };

export type AttributeFile = { readonly directory: string; readonly text: string };

/** Files in any order; a pattern is matched below the directory of its file. */
export function createLinguistAttributes(files: readonly AttributeFile[]): (path: string) => LinguistFacts {
  const byDirectory = new Map<string, readonly AttributeRule[]>();
  let room = rulesInAll;
  for (const { directory, text } of [...files].sort(rootFirst)) {
    const rules = parseFile(text, directory, Math.min(rulesPerFile, room));
    room -= rules.length;
    if (rules.length > 0) byDirectory.set(directory, rules);
  }
  if (byDirectory.size === 0) return () => nothing;
  return (path) => {
    const names = splitPath(path);
    const facts: Said = {};
    for (let slash = -1; ; ) {
      for (const { rule, facts: said } of byDirectory.get(path.slice(0, Math.max(0, slash))) ?? [])
        if (matchSegments(rule.pattern, names, { from: rule.base.length })) Object.assign(facts, said);
      slash = path.indexOf('/', slash + 1);
      if (slash < 0) return withoutUndefined(facts);
    }
  };
}

/** A total order, so that the same files are read whatever order they come in. */
function rootFirst(a: AttributeFile, b: AttributeFile): number {
  return a.directory.length - b.directory.length || compareCodeUnits(a.directory, b.directory);
}

function parseFile(text: string, directory: string, most: number): readonly AttributeRule[] {
  const rules: AttributeRule[] = [];
  for (let at = 0; at < text.length && rules.length < most; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end);
    at = end + 1;
    const rule = mentionsLinguist(line) ? parseLine(line, directory) : undefined;
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

export function mentionsLinguist(text: string): boolean {
  return text.includes('linguist-');
}

const nothing: LinguistFacts = {};

function parseLine(line: string, directory: string): AttributeRule | undefined {
  const { pattern, rest } = splitLine(line);
  // No name that is listed has a line break.
  if (pattern === '' || pattern.includes('\n') || /^[#!]/.test(pattern)) return undefined;
  const facts: { generated?: boolean | undefined; vendored?: boolean | undefined; language?: string | undefined } = {};
  for (const attribute of rest.split(/[ \t\r]+/)) {
    const [, sign, name, value] = /^([-!]?)linguist-(generated|vendored|language)(?:=(.*))?$/.exec(attribute) ?? [];
    // Without a value it names no language.
    if (name === 'language') facts.language = sign === '' ? value?.toLowerCase() : undefined;
    else if (name === 'generated' || name === 'vendored')
      facts[name] = sign === '!' ? undefined : sign === '' && value !== 'false';
  }
  if (Object.keys(facts).length === 0) return undefined;
  // A pattern of attributes never speaks for a directory.
  const [rule] = parseIgnoreFile(pattern, directory);
  return rule === undefined || rule.directoryOnly ? undefined : { rule, facts };
}

/** A pattern with blanks is written in quotes, as in C. */
function splitLine(line: string): { readonly pattern: string; readonly rest: string } {
  const text = line.replace(/^[ \t\r]+/, '');
  const quoted = /^"((?:[^"\\]|\\.)*)"(?=[ \t\r]|$)/.exec(text);
  const pattern = quoted === null ? (/^[^ \t\r]*/.exec(text)?.[0] ?? '') : unquote(quoted[1] as string);
  return { pattern, rest: text.slice(quoted === null ? pattern.length : quoted[0].length).trim() };
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Octal escapes are bytes of UTF-8. */
function unquote(text: string): string {
  const bytes = text.replace(/\\([0-3][0-7]{2}|.)|[^\\]/gsu, (whole, code: string | undefined) => {
    if (code === undefined) return Buffer.from(whole).toString('latin1');
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code, 8));
    return escapes[code] ?? Buffer.from(code).toString('latin1');
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function withoutUndefined({ generated, vendored, language }: Said): LinguistFacts {
  return {
    ...(generated === undefined ? {} : { generated }),
    ...(vendored === undefined ? {} : { vendored }),
    ...(language === undefined ? {} : { language }),
  };
}
