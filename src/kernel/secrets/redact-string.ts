/**
 * Replaces what `findSecrets` finds (gather.md §7.3). Promises: only the matched part changes; equal cleartext gives an equal
 * placeholder; redacting twice is redacting once.
 */

import { blake3Hex } from '../base/hash.ts';
import { findSecrets } from './find-secrets.ts';
import { CONSTANT_FINGERPRINT, constantFingerprintClasses, type SecretClass } from './patterns.ts';

/** Never leaves memory: with the class and length beside it, a fingerprint says more than it should. */
export type SecretFinding = { readonly class: SecretClass; readonly fingerprint: string; readonly length: number };

type RedactedString = { readonly text: string; readonly findings: readonly SecretFinding[] };

/**
 * A replacement can uncover an edge at which the next pass matches: `npm_…AKIA…` holds an AWS id only once the npm token is gone.
 * No text needs more than a few passes, and each is linear.
 */
const MAX_PASSES = 16;

export function redactString(text: string, options: { readonly entropy: boolean }): RedactedString {
  return replaceFound(text, (current) => findSecrets(current, options));
}

export function replaceFound(text: string, find: (text: string) => ReturnType<typeof findSecrets>): RedactedString {
  let current = text;
  const findings: SecretFinding[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const spans = find(current);
    if (spans.length === 0) break;
    let redacted = '';
    let from = 0;
    for (const { start, end, class: secretClass } of spans) {
      const finding = findingFor(current.slice(start, end), secretClass);
      findings.push(finding);
      redacted += current.slice(from, start) + placeholderFor(finding.fingerprint);
      from = end;
    }
    current = redacted + current.slice(from);
  }
  return { text: current, findings };
}

export function placeholderFor(fingerprint: string): string {
  return `<REDACTED:fingerprint=${fingerprint}>`;
}

/** What is remembered of a value that was replaced. */
export function findingFor(cleartext: string, secretClass: SecretClass): SecretFinding {
  const fingerprint = constantFingerprintClasses.has(secretClass)
    ? CONSTANT_FINGERPRINT
    : blake3Hex(cleartext).slice(0, 8);
  return { class: secretClass, fingerprint, length: cleartext.length };
}
