/**
 * Looks for secrets without gitleaks, and where it does not look: the redactor's named patterns over every file in scope, one file
 * at a time. The text is dropped as soon as it has been looked at; what is remembered of a secret is its place, its class and its
 * fingerprint.
 */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { decodePlain } from '../scan/plain-copies.ts';
import { binaryHeadBytes, inputOf } from '../scan/scan-targets.ts';
import type { SecretPlace } from './gitleaks-section.ts';
import { type isLikelySecret, locateSecrets } from './locate-secrets.ts';
import { placeKey } from './place-leaks.ts';
import { describeClass } from './secret-kinds.ts';
import { type IsSuppressed, oncePerLine } from './suppressions.ts';

export type BuiltinScan = {
  readonly findings: readonly SecretPlace[];
  readonly suppressed: number;
  readonly files: number;
  readonly bytes: number;
};

export async function scanBuiltin(
  repo: ProbeRepo,
  paths: readonly string[],
  maxBytes: number,
  isSuppressed: IsSuppressed,
  { known, isTold }: { readonly known?: ReadonlySet<string>; readonly isTold?: typeof isLikelySecret } = {},
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
    const text = decodePlain(read.bytes);
    if (text.slice(0, binaryHeadBytes).includes('\0')) continue;
    const found = locateSecrets(text, isTold);
    const lines = found.length === 0 ? [] : text.split('\n');
    const suppresses = oncePerLine(isSuppressed);
    for (const { line, class: secretClass, fingerprint } of found) {
      const place: SecretPlace = {
        rule_id: secretClass,
        path,
        line,
        description: describeClass(secretClass),
        match_fingerprint: fingerprint,
        commit: null,
      };
      if (known?.has(placeKey(place)) === true) continue;
      if (suppresses(path, line, lines[line - 1] ?? '')) suppressed += 1;
      findings.push(place);
    }
  }
  return { findings, suppressed, files, bytes };
}
