import { expect, test } from 'vitest';
import { parseJsonc } from '../../kernel/formats/parse-json.ts';
import { parseToml } from '../../kernel/formats/toml.ts';
import { parseXml } from '../../kernel/formats/xml.ts';
import { parseYamlObject } from '../../kernel/formats/yaml.ts';
import { manifestLimits } from '../shared/probe-reading.ts';
import { type ManifestFiles, readWorkspaces } from './workspaces.ts';

function filesOf(texts: Readonly<Record<string, string>>): ManifestFiles {
  const bytes = (path: string) => new TextEncoder().encode(texts[path]);
  return {
    paths: Object.keys(texts).sort(),
    has: (path) => path in texts,
    async object(path) {
      if (!(path in texts)) return null;
      const parse = path.endsWith('.toml') ? parseToml : /ya?ml$/.test(path) ? parseYamlObject : parseJsonc;
      const read = parse(bytes(path), manifestLimits);
      return read.ok ? read.value : null;
    },
    text: async (path) => texts[path] ?? null,
    async xml(path) {
      const read = parseXml(bytes(path), manifestLimits);
      return read.ok ? read.value : null;
    },
  };
}

/** What declares it, its members; `…` where some are computed. */
async function check(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found = await readWorkspaces(filesOf(texts), () => false);
  return found.map(
    ({ tool, declared_in: path, members, complete }) => `${tool} ${path}: ${members.join(' ')}${complete ? '' : ' …'}`,
  );
}

const empty = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, '']));
const node = (...dirs: readonly string[]) => Object.fromEntries(dirs.map((dir) => [`${dir}/package.json`, '{}']));

test('Node: pnpm reads its own file alone, lerna is the last; Rush and Deno name directories', async () => {
  const packages = node('packages/a', 'packages/b', 'old/c', 'packages/a/node_modules/x');
  const root = { 'package.json': '{"workspaces":["old/*"]}' };
  expect(await check({ ...packages, ...root })).toEqual(['node package.json: old/c']);
  expect(
    await check({ ...packages, ...root, 'pnpm-workspace.yaml': "packages:\n  - 'packages/**'\n  - '!**/b'\n" }),
  ).toEqual(['pnpm pnpm-workspace.yaml: packages/a']);
  expect(await check({ ...packages, 'package.json': '{}', 'lerna.json': '{"packages":["packages/*"]}' })).toEqual([
    'lerna lerna.json: packages/a packages/b',
  ]);
  expect(await check({ ...packages, 'rush.json': '{"projects":[{"projectFolder":"old/c"}] /* x */}' })).toEqual([
    'rush rush.json: old/c',
  ]);
  expect(await check({ 'deno.json': '{"workspace":["./a"]}', 'a/deno.jsonc': '{}' })).toEqual(['deno deno.json: a']);
});

test('Go and Python', async () => {
  const modules = empty('go.mod', 'api/go.mod', 'cli/go.mod');
  expect(await check({ ...modules, 'go.work': 'go 1.25\n\nuse (\n\t.\n\t./api // x\n)\nuse ./cli\n' })).toEqual([
    'go go.work: api cli',
  ]);
  const members = empty('libs/a/pyproject.toml', 'libs/b/pyproject.toml', 'libs/no/readme');
  expect(
    await check({ ...members, 'pyproject.toml': '[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/b"]\n' }),
  ).toEqual(['uv pyproject.toml: libs/a']);
});

test('Maven follows modules of modules; a workspace below the root declares its own', async () => {
  const pom = (...modules: readonly string[]) =>
    `<project><modules>${modules.map((one) => `<module>${one}</module>`).join('')}</modules></project>`;
  expect(
    await check({
      'pom.xml': pom('core', 'ext', 'gone'),
      'core/pom.xml': pom(),
      'ext/pom.xml': pom('../x'),
      'x/pom.xml': pom(),
    }),
  ).toEqual(['maven ext/pom.xml: x', 'maven pom.xml: core ext x']);
});

test('Gradle: literals are members, a moved project lies elsewhere, what is computed makes the list incomplete', async () => {
  const files = empty('app/build.gradle', 'lib/core/build.gradle', 'elsewhere/build.gradle');
  const settings = (text: string) => check({ ...files, 'settings.gradle.kts': text });
  expect(await settings('include(":app",\n  ":lib:core") // ":no"\n/* include(":elsewhere") */')).toEqual([
    'gradle settings.gradle.kts: app lib/core',
  ]);
  expect(await settings("include 'app', 'moved'\nproject(':moved').projectDir = file('elsewhere')\n")).toEqual([
    'gradle settings.gradle.kts: app elsewhere',
  ]);
  expect(await settings("include 'app'\ndirs.each { d ->\n  include d.name\n}\n")).toEqual([
    'gradle settings.gradle.kts: app …',
  ]);
  expect(await settings('rootProject.name = "one"\nincludeBuild("build-logic")\n')).toEqual([]);
});

test('.NET, PHP, Elixir and Dart', async () => {
  const projects = empty('src/A/A.csproj', 'tests/A.Tests/A.Tests.csproj');
  expect(
    await check({
      ...projects,
      'All.slnx': '<Solution><Folder><Project Path="src\\A\\A.csproj"/></Folder></Solution>',
    }),
  ).toEqual(['dotnet All.slnx: src/A']);
  expect(
    await check({
      ...projects,
      'All.sln': 'Project("{1}") = "A", "src\\A\\A.csproj", "{2}"\r\nProject("{1}") = "docs", "docs", "{3}"\r\n',
    }),
  ).toEqual(['dotnet All.sln: src/A']);
  expect(
    await check({
      'composer.json': '{"repositories":[{"type":"path","url":"packages/*"}]}',
      'packages/a/composer.json': '{}',
    }),
  ).toEqual(['composer composer.json: packages/a']);
  expect(await check({ 'mix.exs': '  apps_path: "apps",\n', 'apps/a/mix.exs': '' })).toEqual(['mix mix.exs: apps/a']);
  expect(await check({ 'pubspec.yaml': 'workspace:\n  - pkgs/a\n', 'pkgs/a/pubspec.yaml': 'name: a\n' })).toEqual([
    'dart pubspec.yaml: pkgs/a',
  ]);
});

test('P9: unclosed comments and blocks answer', async () => {
  const long = '/*'.repeat(100_000);
  expect(await check({ 'settings.gradle': long, 'go.work': `use (\n${'use (\n'.repeat(20_000)}` })).toEqual([]);
});
