import { afterAll, describe, expect, test } from 'vitest';
import { closePrograms } from '../../../../test/support/open-programs.ts';
import { askedAbout } from '../../../../test/support/rename-world.ts';
import { conventions } from './convention-names.ts';

afterAll(closePrograms);

const manifest = (needs: readonly string[] | null) =>
  JSON.stringify({
    name: 'x',
    private: true,
    dependencies: Object.fromEntries((needs ?? []).map((one) => [one, '1'])),
  });
const config = {
  'tsconfig.json':
    '{"compilerOptions":{"allowJs":true,"noEmit":true,"jsx":"preserve","types":[],"lib":["es2023","dom"]},"include":["**/*",".*/*",".*"]}',
};

describe('M9 names that frameworks and tools find', () => {
  test.each(conventions.map((each) => [`${each.reader} ${each.source}`, each] as const))('M9 %s', (_, each) => {
    const [path, text] = each.example;
    const [, name] = /«(\w+)»/.exec(text) ?? [];
    const files = { ...config, 'package.json': manifest(each.packages?.slice(0, 1) ?? null), [path]: text };
    expect(askedAbout('convention_name', files)).toEqual([`${path}: ${name}`]);
  });

  test.each([
    ['another file', 'src/a.ts', 'export const «metadata» = { title: "x" };'],
    ['another name', 'app/page.tsx', 'export const «helper» = 1;'],
    [
      'a local of a configuration file',
      'vite.config.ts',
      'const «make» = () => []; export default { plugins: make() };',
    ],
    ['a key of what is not exported', 'vite.config.ts', 'const o = { «a»: 1 }; const x = o.a; export default [x];'],
    ['a handler somewhere', 'src/a.ts', 'export const «handler» = () => 1;'],
    ['keys of an object that is exported by name', 'src/conf.ts', 'export const settings = { «level»: 1 };'],
    ['a default export that serves nothing', 'src/a.ts', 'export default { «level»: 1 };'],
  ])('M9 not: %s', (_, path, text) => {
    expect(askedAbout('convention_name', { ...config, 'package.json': manifest(null), [path]: text })).toEqual([]);
  });

  test.each([
    ['through a function', 'export default () => ({ test: { «environment»: "node" } });'],
    ['through a call', 'declare function define<T>(t: T): T; export default define({ test: { «environment»: 1 } });'],
    ['through a variable', 'const c = { «plugins»: [] as string[] }; export default c;'],
    ['in a list', 'const c = [{ «rules»: {} }]; export default c;'],
    ['through a function of its own', 'export default function make() { return { «plugins»: [] as string[] }; }'],
  ])('M9 keys of a configuration %s', (_, text) => {
    expect(askedAbout('convention_name', { ...config, 'vite.config.ts': text })).toHaveLength(1);
  });
});
