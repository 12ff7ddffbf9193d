/**
 * The line of a hit as people and models see it: secrets gone, control characters gone, at most 300 characters around the match.
 * In a file that may hold secrets they are looked for in the whole text, because a line of a private key does not look like one by
 * itself. Every line is looked at again by itself, whatever was known before.
 */

import { stripControls } from '../../kernel/base/text.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { maskSecrets } from '../syntax/redact-secrets.ts';
import type { TextMatch } from './find-matches.ts';

export const MAX_LINE_CHARS = 300;
/** Secrets are told by their own line and a few around it. */
const NEIGHBOUR_BYTES = 4096;
/** No character has more bytes; beyond this many from the match nothing is shown. */
const WINDOW_BYTES = MAX_LINE_CHARS * 4;

/** A line of a file without secrets. */
export function lineTextOf(bytes: Uint8Array, match: TextMatch): string {
  const buffer = asBuffer(bytes);
  const { start, end } = shownPart(buffer, match);
  return renderPart(buffer.toString('utf8', start, end), buffer, match, start, end);
}

/**
 * Lines of a file that may hold secrets, for its matches in order. Secrets are looked for in what surrounds the match, farther than any
 * of them reaches but a private key; where there is one, in the whole file.
 */
export function createLineTexts(bytes: Uint8Array): (match: TextMatch) => string {
  const buffer = asBuffer(bytes);
  const reach = buffer.includes('PRIVATE KEY') ? buffer.length : NEIGHBOUR_BYTES;
  let masked: { readonly start: number; readonly end: number; readonly text: string } | undefined;
  return (match) => {
    const { start, end } = shownPart(buffer, match);
    const from = Math.max(0, start - reach);
    const to = Math.min(buffer.length, end + reach);
    if (masked === undefined || from < masked.start || to > masked.end) {
      // More than this match needs: the next one is usually near.
      const part = { start: borderAt(buffer, from), end: borderAt(buffer, Math.min(buffer.length, end + 4 * reach)) };
      const region = buffer.subarray(part.start, part.end);
      // As long as the text itself, so columns stay true.
      const text = maskSecrets(new TextDecoder('utf-8', { ignoreBOM: true }).decode(region), region);
      masked = { ...part, text };
    }
    const before = buffer.toString('utf8', masked.start, start).length;
    const length = buffer.toString('utf8', start, end).length;
    return renderPart(masked.text.slice(before, before + length), buffer, match, start, end);
  };
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
  const part = line.slice(isLowHalf(line, from) ? from + 1 : from, isLowHalf(line, to) ? to - 1 : to);
  const shown = redactString(stripControls(part).replace(/[\u2028\u2029]/g, ' '), { entropy: true }).text;
  return `${cut.before || from > 0 ? '…' : ''}${shown}${cut.after || to < line.length ? '…' : ''}`;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The beginning of the character that has the byte. */
function borderAt(buffer: Buffer, at: number): number {
  let border = at;
  while (border > 0 && border < buffer.length && ((buffer[border] as number) & 0xc0) === 0x80) border -= 1;
  return border;
}

/** The second half of a surrogate pair: no place to cut. */
function isLowHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
