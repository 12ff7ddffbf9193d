import { describe, expect, test } from 'vitest';
import { discoveryWorld, emptyFiles } from '../../../test/support/discover.ts';
import type { Json } from '../../kernel/base/json.ts';
import { discoverWithProblems } from './discover-contexts.ts';

const tree = {
  'a/tsconfig.json': {},
  'b/tsconfig.json': {},
  ...emptyFiles('a/a.ts', 'b/b.ts', 'c.js'),
};
const plain = ['+ts-loose:.', '+ts:a/tsconfig.json', '+ts:b/tsconfig.json'];

function check(pinned: Json | undefined): {
  readonly contexts: readonly string[];
  readonly problems: readonly string[];
} {
  const { contexts, problems } = discoverWithProblems(discoveryWorld(tree, {}, pinned));
  return { contexts: contexts.map(({ key, enabled }) => `${enabled ? '+' : '-'}${key}`), problems };
}

describe('.codegenie/contexts.json', () => {
  test('nothing said, nothing changed', () => {
    expect(check(undefined)).toEqual({ contexts: plain, problems: [] });
    expect(check({ version: 1 })).toEqual({ contexts: plain, problems: [] });
  });

  test('pins: the others are off', () => {
    expect(check({ version: 1, pin: ['ts:a/tsconfig.json'] })).toEqual({
      contexts: ['-ts-loose:.', '+ts:a/tsconfig.json', '-ts:b/tsconfig.json'],
      problems: [],
    });
  });

  test('disables, renames, and sorts by the new name', () => {
    const contexts = [
      { key: 'ts:b/tsconfig.json', name: 'api' },
      { key: 'ts-loose:.', disabled: true },
      { key: 'ts:a/tsconfig.json', indexer: 'scip-typescript' },
    ];
    expect(check({ version: 1, contexts })).toEqual({
      contexts: ['+api', '-ts-loose:.', '+ts:a/tsconfig.json'],
      problems: [],
    });
  });

  test('a renamed context is pinned by the key it was found under', () => {
    const contexts = [{ key: 'ts:a/tsconfig.json', name: 'a' }];
    expect(check({ version: 1, pin: ['ts:a/tsconfig.json'], contexts }).contexts).toContain('+a');
  });

  test.each<[string, Json, string]>([
    ['an unknown key', { version: 1, context: [] }, 'Unrecognized key'],
    ['an unknown key of an entry', { version: 1, contexts: [{ key: 'ts-loose:.', enable: true }] }, 'contexts.0'],
    ['another version', { version: 2 }, 'version'],
    ['no version', {}, 'version'],
    ['a name with a colon', { version: 1, contexts: [{ key: 'ts-loose:.', name: 'ts:x' }] }, 'contexts.0.name'],
    ['an unknown indexer', { version: 1, contexts: [{ key: 'ts-loose:.', indexer: 'ctags' }] }, 'contexts.0.indexer'],
    ['a list', [], 'expected object'],
    ['no JSON', '{ "version": 1,', 'cannot be read in line 1'],
    ['nothing', '', 'cannot be read'],
  ])('%s is an error, and then the file changes nothing', (_, pinned, says) => {
    const { contexts, problems } = check(pinned);
    expect(contexts).toEqual(plain);
    expect(problems).toEqual([expect.stringContaining(says)]);
    expect(problems[0]).toMatch(/^\.codegenie\/contexts\.json/);
  });

  test('entries that cannot be are named, the others hold', () => {
    const contexts = [
      { key: 'ts:nowhere/tsconfig.json', disabled: true },
      { key: 'ts:a/tsconfig.json', name: 'x', disabled: true },
      { key: 'ts:b/tsconfig.json', name: 'x', indexer: 'scip-go' },
      { key: 'ts:b/tsconfig.json', disabled: true },
    ];
    expect(check({ version: 1, pin: ['ts:a/tsconfig.json', 'ts:b/tsconfig.json', 'go:go.mod'], contexts })).toEqual({
      contexts: ['-ts-loose:.', '+ts:b/tsconfig.json', '-x'],
      problems: [
        '.codegenie/contexts.json: there is no context "go:go.mod"',
        '.codegenie/contexts.json: there is no context "ts:nowhere/tsconfig.json"',
        '.codegenie/contexts.json: scip-go cannot read the files of "ts:b/tsconfig.json"',
        '.codegenie/contexts.json: two contexts are named "x"',
        '.codegenie/contexts.json: "ts:b/tsconfig.json" is there twice',
      ],
    });
  });
});
