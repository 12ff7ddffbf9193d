import { afterAll, expect, test } from 'vitest';
import { closePrograms, renderConfig } from '../../../../test/support/open-programs.ts';
import { openRename } from '../../../../test/support/rename-world.ts';
import { findDoubts } from './doubts.ts';
import { listKeyEdits } from './key-literals.ts';

afterAll(closePrograms);

const config = renderConfig({ lib: ['es2023', 'dom'] });
const head = 'export {};\ninterface I { «a»: number; c: number }\ndeclare const i: I;\n';

function keysOf(source: string): { readonly edits: number; readonly asked: readonly string[] } {
  const world = openRename({ 'tsconfig.json': config, 'a.ts': head + source }, 'b');
  return { edits: listKeyEdits(world).length, asked: findDoubts(world).map(({ kind }) => kind) };
}

test.each([
  ['a key that is looked up in an owner', 'const f = (x: I, k: keyof I) => x[k]; f(i, "a");'],
  ['a key that is looked up inside', 'const f = (l: I[], k: keyof I) => l.map((x) => x[k]); f([i], "a");'],
  ['a part of the type', 'export type P = Pick<I, "a">;'],
  ['the rest of the type', 'export type P = Omit<I, "a" | "c">;'],
])('M12 a string is edited with the member: %s', (_, source) => {
  expect(keysOf(source)).toEqual({ edits: 1, asked: [] });
});

test('M12 a string for a type parameter is edited with the member; what looks up any key of it is asked about', () => {
  const get = 'function get<T, K extends keyof T>(x: T, k: K): T[K] { return x[k]; }';
  expect(keysOf(`${get} get(i, "a"); get(i, "c");`)).toEqual({ edits: 1, asked: ['untyped_exit'] });
});

test.each([
  ['a key that is printed', 'const f = (x: I, k: keyof I) => { console.log(k); return x[k]; }; f(i, "a");'],
  ['a key that becomes text', 'const f = (k: keyof I) => "order by " + k; f("a");'],
  ['a key of something untyped', 'declare const u: any; const f = (k: keyof I) => u[k]; f("a");'],
  [
    'a key that is passed on',
    'declare function g(k: string): void; const f = (x: I, k: keyof I) => { g(k); x[k]; }; f(i, "a");',
  ],
  ['a union that is written out', 'const f = (x: I, k: "a" | "c") => x[k]; f(i, "a");'],
  ['a function that is only declared', 'declare function f(x: I, k: keyof I): void; f(i, "a");'],
  ['all arguments at once', 'function f(x: I, k: keyof I) { JSON.stringify(arguments); return x[k]; } f(i, "a");'],
])('M12 a string stays a question: %s', (_, source) => {
  const { edits, asked } = keysOf(source);
  expect(edits).toBe(0);
  expect(asked).toContain('string_reference');
});
