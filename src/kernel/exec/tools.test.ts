import { expect, test } from 'vitest';
import { parseVersion, toolNames, tools } from './tools.ts';

test('the allow-list is the one of the specification, and each name has its documented binary', () => {
  const names =
    'git node rg ast-grep gitleaks semgrep syft grype scip-typescript tsgo scip-python scip-go scip-java scip-clang scip-dotnet rust-analyzer docker podman strace bwrap';
  expect([...toolNames].sort()).toEqual(names.split(' ').sort());
  for (const name of toolNames) expect(tools[name].binary).toBe(name);
});

test('what reads the files of the repository only starts through the sandboxed function', () => {
  const plain = toolNames.filter((name) => tools[name].lane === 'allowlisted');
  expect(plain).toEqual(['git', 'node', 'docker', 'podman', 'strace', 'bwrap']);
});

test.each([
  ['git version 2.39.5', '2.39.5'],
  ['git version 2.47.1.windows.1', '2.47.1'],
  ['v24.21.0\n', '24.21.0'],
  ['ripgrep 13.0.0\n-SIMD -AVX (compiled)\n', '13.0.0'],
  ['Docker version 20.10.24+dfsg1, build 297e128', '20.10.24'],
  ['strace -- version 6.1\nCopyright (c) 1991-2022', '6.1.0'],
  ['bubblewrap 0.8.0', '0.8.0'],
  ['tool 1.2.0-rc.1', '1.2.0-rc.1'],
  ['version is set by build process', undefined],
  [`${'1'.repeat(50_000)}.`, undefined],
])('the version in %j', (text, version) => {
  expect(parseVersion(text)).toBe(version);
});

test('G16 hostile version output is parsed in linear time', () => {
  expect(parseVersion('1.'.repeat(50_000))).toBe('1.1.1');
  expect(parseVersion('9'.repeat(200_000))).toBeUndefined();
});
