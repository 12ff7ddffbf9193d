/** 40: key injectivity. Parts that differ anywhere give keys that differ; a part cannot imitate the boundary to the next. */

import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { defineProbe } from '../contract.ts';
import { cacheKey, type KeyParts, keyPartNames, keyParts } from './cache-key.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', '\n', 'a=b', 'a=b\nc=d', '\0\0\0\u0001', 'codegenie/probe-key/4'),
);
const parts = fc.record(Object.fromEntries(keyPartNames.map((name) => [name, text]))) as fc.Arbitrary<KeyParts>;
const equal = (a: KeyParts, b: KeyParts) => keyPartNames.every((name) => a[name] === b[name]);

test('G40 distinct parts have distinct keys, equal parts the same', () => {
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(cacheKey(a) === cacheKey(b)).toBe(equal(a, b));
      expect(cacheKey({ ...a })).toBe(cacheKey(a));
    }),
    { numRuns: 500 },
  );
});

test('G40 one part changed, by however little, changes the key', () => {
  fc.assert(
    fc.property(parts, fc.constantFrom(...keyPartNames), text, (a, name, value) => {
      const b = { ...a, [name]: value };
      expect(cacheKey(a) === cacheKey(b)).toBe(equal(a, b));
    }),
    { numRuns: 500 },
  );
});

test('G40 text moved from the end of one part to the start of the next changes the key', () => {
  const names = keyPartNames.slice(0, -1).map((name, index) => [name, keyPartNames[index + 1] ?? name] as const);
  fc.assert(
    fc.property(parts, fc.constantFrom(...names), fc.string({ minLength: 1 }), (a, [left, right], moved) => {
      const before = { ...a, [left]: a[left] + moved };
      const after = { ...a, [right]: moved + a[right] };
      expect(cacheKey(before)).not.toBe(cacheKey(after));
    }),
    { numRuns: 300 },
  );
});

const probe = (more: { taskSensitive?: boolean; platformSensitive?: boolean }) =>
  defineProbe({
    name: 'x',
    version: '1.0.0',
    layer: 'A',
    says: 'x',
    heaviness: 'light',
    sections: {},
    declaredInputs: [],
    timeoutSeconds: 1,
    confidenceRule: 'x',
    catalogs: ['b', 'a'],
    run: async () => ({ kind: 'skipped', reason: 'not_applicable' }),
    ...more,
  });
const given = {
  inputsDigest: '',
  config: {},
  task: { type: 'general', options: {} },
  tools: [],
  catalogHashes: { a: '1', b: '2' },
  tokens: [],
  upstream: [],
  platform: 'linux-x64',
};

test('task and platform are in the key of those alone that are sensitive to them', () => {
  expect(keyParts({ ...given, probe: probe({}) })).toMatchObject({ task: '', platform: '' });
  const sensitive = keyParts({ ...given, probe: probe({ taskSensitive: true, platformSensitive: true }) });
  expect(sensitive).toMatchObject({ task: '{"options":{},"type":"general"}', platform: 'linux-x64' });
});

test('tools, catalogs and config do not depend on the order they are given in; tokens and upstreams keep theirs', () => {
  const tool = (name: string) => ({ name, version: '1', path: null });
  const of = (more: Partial<typeof given>) => cacheKey(keyParts({ ...given, ...more, probe: probe({}) }));
  expect(of({ tools: [tool('a'), tool('b')] as never })).toBe(of({ tools: [tool('b'), tool('a')] as never }));
  expect(of({ config: { a: 1, b: 2 } as never })).toBe(of({ config: { b: 2, a: 1 } as never }));
  expect(
    of({
      tokens: [
        ['a', '1'],
        ['b', '2'],
      ] as never,
    }),
  ).not.toBe(
    of({
      tokens: [
        ['b', '2'],
        ['a', '1'],
      ] as never,
    }),
  );
});

test('G40 whatever an answer can depend on changes the key: names, versions, hashes, values, one at a time', () => {
  const tool = { name: 'rg', version: '1', path: null };
  const sensitive = probe({ taskSensitive: true, platformSensitive: true });
  const base = {
    ...given,
    probe: { ...sensitive, sectionVersions: { a: '1.0.0' } },
    config: { a: 1 },
    task: { type: 'general', options: { a: true } },
    tools: [tool],
    tokens: [['t', '1']],
    upstream: [['p', 'd1']],
  } as Parameters<typeof keyParts>[0];
  const others: Readonly<Record<string, Partial<typeof base>>> = {
    'name of the probe': { probe: { ...base.probe, name: 'y' } },
    'version of the probe': { probe: { ...base.probe, version: '1.0.1' } },
    'version of a section': { probe: { ...base.probe, sectionVersions: { a: '1.1.0' } } },
    'name of a section': { probe: { ...base.probe, sectionVersions: { b: '1.0.0' } } },
    'a further catalog': { probe: { ...base.probe, catalogs: ['a', 'b', 'c'] } },
    inputs: { inputsDigest: 'x' },
    'value of a setting': { config: { a: 2 } },
    'name of a setting': { config: { b: 1 } },
    'type of the task': { task: { ...base.task, type: 'upgrade' } as typeof base.task },
    'option of the task': { task: { ...base.task, options: { a: false } } as typeof base.task },
    'version of a tool': { tools: [{ ...tool, version: '2' }] as typeof base.tools },
    'name of a tool': { tools: [{ ...tool, name: 'fd' }] as typeof base.tools },
    'hash of a catalog': { catalogHashes: { a: '1', b: '3' } },
    'value of a token': { tokens: [['t', '2']] },
    'name of a token': { tokens: [['u', '1']] },
    'digest of an upstream': { upstream: [['p', 'd2']] },
    'name of an upstream': { upstream: [['q', 'd1']] },
    platform: { platform: 'darwin-arm64' },
    'rules of redaction': { redaction: 'other' },
  };
  const keys = Object.entries(others).map(([what, more]) => [cacheKey(keyParts({ ...base, ...more })), what] as const);
  const usual = cacheKey(keyParts(base));
  expect(keys.filter(([key]) => key === usual).map(([, what]) => what)).toEqual([]);
  expect(new Map(keys).size).toBe(keys.length);
});
