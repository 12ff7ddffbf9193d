import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import { findBorder } from './border.ts';

afterAll(closePrograms);

const config = renderConfig({ lib: ['es2023', 'dom'] });

/** What is asked about the private member of `Box`, of two lists that a test compares. */
function askedOf(rest: string, box = 'class Box { private «a» = 1; sum() { return this.a; } }'): readonly string[] {
  const source = `import { deepEqual } from 'node:assert';\n${box}\nclass Lid { private a = 1; more: unknown; sum() { return this.a; } }\nclass Tin { private a = 1; size = 2; sum() { return this.a; } }\n${rest}\nexport {};\n`;
  const { items } = findBorder(openRename({ 'tsconfig.json': config, 'a.ts': source }, 'b'));
  return items.map(({ kind }) => kind);
}

const made = 'const x = [new Box(), new Lid()] as const; const y = [x[0], x[1]] as const;';

describe('M9 a private member of values that are compared', () => {
  test.each([
    ['beside another class that has one of the name, and something unknown', `${made} deepEqual(x, y);`],
    [
      'in a list of any length, and one that nothing may be added to',
      'declare const x: Box[], y: readonly Box[]; deepEqual(x, y);',
    ],
    ['in something of one type', 'interface P { box: Box; more: unknown } declare const x: P, y: P; deepEqual(x, y);'],
    [
      'by a matcher of a package that takes anything',
      'declare const x: Box, y: Box; deepEqual(x, y); deepEqual(y, x);',
    ],
  ])('M9 %s', (_, rest) => {
    expect(askedOf(rest)).toEqual([]);
  });

  test.each([
    [
      'an instance goes out of sight elsewhere',
      `${made} deepEqual(x, y); const all: unknown[] = []; all.push(new Box());`,
    ],
    ['an instance is thrown', `${made} deepEqual(x, y); export const f = () => { throw new Box(); };`],
    ['something is taken for one', `${made} deepEqual(x, y); export const z = JSON.parse('{}') as Box;`],
    ['it may be the one or the other', 'declare const x: Box | Lid, y: Box | Lid; deepEqual(x, y);'],
    ['one may be in a choice', 'declare const x: { l: Lid } | { l: Box }, y: typeof x; deepEqual(x, y);'],
    [
      'something is derived from it',
      'class Big extends Box { more: unknown } declare const x: Box, y: Box; deepEqual(x, y); new Big();',
    ],
    [
      'it is hidden behind a wider type',
      'interface W { sum(): number } const x: W = new Box(), y: W = new Lid(); deepEqual(x, y);',
    ],
    [
      'it is held by what is derived',
      'class One { id = 1 } class Two extends One { box = new Box() } declare const x: One, y: One; deepEqual(x, y); new Two();',
    ],
    ['what it is compared with is written out', 'deepEqual(new Box(), { a: 1 });'],
    ['what it is compared with is anything', 'declare const y: any; deepEqual(new Box(), y);'],
    ['it is compared with another class that may have no more', 'deepEqual([new Box()], [new Lid()]);'],
  ])('M9 %s', (_, rest) => {
    expect(askedOf(rest)).not.toEqual([]);
  });

  test('M9 of a name that nothing else has, whatever it is compared with, unless an instance goes out of sight', () => {
    const box = 'class Box { private «only» = 1; sum() { return this.only; } }';
    const compare = 'declare const y: any; deepEqual(new Box(), y);';
    expect(askedOf(compare, box)).toEqual([]);
    expect(askedOf(`${compare} const all: unknown[] = [new Box()]; all;`, box)).toEqual(['untyped_exit']);
    expect(askedOf(`${compare} export const f = () => { throw new Box(); };`, box)).toEqual(['untyped_exit']);
    expect(askedOf(`${compare} const text = '{"only":1}'; text;`, box)).toEqual(['untyped_exit']);
  });

  test('M9 a member that is not private, beside another of its name', () => {
    expect(askedOf(`${made} deepEqual(x, y);`, 'class Box { «a» = 1; sum() { return this.a; } }')).not.toEqual([]);
  });

  test('M9 what a parameter makes private', () => {
    const box = 'class Box { constructor(private readonly «a»: number) {} sum() { return this.a; } }';
    expect(askedOf('declare const x: [Box, unknown], y: [Box, unknown]; deepEqual(x, y);', box)).toEqual([]);
  });
});
