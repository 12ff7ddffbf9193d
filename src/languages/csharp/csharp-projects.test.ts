import { expect, test } from 'vitest';
import { discoveryWorldOf, emptyFiles } from '../../../test/support/discovery-world.ts';
import discoverCSharp from './csharp-projects.ts';

const sdk = (items = ''): string => `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>${items}</ItemGroup></Project>`;
const solution = (...paths: readonly string[]): string =>
  `\ufeffMicrosoft Visual Studio Solution File\r\n${paths
    .map((path) => `Project("{FAE0}") = "X", "${path.replaceAll('/', '\\')}", "{1}"\r\nEndProject\r\n`)
    .join('')}`;
const found = (files: Record<string, string>) =>
  Object.fromEntries(discoverCSharp(discoveryWorldOf(files)).map(({ key, members }) => [key, members]));

test('a solution is one context with its projects; a project in none is its own', () => {
  const files = {
    ...emptyFiles('src/App/Main.cs', 'src/App/Deep/X.cs', 'src/Lib/L.cs', 'tools/T/T.cs', 'stray.cs'),
    'Acme.sln': solution('src/App/App.csproj', 'src/Lib/Lib.csproj', 'src/Gone/Gone.csproj', 'solution folder'),
    'src/App/App.csproj': sdk(),
    'src/Lib/Lib.csproj': sdk(),
    'tools/T/T.csproj': sdk(),
  };
  expect(found(files)).toEqual({
    'csharp:Acme.sln': ['src/App/Deep/X.cs', 'src/App/Main.cs', 'src/Lib/L.cs'],
    'csharp:tools/T/T.csproj': ['tools/T/T.cs'],
  });
  expect(discoverCSharp(discoveryWorldOf(files)).map(({ root, config }) => [root, config])).toEqual([
    ['', { solution: 'Acme.sln', projects: ['src/App/App.csproj', 'src/Lib/Lib.csproj'] }],
    ['tools/T', { solution: null, projects: ['tools/T/T.csproj'] }],
  ]);
});

test('XML solutions; a solution within a larger one gives no second context', () => {
  const files = {
    ...emptyFiles('a/A.cs', 'b/B.cs'),
    'all.slnx':
      '<Solution><Folder Name="/x/"><Project Path="a/a.csproj"/></Folder><Project Path="b\\b.csproj"/></Solution>',
    'a.sln': solution('a/a.csproj'),
    'a/a.csproj': sdk(),
    'b/b.csproj': sdk(),
  };
  expect(found(files)).toEqual({ 'csharp:all.slnx': ['a/A.cs', 'b/B.cs'] });
});

test('compile items: removed, linked from elsewhere, listed by older projects, defaults switched off', () => {
  const sources = emptyFiles('a/In.cs', 'a/Old/Out.cs', 'shared/S.cs', 'old/Listed.cs', 'old/Unlisted.cs', 'off/O.cs');
  expect(
    found({
      ...sources,
      'a/a.csproj': sdk('<Compile Remove="Old\\**"/><Compile Include="..\\shared\\*.cs" Link="S.cs"/>'),
      'old/old.csproj':
        '<Project ToolsVersion="15.0"><ItemGroup><Compile Include="Listed.cs;$(Gen)\\X.cs"/></ItemGroup></Project>',
      'off/off.csproj': `<Project Sdk="x"><PropertyGroup><EnableDefaultCompileItems>false</EnableDefaultCompileItems></PropertyGroup></Project>`,
    }),
  ).toEqual({ 'csharp:a/a.csproj': ['a/In.cs', 'shared/S.cs'], 'csharp:old/old.csproj': ['old/Listed.cs'] });
});

test('projects, the solution and what MSBuild reads above them decide the configuration', () => {
  const files = { ...emptyFiles('a/A.cs'), 'a/a.csproj': sdk(), 'x.sln': solution('a/a.csproj') };
  const inputsOf = (more: Record<string, string>) =>
    JSON.stringify(discoverCSharp(discoveryWorldOf({ ...files, ...more }))[0]?.configInputs);
  const before = inputsOf({});
  for (const path of ['Directory.Build.props', 'a/packages.lock.json', 'global.json', 'Directory.Packages.props']) {
    expect(inputsOf({ [path]: '{}' })).not.toBe(before);
  }
  expect(inputsOf({ 'a/a.csproj': sdk('<None Remove="x"/>') })).not.toBe(before);
  expect(inputsOf({ 'a/A.cs': 'class A {}' })).toBe(before);
});

test('a project that is not XML is a problem with its name', () => {
  expect(discoverCSharp(discoveryWorldOf({ 'a/a.csproj': '<Project', 'a/A.cs': '' }))).toMatchObject([
    { key: 'csharp:a/a.csproj', problem: expect.stringContaining('a/a.csproj') },
  ]);
});
