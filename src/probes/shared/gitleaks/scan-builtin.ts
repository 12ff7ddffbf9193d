/**
 * Looks for secrets without gitleaks: the redactor's named patterns over every file in scope, one file at a time. The text is
 * dropped as soon as it has been looked at; what is remembered of a secret is its place, its class and its fingerprint.
 */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { inputOf } from '../scan/scan-targets.ts';
import type { SecretPlace } from './gitleaks-section.ts';
import { locateSecrets } from './locate-secrets.ts';
import { describeClass } from './secret-kinds.ts';
import type { IsSuppressed } from './suppressions.ts';

export type BuiltinScan = {
  readonly findings: readonly SecretPlace[];
  readonly suppressed: number;
  readonly files: number;
  readonly bytes: number;
};

/** Git's own test for binary content. */
const binaryProbeBytes = 8 * 1024;

export async function scanBuiltin(
  repo: ProbeRepo,
  paths: readonly string[],
  maxBytes: number,
  isSuppressed: IsSuppressed,
): Promise<BuiltinScan> {
  const findings: SecretPlace[] = [];
  let suppressed = 0;
  let files = 0;
  let bytes = 0;
  for (const path of paths) {
    const read = await repo.inputs.read(inputOf(path), maxBytes);
    if (read.kind !== 'read') continue;
    files += 1;
    bytes += read.bytes.length;
    if (read.bytes.subarray(0, binaryProbeBytes).includes(0)) continue;
    const text = decodeLenient(read.bytes);
    const found = locateSecrets(text);
    const lines = found.length === 0 ? [] : text.split('\n');
    for (const { line, class: secretClass, fingerprint } of found) {
      if (isSuppressed(path, line, lines[line - 1] ?? '')) suppressed += 1;
      findings.push({
        rule_id: secretClass,
        path,
        line,
        description: describeClass(secretClass),
        match_fingerprint: fingerprint,
        commit: null,
      });
    }
  }
  return { findings, suppressed, files, bytes };
}
