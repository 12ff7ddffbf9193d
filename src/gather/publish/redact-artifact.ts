/**
 * Raw artifacts on their way out (gather.md §7.3): text is sanitised and redacted, JSON on its parsed strings; what we cannot
 * read we do not publish, unless our own builder made it; what is too large is cut or dropped, after redaction.
 */

import { unreachable } from '../../kernel/base/assert.ts';
import type { Json } from '../../kernel/base/json.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { redactString, type SecretFinding } from '../../kernel/secrets/redact-string.ts';
import type { ArtifactKind } from '../contract.ts';
import { redactJsonValue } from './redact-json.ts';
import type { Sanitiser } from './sanitise.ts';

export type ArtifactBytes = { readonly name: string; readonly kind: ArtifactKind; readonly bytes: Uint8Array };

type ArtifactRedaction =
  | {
      readonly kind: 'kept';
      readonly bytes: Uint8Array;
      readonly findings: readonly SecretFinding[];
      /** Documents of a SCIP index that could not be decoded, and are not in it any more. */
      readonly droppedDocuments?: number;
    }
  | { readonly kind: 'dropped'; readonly bytes: number; readonly budgetBytes: number }
  | { readonly kind: 'refused'; readonly detail: string };

/** Decodes a SCIP index one document at a time, gives every string to `redact`, drops `text`, and encodes it again. */
export type ScipRedactor = (
  bytes: Uint8Array,
  redact: (text: string) => { readonly text: string; readonly findings: readonly SecretFinding[] },
) => Promise<
  | { readonly ok: true; readonly bytes: Uint8Array; readonly droppedDocuments: number }
  | { readonly ok: false; readonly detail: string }
>;

type ArtifactRules = {
  readonly sanitise: Sanitiser;
  readonly budget: { readonly rawArtifactMb: number; readonly truncateMb: number };
  /** Were these very bytes made by our own SQLite builder, from redacted text? */
  readonly isBuilderMade?: ((bytes: Uint8Array) => boolean) | undefined;
  readonly redactScip?: ScipRedactor | undefined;
};

const MEGABYTE = 1024 * 1024;
/** Git's own test for binary content. */
const BINARY_PROBE_BYTES = 8 * 1024;
/** JSON.stringify recurses; deeper documents are redacted as the text they are. */
const MAX_JSON_DEPTH = 512;

export async function redactArtifact({ kind, bytes }: ArtifactBytes, rules: ArtifactRules): Promise<ArtifactRedaction> {
  const hardBytes = rules.budget.rawArtifactMb * MEGABYTE;
  if (bytes.length > hardBytes) return { kind: 'dropped', bytes: bytes.length, budgetBytes: hardBytes };
  switch (kind) {
    case 'json':
    case 'text':
    case 'markdown':
    case 'strace':
      return redactTextArtifact(kind, bytes, rules);
    case 'sqlite':
      if (rules.isBuilderMade?.(bytes) === true) return { kind: 'kept', bytes, findings: [] };
      return { kind: 'refused', detail: 'a SQLite file that our own builder did not make' };
    case 'scip':
      return redactScipArtifact(bytes, rules);
    default:
      return unreachable(kind);
  }
}

function redactTextArtifact(kind: ArtifactKind, bytes: Uint8Array, rules: ArtifactRules): ArtifactRedaction {
  if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0))
    return { kind: 'refused', detail: `binary content in a ${kind} artifact` };
  const text = decodeLenient(bytes);
  const parsed = kind === 'json' ? parseShallow(text) : undefined;
  let redacted: { readonly text: string; readonly findings: readonly SecretFinding[] };
  if (parsed === undefined) {
    const found = redactString(text, { entropy: true });
    redacted = { text: rules.sanitise(found.text), findings: found.findings };
  } else {
    const { value, findings, secretKeys } = redactJsonValue(parsed.value, { sanitise: rules.sanitise });
    if (secretKeys.length > 0) return { kind: 'refused', detail: `a key is a secret: ${secretKeys[0]}` };
    redacted = { text: `${JSON.stringify(value, null, 2)}\n`, findings };
  }
  const published = new TextEncoder().encode(redacted.text);
  const budgetBytes = Math.floor(rules.budget.truncateMb * MEGABYTE);
  if (published.length <= budgetBytes) return { kind: 'kept', bytes: published, findings: redacted.findings };
  const cut = truncateToBudget(redacted.text, published.length, budgetBytes);
  if (cut === undefined) return { kind: 'dropped', bytes: published.length, budgetBytes };
  return { kind: 'kept', bytes: cut, findings: redacted.findings };
}

async function redactScipArtifact(bytes: Uint8Array, rules: ArtifactRules): Promise<ArtifactRedaction> {
  if (rules.redactScip === undefined) {
    return { kind: 'refused', detail: 'SCIP indexes cannot be published: no decoder is there to redact them' };
  }
  const findings: SecretFinding[] = [];
  const outcome = await rules.redactScip(bytes, (text) => {
    const redacted = redactString(text, { entropy: true });
    findings.push(...redacted.findings);
    return { text: rules.sanitise(redacted.text), findings: redacted.findings };
  });
  if (!outcome.ok) return { kind: 'refused', detail: outcome.detail };
  return { kind: 'kept', bytes: outcome.bytes, findings, droppedDocuments: outcome.droppedDocuments };
}

/** The longest prefix that, written as a JSON string inside the notice, stays within the budget; undefined if not even the notice does. */
export function truncateToBudget(text: string, originalBytes: number, budgetBytes: number): Uint8Array | undefined {
  const head = `{"__truncated_at_budget__":true,"original_bytes":${originalBytes},"budget_bytes":${budgetBytes},"data":"`;
  let room = budgetBytes - Buffer.byteLength(head) - 2;
  if (room < 0) return undefined;
  let end = 0;
  for (const char of text) {
    room -= jsonBytes(char);
    if (room < 0) break;
    end += char.length;
  }
  return new TextEncoder().encode(`${head}${JSON.stringify(text.slice(0, end)).slice(1, -1)}"}`);
}

/** What one character costs inside a JSON string, in UTF-8. */
function jsonBytes(char: string): number {
  const code = char.codePointAt(0) ?? 0;
  if (code > 0xffff) return 4;
  if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
    return JSON.stringify(char).length - 2;
  }
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

function parseShallow(text: string): { readonly value: Json } | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, MAX_JSON_DEPTH) ? undefined : { value };
  } catch {
    return undefined;
  }
}

function isDeeper(root: Json, depth: number): boolean {
  let level: Json[] = [root];
  for (let at = 0; at <= depth; at += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}
