/** What `tsc` says about a tree, by place, so that it can be compared with what it said before an edit moved the places. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupEdits, placeBefore } from './compare-names.ts';
import type { OracleEdit } from './oracle.ts';

export type Said = { readonly path: string; readonly start: number; readonly says: string };

const tsc = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;

export function compileTree(root: string): readonly Said[] {
  return linesOf(root).flatMap((line) => {
    const match = /^(.*?)\((\d+),(\d+)\): (.*)$/.exec(line);
    if (match === null) return line === '' ? [] : [{ path: '', start: 0, says: line }];
    const [, path = '', row = '1', col = '1', says = ''] = match;
    return [{ path, start: offsetOf(readFileSync(join(root, path), 'utf8'), Number(row), Number(col)), says }];
  });
}

function linesOf(root: string): readonly string[] {
  try {
    const words = [tsc, '--noEmit', '--pretty', 'false'];
    return execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
  } catch (error) {
    return (error as { stdout?: string }).stdout?.split('\n') ?? ['the compiler did not run'];
  }
}

function offsetOf(text: string, row: number, col: number): number {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.slice(0, row - 1).reduce((sum, line) => sum + line.length + 1, 0) + col - 1;
}

/** What differs, names that the edits exchange aside. */
export function compareSaid(
  before: readonly Said[],
  after: readonly Said[],
  edits: readonly OracleEdit[],
  names: readonly string[],
): readonly string[] {
  const byPath = groupEdits(edits);
  const key = (said: Said, start: number) => `${said.path}:${start}: ${hideNames(said.says, names)}`;
  const left = before.map((said) => key(said, said.start));
  const extra: string[] = [];
  for (const said of after) {
    const one = key(said, placeBefore(byPath, said.path, said.start));
    const at = left.indexOf(one);
    if (at === -1) extra.push(`+ ${one}`);
    else left.splice(at, 1);
  }
  return [...extra, ...left.map((one) => `- ${one}`)];
}

function hideNames(says: string, names: readonly string[]): string {
  return names.reduce((text, name) => text.replaceAll(name, '¤'), says);
}
