import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import { findBorder } from './border.ts';

afterAll(closePrograms);

const config = renderConfig({ lib: ['es2023', 'dom'] });

function askedAbout(source: string): readonly string[] {
  const text = `export {};\ninterface I { «a»: number }\ndeclare const i: I;\n${source}\n`;
  return findBorder(openRename({ 'tsconfig.json': config, 'a.ts': text }, 'b')).items.map(({ kind }) => kind);
}

describe('M9 a generic function hands a value that it makes up to a callback', () => {
  test.each([
    ['of a type that the call says', 'declare function get<P>(f: (x: P) => void): void; get<I>((x) => x.a);'],
    [
      'of a type that an alias says',
      'type H<P> = (x: P) => void; declare function get<P>(f: H<P>): void; get<I>((x) => x.a);',
    ],
    ['of the type that the callback says', 'declare function get<P>(f: (x: P) => void): void; get((x: I) => x.a);'],
    [
      'of the type that a named callback says',
      'declare function get<P>(f: (x: P) => void): void; const h = (x: I) => x.a; get(h);',
    ],
    [
      'in an object',
      'interface H<P> { on(x: P): void } declare function get<P>(f: H<P>): void; get<I>({ on: (x) => x.a });',
    ],
  ])('M9 %s', (_, source) => {
    expect(askedAbout(source)).toEqual(['untyped_boundary']);
  });

  test.each([
    ['another argument fixes', 'declare function get<P>(x: P, f: (x: P) => void): void; get(i, (x) => x.a);'],
    [
      'another argument fixes, by an alias',
      'type H<P> = (x: P) => void; declare function get<P>(x: P, f: H<P>): void; get<I>(i, (x) => x.a);',
    ],
    ['a list fixes', 'declare function each<P>(x: readonly P[], f: (x: P) => void): void; each([i], (x: I) => x.a);'],
  ])('M9 not where %s it', (_, source) => {
    expect(askedAbout(source)).toEqual([]);
  });

  test('M9 a base that fills what it is given a type for', () => {
    const base = 'declare const json: any; abstract class Repo<T> { all(): T[] { return json; } }';
    expect(askedAbout(`${base} class Own extends Repo<I> { sum() { return this.all().length; } } new Own();`)).toEqual([
      'untyped_boundary',
    ]);
    const typed = 'abstract class Repo<T> { abstract all(): T[]; }';
    expect(askedAbout(`${typed} class Own extends Repo<I> { all() { return [i]; } } new Own();`)).toEqual([]);
  });
});

test('M9 what is only checked against an index signature stays what it is', () => {
  const table = (rest: string) =>
    findBorder(
      openRename(
        { 'tsconfig.json': config, 'a.ts': `export const t = { «a»: 1 } satisfies Record<string, number>;\n${rest}\n` },
        'b',
      ),
    ).items.map(({ kind }) => kind);
  expect(table('t.a;')).toEqual([]);
  expect(table('const r: Record<string, number> = t; r;')).toEqual(['untyped_exit']);
});
