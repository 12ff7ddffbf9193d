import { expect, test } from 'vitest';
import { z } from '../../kernel/base/schema.ts';
import { namedOnly } from '../contract.ts';
import { redactJsonValue, schemaNamedOnlyPaths } from './redact-json.ts';
import { createSanitiser } from './sanitise.ts';

const hash = namedOnly(z.string());

test('a mark is found through every wrapper', () => {
  const schema = z.strictObject({
    plain: z.string(),
    direct: hash,
    optional: hash.optional(),
    nullable: namedOnly(z.string().nullable()),
    filled: hash.default('x'),
    caught: hash.catch('x'),
    fixed: hash.readonly(),
    refined: namedOnly(z.string()).min(1),
    lazy: z.lazy(() => hash),
  });
  const names = ['direct', 'optional', 'nullable', 'filled', 'caught', 'fixed', 'refined', 'lazy'];
  const value = Object.fromEntries(['plain', ...names].map((name) => [name, 'x']));
  expect(schemaNamedOnlyPaths(schema, value)).toEqual(names.map((name) => `/${name}`));
});

test('a mark is found in arrays, tuples, records and catch-alls, and nowhere beside them', () => {
  const schema = z.strictObject({
    list: z.array(z.strictObject({ hash, name: z.string() })),
    pair: z.tuple([z.string(), hash]),
    rest: z.tuple([z.string()], hash),
    map: z.record(z.string(), hash),
    loose: z.object({ name: z.string() }).catchall(hash),
    both: z.intersection(z.object({ a: hash }), z.object({ b: z.string() })),
  });
  const value = {
    list: [{ hash: '1', name: '2' }],
    pair: ['1', '2'],
    rest: ['1', '2', '3'],
    map: { 'a/b': '1' },
    loose: { name: '1', other: '2' },
    both: { a: '1', b: '2' },
  };
  expect(schemaNamedOnlyPaths(schema, value)).toEqual([
    '/list/0/hash',
    '/pair/1',
    '/rest/1',
    '/rest/2',
    '/map/a~1b',
    '/loose/other',
    '/both/a',
  ]);
});

test('one marked option of a union is enough', () => {
  const schema = z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('a'), text: hash }),
      z.strictObject({ kind: z.literal('b'), text: z.string(), other: z.string() }),
    ]),
  );
  expect(schemaNamedOnlyPaths(schema, [{ kind: 'b', text: 'x', other: 'y' }])).toEqual(['/0/text']);
});

test('a marked container exempts all that it holds; recursion ends', () => {
  expect(schemaNamedOnlyPaths(namedOnly(z.array(z.json())), ['a', { b: ['c'] }])).toEqual(['/0', '/1/b/0']);
  type Tree = { hash: string; children: Tree[] };
  const tree: z.ZodType<Tree> = z.lazy(() => z.strictObject({ hash, children: z.array(tree) }));
  expect(schemaNamedOnlyPaths(tree, { hash: '1', children: [{ hash: '2', children: [] }] })).toEqual([
    '/hash',
    '/children/0/hash',
  ]);
  expect(schemaNamedOnlyPaths(z.json(), ['a'])).toEqual([]);
});

test('P8 secrets are looked for before paths are shortened, and an address is no path', () => {
  const sanitise = createSanitiser({ root: '/work/a', home: '/ann', workspace: null });
  const redacted = redactJsonValue({ url: 'mysql://ann:Wv4k9@db/shop', path: '/ann/x' }, { sanitise });
  expect(redacted.value).toEqual({ url: 'mysql://ann:<REDACTED:fingerprint=00000000>@db/shop', path: '~/x' });
});

test('P8 a list is read as a command, also where its program stands beside it', () => {
  const sanitise = (text: string) => text;
  const value = { program: 'curl', args: ['-u', 'admin:Wv4k9'], other: ['run', '-u', '1000:1000', '--token', 'Wv4k9'] };
  expect(redactJsonValue(value, { sanitise }).value).toEqual({
    program: 'curl',
    args: ['-u', 'admin:<REDACTED:fingerprint=00000000>'],
    other: ['run', '-u', '1000:1000', '--token', '<REDACTED:fingerprint=00000000>'],
  });
});
