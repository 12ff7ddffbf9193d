import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/base/json.ts';
import { findPrimaryTsconfig, withNeighbours } from './tsconfig.ts';

const find = (files: Readonly<Record<string, JsonObject>>) =>
  findPrimaryTsconfig(Object.keys(files), async (path) => {
    const value = files[path];
    return value === undefined ? { kind: 'absent' } : { kind: 'read', value };
  });
const plain = { compilerOptions: {} };

test('the root before its folders, tsconfig.json before its variants, and nothing vendored', async () => {
  expect(await find({ 'a/tsconfig.json': plain, 'tsconfig.build.json': plain, 'tsconfig.base.json': plain })).toBe(
    'tsconfig.base.json',
  );
  expect(await find({ 'b/tsconfig.json': plain, 'a/x/tsconfig.json': plain })).toBe('b/tsconfig.json');
  expect(await find({ 'vendor/tsconfig.json': plain })).toBe(null);
  expect(await find({})).toBe(null);
});

test('a solution hands over to its first project that is there, unless it has options of its own', async () => {
  const references = [{ path: './gone' }, { path: './packages/a' }, { path: 7 }];
  const files = { 'packages/a/tsconfig.json': plain };
  expect(await find({ 'tsconfig.json': { references }, ...files })).toBe('packages/a/tsconfig.json');
  expect(await find({ 'tsconfig.json': { references, compilerOptions: {} }, ...files })).toBe('tsconfig.json');
  expect(await find({ 'tsconfig.json': { references: [] }, ...files })).toBe('tsconfig.json');
});

test('what may be extended from beside a wanted file is declared with it', () => {
  expect(withNeighbours(['cfg/react.json', 'node_modules/x/package.json', 'node_modules/x/dom.json'])).toEqual([
    'cfg/*.json',
    'cfg/react.json',
    'node_modules/x/base.json',
    'node_modules/x/dom.json',
    'node_modules/x/package.json',
    'node_modules/x/tsconfig.base.json',
    'node_modules/x/tsconfig.json',
  ]);
});
