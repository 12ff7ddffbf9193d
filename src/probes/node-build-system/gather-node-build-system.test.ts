import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/base/json.ts';
import { findBundlers, renderCompilerOptions } from './gather-node-build-system.ts';

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

test('known options in name order, aliases and plugins as lists, the rest only counted', () => {
  const { shown, unknown } = renderCompilerOptions({
    target: 'es2022',
    paths: { 'b/*': ['x'], a: ['y', { deep: true }] },
    plugins: [{ name: 'next', password: 'x' }],
    lib: ['dom', 'es2022'],
    api_key: 'x',
    strict: { nested: 'x' },
  });
  expect(JSON.stringify(shown)).toBe(
    JSON.stringify({
      lib: ['dom', 'es2022'],
      paths: [
        { pattern: 'a', targets: ['y', null] },
        { pattern: 'b/*', targets: ['x'] },
      ],
      plugins: ['next'],
      strict: null,
      target: 'es2022',
    }),
  );
  expect(unknown).toBe(1);
});

test('G28 text is one short printable line', () => {
  const { shown } = renderCompilerOptions({ outDir: `a\n\u001b[31m\u202e${'x'.repeat(1000)}` });
  expect(shown['outDir']).toMatch(/^a \[31mx+…$/);
  expect((shown['outDir'] as string).length).toBe(300);
});

test('P9: neither __proto__ nor constructor becomes a key', () => {
  const hostile = JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}') as JsonObject;
  expect(renderCompilerOptions(hostile)).toEqual({ shown: {}, unknown: 2 });
});
