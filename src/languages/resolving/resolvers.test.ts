import { expect, test } from 'vitest';
import { filesOf } from '../../../test/support/check-resolve.ts';
import { requestOf, worldOf } from '../../../test/support/resolve-world.ts';
import { languages } from '../registry.gen.ts';
import { resolvers } from './resolvers.gen.ts';
import { createResolver } from './resolvers.ts';

test('S4: every language with imports has a resolver', () => {
  expect(Object.keys(resolvers).sort()).toEqual(languages.map(({ name }) => name).sort());
});

test('S4: a language without a resolver gets a reason, whatever it is called', () => {
  const resolve = createResolver(worldOf({}));
  for (const language of [null, 'cobol', 'constructor', '__proto__']) {
    expect(resolve(language, 'x', requestOf('y'))).toEqual({
      targets: [],
      reason: 'not_found',
      external: null,
      candidates: [],
    });
  }
});

test.each(Object.keys(resolvers))('S4: %s answers a dynamic, an empty and an absurd request', (language) => {
  const resolve = createResolver(worldOf(filesOf('a/b')));
  expect(resolve(language, 'a/b', requestOf('f(x)', { literal: false })).reason).toBe('dynamic');
  for (const specifier of [
    '',
    '/',
    '.',
    '..',
    '\0',
    '\\',
    '::',
    '*',
    'a'.repeat(1 << 20),
    '../'.repeat(5000),
    'a/'.repeat(2000),
  ]) {
    const { targets, reason, candidates } = resolve(language, 'a/b', requestOf(specifier));
    expect(targets.length === 0).toBe(reason !== null);
    expect(candidates.length).toBeLessThanOrEqual(64);
  }
});
