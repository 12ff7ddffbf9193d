/**
 * What a repository says of its own files in `.gitattributes`: `linguist-generated`, `linguist-vendored`, `linguist-language`.
 * Of the attributes' grammar only the pattern and these three are read; the last matching line of the deepest file wins, as in git.
 */

import { type IgnoreRule, judgeEntry, parseIgnoreFile } from './ignore-rules.ts';

export type LinguistFacts = { readonly generated?: boolean; readonly vendored?: boolean; readonly language?: string };

/** What a line says: a value, or that nothing that was said before counts (`!name`). */
type Said = { readonly [K in keyof LinguistFacts]: LinguistFacts[K] | undefined };
type AttributeRule = { readonly rules: readonly IgnoreRule[]; readonly facts: Said };

export type AttributeFile = { readonly directory: string; readonly text: string };

/** Files in any order; a pattern is matched below the directory of its file. */
export function createLinguistAttributes(files: readonly AttributeFile[]): (path: string) => LinguistFacts {
  const rules = [...files]
    .sort((a, b) => a.directory.length - b.directory.length)
    .flatMap((file) => file.text.split('\n').flatMap((line) => parseLine(line, file.directory)));
  if (rules.length === 0) return () => nothing;
  return (path) => {
    let facts: Said = nothing;
    for (const rule of rules) if (judgeEntry(rule.rules, path) === 'ignored') facts = { ...facts, ...rule.facts };
    return withoutUndefined(facts);
  };
}

export function mentionsLinguist(text: string): boolean {
  return text.includes('linguist-');
}

const nothing: LinguistFacts = {};

function parseLine(line: string, directory: string): AttributeRule[] {
  const { pattern, rest } = splitLine(line);
  if (pattern === '' || /^[#!]/.test(pattern)) return [];
  const facts: { generated?: boolean | undefined; vendored?: boolean | undefined; language?: string | undefined } = {};
  for (const attribute of rest.split(/[ \t\r]+/)) {
    const [, sign, name, value] = /^([-!]?)linguist-(generated|vendored|language)(?:=(.*))?$/.exec(attribute) ?? [];
    // Without a value it names no language.
    if (name === 'language') facts.language = sign === '' ? value?.toLowerCase() : undefined;
    else if (name === 'generated' || name === 'vendored')
      facts[name] = sign === '!' ? undefined : sign === '' && value !== 'false';
  }
  if (Object.keys(facts).length === 0) return [];
  // A pattern of attributes never speaks for a directory.
  const rules = parseIgnoreFile(pattern, directory).filter((rule) => !rule.directoryOnly);
  return rules.length === 0 ? [] : [{ rules, facts }];
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
