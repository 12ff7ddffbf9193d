/**
 * How the parts of the repository are installed, built, tested and checked, and what each command does in the end. What CI runs beats what
 * a script is called; guides for developers and the toolchain's convention come after. Nothing is executed.
 */

import { defineProbe } from '../../gather/contract.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { commandFacts } from './commands-facts.ts';
import { commandsSection, guideGlobs } from './commands-section.ts';

export default defineProbe({
  name: 'commands',
  version: '0.7.3',
  layer: 'B',
  says: 'Commands that install, build, test and check each part, what they do in the end, and a plan of those that are safe.',
  heaviness: 'light',
  sections: { commands: commandsSection },
  facts: commandFacts,
  requires: [
    { probe: 'components', select: (slice) => slice['components'] ?? null },
    {
      probe: 'ci',
      select: (slice) => (isJsonObject(slice['ci']) ? { jobs: slice['ci']['jobs'] ?? null } : null),
      optional: true,
    },
  ],
  declaredInputs: [
    'names:**',
    '**/package.json',
    '**/composer.json',
    '**/Makefile',
    '**/makefile',
    '**/GNUmakefile',
    '**/justfile',
    '**/Justfile',
    '**/.justfile',
    '**/Taskfile.{yml,yaml}',
    '**/tox.ini',
    '**/pyproject.toml',
    '**/Cargo.toml',
    '**/Gemfile',
    '**/{Rakefile,rakefile,Rakefile.rb}',
    '**/requirements*.txt',
    '**/pom.xml',
    '**/*.{gradle,gradle.kts}',
    '**/{ruff,.ruff}.toml',
    '**/.golangci.{yml,yaml,toml,json}',
    '**/*.{sh,bash}',
    '**/{script,scripts,bin,ci,.ci,hack}/*',
    '**/tsconfig*.json',
    '.pre-commit-config.yaml',
    ...guideGlobs,
  ],
  timeoutSeconds: 30,
  confidenceRule: 'high; each fact has its own',
  async run(repo, ctx) {
    const { gatherCommands } = await import('./gather-commands.ts');
    return gatherCommands(repo, ctx);
  },
  examples: [
    {
      shows: 'PHP: the tests that a configuration is for, where composer brings them',
      files: { 'composer.json': '{"name":"a/b"}', 'phpunit.xml.dist': '<phpunit/>\n', 'src/a.php': '<?php\n' },
      gives: {},
      facts: [{ id: 'test.unit.command', scope: '.', value: { cmd: 'vendor/bin/phpunit', cwd: '.' } }],
    },
    {
      shows:
        'scripts are followed to the end: what pushes, mends, deletes or also starts a browser is not proposed, whatever it is called',
      files: {
        'package.json': JSON.stringify(
          {
            name: 'shop',
            packageManager: 'pnpm@10.0.0',
            scripts: {
              build: 'vite build',
              'build-image': 'docker buildx build . --push',
              lint: 'biome check --write',
              'lint:js': 'eslint .',
              test: 'pnpm unit && pnpm e2e',
              unit: 'tsc -p tsconfig.spec.json && vitest',
              e2e: 'playwright test',
              clean: 'find . -name x | xargs rm -rf',
            },
          },
          null,
          1,
        ),
        'tsconfig.spec.json': '{"compilerOptions":{"noEmit":true}}',
        'src/a.ts': 'export const a = 1;\n',
        'api/package.json': '{"name":"api","scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
      },
      gives: {
        commands: {
          plan: [
            { role: 'typecheck', cmd: 'pnpm exec tsc -p tsconfig.spec.json' },
            { role: 'lint', cmd: 'pnpm run lint:js' },
            { role: 'build', cmd: 'pnpm run build' },
            { role: 'test.unit', cmd: 'CI=1 pnpm run unit' },
          ],
          left_out: [{ role: 'test.e2e', cmd: 'pnpm run e2e', why: 'needs the running system' }],
        },
      },
      facts: [
        { id: 'build.command', scope: '.', value: { cmd: 'pnpm run build', cwd: '.' }, evidence: ['package.json:5'] },
        { id: 'test.unit.command', scope: '.', value: { cmd: 'pnpm run unit', cwd: '.' }, confidence: 'medium' },
        { id: 'test.e2e.command', scope: '.', value: { cmd: 'pnpm run e2e', cwd: '.' } },
        { id: 'lint.command', scope: '.', value: { cmd: 'pnpm run lint:js', cwd: '.' } },
        {
          id: 'typecheck.command',
          scope: '.',
          value: { cmd: 'pnpm exec tsc -p tsconfig.spec.json' },
          confidence: 'medium',
        },
      ],
      confidence: 'high',
    },
    {
      shows: 'a target that does harm on its way gives way to its harmless part; convention fills in',
      files: {
        'go.mod': 'module x\n',
        'main.go': 'package main\n',
        Makefile:
          'GO ?= go\ntest: tidy\n\t$(GO) test ./... -cover\ntidy:\n\trm -f go.sum; go mod tidy\nrelease:\n\tgit push --tags\n',
      },
      gives: {
        commands: {
          plan: [
            { role: 'lint', cmd: 'go vet ./...' },
            { role: 'build', cmd: 'go build ./...' },
            { role: 'test.unit', cmd: 'go test ./... -cover', source: 'Makefile' },
          ],
        },
      },
      facts: [
        {
          id: 'test.unit.command',
          scope: '.',
          value: { cmd: 'go test ./... -cover', cwd: '.' },
          evidence: ['Makefile:2'],
        },
        { id: 'build.command', scope: '.', value: { cmd: 'go build ./...' }, confidence: 'medium' },
        { id: 'validation.safe', scope: '.', value: ['go vet ./...', 'go build ./...', 'go test ./... -cover'] },
      ],
    },
    {
      shows: 'tox, and scripts of one name in two places: the one that deletes is not proposed',
      files: {
        'pyproject.toml':
          '[project]\nname = "x"\n\n[tool.tox.env.typing]\ncommands = [["mypy"]]\n\n[tool.tox.env.update]\ncommands = [["uv", "lock", "-U"]]\n',
        'x.py': 'a = 1\n',
        'scripts/test.sh': 'docker compose down -v\npytest\n',
        'backend/pyproject.toml': '[project]\nname = "y"\n',
        'backend/uv.lock': 'version = 1\n',
        'backend/scripts/test.sh': 'set -e\ncoverage run -m pytest tests/\n',
      },
      gives: {
        commands: {
          plan: [
            { component: '.', role: 'typecheck', cmd: 'tox run -e typing' },
            { component: 'backend', role: 'install', cmd: 'uv sync' },
            { component: 'backend', role: 'test.unit', cwd: 'backend' },
          ],
        },
      },
      facts: [
        { id: 'typecheck.command', scope: '.', value: { cmd: 'tox run -e typing' }, evidence: ['pyproject.toml:4'] },
        { id: 'test.unit.command', scope: 'backend', value: { cwd: 'backend' } },
      ],
    },
    {
      shows:
        'guides for developers come after CI and scripts, and before what the toolchain does; how the product is used is no command of the repository',
      files: {
        'Cargo.toml': '[package]\nname = "quick"\nversion = "0.1.0"\n',
        'src/main.rs': 'fn main() {}\n',
        'README.md': [
          '# quick: tests and builds faster',
          '```sh',
          'cargo build --features wrong',
          '```',
          '## Usage',
          '```sh',
          'cargo test --features theirs',
          '```',
          '## Building',
          '```console',
          '$ git clone https://example.org/quick',
          '$ cd quick',
          '$ cargo build --release',
          '   Compiling quick',
          '```',
          '## Running tests',
          'In the `web/` directory:',
          '```sh',
          'npm ci',
          'cargo test some_case',
          '```',
          'From the root:',
          '```sh',
          'cargo test \\',
          '  --all # everything',
          '```',
        ].join('\n'),
        'web/package.json': '{"name":"web","scripts":{}}',
        'web/package-lock.json': '{"lockfileVersion":3}',
        'web/index.ts': 'export const a = 1;\n',
        'docs/CONTRIBUTING.md':
          '# Contributing\n\n```bash\ncargo clippy -- -D warnings\nnpm install quick\nmake lint\n```\n',
      },
      gives: { commands: { left_out: [] } },
      facts: [
        {
          id: 'build.command',
          scope: '.',
          value: { cmd: 'cargo build --release', cwd: '.' },
          confidence: 'medium',
          evidence: ['README.md:13'],
        },
        { id: 'test.unit.command', scope: '.', value: { cmd: 'cargo test --all' }, evidence: ['README.md:24'] },
        { id: 'lint.command', scope: '.', value: { cmd: 'cargo clippy -- -D warnings' } },
        { id: 'install.command', scope: 'web', value: { cmd: 'npm ci', cwd: 'web' }, evidence: ['README.md:19'] },
      ],
    },
    {
      shows: 'prose has no commands',
      files: { 'a.txt': 'x' },
      gives: { commands: { commands: [], plan: [], left_out: [], ci_tests: [] } },
    },
  ],
});
