/** Words of code in their colours. Loaded when code is first shown; a language that has no parser here is plain text. */

import type { Parser } from '@lezer/common';
import { classHighlighter, highlightCode } from '@lezer/highlight';

const byEnding: Readonly<Record<string, () => Promise<Parser>>> = {
  ts: () => import('@lezer/javascript').then(({ parser }) => parser.configure({ dialect: 'ts' })),
  tsx: () => import('@lezer/javascript').then(({ parser }) => parser.configure({ dialect: 'ts jsx' })),
  js: () => import('@lezer/javascript').then(({ parser }) => parser.configure({ dialect: 'jsx' })),
  py: () => import('@lezer/python').then(({ parser }) => parser),
  go: () => import('@lezer/go').then(({ parser }) => parser),
  java: () => import('@lezer/java').then(({ parser }) => parser),
  rs: () => import('@lezer/rust').then(({ parser }) => parser),
  cpp: () => import('@lezer/cpp').then(({ parser }) => parser),
  json: () => import('@lezer/json').then(({ parser }) => parser),
  yaml: () => import('@lezer/yaml').then(({ parser }) => parser),
};
const same: Readonly<Record<string, string>> = {
  mts: 'ts',
  cts: 'ts',
  mjs: 'js',
  cjs: 'js',
  jsx: 'js',
  pyi: 'py',
  c: 'cpp',
  h: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'java',
  kt: 'java',
  yml: 'yaml',
  jsonc: 'json',
};

export async function parserOf(path: string): Promise<Parser | undefined> {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return byEnding[same[ending] ?? ending]?.();
}

export type Piece = { readonly text: string; readonly look: string };

/** Line by line. */
export function colour(text: string, parser: Parser): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]];
  highlightCode(
    text,
    parser.parse(text),
    classHighlighter,
    (piece, look) => lines.at(-1)?.push({ text: piece, look }),
    () => lines.push([]),
  );
  return lines;
}
