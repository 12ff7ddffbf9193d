/**
 * What gitleaks reports has its secrets blotted out, which is as it should be; class and fingerprint come from reading the line
 * again, with the patterns that the redactor has. The text is looked at in memory and goes no further.
 */

import type { ProbeContext, ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { CONSTANT_FINGERPRINT } from '../../../kernel/secrets/patterns.ts';
import { inputOf } from '../scan/scan-targets.ts';
import type { SecretPlace } from './gitleaks-section.ts';
import { type LocatedSecret, locateSecrets } from './locate-secrets.ts';
import type { Leak } from './parse-gitleaks.ts';
import { classOfRule, describeClass } from './secret-kinds.ts';
import { type IsSuppressed, oncePerLine } from './suppressions.ts';

export type PlacedLeaks = { readonly findings: readonly SecretPlace[]; readonly suppressed: number };

/** Old versions of files are fetched from git one by one; findings beyond these have no fingerprint. */
const blobsRead = 200;

export async function placeLeaks(
  repo: ProbeRepo,
  ctx: ProbeContext<never>,
  leaks: readonly Leak[],
  isSuppressed: IsSuppressed,
  maxBytes: number,
): Promise<PlacedLeaks> {
  const byFile = new Map<string, Leak[]>();
  for (const leak of leaks) {
    const key = `${leak.commit ?? ''}\0${leak.path}`;
    const known = byFile.get(key);
    if (known === undefined) byFile.set(key, [leak]);
    else known.push(leak);
  }
  const found = new Map<string, SecretPlace>();
  let suppressed = 0;
  let blobs = 0;
  for (const ofFile of byFile.values()) {
    const [first] = ofFile;
    if (first === undefined) continue;
    if (first.commit !== null) blobs += 1;
    const text = blobs > blobsRead && first.commit !== null ? '' : await readText(repo, ctx, first, maxBytes);
    const located = indexSecrets(text === '' ? [] : locateSecrets(text));
    const lines = text.split('\n');
    const suppresses = oncePerLine(isSuppressed);
    const seen = new Map<string, number>();
    for (const leak of ofFile) {
      // A rule that has found something twice in a line has found two things.
      const ofLine = `${leak.line} ${leak.rule}`;
      const nth = seen.get(ofLine) ?? 0;
      seen.set(ofLine, nth + 1);
      const place = placeLeak(leak, located, nth);
      const key = `${placeKey(place)}\0${place.match_fingerprint === CONSTANT_FINGERPRINT ? nth : ''}`;
      // Two of its rules may have found the same secret.
      if (found.has(key)) continue;
      found.set(key, place);
      if (suppresses(leak.path, leak.line, lines[leak.line - 1] ?? '')) suppressed += 1;
    }
  }
  return { findings: [...found.values()], suppressed };
}

/** Equal for the same secret in the same place, whoever found it. */
export function placeKey(place: SecretPlace): string {
  return [place.commit, place.path, place.line, place.rule_id, place.match_fingerprint].join('\0');
}

/** Secrets by line, and by line and class: a line may hold as many as a file. */
export type SecretIndex = ReadonlyMap<string, readonly LocatedSecret[]>;

export function indexSecrets(located: readonly LocatedSecret[]): SecretIndex {
  const index = new Map<string, LocatedSecret[]>();
  for (const secret of located) {
    for (const key of [`${secret.line}`, `${secret.line} ${secret.class}`]) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [secret]);
      else known.push(secret);
    }
  }
  return index;
}

/** `nth`: how many the same rule has found before in the line. */
export function placeLeak(leak: Leak, located: SecretIndex, nth = 0): SecretPlace {
  const mapped = classOfRule(leak.rule);
  // Another secret may stand in the same line: what has no class of ours is not taken for it.
  const same =
    mapped === null ? undefined : (located.get(`${leak.line} ${mapped}`)?.[nth] ?? located.get(`${leak.line}`)?.[nth]);
  const secretClass = same?.class ?? mapped;
  return {
    rule_id: secretClass ?? `gitleaks.${leak.rule}`,
    path: leak.path,
    line: leak.line,
    description: secretClass === null ? leak.description : describeClass(secretClass),
    match_fingerprint: same?.fingerprint ?? CONSTANT_FINGERPRINT,
    commit: leak.commit,
  };
}

/** Empty where it cannot be read any more. */
async function readText(repo: ProbeRepo, ctx: ProbeContext<never>, leak: Leak, maxBytes: number): Promise<string> {
  if (leak.commit !== null) {
    const shown = await ctx.exec.git(['cat-file', 'blob', `${leak.commit}:${leak.path}`], {
      maxStdoutBytes: limits.stdoutBytes,
    });
    const whole = shown.kind === 'exited' && shown.code === 0 && !shown.truncated.stdout;
    return whole ? decodeLenient(shown.stdout) : '';
  }
  const read = await repo.inputs.read(inputOf(leak.path), maxBytes);
  return read.kind === 'read' ? decodeLenient(read.bytes) : '';
}
