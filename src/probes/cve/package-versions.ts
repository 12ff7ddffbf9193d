/**
 * The order of versions of packages, as total orders on all strings.
 *
 * Debian and Ubuntu (deb-version(7)): `[epoch:]upstream[-revision]`, runs of digits by number, other characters by code with letters
 * before the rest and `~` before everything, even the end. What is no version is compared by the same rules.
 *
 * Alpine, as apk 3 has it: `1.2.3a_rc1_p2~<commit>-r4`. Each version becomes a row of tokens, which are compared one by one; what is no
 * version comes before every version.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';

export function compareDebianVersions(a: string, b: string): number {
  const [first, second] = [split(a), split(b)];
  return (
    compareNumbers(first.epoch, second.epoch) ||
    compareParts(first.upstream, second.upstream) ||
    compareParts(first.revision, second.revision)
  );
}

export function compareAlpineVersions(a: string, b: string): number {
  const [first, second] = [tokensOf(a), tokensOf(b)];
  if (first === null || second === null) {
    if (first === null && second === null) return compareCodeUnits(a, b);
    return first === null ? -1 : 1;
  }
  for (let at = 0; ; at += 1) {
    const [x, y] = [first[at] ?? end, second[at] ?? end];
    const difference = x.rank - y.rank || compareValues(x, y);
    if (difference !== 0 || x === end) return Math.sign(difference);
  }
}

export function isAlpineVersion(version: string): boolean {
  return tokensOf(version) !== null;
}

function split(version: string): { readonly epoch: string; readonly upstream: string; readonly revision: string } {
  const colon = version.indexOf(':');
  const stated = colon > 0 && /^\d+$/.test(version.slice(0, colon)) ? version.slice(0, colon) : null;
  const rest = stated === null ? version : version.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: stated ?? '0',
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    // None is the same as zero: `1.0` and `1.0-0` are equal.
    revision: dash < 0 ? '0' : rest.slice(dash + 1),
  };
}

/** Takes turns: characters that are no digits, then digits. */
function compareParts(a: string, b: string): number {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    while ((i < a.length && !isDigit(a, i)) || (j < b.length && !isDigit(b, j))) {
      const difference = weightAt(a, i) - weightAt(b, j);
      if (difference !== 0) return Math.sign(difference);
      i += 1;
      j += 1;
    }
    const [x, y] = [digitsAt(a, i), digitsAt(b, j)];
    const difference = compareNumbers(x, y);
    if (difference !== 0) return difference;
    i += x.length;
    j += y.length;
  }
  return 0;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The end and a digit weigh nothing, `~` less than nothing, letters by themselves, all else more than any letter. */
function weightAt(text: string, at: number): number {
  if (at >= text.length || isDigit(text, at)) return 0;
  const character = text.charAt(at);
  if (character === '~') return -1;
  const code = text.charCodeAt(at);
  return /[A-Za-z]/.test(character) ? code : code + 65_536;
}

function digitsAt(text: string, from: number): string {
  let end = from;
  while (end < text.length && isDigit(text, end)) end += 1;
  return text.slice(from, end);
}

/** Of any length: dates make numbers that no double holds. */
function compareNumbers(a: string, b: string): number {
  const [x, y] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return Math.sign(x.length - y.length) || (x < y ? -1 : x > y ? 1 : 0);
}

type Token = { readonly rank: number; readonly kind: Kind; readonly value: string };
type Kind = 'first_number' | 'number' | 'letter' | 'suffix' | 'suffix_number' | 'commit' | 'revision' | 'end';

/** Where two versions part, the one that goes on is the later one, and the more so the earlier in the grammar the token stands. */
const ranks: Readonly<Record<Kind, number>> = {
  first_number: 7,
  number: 6,
  letter: 5,
  suffix: 4,
  suffix_number: 3,
  commit: 2,
  revision: 1,
  end: 0,
};
const end: Token = { rank: 0, kind: 'end', value: '' };

const beforeRelease = ['alpha', 'beta', 'pre', 'rc'];
const afterRelease = ['cvs', 'svn', 'git', 'hg', 'p'];
const grammar =
  /^(\d+)((?:\.\d+)*)([a-z]?)((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*)((?:~[0-9a-f]+)?)((?:-r\d+)?)$/;

function tokensOf(version: string): readonly Token[] | null {
  const [, first, numbers, letter, suffixes, commit, revision] = grammar.exec(version) ?? [];
  if (first === undefined) return null;
  const tokens: Token[] = [token('first_number', first)];
  for (const number of (numbers ?? '').split('.').slice(1)) tokens.push(token('number', number));
  if (letter) tokens.push(token('letter', letter));
  for (const suffix of (suffixes ?? '').split('_').slice(1)) {
    const [, name = '', number = ''] = /^([a-z]+)(\d*)$/.exec(suffix) ?? [];
    const early = beforeRelease.indexOf(name);
    // A version before a release is earlier than the release: its suffix ranks below the end.
    if (early >= 0) tokens.push({ rank: early - beforeRelease.length, kind: 'suffix', value: '' });
    else tokens.push(token('suffix', String(afterRelease.indexOf(name))));
    if (number !== '') tokens.push(token('suffix_number', number));
  }
  if (commit) tokens.push(token('commit', commit.slice(1)));
  if (revision) tokens.push(token('revision', revision.slice(2)));
  return tokens;
}

const token = (kind: Kind, value: string): Token => ({ rank: ranks[kind], kind, value });

function compareValues(a: Token, b: Token): number {
  if (a.kind === 'commit' || a.kind === 'letter') return compareCodeUnits(a.value, b.value);
  // As in Gentoo: after a dot a leading zero makes a fraction of the number, `1.01` is before `1.1`.
  if (a.kind === 'number' && (a.value.startsWith('0') || b.value.startsWith('0')))
    return compareCodeUnits(a.value, b.value);
  return compareNumbers(a.value, b.value);
}
