/**
 * The line of a hit as people and models see it: secrets gone, control characters gone, at most 300 characters around the match.
 * In a file that may hold secrets they are looked for in the whole text, because a line of a private key does not look like one by
 * itself. Every line is looked at again by itself, whatever was known before.
 */

import { isLowSurrogate, stripControls } from '../../kernel/base/text.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { findSecretSpans, maskSpans } from '../text/redact-secrets.ts';
import { asBuffer, type TextMatch } from './find-matches.ts';

const MAX_LINE_CHARS = 300;
/** Secrets are told by their own line and a few around it. */
const NEIGHBOUR_BYTES = 4096;
/** As much is looked through at once, because the next match is usually near. */
const BLOCK_BYTES = 16 * 1024;
/** No character has more bytes; beyond this many from the match nothing is shown. */
const WINDOW_BYTES = MAX_LINE_CHARS * 4;

/** A line of a file without secrets. */
export function lineTextOf(bytes: Uint8Array, match: TextMatch): string {
  const buffer = asBuffer(bytes);
  const { start, end } = shownPart(buffer, match);
  return renderPart(buffer.toString('utf8', start, end), buffer, match, start, end);
}

/** Where the secrets of some bytes lie, as far as they were searched. */
export type KnownSecrets = {
  /** Undefined before the first look. */
  blockBytes: number | undefined;
  readonly byBlock: Map<number, readonly SecretSpan[]>;
};
type SecretSpan = { readonly start: number; readonly end: number };

export function noSecretsKnown(): KnownSecrets {
  return { blockBytes: undefined, byBlock: new Map() };
}

/**
 * Lines of a file that may hold secrets. They are looked for in the blocks in which the line lies and what surrounds them, farther than
 * any secret reaches but a private key; where there is one, in the whole file. `known` is of these very bytes, and is completed.
 */
export function createLineTexts(bytes: Uint8Array, known: KnownSecrets): (match: TextMatch) => string {
  const buffer = asBuffer(bytes);
  const blockBytes = known.blockBytes ?? (buffer.includes('PRIVATE') ? buffer.length : BLOCK_BYTES);
  known.blockBytes = blockBytes;
  const secretsIn = (block: number) => {
    const found = known.byBlock.get(block) ?? findSecretsIn(buffer, block * blockBytes, (block + 1) * blockBytes);
    known.byBlock.set(block, found);
    return found;
  };
  return (match) => {
    const { start, end } = shownPart(buffer, match);
    const first = Math.floor(start / blockBytes);
    const last = Math.floor(Math.max(start, end - 1) / blockBytes);
    const secrets = first === last ? secretsIn(first) : [...secretsIn(first), ...secretsIn(last)];
    // As long as the text itself, so columns stay true.
    return renderPart(maskPart(buffer, start, end, secrets), buffer, match, start, end);
  };
}

function findSecretsIn(buffer: Buffer, from: number, to: number): SecretSpan[] {
  const start = borderAt(buffer, Math.max(0, from - NEIGHBOUR_BYTES));
  const region = buffer.subarray(start, borderAt(buffer, Math.min(buffer.length, to + NEIGHBOUR_BYTES)));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(region);
  let unit = 0;
  let byte = start;
  const toByte = (wanted: number) => {
    byte += Buffer.byteLength(text.slice(unit, wanted));
    unit = wanted;
    return byte;
  };
  return findSecretSpans(text, region).map((span) => ({ start: toByte(span.start), end: toByte(span.end) }));
}

/** The text from `start` to `end` with asterisks in the place of secrets. */
function maskPart(buffer: Buffer, start: number, end: number, secrets: readonly SecretSpan[]): string {
  const text = buffer.toString('utf8', start, end);
  const unitAt = (byte: number) => buffer.toString('utf8', start, Math.min(Math.max(byte, start), end)).length;
  const spans = secrets
    .filter((secret) => secret.start < end && secret.end > start)
    .map((secret) => ({ start: unitAt(secret.start), end: unitAt(secret.end) }));
  return maskSpans(text, spans);
}

/** The bytes of the line that can be shown. A BOM is no part of a line. */
function shownPart(buffer: Buffer, match: TextMatch): { readonly start: number; readonly end: number } {
  return {
    start: borderAt(buffer, Math.max(firstByte(buffer, match), match.byteStart - WINDOW_BYTES)),
    end: borderAt(buffer, Math.min(match.lineEnd, match.byteStart + WINDOW_BYTES)),
  };
}

function firstByte(buffer: Buffer, { lineStart }: TextMatch): number {
  const hasBom = lineStart === 0 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  return hasBom ? 3 : lineStart;
}

function renderPart(text: string, buffer: Buffer, match: TextMatch, start: number, end: number): string {
  const before = buffer.toString('utf8', start, match.byteStart).length;
  return render(text, before, match, { before: start > firstByte(buffer, match), after: end < match.lineEnd });
}

/** `at` is where the match begins in `line`; `cut` says on which sides there is more of the line than that. */
function render(
  line: string,
  at: number,
  match: TextMatch,
  cut: { readonly before: boolean; readonly after: boolean },
): string {
  const room = MAX_LINE_CHARS - 2;
  const isWhole = line.length <= MAX_LINE_CHARS && !cut.before && !cut.after;
  const lead = Math.floor((room - Math.min(match.endColumn - match.column, room)) / 2);
  const from = isWhole ? 0 : Math.max(0, Math.min(at - lead, line.length - room));
  const to = isWhole ? line.length : Math.min(line.length, from + room);
  const part = line.slice(isLowSurrogate(line, from) ? from + 1 : from, isLowSurrogate(line, to) ? to - 1 : to);
  const shown = redactString(stripControls(part).replace(/[\u2028\u2029]/g, ' '), { entropy: true }).text;
  return `${cut.before || from > 0 ? '…' : ''}${shown}${cut.after || to < line.length ? '…' : ''}`;
}

/** The beginning of the character that has the byte. */
function borderAt(buffer: Buffer, at: number): number {
  let border = at;
  while (border > 0 && border < buffer.length && ((buffer[border] as number) & 0xc0) === 0x80) border -= 1;
  return border;
}
