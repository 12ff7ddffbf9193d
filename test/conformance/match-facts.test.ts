import { expect, test } from 'vitest';
import { type Answer, type CorpusFact, judgeFact } from '../../scripts/conformance/match-facts.ts';
import type { Json } from '../../src/kernel/base/json.ts';

function judge(
  [match, truth, accept]: readonly [CorpusFact['match'], Json, (readonly Json[])?],
  value: Json,
  id = 'x',
  state: Answer['state'] = value === null ? 'none' : 'known',
) {
  const about = { repo: 'a/b', id, scope: '.' };
  const fact: CorpusFact = { ...about, truth, match, ...(accept === undefined ? {} : { accept }) };
  return judgeFact(fact, { ...about, state, value, confidence: 'high', evidence: [] });
}

test('no answer is missing, except where nothing is right', () => {
  expect(judge(['equals', 'MIT'], null, 'licence', 'unknown')).toBe('missing');
  expect(judge(['equals', 'MIT'], null, 'licence', 'not_looked')).toBe('missing');
  expect(judge(['equals', 'MIT'], null, 'licence')).toBe('wrong');
  expect(judge(['absent', null], null, 'owners', 'unknown')).toBe('right');
  expect(judge(['absent', null], ['x'], 'owners')).toBe('wrong');
  expect(judge(['absent', null, [[8000]]], [8000], 'docker.ports')).toBe('right');
});

test.each<[string, Parameters<typeof judge>]>([
  ['letter case', [['equals', 'TypeScript'], 'typescript']],
  ['further keys', [['equals', { a: 1 }], { a: '1', b: 2 }]],
  ['a digest', [['equals', 'alpine:3'], 'alpine:3@sha256:00ff', 'docker.final_base']],
  ['the order of a licence', [['equals', 'MIT OR Unlicense'], 'Unlicense OR MIT', 'licence']],
  ['a manager without its version', [['equals', 'pnpm'], { name: 'pnpm', version: '10' }, 'package_manager']],
  [
    'the order of a matrix',
    [['equals', { os: ['a', 'b'], node: [20] }], { node: ['20'], os: ['b', 'a'] }, 'ci.matrix'],
  ],
  [
    'a set',
    [
      ['set', ['a', 'b']],
      ['b', 'a'],
    ],
  ],
  ['a service above its path', [['contains', ['ad@src/ad']], ['ad@src/ad/app', 'x@y'], 'services']],
  ['a glob that a file fits', [['contains', ['gen/*.go', 'web/**']], ['gen/a.go', 'web/x/y.ts'], 'generated_code']],
  ['a line one off', [['set', ['a.py:10']], ['a.py:11'], 'dynamic_code']],
  ['a part by whole words', [['contains', 'go test'], ['cd src && go test ./...'], 'ci.test_command']],
  [
    'the length of a list',
    [
      ['number', 2],
      ['a', 'b'],
    ],
  ],
  ['numbers by key', [['number', { runtime: 3 }], { runtime: 3, dev: 9 }]],
  ['pnpm run', [['command', { cmd: 'pnpm build', cwd: '.' }], { cmd: 'pnpm  run build', cwd: '.' }]],
  ['a changed directory', [['command', { cmd: 'pytest', cwd: 'api' }], { cmd: 'cd api && pytest', cwd: '.' }]],
  ['an accepted command', [['command', { cmd: 'x', cwd: 'api' }, ['y']], { cmd: 'y', cwd: 'api' }]],
  ['a framework by another name', [['contains', ['gorilla/mux']], ['github.com/gorilla/mux'], 'framework.production']],
])('right: %s', (_, given) => expect(judge(...given)).toBe('right'));

test.each<[string, Parameters<typeof judge>]>([
  ['another word that ends so', [['contains', 'go test'], ['cargo test'], 'ci.test_command']],
  [
    'a further element of a set',
    [
      ['set', ['a']],
      ['a', 'b'],
    ],
  ],
  ['bun test for bun run test', [['command', { cmd: 'bun run test', cwd: '.' }], { cmd: 'bun test', cwd: '.' }]],
  ['another directory', [['command', { cmd: 'pytest', cwd: 'api' }], { cmd: 'pytest', cwd: '.' }]],
  ['a longer form of a forbidden command', [['absent', ['make lint']], ['make lint FIX=1'], 'validation.safe']],
  ['two lines off', [['set', ['a.py:10']], ['a.py:12'], 'dynamic_code']],
  ['the version of a manager', [['equals', { name: 'pnpm', version: '10' }], 'pnpm', 'package_manager']],
  ['an entry point that differs', [['equals', { cmd: ['a'] }], { cmd: ['b'] }, 'docker.entrypoint']],
])('wrong: %s', (_, given) => expect(judge(...given)).toBe('wrong'));
