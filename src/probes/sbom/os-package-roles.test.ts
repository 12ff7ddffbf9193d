import { valid } from 'semver';
import { expect, test } from 'vitest';
import { osPackageRolesCatalog } from './os-package-roles.ts';

const { version, buildOnly, convenience } = osPackageRolesCatalog;

test('no package has two roles, none is named twice, and no name carries a version', () => {
  const names = [...buildOnly.names, ...convenience.names];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /-\d+(\.\d+)*$/.test(name) || !/^[a-z0-9][a-z0-9+.-]*$/.test(name))).toEqual([]);
  expect(valid(version)).toBe(version);
});

test('the packages that the reference names are there', () => {
  expect(buildOnly.names).toEqual(expect.arrayContaining(['gcc', 'make']));
  expect(buildOnly.suffixes).toContain('-dev');
  expect(convenience.names).toEqual(expect.arrayContaining(['curl', 'vim', 'jq']));
});
