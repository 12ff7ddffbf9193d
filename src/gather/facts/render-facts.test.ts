import { expect, test } from 'vitest';
import type { Fact } from './fact.ts';
import { valueWords } from './render-facts.ts';

const said = (value: Fact['value']) => valueWords({ state: 'known', value, how: 'declared' });

test('G41 where one of several things ends is seen', () => {
  expect(said([{ python: '3.14' }, { name: 'Mac', os: 'macos' }])).toBe('{python 3.14}, {name Mac, os macos}');
  expect(said({ node: [20, 22], os: ['linux'] })).toBe('node 20, 22; os linux');
  expect(said({ include: [{ os: 'mac', extra: 1 }], node: [24] })).toBe('include {os mac, extra 1}; node 24');
  expect(said({ tags: ['', '-race'] })).toBe('tags "", -race');
  expect(said({ runtime: 6, dev: 20 })).toBe('runtime 6, dev 20');
  expect(said({ cmd: 'uv build', cwd: 'api' })).toBe('uv build (in api)');
});
