/**
 * CODEOWNERS as GitHub and GitLab read it: a pattern and its owners per line, `#` comments, escaped spaces, and GitLab's sections
 * with default owners. What a forge would skip is a problem here and no entry. Linear, never throws.
 */

import { linesOf } from '../../../kernel/formats/parse-outcome.ts';
import { type PathPattern, parsePathPattern } from './path-pattern.ts';

export type OwnershipEntry = {
  readonly pattern: string;
  readonly owners: readonly string[];
  readonly line: number;
  readonly section: string | null;
  readonly match: PathPattern;
  /** GitLab's `!pattern`: what it matches has no owner in this section, whatever else matches. */
  readonly excludes: boolean;
};

export type CodeownersProblem = { readonly kind: 'invalid_pattern' | 'invalid_owner'; readonly line: number };
export type Codeowners = {
  readonly entries: readonly OwnershipEntry[];
  readonly problems: readonly CodeownersProblem[];
};

export type Forge = 'github' | 'gitlab' | 'either';

const sectionHeader = /^\^?\[([^\][]+)\](?:\[\d+\])?(?:\s+(.*))?$/;
const owner = /^@{1,2}[^\s@]+$|^[^\s@]+@[^\s@]+$/;

export function parseCodeowners(text: string, forge: Forge): Codeowners {
  const entries: OwnershipEntry[] = [];
  const problems: CodeownersProblem[] = [];
  // Sections of one name are one section, however its letters are cased.
  const sectionNames = new Map<string, string>();
  let section: string | null = null;
  let defaults: readonly string[] = [];

  const readOwners = (words: readonly string[], line: number): string[] => {
    const valid = words.filter((word) => owner.test(word));
    if (valid.length < words.length) problems.push({ kind: 'invalid_owner', line });
    return [...new Set(valid)];
  };

  for (const [raw, line] of linesOf(text)) {
    const trimmed = raw.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const header = forge === 'github' ? null : sectionHeader.exec(trimmed);
    if (header !== null) {
      const name = (header[1] ?? '').trim();
      const key = name.toLowerCase();
      section = sectionNames.get(key) ?? name;
      sectionNames.set(key, section);
      defaults = readOwners(splitWords(header[2] ?? ''), line);
      continue;
    }
    const [pattern = '', ...words] = splitWords(trimmed);
    const excludes = forge === 'gitlab' && pattern.startsWith('!');
    const match = parsePathPattern(excludes ? pattern.slice(1) : pattern);
    if (match === undefined) {
      problems.push({ kind: 'invalid_pattern', line });
      continue;
    }
    const own = readOwners(words, line);
    const owners = excludes ? [] : own.length > 0 ? own : defaults;
    entries.push({ pattern, owners, line, section, match, excludes });
  }
  return { entries, problems };
}

/** Words at white space that no backslash precedes, up to a comment. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\' && at + 1 < text.length) {
      word += char + text.charAt(at + 1);
      at += 1;
    } else if (char === ' ' || char === '\t') {
      if (word !== '') words.push(word);
      word = '';
    } else if (char === '#' && word === '') return words;
    else word += char;
  }
  if (word !== '') words.push(word);
  return words;
}
