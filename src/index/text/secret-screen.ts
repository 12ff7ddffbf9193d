/**
 * Can this text hold a secret at all? Asking `findSecrets` about every file would take longer than indexing it, and nearly all files
 * hold none. Promise: where `findSecrets` finds anything, the answer is not `none`. It holds by construction:
 * - `findSecrets` finds something only if one of its finders does in the whole text, since the first that does has seen all of it;
 * - a finder runs a pattern, and the literals its pattern requires are derived from the pattern itself (`regex-literals.ts`);
 *   a text without their trigrams does not match. Only where they are there is the pattern itself tried.
 */

import { findApart } from '../../kernel/secrets/apart.ts';
import { argumentTriggers, findArguments, pipedSecret } from '../../kernel/secrets/arguments.ts';
import { findAssignments } from '../../kernel/secrets/assignment.ts';
import { findEncodedTokens } from '../../kernel/secrets/find-secrets.ts';
import { apartLiterals } from '../../kernel/secrets/literals.ts';
import {
  authorizationHeader,
  connectionPassword,
  dockerfileEnv,
  jwtShape,
  likelyNamePart,
  privateKeyBlock,
  secretNamePart,
  telegramToken,
  tokenPatterns,
  urlCredentials,
} from '../../kernel/secrets/patterns.ts';
import { type LiteralFormula, requiredLiterals } from './regex-literals.ts';
import { requiredTrigramNumbers, trigramScratch } from './trigrams.ts';

const MAX_WAYS = 32;

/** Ways in which a text can pass: trigrams of which it must have all. */
type Gate = readonly (readonly number[])[];
type Check = { readonly gate: Gate; readonly matches: (text: string, bytes: Uint8Array) => boolean };

/** `random`: only the finder of random tokens can find something. */
export type SecretScreen = 'none' | 'random' | 'named';

/** The trigrams of `text`, whose bytes are `bytes`, must be in `trigramScratch`. */
export function screenSecrets(text: string, bytes: Uint8Array): SecretScreen {
  if (checks.some((check) => isOpen(check.gate) && check.matches(text, bytes))) return 'named';
  return mayHoldRandomToken(bytes) ? 'random' : 'none';
}

const matches = (pattern: RegExp) => (text: string) => text.search(pattern) >= 0;
const check = (pattern: RegExp): Check => ({ gate: gateOf(pattern.source), matches: matches(pattern) });

const checks: readonly Check[] = [
  ...tokenPatterns.map(({ before = '', secret }) => check(new RegExp(before + secret))),
  check(privateKeyBlock),
  {
    gate: digitsBeforeColon(),
    matches: (text, bytes) => hasDigitsBeforeColon(bytes) && matches(telegramToken)(text),
  },
  { gate: gateOf(jwtShape.source), matches: (text) => [...text.matchAll(jwtShape)].some(([run]) => run.includes('.')) },
  { gate: encodedBytes(), matches: (text) => findEncodedTokens(text).length > 0 },
  check(urlCredentials),
  check(authorizationHeader),
  check(connectionPassword),
  check(dockerfileEnv),
  { gate: gateOf(secretNamePart), matches: (text) => findAssignments(text).length > 0 },
  { gate: gateOf(likelyNamePart), matches: (text) => findAssignments(text, 'likely').length > 0 },
  {
    gate: [...argumentTriggers, pipedSecret.source].flatMap(gateOf),
    matches: (text) => findArguments(text).length > 0,
  },
  {
    gate: [
      ...[secretNamePart, likelyNamePart].flatMap(gateOf),
      ...Object.values(apartLiterals)
        .flat()
        .map((text) => requiredTrigramNumbers(text, { ignoreCase: true })),
    ],
    matches: (text) => findApart(text).length > 0,
  },
];

function isOpen(gate: Gate): boolean {
  const { seen } = trigramScratch;
  for (const trigrams of gate) {
    let has = 0;
    while (has < trigrams.length && seen[trigrams[has] as number] === 1) has += 1;
    if (has === trigrams.length) return true;
  }
  return false;
}

/** The formula's literals as trigrams, in the form `some of (all of …)`. Case is folded, so patterns with the flag `i` are served too. */
function gateOf(source: string): Gate {
  return waysOf(requiredLiterals(source, { unicode: false }));
}

function waysOf(formula: LiteralFormula): Gate {
  if (formula.kind === 'any') return [[]];
  if (formula.kind === 'literal') return [requiredTrigramNumbers(formula.text, { ignoreCase: true })];
  if (formula.kind === 'some') return formula.parts.flatMap(waysOf);
  let ways: Gate = [[]];
  for (const part of formula.parts) {
    const more = waysOf(part);
    // Fewer conditions open the gate more often, which is never wrong.
    if (ways.length * more.length <= MAX_WAYS) ways = ways.flatMap((way) => more.map((other) => [...way, ...other]));
  }
  return ways;
}

/** `[0-9]{8,10}:` has no literal, but two digits and a colon are a trigram. */
function digitsBeforeColon(): Gate {
  const digits = [...'0123456789'];
  return digits.flatMap((tens) =>
    digits.map((ones) => requiredTrigramNumbers(`${tens}${ones}:`, { ignoreCase: true })),
  );
}

/** So is a byte as an address writes it. */
function encodedBytes(): Gate {
  const bytes = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, '0')}`);
  const digits = [...'0123456789abcdef'];
  const escapes = [...digits.flatMap((digit) => [`\\x${digit}`, `\\u${digit}`, `&#${digit}`]), '\\u{', '&#x'];
  return [...bytes, ...escapes].map((text) => requiredTrigramNumbers(text, { ignoreCase: true }));
}

// Quick looks at bytes for shapes of secrets that have no letters of their own: long random runs, and digits before a colon.
// Promise: no is only said where the finders of kernel/secrets find nothing.
// A run counts if it has at least 32 characters of base64, three kinds of characters, and 4.5 bits each.

const MIN_CHARS = 32;
/** The finder asks for 4.5, but may leave out the letter of an escape: of 33 characters, 32 with 4.5 bits make 4.5 × 32 ÷ 33. */
const MIN_BITS = 4.36;

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const SYMBOL = 8;

/** The kind of a character that a candidate can hold; 0 for all others. */
const kinds = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') kinds[char.charCodeAt(0)] = UPPER;
for (const char of 'abcdefghijklmnopqrstuvwxyz') kinds[char.charCodeAt(0)] = LOWER;
for (const char of '0123456789') kinds[char.charCodeAt(0)] = DIGIT;
for (const char of '+/_-') kinds[char.charCodeAt(0)] = SYMBOL;

const hasThreeKinds = Uint8Array.from({ length: 16 }, (_, set) =>
  set.toString(2).replaceAll('0', '').length >= 3 ? 1 : 0,
);

function mayHoldRandomToken(bytes: Uint8Array): boolean {
  // Every run of 32 covers one of the probed places, so most of the text is never looked at.
  let probe = MIN_CHARS - 1;
  while (probe < bytes.length) {
    if (kinds[bytes[probe] as number] === 0) {
      probe += MIN_CHARS;
      continue;
    }
    const floor = probe - MIN_CHARS + 1;
    let start = probe;
    while (start > floor && kinds[bytes[start - 1] as number] !== 0) start -= 1;
    if (start > floor) {
      probe = start + MIN_CHARS - 1;
      continue;
    }
    while (start > 0 && kinds[bytes[start - 1] as number] !== 0) start -= 1;
    let end = probe + 1;
    while (end < bytes.length && kinds[bytes[end] as number] !== 0) end += 1;
    if (isRandom(bytes, start, end)) return true;
    probe = end + MIN_CHARS;
  }
  return false;
}

const counts = new Int32Array(256);

function isRandom(bytes: Uint8Array, start: number, end: number): boolean {
  counts.fill(0);
  let set = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    counts[byte] = (counts[byte] as number) + 1;
    set |= kinds[byte] as number;
  }
  if (hasThreeKinds[set] !== 1) return false;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / (end - start)) * Math.log2(count / (end - start));
  return bits >= MIN_BITS;
}

const DIGITS_BEFORE_COLON = 8;

/** `[0-9]{8}:` somewhere, which an expression would look for ten times as long: nothing literal begins it. */
function hasDigitsBeforeColon(bytes: Uint8Array): boolean {
  let digits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) digits += 1;
    else {
      if (byte === 0x3a && digits >= DIGITS_BEFORE_COLON) return true;
      digits = 0;
    }
  }
  return false;
}
