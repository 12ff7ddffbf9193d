/**
 * Can this text hold a secret at all? Asking `findSecrets` about every file would take longer than indexing it, and nearly all files
 * hold none. Promise: where `findSecrets` finds anything, the answer is not `none`. It holds by construction:
 * - `findSecrets` finds something only if one of its finders does in the whole text, since the first that does has seen all of it;
 * - a finder runs a pattern, and the literals its pattern requires are derived from the pattern itself (`regex-literals.ts`);
 *   a text without their trigrams does not match. Only where they are there is the pattern itself tried.
 */

import { findAssignments } from '../../kernel/secrets/assignment.ts';
import {
  authorizationHeader,
  connectionPassword,
  dockerfileEnv,
  jwtShape,
  privateKeyBlock,
  secretNamePart,
  telegramToken,
  tokenPatterns,
  urlCredentials,
} from '../../kernel/secrets/patterns.ts';
import { type LiteralFormula, requiredLiterals } from '../search/regex-literals.ts';
import { requiredTrigramNumbers, trigramScratch } from '../search/trigrams.ts';
import { hasDigitsBeforeColon, mayHoldRandomToken } from './random-screen.ts';

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
  check(urlCredentials),
  check(authorizationHeader),
  check(connectionPassword),
  check(dockerfileEnv),
  { gate: gateOf(secretNamePart), matches: (text) => findAssignments(text).length > 0 },
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
