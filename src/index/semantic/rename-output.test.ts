/** What does not fit is told before anything is rewritten; what real tools say of forms that do is in test/mutation/patch-forms.test.ts. */

import { expect, test } from 'vitest';
import type { ScipOccurrence, ScipPart } from '../../kernel/formats/scip.ts';
import { createOutputRenamer, type OutputSource } from './rename-output.ts';
import type { PatchEdit, Renaming } from './renaming.ts';
import { createSourceText } from './source-text.ts';

const prefix = 'scip-typescript npm p 1 `a.ts`/';
const occurrence = (range: readonly number[], symbol: string, roles = 0): ScipOccurrence => {
  return { range, enclosingRange: [], symbol, roles };
};
const document = (...occurrences: readonly ScipOccurrence[]): ScipPart => ({
  kind: 'document',
  document: {
    relativePath: 'a.ts',
    language: '',
    positionEncoding: 2,
    text: '',
    occurrences,
    symbols: [],
    hadBadText: false,
  },
});

function renameIn(text: string, edits: readonly Omit<PatchEdit, 'oldText' | 'newText'>[], isProven: boolean) {
  const renaming: Renaming = {
    oldName: 'a',
    newName: 'b',
    isProven,
    files: [
      { path: 'a.ts', oldHash: '', newHash: '', edits: edits.map((edit) => ({ ...edit, oldText: 'a', newText: 'b' })) },
    ],
  };
  const bytes = Buffer.from(text);
  const source: OutputSource = {
    family: 'typescript',
    encoding: 2,
    pathOf: ({ relativePath }) => relativePath,
    oldSource: () => createSourceText(bytes),
  };
  const renamer = createOutputRenamer(renaming, new Map([['a.ts', bytes]]));
  return (part: ScipPart) => {
    renamer.learn(part, source);
    renamer.settle();
    const rewritten = renamer.rewrite(part, source);
    return rewritten.kind === 'document'
      ? rewritten.document.occurrences.map(({ range, symbol }) => [range, symbol])
      : [];
  };
}

const at = (start: number) => ({ startByte: start, endByte: start + 1, form: 'plain' as const });

test('E9 what is below a renamed symbol is spelled anew, what only looks like it is not', () => {
  const rename = renameIn('class a { a = 1 }\n', [at(6)], true);
  const own = `${prefix}a#`;
  const part = document(
    occurrence([0, 6, 7], own, 1),
    occurrence([0, 10, 11], `${own}a.`, 1),
    occurrence([0, 0, 0], `${prefix}aa#`),
  );
  expect(rename(part)).toEqual([
    [[0, 6, 7], `${prefix}b#`],
    [[0, 10, 11], `${prefix}b#a.`],
    [[0, 0, 0], `${prefix}aa#`],
  ]);
});

test('a name that stays somewhere fits only where a compiler has said what it means', () => {
  const part = document(occurrence([0, 4, 5], `${prefix}a.`, 1), occurrence([0, 10, 11], `${prefix}a.`));
  expect(() => renameIn('let a = 1;a\n', [at(4)], false)(part)).toThrow('keeps its name somewhere');
  expect(renameIn('let a = 1;a\n', [at(4)], true)(part)).toHaveLength(2);
});

test('a symbol that is there already, a second definition and an unknown definition do not fit', () => {
  const text = 'let a = 1;a\n';
  const defined = occurrence([0, 4, 5], `${prefix}a.`, 1);
  const rename = renameIn(text, [at(4)], true);
  expect(() => rename(document(defined, occurrence([0, 10, 11], `${prefix}b.`)))).toThrow('is there already');
  const again = renameIn(text, [at(4)], true);
  expect(() => again(document(defined, occurrence([0, 10, 11], `${prefix}a.`, 1)))).toThrow('keeps a definition');
  const nowhere = renameIn(text, [at(4)], true);
  expect(() => nowhere(document(occurrence([0, 4, 5], `${prefix}a.`)))).toThrow('is defined nowhere');
});

test('keys that are counted fit only if all of a name move together', () => {
  const text = 'f({ a: 1 }, { a: 2 })\n';
  const part = document(occurrence([0, 4, 5], `${prefix}a0:`, 1), occurrence([0, 14, 15], `${prefix}a1:`, 1));
  expect(() => renameIn(text, [at(4)], true)(part)).toThrow('numbered anew');
  expect(renameIn(text, [at(4), at(14)], true)(part).map(([, symbol]) => symbol)).toEqual([
    `${prefix}b0:`,
    `${prefix}b1:`,
  ]);
});
