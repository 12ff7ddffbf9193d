import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import { findBorder } from './border.ts';

afterAll(closePrograms);

const config = renderConfig({ lib: ['es2023', 'dom'] });

function askedIn(files: Readonly<Record<string, string>>): readonly string[] {
  const { items } = findBorder(openRename({ 'tsconfig.json': config, ...files }, 'b'));
  return items.map(({ kind }) => kind);
}

const owner = 'export class C { «a» = 1; c = 2; }\ndeclare const json: any;\ndeclare const word: string;\n';

describe('M9 anything is claimed to be a key', () => {
  test.each([
    ['as what is assigned', 'const k: keyof C = json; k;'],
    ['in a list of pairs', 'const l = json as [string, keyof C][]; l;'],
    ['in an object', 'interface View { by: keyof C } const v: View = json; v;'],
    ['a text', 'const k = word as keyof C; k;'],
  ])('M9 %s', (_, source) => {
    expect(askedIn({ 'a.ts': owner + source })).toEqual(['untyped_exit']);
  });

  test.each([
    ['a word of another kind', "interface Action { type: 'a' | 'z' } const x: Action = json; x;"],
    ['a key that is not the name', "const k = word as 'c'; k;"],
  ])('M9 not %s', (_, source) => {
    expect(askedIn({ 'a.ts': owner + source })).toEqual([]);
  });
});

describe('M9 a method of what goes out of sight is called by a type that another file claims', () => {
  const method = { 'a.ts': "import { keep } from './keep';\nclass C { «a»() { return 1; } }\nkeep(new C());\n" };
  const keep = (rest: string) =>
    `const all: unknown[] = [];\nexport const keep = (x: unknown) => { all.push(x); };\n${rest}`;
  test('M9 written out there', () => {
    expect(askedIn({ ...method, 'keep.ts': keep('export const f = () => (all[0] as { a(): void }).a();') })).toEqual([
      'untyped_exit',
    ]);
  });

  test('M9 by its name', () => {
    const files = { 'shape.ts': 'export interface Named { a?(): void }', 'keep.ts': '' };
    files['keep.ts'] = keep("import type { Named } from './shape';\nexport const f = () => (all[0] as Named).a?.();");
    expect(askedIn({ ...method, ...files })).toEqual(['untyped_exit']);
  });

  test('M9 not where the claim is about another name, or nothing is claimed', () => {
    const other = 'export const f = () => (all[0] as { z(): void }).z();';
    const unclaimed = 'interface Named { a(): void } export const f = (x: Named) => x.a();';
    for (const rest of [other, unclaimed]) expect(askedIn({ ...method, 'keep.ts': keep(rest) })).toEqual([]);
  });
});
