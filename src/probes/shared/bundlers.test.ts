import { expect, test } from 'vitest';
import { findBundlers } from './bundlers.ts';

const of = (names: string[], build?: string) =>
  findBundlers([
    {
      devDependencies: Object.fromEntries(names.map((name) => [name, '*'])),
      ...(build === undefined ? {} : { scripts: { build } }),
    },
  ]);

test('the one that the build script calls is the bundler', () => {
  expect(of(['vite', 'esbuild', 'react'], 'tsc && esbuild src/index.ts')).toEqual({
    bundler: 'esbuild',
    bundlers: ['esbuild', 'vite'],
  });
});

test('otherwise the most specific one; none is null', () => {
  expect(of(['esbuild', 'tsup']).bundler).toBe('tsup');
  expect(of(['@rspack/core', '@rspack/cli']).bundlers).toEqual(['rspack']);
  expect(of(['typescript'], 'tsc')).toEqual({ bundler: null, bundlers: [] });
});
