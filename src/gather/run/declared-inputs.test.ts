import { expect, test } from 'vitest';
import { isAuthoredPath } from '../data-dir.ts';
import { CacheKeyError, parseDeclaredInput, specialTokens } from './declared-inputs.ts';

test.each([
  ['Dockerfile', { kind: 'literal', path: 'Dockerfile' }],
  ['src/**/*.ts', { kind: 'glob', glob: 'src/**/*.ts' }],
  ['names:**/*', { kind: 'names', glob: '**/*' }],
  ['user:skills/**', { kind: 'user', glob: 'skills/**' }],
  ['config:slo.files', { kind: 'config', key: 'slo.files', glob: null }],
  ['config:semgrep.config:**/*.yml', { kind: 'config', key: 'semgrep.config', glob: '**/*.yml' }],
  ['.codegenie/notes/**/*.md', { kind: 'authored', glob: '.codegenie/notes/**/*.md' }],
  ['.codegenie/exceptions.yaml', { kind: 'authored', glob: '.codegenie/exceptions.yaml' }],
] as const)('%s', (pattern, parsed) => {
  expect(parseDeclaredInput(pattern)).toEqual(parsed);
});

test('every token is known, and any other is an error that names itself', () => {
  for (const token of specialTokens)
    expect(parseDeclaredInput(`${token}:<resolved>`)).toEqual({ kind: 'token', token });
  expect(() => parseDeclaredInput('moon-phase:<resolved>')).toThrow(CacheKeyError);
  expect(() => parseDeclaredInput('moon-phase:<resolved>')).toThrow('unknown_special_token: moon-phase');
});

test.each([
  '/etc/passwd',
  '../x',
  'a/../../x',
  '.git',
  '.git/config',
  '.codegenie/cache/x',
  '.codegenie/context/raw/*',
  'config:no.such.key',
  'config:toString',
])('no probe may declare %s', (pattern) => {
  expect(() => parseDeclaredInput(pattern)).toThrow();
});

test('what a person writes below the data dir is told from what is derived', () => {
  const authored = ['config.yaml', 'notes/a.md', 'skills/a/SKILL.md', 'conventions/a.yaml', 'task-classes/a.yaml'];
  const derived = [
    'cache/hashes',
    'context/repo-context.yaml',
    'logs/a.jsonl',
    'notes',
    'config.yaml.tmp',
    'run/gather.lock',
  ];
  expect(authored.filter((path) => !isAuthoredPath(`.codegenie/${path}`))).toEqual([]);
  expect(derived.filter((path) => isAuthoredPath(`.codegenie/${path}`))).toEqual([]);
});
