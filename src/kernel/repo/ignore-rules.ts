/** The gitignore grammar, for `.cplignore` everywhere and for `.gitignore` where there is no git to ask. */

import { globSource } from './glob.ts';

export type IgnoreRule = {
  readonly negated: boolean;
  readonly matcher: RegExp;
  /** Longest leading directory without a wildcard, root-relative, `''` for none: where a negation can reach into a pruned tree. */
  readonly literalDirectory: string;
};

export type IgnoreVerdict = 'ignored' | 'included' | 'neutral';

/** `directory` is the root-relative folder of the ignore file, `''` for the root. */
export function parseIgnoreFile(text: string, directory: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const line of text.split('\n')) {
    const rule = parseIgnoreLine(line.endsWith('\r') ? line.slice(0, -1) : line, directory);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/** Files pass their path, directories their path plus `/`. Within and across files the last matching line wins. */
export function judgeIgnore(rules: readonly IgnoreRule[], path: string): IgnoreVerdict {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index] as IgnoreRule;
    if (rule.matcher.test(path)) return rule.negated ? 'included' : 'ignored';
  }
  return 'neutral';
}

function parseIgnoreLine(line: string, directory: string): IgnoreRule | undefined {
  let pattern = trimUnescapedSpaces(line);
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const directoryOnly = pattern.endsWith('/');
  if (directoryOnly) pattern = pattern.replace(/\/+$/, '');
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  if (pattern === '') return undefined;
  const base = directory === '' ? '' : `${directory}/`;
  const body = `${escapeLiteral(base)}${anchored ? '' : '(?:.*/)?'}${globSource(pattern)}`;
  return {
    negated,
    matcher: new RegExp(`^${body}${directoryOnly ? '/' : '(?:/|$)'}`, 's'),
    literalDirectory: anchored ? literalDirectory(`${base}${pattern}`) : '',
  };
}

function literalDirectory(pattern: string): string {
  const wildcard = pattern.search(/[*?[\\]/);
  const literal = wildcard < 0 ? pattern : pattern.slice(0, wildcard);
  const slash = literal.lastIndexOf('/');
  return slash < 0 ? '' : literal.slice(0, slash);
}

function trimUnescapedSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
}

function escapeLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
