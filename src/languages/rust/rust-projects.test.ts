import { expect, test } from 'vitest';
import { discoveryWorldOf, emptyFiles } from '../../../test/support/discovery-world.ts';
import discoverRust from './rust-projects.ts';

const crateOf = (name: string, more = ''): string => `[package]\nname = "${name}"\nversion = "0.1.0"\n${more}`;
const membersByKey = (files: Record<string, string>, targets: Record<string, readonly string[]> = {}) =>
  Object.fromEntries(discoverRust(discoveryWorldOf(files, targets)).map(({ key, members }) => [key, members]));

test('a workspace is one context with its members, by list, by path and by their own word; other crates are their own', () => {
  const files = {
    ...emptyFiles('crates/a/src/lib.rs', 'crates/b/src/main.rs', 'tools/t/src/lib.rs', 'extra/e/src/lib.rs'),
    ...emptyFiles('excluded/x/src/lib.rs', 'alone/src/lib.rs'),
    'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nexclude = ["excluded", "alone"]\n',
    'crates/a/Cargo.toml': crateOf('acme-a', '[dependencies]\nt = { path = "../../tools/t" }\n'),
    'crates/b/Cargo.toml': crateOf('b'),
    'tools/t/Cargo.toml': crateOf('t'),
    'extra/e/Cargo.toml': crateOf('e', 'workspace = "../.."\n'),
    'excluded/x/Cargo.toml': crateOf('x'),
    'alone/Cargo.toml': crateOf('alone'),
  };
  expect(membersByKey(files)).toEqual({
    'rust:Cargo.toml': ['crates/a/src/lib.rs', 'crates/b/src/main.rs', 'extra/e/src/lib.rs', 'tools/t/src/lib.rs'],
    'rust:alone/Cargo.toml': ['alone/src/lib.rs'],
    'rust:excluded/x/Cargo.toml': ['excluded/x/src/lib.rs'],
  });
  const [workspace] = discoverRust(discoveryWorldOf(files));
  expect(workspace).toMatchObject({ root: '', configPath: 'Cargo.toml', problem: null });
  expect(workspace?.config).toEqual({
    manifest: 'Cargo.toml',
    crates: [
      { directory: 'crates/a', name: 'acme_a' },
      { directory: 'crates/b', name: 'b' },
      { directory: 'extra/e', name: 'e' },
      { directory: 'tools/t', name: 't' },
    ],
  });
});

test('a nested workspace is its own', () => {
  const files = {
    ...emptyFiles('src/lib.rs', 'in/src/lib.rs', 'in/sub/src/lib.rs'),
    'Cargo.toml': crateOf('out', '[workspace]\nmembers = ["**"]\nexclude = ["in"]\n'),
    'in/Cargo.toml': crateOf('in', '[workspace]\nmembers = ["sub"]\n'),
    'in/sub/Cargo.toml': crateOf('sub'),
  };
  expect(membersByKey(files)).toEqual({
    'rust:Cargo.toml': ['src/lib.rs'],
    'rust:in/Cargo.toml': ['in/src/lib.rs', 'in/sub/src/lib.rs'],
  });
});

test('members are module trees: roots by layout and by name, what they reach, and the source directory', () => {
  const files = {
    ...emptyFiles('src/lib.rs', 'src/a.rs', 'src/hidden/in_macro.rs', 'src/bin/tool.rs', 'build.rs', 'odd/root.rs'),
    ...emptyFiles('tests/it.rs', 'tests/common/mod.rs', 'tests/ui/broken.rs', 'examples/e.rs', 'generated/g.rs'),
    'Cargo.toml': crateOf('acme', '[[bin]]\nname = "odd"\npath = "odd/root.rs"\n'),
  };
  const targets = { 'tests/it.rs': ['tests/common/mod.rs', 'src/lib.rs'], 'src/a.rs': ['generated/g.rs'] };
  expect(membersByKey(files, targets)['rust:Cargo.toml']).toEqual([
    'build.rs',
    'examples/e.rs',
    'generated/g.rs',
    'odd/root.rs',
    'src/a.rs',
    'src/bin/tool.rs',
    'src/hidden/in_macro.rs',
    'src/lib.rs',
    'tests/common/mod.rs',
    'tests/it.rs',
  ]);
});

test('manifests of all members and the lockfile decide the configuration', () => {
  const files = {
    ...emptyFiles('a/src/lib.rs'),
    'Cargo.toml': '[workspace]\nmembers = ["a"]\n',
    'a/Cargo.toml': crateOf('a'),
  };
  const inputsOf = (more: Record<string, string>) =>
    JSON.stringify(discoverRust(discoveryWorldOf({ ...files, ...more }))[0]?.configInputs);
  const before = inputsOf({});
  expect(inputsOf({ 'a/Cargo.toml': crateOf('a', 'edition = "2021"\n') })).not.toBe(before);
  expect(inputsOf({ 'Cargo.lock': 'x' })).not.toBe(before);
  expect(inputsOf({ 'rust-toolchain.toml': 'x' })).not.toBe(before);
  expect(inputsOf({ 'a/src/lib.rs': 'fn x() {}' })).toBe(before);
});

test('what cargo would refuse is a problem, said before anything runs', () => {
  const stray = {
    ...emptyFiles('a/src/lib.rs', 'stray/src/lib.rs'),
    'Cargo.toml': '[workspace]\nmembers = ["a"]\n',
    'a/Cargo.toml': crateOf('a'),
    'stray/Cargo.toml': crateOf('stray'),
    'broken/Cargo.toml': '[package\n',
  };
  expect(
    Object.fromEntries(discoverRust(discoveryWorldOf(stray)).map(({ key, problem }) => [key, problem !== null])),
  ).toEqual({ 'rust:Cargo.toml': false, 'rust:stray/Cargo.toml': true, 'rust:broken/Cargo.toml': true });
});
