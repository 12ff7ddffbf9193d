/**
 * A look at the bytes that spares files the parse: where none of this is written, nothing can be counted. Generous on purpose: what
 * only looks like code costs a parse, what is missed costs the truth.
 */

const hints =
  /\beval\b|\bFunction\b|\brequire\s*\(|\bimport\s*\(|\bprototype\b|__proto__|setPrototypeOf|@[\w$(\x80-\xff]|\.\s*use\s*\(|\bconsumer\b|\bprocess\b|import\.meta/;
/** A bracket behind a value, unless it holds nothing or a plain literal. */
const subscript = /[\w$)\]}!?.`'"/\x80-\xff]\s*\[(?!\s*(?:\]|'[^'\n\\]*'\s*\]|"[^"\n\\]*"\s*\]|\d+\s*\]))/;

export function mayReflect(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return hints.test(text) || subscript.test(text);
}

/** Declarations say what there is; nothing in them runs. */
export function isDeclarationFile(path: string): boolean {
  return /\.d(?:\.[^/]*)?\.[cm]?ts$/.test(path);
}
