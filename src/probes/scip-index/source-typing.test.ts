import { expect, test } from 'vitest';
import { withParsedSource } from '../../languages/parsing/parse-source.ts';
import { extractTyping } from './source-typing.ts';

test.each<[string, number, number]>([
  ['const a: any = b as any; let c: string;', 3, 2],
  ['interface Order<T> extends Base { id: number; of: T }', 3, 0],
  ['class A implements B {} const c = class D extends E {}; const f = class {};', 1, 0],
  ['type P<T> = { [K in keyof T]: T[K] extends infer U ? U : never };', 5, 0],
  ['const any = 1; any(); x.any;', 0, 0],
  ['function f(x: Map<string, any>): void {}', 4, 1],
  ['', 0, 0],
])('types that are written in %j: %i, of which %i are any', async (text, typeNames, anyTypes) => {
  expect(await withParsedSource('typescript', text, extractTyping)).toMatchObject({ typeNames, anyTypes });
});

test('where exported top-level names begin, in UTF-16 columns', async () => {
  const text = [
    "const inner = 1; export const a = 1, b = '😀';",
    '/* 😀 */ export function run() { const local = 1; }',
    'class Later { member = 1 }',
    'export { Later };',
  ].join('\n');
  const { exportedNames } = await withParsedSource('typescript', text, extractTyping);
  const names: string[] = [];
  for (let at = 0; at < exportedNames.length; at += 2) {
    const line = text.split('\n')[exportedNames[at] as number] as string;
    names.push(/^\w+/.exec(line.slice(exportedNames[at + 1] as number))?.[0] ?? '');
  }
  expect(names).toEqual(['a', 'b', 'run', 'Later']);
});
