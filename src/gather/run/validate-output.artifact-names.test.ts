import { expect, test } from 'vitest';
import { artifactMatches, isSafeArtifactName } from './validate-output.ts';

test('a pattern is a leaf, a prefix with a star, or a directory', () => {
  expect(artifactMatches('scip.json', 'scip.json')).toBe(true);
  expect(artifactMatches('scip.json', 'scip.json5')).toBe(false);
  expect(artifactMatches('runtime-trace-*.strace', 'runtime-trace-startup.strace')).toBe(true);
  expect(artifactMatches('runtime-trace-*.strace', 'runtime-trace-.strace')).toBe(false);
  expect(artifactMatches('runtime-trace-*.strace', 'runtime-trace-a/b.strace')).toBe(false);
  expect(artifactMatches('aa-*-aa', 'aa-aa')).toBe(false);
  expect(artifactMatches('docs/', 'docs/a/b.md')).toBe(true);
  expect(artifactMatches('docs/', 'docs/')).toBe(false);
  expect(artifactMatches('docs/', 'docsx')).toBe(false);
});

test('G28 a name cannot leave its directory, hide, or pass for a flag', () => {
  for (const name of ['a.json', 'docs/a-b_c.md', 'runtime-trace-x.strace']) expect(isSafeArtifactName(name)).toBe(true);
  for (const name of [
    '',
    '/a',
    '../a',
    'a/../b',
    'a//b',
    'a/',
    './a',
    '.hidden',
    '-flag',
    'a\\b',
    'a\nb',
    'a\0',
    'é',
    'a'.repeat(256),
  ]) {
    expect(isSafeArtifactName(name)).toBe(false);
  }
});
