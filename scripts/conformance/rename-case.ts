/** A question of the rename and capture corpora, and how an answer to it is written down (the corpus's README says what each field is). */

import { readFileSync } from 'node:fs';
import type { CaseFiles } from './case-tree.ts';

type GoldenEdit = {
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly len: number;
  readonly prefix: string;
  readonly suffix: string;
};

export type RenameCase = {
  readonly id: string;
  readonly test: string;
  readonly at: { readonly path: string; readonly line: number; readonly col: number };
  readonly old: string;
  readonly useAliases: boolean;
  readonly edits: readonly GoldenEdit[];
  readonly files: CaseFiles;
  readonly flags: readonly string[];
  /** Of the rename corpus. */
  readonly expect?: 'edits' | 'refuse';
  /** Of the capture corpus. */
  readonly newName?: string;
  readonly label?: 'preserving' | 'capturing';
  readonly merged?: boolean;
};

export type ResultEdit = {
  readonly path: string;
  readonly line: number;
  readonly col: number;
  readonly len: number;
  readonly text: string;
};

export const verdicts = ['exact', 'different', 'asked', 'refused', 'wrong'] as const;
export type Verdict = (typeof verdicts)[number];

export type RenameResult = {
  readonly id: string;
  readonly newName: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly verdict: Verdict;
  /** Planned edits over the original text, whatever the outcome. */
  readonly edits: readonly ResultEdit[];
  /** Of `asked`: one selection of options gives the golden edits. Of `different`: how it differs. */
  readonly note?: string;
};

export function readCases(path: string, only: string | undefined): readonly RenameCase[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RenameCase)
    .filter(({ id }) => only === undefined || id.includes(only));
}

/** Cases over the same files share one tree. */
export function groupByFiles<Case extends { readonly files: CaseFiles }>(
  cases: readonly Case[],
): readonly (readonly Case[])[] {
  return [...Map.groupBy(cases, ({ files }) => JSON.stringify(files)).values()];
}

/** A name of the same kind that stands nowhere in the project. */
export function freshName({ old, files }: Pick<RenameCase, 'old' | 'files'>): string {
  const isUpper = /^#?\p{Lu}/u.test(old);
  const base = `${old.startsWith('#') ? '#' : ''}${isUpper ? 'Renamed' : 'renamed'}`;
  for (let number = 1; ; number += 1) {
    const name = `${base}${number}`;
    const bare = name.replace('#', '');
    if (!files.some(({ text }) => text.includes(bare))) return name;
  }
}

export function goldenOf({ edits }: Pick<RenameCase, 'edits'>, newName: string): readonly ResultEdit[] {
  return edits.map(({ path, line, col, len, prefix, suffix }) => {
    return { path, line, col, len, text: `${prefix}${newName}${suffix}` };
  });
}
