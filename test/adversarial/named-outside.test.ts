/**
 * P9 Whatever a repository names outside of itself, by a relative path, an absolute one or through a link in the tree: in the configuration of
 * every tool, in git's own files, in an apply's way. Nothing of it is read, said, written or run.
 */

import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { everythingElse, publishUnharmed } from '../support/hostile.ts';
import { runCli } from '../support/run-cli.ts';

const canary = 'OnlyTheOutsideSaysThis';
let repo: FixtureRepo;
afterEach(() => repo.dispose());

const cli = (...argv: string[]) => runCli(argv, { cwd: repo.root, home: repo.home });

/** What lies beside the tree: something for each reader that might come looking. */
function writeOutside(): string {
  const outside = join(repo.base, 'outside');
  const files = {
    'package.json': `{"name":"${canary}","version":"9.9.9","scripts":{"test":"${canary}"},"main":"index.js"}`,
    'tsconfig.json': `{"compilerOptions":{"outDir":"${canary}","paths":{"${canary}":["./index.ts"]}}}`,
    'index.ts': `export const ${canary} = 1;\nexport default ${canary};\n`,
    'index.d.ts': `export declare const ${canary}: number;\n`,
    'main.go': `package outside\nfunc ${canary}() {}\n`,
    'go.mod': `module ${canary}\n`,
    'Cargo.toml': `[package]\nname = "${canary}"\nversion = "9.9.9"\n`,
    'lib.rs': `pub fn ${canary}() {}\n`,
    'pom.xml': `<project><artifactId>${canary}</artifactId><version>9</version></project>`,
    'build.gradle': `description = '${canary}'\n`,
    'a.py': `def ${canary}(): pass\n`,
    'requirements.txt': `${canary}==9.9.9\n`,
    '.env': `${canary}=1\n`,
    Dockerfile: `FROM scratch\nLABEL a=${canary}\n`,
    'compose.yaml': `services: {${canary}: {image: ${canary}}}\n`,
    'ci.yml': `on: push\njobs: {${canary}: {runs-on: x, steps: [{run: ${canary}}]}}\n`,
    'openapi.yaml': `openapi: 3.0.0\ninfo: {title: ${canary}, version: '1'}\npaths: {/${canary}: {get: {}}}\n`,
    'rules.yaml': `rules: [{id: ${canary}, description: d, kind: missing_file, pattern: x}]\n`,
    'a.md': `# ${canary}\n`,
    CODEOWNERS: `* @${canary}\n`,
    Makefile: `${canary}:\n\techo ${canary}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outside, path)), { recursive: true });
    writeFileSync(join(outside, path), text);
  }
  return outside;
}

/** Configuration of every tool that names another file, with `to` in front of what it names. */
const naming = (to: string): Record<string, string> => ({
  'package.json': JSON.stringify({
    name: 'own',
    workspaces: [to, `${to}/*`, `packages/../${to}`],
    main: `${to}/index.js`,
    types: `${to}/index.d.ts`,
    exports: { '.': `${to}/index.ts` },
    bin: { own: `${to}/index.ts` },
    dependencies: { outside: `file:${to}`, linked: `link:${to}` },
    scripts: { test: `make -f ${to}/Makefile ${canary.slice(0, 4)}`, lint: `eslint -c ${to}/.eslintrc` },
    eslintConfig: { extends: `${to}/.eslintrc` },
    prettier: `${to}/prettier.json`,
  }),
  'pnpm-workspace.yaml': `packages: ['${to}', '${to}/**']\n`,
  'lerna.json': JSON.stringify({ packages: [to] }),
  'nx.json': JSON.stringify({ extends: `${to}/nx.json` }),
  'tsconfig.json': JSON.stringify({
    extends: `${to}/tsconfig.json`,
    files: [`${to}/index.ts`, 'src/own.ts'],
    include: [`${to}/**/*`, 'src'],
    references: [{ path: to }],
    compilerOptions: {
      baseUrl: to,
      rootDirs: [to, 'src'],
      typeRoots: [to],
      paths: { '*': [`${to}/*`], outside: [`${to}/index.ts`] },
    },
  }),
  'src/own.ts': `import { x } from '${to}/index';\nimport y from 'outside';\n/// <reference path="${to}/index.d.ts" />\nexport const own = [x, y, require('${to}/package.json')];\n`,
  'src/own.py': `import sys\nsys.path.insert(0, '${to}')\nfrom ....outside import a\n`,
  'go.work': `go 1.24\nuse ${to}\n`,
  'go.mod': `module own\ngo 1.24\nreplace outside => ${to}\nrequire outside v0.0.0\n`,
  'own.go': 'package own\nimport "outside"\n',
  'Cargo.toml': `[workspace]\nmembers = ["${to}", "${to}/*"]\n[package]\nname = "own"\nversion = "1.0.0"\nbuild = "${to}/build.rs"\n[lib]\npath = "${to}/lib.rs"\n[dependencies]\noutside = { path = "${to}" }\n`,
  'pom.xml': `<project><artifactId>own</artifactId><parent><relativePath>${to}/pom.xml</relativePath></parent><modules><module>${to}</module></modules></project>`,
  'settings.gradle': `include ':outside'\nproject(':outside').projectDir = file('${to}')\napply from: '${to}/build.gradle'\nincludeBuild '${to}'\n`,
  'requirements.txt': `-r ${to}/requirements.txt\n-e ${to}\n-c ${to}/requirements.txt\n`,
  'pyproject.toml': `[project]\nname = "own"\nversion = "1.0.0"\nreadme = "${to}/a.md"\nlicense = {file = "${to}/a.md"}\n[tool.setuptools.dynamic]\ndependencies = {file = ["${to}/requirements.txt"]}\n`,
  'compile_commands.json': JSON.stringify([
    { directory: to, file: `${to}/a.c`, command: `cc -I${to} @${to}/flags a.c` },
  ]),
  Makefile: `include ${to}/Makefile\ntest:\n\tmake -C ${to} test\n`,
  Dockerfile: `FROM scratch\nCOPY ${to}/ /x\nADD ${to}/a.tar /\nENTRYPOINT ["${to}/Makefile"]\n`,
  'compose.yaml': `include: ['${to}/compose.yaml']\nservices:\n  a: {build: '${to}', env_file: '${to}/.env', extends: {file: '${to}/compose.yaml', service: a}}\nconfigs: {c: {file: '${to}/.env'}}\n`,
  '.github/workflows/ci.yml': `on: push\njobs:\n  a: {uses: '${to}/ci.yml'}\n  b: {runs-on: x, steps: [{uses: '${to}'}, {run: 'sh ${to}/Makefile', working-directory: '${to}'}]}\n`,
  '.gitlab-ci.yml': `include: ['${to}/ci.yml', {local: '${to}/ci.yml'}]\ntest: {script: ['make -C ${to}']}\n`,
  'openapi.yaml': `openapi: 3.0.0\ninfo: {title: own, version: '1'}\npaths: {/a: {$ref: '${to}/openapi.yaml#/paths'}}\n`,
  'kustomization.yaml': `resources: ['${to}/compose.yaml']\nsecretGenerator: [{name: a, files: ['${to}/.env']}]\n`,
  'Chart.yaml': `apiVersion: v2\nname: own\nversion: 1.0.0\ndependencies: [{name: outside, version: 1, repository: 'file://${to}'}]\n`,
  'mkdocs.yml': `site_name: own\ndocs_dir: '${to}'\nINHERIT: '${to}/mkdocs.yml'\n`,
  '.pre-commit-config.yaml': `repos: [{repo: local, hooks: [{id: a, name: a, entry: '${to}/Makefile', language: script}]}]\n`,
  '.codegenie/scenarios.yaml': `scenarios: [{name: a, command: ['${to}/Makefile']}]\n`,
  'README.md': `See [here](${to}/a.md) and ![x](${to}/a.md).\n`,
});

const ways: readonly (readonly [string, (outside: string) => string])[] = [
  ['a relative path', () => './a/b/../../../outside'],
  ['an absolute one', (outside) => outside],
  ['a link in the tree', () => './linked'],
];

describe.each(ways)('P9 what configuration names outside the tree by %s', (_, name) => {
  test('is not read, said or written', async () => {
    repo = createFixtureRepo({ 'src/a.ts': 'export const total = 1;\n' });
    const outside = writeOutside();
    for (const [path, text] of Object.entries(naming(name(outside)))) repo.write(path, text);
    symlinkSync(outside, join(repo.root, 'linked'));
    repo.commit();
    const { envelope } = await publishUnharmed(repo);
    expect(JSON.stringify(envelope)).not.toContain(canary);
    const before = everythingElse(repo);
    const said: string[] = [];
    for (const argv of [
      ['index', '--semantic'],
      ['symbols', canary],
      ['search', canary],
      ['refs', 'src/own.ts:4:14'],
      ['deps', 'src/own.ts'],
      ['outline', 'linked/index.ts'],
      ['outline', '../outside/index.ts'],
      ['def', `${outside}/index.ts:1:14`],
      ['slice', 'src/own.ts'],
      ['rename', '../outside/index.ts:1:14', 'stolen', '--apply'],
      ['rename', 'linked/index.ts:1:14', 'stolen', '--apply'],
      ['move', 'src/own.ts', '../outside/own.ts', '--apply'],
      ['move', 'src/own.ts', 'linked/own.ts', '--apply'],
      ['report'],
      ['facts'],
    ]) {
      const { stdout, stderr } = await cli(...argv);
      // What was asked for may be told again; what the file says may not.
      said.push(`${stdout}${stderr}`.replaceAll(argv[1] === canary ? canary : '\0', ''));
    }
    expect(said.join('\n')).not.toContain(canary);
    expect(everythingElse(repo)).toEqual(before);
    expect(
      Object.entries(repo.written())
        .filter(([, text]) => text.includes(canary))
        .map(([path]) => path),
    ).toEqual([]);
  });
});

describe('P9 git’s own files lead elsewhere', () => {
  const other = () => join(repo.base, 'other');
  /** Another repository of the user, with code and programs in its configuration. */
  function makeOther(): void {
    mkdirSync(other());
    const git = (...argv: string[]) => repo.git('-C', other(), ...argv);
    git('init', '-q', '-b', canary);
    writeFileSync(join(other(), `${canary}.ts`), `export const ${canary} = 1;\n`);
    git('add', '-A');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', canary);
    git('config', 'core.fsmonitor', `touch ${join(repo.base, 'ran')}; false`);
    git('config', 'core.hooksPath', repo.base);
    git('remote', 'add', 'origin', `https://example.com/${canary}.git`);
  }
  const cases: Readonly<Record<string, () => void>> = {
    'a .git file that names another repository': () => {
      rmSync(join(repo.root, '.git'), { recursive: true });
      writeFileSync(join(repo.root, '.git'), `gitdir: ${join(other(), '.git')}\n`);
    },
    'a .git file that names the root of the disk': () => {
      rmSync(join(repo.root, '.git'), { recursive: true });
      writeFileSync(join(repo.root, '.git'), 'gitdir: /\n');
    },
    'a .git file of a megabyte': () => {
      rmSync(join(repo.root, '.git'), { recursive: true });
      writeFileSync(join(repo.root, '.git'), `gitdir: ${'a/../'.repeat(200_000)}\n`);
    },
    'commondir of another repository': () =>
      writeFileSync(join(repo.root, '.git/commondir'), `${join(other(), '.git')}\n`),
    'objects of another repository': () => {
      mkdirSync(join(repo.root, '.git/objects/info'), { recursive: true });
      writeFileSync(join(repo.root, '.git/objects/info/alternates'), `${join(other(), '.git/objects')}\n`);
    },
    'alternates that lead in a circle': () => {
      mkdirSync(join(repo.root, '.git/objects/info'), { recursive: true });
      writeFileSync(
        join(repo.root, '.git/objects/info/alternates'),
        `${join(repo.root, '.git/objects')}\n../objects\n`,
      );
    },
    'configuration that includes another': () => repo.git('config', 'include.path', join(other(), '.git/config')),
    'a work tree elsewhere': () => repo.git('config', 'core.worktree', other()),
    'excludes and attributes elsewhere': () => {
      repo.git('config', 'core.excludesFile', join(other(), `${canary}.ts`));
      repo.git('config', 'core.attributesFile', join(other(), `${canary}.ts`));
    },
    'a submodule above the root': () => {
      repo.write(
        '.gitmodules',
        `[submodule "a"]\n\tpath = ../other\n\turl = --upload-pack=touch\n\tupdate = !touch ran\n`,
      );
    },
    'attributes that run filters and change encodings': () => {
      repo.write('.gitattributes', '* filter=evil diff=evil ident working-tree-encoding=UTF-16\n');
      repo.git('config', 'filter.evil.clean', `touch ${join(repo.base, 'ran')}`);
    },
  };
  test.each(Object.entries(cases))('%s', async (_, arrange) => {
    repo = createFixtureRepo({ 'src/a.ts': 'export const total = 1;\nconsole.log(total);\n' });
    makeOther();
    arrange();
    const outcome = await repo.gather({ only: ['language_detection', 'ci'] });
    expect(['published', 'nothing_produced']).toContain(outcome.kind);
    for (const argv of [
      ['status'],
      ['symbols', 'total'],
      ['search', canary],
      ['rename', 'src/a.ts:1:14', 'sum', '--apply'],
    ]) {
      const { code, stdout, stderr } = await cli(...argv);
      expect([0, 1, 3, 4, 5, 7, 8], `${argv.join(' ')}: ${stderr}`).toContain(code);
      expect(`${stdout}${stderr}`.replaceAll(argv[1] === canary ? canary : '\0', '')).not.toContain(`const ${canary}`);
    }
    expect(existsSync(join(repo.base, 'ran'))).toBe(false);
    expect(readFileSync(join(other(), `${canary}.ts`), 'utf8')).toBe(`export const ${canary} = 1;\n`);
  });
});

test('P9 a file with a second name outside the tree is not written through: the outside keeps its bytes', async () => {
  repo = createFixtureRepo({ 'src/b.ts': "import { total } from './a';\nconsole.log(total);\n" });
  const outside = join(repo.base, 'same.ts');
  writeFileSync(outside, 'export const total = 1;\n');
  linkSync(outside, join(repo.root, 'src/a.ts'));
  await cli('rename', 'src/a.ts:1:14', 'sum', '--apply');
  expect(readFileSync(outside, 'utf8')).toBe('export const total = 1;\n');
});
