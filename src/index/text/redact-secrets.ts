/**
 * Replaces secrets before anything is derived from a text (code-plane.md §1.4): each by a keyed hash of exactly its length, line ends
 * left where they are, so every position outside of them stays true. The key never leaves the data directory; without it a hash
 * says nothing about what it stands for.
 */

import { createHmac } from 'node:crypto';
import { findRandomTokens } from '../../kernel/secrets/entropy.ts';
import { findSecrets } from '../../kernel/secrets/find-secrets.ts';
import { type SecretScreen, screenSecrets } from './secret-screen.ts';
import { addTrigrams, dropTrigrams } from './trigrams.ts';

/** 32 random bytes of the data directory (`state/key`). */
export type RunKey = Uint8Array;

export type Redaction = { readonly text: string; readonly redacted: boolean };

type Span = { readonly start: number; readonly end: number };

/** A secret that is gone can leave an edge at which the next one is seen; no text needs more than a few looks. */
const MAX_PASSES = 16;
/** How far from a new edge something can be seen that was not seen before. */
const EDGE_CHARS = 4096;

export function redactSecrets(text: string, key: RunKey, screen: SecretScreen): Redaction {
  const spans = listSecrets(text, screen);
  if (spans.length === 0) return { text, redacted: false };
  return { text: replaceSpans(text, spans, (secret) => keyedFill(key, secret)), redacted: true };
}

/** Where secrets lie, in order, none overlapping another. `bytes` are those of the text. */
export function findSecretSpans(text: string, bytes: Uint8Array): readonly Span[] {
  addTrigrams(bytes);
  const screen = screenSecrets(text, bytes);
  dropTrigrams();
  return listSecrets(text, screen);
}

/** The text with asterisks in the place of the spans, in whatever order they come: for what is shown and not kept. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  return spans.length === 0 ? text : replaceSpans(text, merge(spans, 0), (secret) => fillLines(secret, '*'));
}

/** In order, none overlapping another. */
function listSecrets(text: string, screen: SecretScreen): Span[] {
  const spans: Span[] = [];
  // What was found is looked through as white space: an edge like the end of the text.
  let remaining = text;
  let found = findFirst(text, screen);
  for (let pass = 0; pass < MAX_PASSES && found.length > 0; pass += 1) {
    for (const span of found) spans.push(span);
    remaining = replaceSpans(remaining, found, (secret) => fillLines(secret, ' '));
    found = findAround(remaining, found);
  }
  return merge(spans, 0);
}

function findFirst(text: string, screen: SecretScreen): readonly Span[] {
  if (screen === 'none') return [];
  return screen === 'random' ? findRandomTokens(text) : findSecrets(text, { entropy: true });
}

/**
 * Everything farther from the spans was seen in the same surroundings before. The look goes twice as far as what it finds is believed: at the
 * rim of a window a certificate is cut in two, and half of one looks like a secret.
 */
function findAround(text: string, spans: readonly Span[]): Span[] {
  const around = (chars: number) =>
    merge(
      spans.map(({ start, end }) => ({ start: Math.max(0, start - chars), end: end + chars })),
      1,
    );
  const near = around(EDGE_CHARS);
  let at = 0;
  return around(2 * EDGE_CHARS).flatMap((window) =>
    findSecrets(text.slice(window.start, window.end), { entropy: true })
      .map(({ start, end }) => ({ start: start + window.start, end: end + window.start }))
      .filter(({ start, end }) => {
        while ((near[at]?.end ?? end) <= start) at += 1;
        return (near[at]?.start ?? end) < end;
      })
      .filter(({ start, end }) => /\S/.test(text.slice(start, end))),
  );
}

/** Hex digits of a keyed hash, as many as the secret has characters, around its line ends. */
function keyedFill(key: RunKey, secret: string): string {
  return fillLines(secret, createHmac('sha256', key).update(secret).digest('hex'));
}

function fillLines(secret: string, pattern: string): string {
  const fill = pattern.repeat(Math.ceil(secret.length / pattern.length));
  let used = 0;
  return secret
    .split(/([\r\n]+)/)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      used += part.length;
      return fill.slice(used - part.length, used);
    })
    .join('');
}

function replaceSpans(text: string, spans: readonly Span[], replace: (part: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), replace(text.slice(start, end)));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** In order, and as one where they overlap; with `touch` also where they meet. */
function merge(spans: readonly Span[], touch: 0 | 1): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end + touch)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}
