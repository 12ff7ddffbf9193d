import { expect, test } from 'vitest';
import type { ProbeRepo } from '../../gather/contract.ts';
import { createFileScope, type ScopeFile } from '../../kernel/tree/file-scope.ts';
import type { CommandsSection } from './commands-section.ts';
import { gatherCommands } from './gather-commands.ts';

type CiCommand = { readonly run: string; readonly directory?: string | null; readonly directories?: string };

type Files = Readonly<Record<string, string>>;

async function sectionOf(files: Files, ci: readonly CiCommand[], triggers: readonly string[]) {
  const paths = Object.keys(files).sort();
  const rows = paths.map((path): ScopeFile => ({ path, kind: 'file', size: 1, tracked: true, stat: {} as never }));
  const scope = createFileScope('/r', rows, []);
  const inputs = {
    list: (globs?: readonly string[]) => (globs === undefined ? paths : scope.match(globs).map(({ path }) => path)),
    has: (path: string) => Object.hasOwn(files, path),
    read: async (path: string) => ({ kind: 'read', bytes: new TextEncoder().encode(files[path]) }),
  };
  const jobs = [
    {
      file: 'ci.yml',
      id: 'checks',
      triggers,
      commands: ci.map(({ run, directory = '.', directories = null }) => ({
        run,
        resolved: run,
        directory,
        directories,
        file: 'ci.yml',
        line: 1,
      })),
    },
  ];
  const dirs = [
    ...new Set([
      '.',
      ...paths
        .filter((path) => /go\.mod$|package\.json$|Cargo\.toml$|mix\.exs$|\.csproj$|\.gradle\.kts$/.test(path))
        .map((path) => path.replace(/\/?[^/]+$/, '') || '.'),
    ]),
  ];
  const components = dirs.map((dir) => ({
    dir,
    kind: 'package',
    name: null,
    language:
      paths.includes('Gemfile') && paths.some((path) => path.endsWith('.rb'))
        ? 'ruby'
        : paths.includes(dir === '.' ? 'package.json' : `${dir}/package.json`)
          ? 'javascript'
          : null,
    manifests: paths.filter((path) =>
      ['mix.exs', 'build.gradle.kts'].some((name) => path === `${dir === '.' ? '' : `${dir}/`}${name}`),
    ),
  }));
  const upstream = { components: { value: { components }, artifacts: {} }, ci: { value: { jobs }, artifacts: {} } };
  const output = await gatherCommands({ scope, inputs } as unknown as ProbeRepo, {
    upstream: upstream as never,
    parsedManifest: async (path) => JSON.parse(files[path] ?? 'null') as never,
  });
  return output.slice?.['commands'] as CommandsSection;
}

async function commandsOf(files: Files, ci: readonly CiCommand[], triggers = ['push']) {
  const section = await sectionOf(files, ci, triggers);
  const first = new Map<string, string>();
  for (const { role, component, cmd, cwd } of section.commands)
    if (!first.has(`${component} ${role}`)) first.set(`${component} ${role}`, cwd === '.' ? cmd : `${cwd}: ${cmd}`);
  return Object.fromEntries(first);
}

const scripts = { unit: 'borp', lint: 'eslint .', 'lint:ci': 'eslint . --max-warnings 0' };
const manifest = JSON.stringify({ name: 'x', scripts });

test('G28 a script or manager name from the repository is one word of a command, or is in none', async () => {
  const scripts = {
    'test; touch x': 'vitest run',
    'build && id': 'tsc -b',
    'check $(id)': 'tsc --noEmit -p .',
    'lint\nrm': 'eslint .',
    '--typecheck': 'tsc --noEmit',
  };
  const { commands, left_out, plan } = await sectionOf(
    {
      'package.json': JSON.stringify({ packageManager: 'npm; touch y@1.0.0', scripts }),
      'src/a.ts': '',
      'tsconfig.json': '{}',
      "scripts/test'$(id).sh": '#!/bin/sh\nvitest run\n',
    },
    [],
    [],
  );
  const said = [...commands, ...left_out, ...plan].map(({ cmd }) => cmd);
  expect(said).toContain("npm run 'test; touch x'");
  expect(said).toContain("npm run 'build && id'");
  const unquoted = said.map((cmd) => cmd.replaceAll(/'[^']*'|\\'/g, ''));
  expect(unquoted.filter((cmd) => /[;&$()\n]|--typecheck/.test(cmd))).toEqual([]);
});

test('what CI runs beats what a script is called, by the name of the script and without what CI adds', async () => {
  expect(
    await commandsOf({ 'package.json': manifest }, [{ run: 'NO_COLOR=1 npm run lint:ci -- --quiet' }]),
  ).toMatchObject({
    '. lint': 'npm run lint:ci',
    '. test.unit': 'npm run unit',
  });
});

test('a linter that mends in CI is no check: the script is', async () => {
  expect(await commandsOf({ 'package.json': manifest }, [{ run: 'npx eslint . --fix' }])).toMatchObject({
    '. lint': 'npm run lint',
  });
});

test('a command belongs to the part that it names or is run in; a computed directory belongs to none', async () => {
  const found = await commandsOf({ 'svc/a/go.mod': 'module a', 'svc/b/go.mod': 'module b' }, [
    { run: 'dotnet test svc/a/' },
    { run: 'go test ./...', directory: 'svc/b' },
    { run: 'cargo test', directory: null },
  ]);
  expect(found).toEqual({ 'svc/a test.unit': 'dotnet test svc/a/', 'svc/b test.unit': 'svc/b: go test ./...' });
});

test('of several that differ in options the plain one, but never a narrower one; what a release runs comes last', async () => {
  expect(
    await commandsOf({}, [
      { run: 'cargo test --workspace --features x' },
      { run: 'cargo test --workspace' },
      { run: 'cargo test' },
    ]),
  ).toEqual({ '. test.unit': 'cargo test --workspace' });
  expect(await commandsOf({ 'package.json': manifest }, [{ run: 'npx mocha' }], ['release'])).toMatchObject({
    '. test.unit': 'npm run unit',
  });
});

test('a run of some files comes after a run of all tests; a compiler with an output directory does no harm', async () => {
  const files = {
    'package.json': JSON.stringify({ scripts: { build: 'tsc', test: 'mocha', 'build:old': 'tsc -p old.json' } }),
    'tsconfig.json': '{"compilerOptions":{"outDir":"lib"}}',
    'old.json': '{}',
  };
  expect(await commandsOf(files, [{ run: 'npx mocha test/one.js' }, { run: 'npm run build:old' }])).toMatchObject({
    '. test.unit': 'npm run test',
    '. build': 'npm run build',
  });
});

test('where CI runs the tests in parts, the script called test is the whole', async () => {
  const parts = { 'test:a': 'mocha a', 'test:b': 'mocha b', test: 'npm run test:a && npm run test:b' };
  const files = { 'package.json': JSON.stringify({ scripts: parts }) };
  expect(await commandsOf(files, [{ run: 'npm run test:a' }, { run: 'npm run test:b' }])).toMatchObject({
    '. test.unit': 'npm run test',
  });
  expect(await commandsOf(files, [{ run: 'npm run test:a' }])).toMatchObject({ '. test.unit': 'npm run test:a' });
});

test('lines that cannot be typed are no commands; the formatting is the lint where there is no other', async () => {
  expect(
    await commandsOf({}, [
      { run: 'for d in a b; do go test; done' },
      { run: 'go test $PACKAGES' },
      { run: 'cargo fmt --all --check' },
      { run: 'pytest | tee log.txt' },
    ]),
  ).toEqual({
    '. lint': 'cargo fmt --all --check',
    '. format_check': 'cargo fmt --all --check',
    '. test.unit': 'pytest',
  });
});

const guide = (...lines: string[]) => ['# x', '## Development', ...lines, ''].join('\n');
const block = (...lines: string[]) => ['```sh', ...lines, '```'];

test('what CI runs and what a script is called beat what a guide says', async () => {
  const files = { 'package.json': manifest, 'CONTRIBUTING.md': guide(...block('npx eslint src', 'npm run unit')) };
  expect(await commandsOf(files, [{ run: 'npm run lint:ci' }])).toMatchObject({
    '. lint': 'npm run lint:ci',
    '. test.unit': 'npm run unit',
  });
});

test.each([
  ['an installation of the product', 'README.md', ['npm install x', 'npm i -D x', 'yarn add x'], {}],
  ['a script that is not there', 'README.md', ['npm run build', 'make build', './build.sh'], {}],
  ['a program of another ecosystem', 'README.md', ['cargo test', 'go test ./...', 'pytest'], {}],
  ['tools beside the program', 'README.md', ['bundle install'], { Gemfile: 'gem "pods"' }],
  ['another package manager', 'README.md', ['yarn install', 'pnpm install'], {}],
  [
    'the product itself',
    'README.md',
    ['npx jest', 'jest --coverage'],
    { 'packages/jest/package.json': '{"name":"jest"}' },
  ],
  ['a place to be filled in', 'README.md', ['npx eslint <file>', 'npx eslint path/to/file'], {}],
  ['one test', 'CONTRIBUTING.md', ['npx vitest run src/a.test.ts', 'npx vitest run -t name'], {}],
  ['who has no copy yet', 'CONTRIBUTING.md', ['git clone https://example.org/y && npx eslint .'], {}],
  ['a directory that is not of this tree', 'CONTRIBUTING.md', ['cd ../other', 'npm install'], {}],
])('a guide that shows %s has no command', async (_, path, lines, more: Record<string, string>) => {
  const files = { 'package.json': '{"name":"y"}', [path]: guide(...block(...lines)), ...more };
  expect(await commandsOf(files, [])).toEqual({});
});

test('a guide speaks of its own package, and of the directory that it enters', async () => {
  const files = {
    'package.json': '{"name":"x"}',
    'package-lock.json': '{}',
    'CONTRIBUTING.md': guide(
      ...block('git clone https://example.org/x', 'cd x/a', 'go test -race ./...', 'cd ..', 'npm ci'),
    ),
    'a/go.mod': 'module a',
    'b/go.mod': 'module b',
    'b/README.md': guide(...block('$ go build -o out .', 'go: downloading')),
  };
  expect(await commandsOf(files, [])).toMatchObject({
    '. install': 'npm ci',
    'a test.unit': 'a: go test -race ./...',
    'b build': 'b: go build -o out .',
  });
});

test('only headings about development count in a README, and blocks without a language need a prompt', async () => {
  const of = (heading: string, ...lines: string[]) =>
    commandsOf({ 'go.mod': 'module a', 'README.md': `# Build tools\n## ${heading}\n${lines.join('\n')}\n` }, []);
  const command = 'go test -race ./...';
  expect(await of('Testing', ...block(command))).toEqual({ '. test.unit': command });
  expect(await of('Testing', '```', `$ ${command}`, '```')).toEqual({ '. test.unit': command });
  expect(await of('Testing', '1. Run', '', '    ```bash', `    ${command}`, '    ```')).toEqual({
    '. test.unit': command,
  });
  for (const [heading, ...lines] of [
    ['Getting it', ...block(command)],
    ['Testing your app', ...block(command)],
    ['Testing', '```', command, '```'],
    ['Testing', '```go', command, '```'],
    ['Testing', `Run \`${command}\`.`],
  ] as const)
    expect(await of(heading, ...lines), `${heading} ${lines.join(' ')}`).toEqual({});
});

test('reStructuredText: underlined sections, blocks after two colons or a directive', async () => {
  const text = [
    'Thing',
    '=====',
    'Usage',
    '-----',
    '::',
    '',
    '    go build ./cmd/...',
    '',
    'Testing',
    '-------',
    'Run::',
    '',
    '    $ go test -race ./...',
    '    ok',
    '',
    '.. code-block:: go',
    '',
    '    go vet ./...',
  ].join('\n');
  expect(await commandsOf({ 'go.mod': 'module a', 'README.rst': text }, [])).toEqual({
    '. test.unit': 'go test -race ./...',
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: that is how GitHub writes expressions
test('an option goes with the value that an expression would give it; a manifest that is named says whose command it is', async () => {
  const files = { 'Cargo.toml': '', 'samples/Cargo.toml': '' };
  expect(
    await commandsOf(files, [
      { run: 'cargo test --workspace --manifest-path samples/Cargo.toml' },
      { run: 'cargo test --workspace --manifest-path ${{ env.X }}/Cargo.toml' },
      { run: 'npm run lint -- ${{ inputs.more }}' },
    ]),
  ).toMatchObject({
    '. test.unit': 'cargo test --workspace',
    'samples test.unit': 'cargo test --workspace --manifest-path samples/Cargo.toml',
    '. lint': 'npm run lint',
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: that is how GitHub writes expressions

test('scripts without an ending are opened, their variables filled in; the part that only checks is the check', async () => {
  const head =
    '#!/bin/sh -e\nexport PREFIX=""\nif [ -d venv ]; then\n  export PREFIX="venv/bin/"\nfi\nexport DIRS="src tests"\n';
  const files = {
    'scripts/check': `${head}\${PREFIX}mypy $DIRS\n\${PREFIX}ruff check $DIRS\n`,
    'scripts/lint': `${head}\${PREFIX}ruff check --fix $DIRS\n`,
    'scripts/test': `${head}scripts/check\n\${PREFIX}coverage run -m pytest "$@"\n`,
    'bin/tool': 'not a script',
  };
  expect(await commandsOf(files, [{ run: 'scripts/test' }])).toEqual({
    '. typecheck': 'mypy src tests',
    '. lint': 'ruff check src tests',
    '. test.unit': 'scripts/test',
  });
});

test('tests that are called integration are those of the running system, unless others are called so', async () => {
  const integration = { test: 'vitest run', 'test:integration': 'mocha suites' };
  const withBoth = { ...integration, 'test:e2e': 'playwright test' };
  expect(
    await commandsOf({ 'package.json': JSON.stringify({ scripts: integration }) }, [
      { run: 'npm run test:integration' },
    ]),
  ).toMatchObject({ '. test.unit': 'npm run test', '. test.e2e': 'npm run test:integration' });
  expect(
    await commandsOf({ 'package.json': JSON.stringify({ scripts: withBoth }) }, [{ run: 'npm run test:integration' }]),
  ).toMatchObject({ '. test.e2e': 'npm run test:e2e' });
});

test('tests that CI runs twice are those that it does not measure', async () => {
  const files = { 'manage.py': '', 'requirements.txt': 'django\n' };
  const steps = [{ run: 'coverage run --source=shop manage.py test' }, { run: 'python manage.py test' }];
  expect(await commandsOf(files, steps)).toMatchObject({ '. test.unit': 'python manage.py test' });
  expect(await commandsOf(files, steps.slice(0, 1))).toMatchObject({
    '. test.unit': 'coverage run --source=shop manage.py test',
  });
});

test('a command that enters a directory first is run there, and is no command of the part around it', async () => {
  const files = { 'go.mod': 'module a', 'cmd/x/main.go': '', 'web/package.json': manifest };
  expect(
    await commandsOf(files, [
      { run: 'cd cmd/x && go build -v' },
      { run: 'go build ./...' },
      { run: 'cd web && npx jest' },
    ]),
  ).toMatchObject({ '. build': 'go build ./...', 'web test.unit': 'web: npx jest' });
});

test('what is run in a directory below a part is not the command of the part', async () => {
  expect(
    await commandsOf({ 'package.json': JSON.stringify({ scripts: { build: 'vite build' } }), 'cmd/x/main.go': '' }, [
      { run: 'go build -v', directory: 'cmd/x' },
    ]),
  ).toMatchObject({ '. build': 'npm run build' });
});

test('scripts of hatch and runners of scripts are opened; convention fills in for Elixir', async () => {
  const scripts = { lint: 'run-p lint:*', 'lint:a': 'eslint .', 'lint:b': 'stylelint .' };
  expect(
    await commandsOf(
      {
        'package.json': JSON.stringify({ scripts }),
        'pyproject.toml': '[tool.hatch.envs.default.scripts]\ncov = "pytest {args}"\n',
        'ui/mix.exs': '',
        'ui/test/a_test.exs': '',
      },
      [{ run: 'hatch run cov' }, { run: 'npm run lint' }],
    ),
  ).toMatchObject({ '. lint': 'npm run lint', '. test.unit': 'hatch run cov', 'ui test.unit': 'ui: mix test' });
});

async function planOf(files: Files, ci: readonly CiCommand[] = []) {
  const { plan, left_out } = await sectionOf(files, ci, ['push']);
  return [
    ...plan.map(({ role, cmd, cwd }) => `${cwd} ${role}: ${cmd}`),
    ...left_out.map(({ cmd, cwd }) => `${cwd} not: ${cmd}`),
  ];
}

test('steps that the command of the whole workspace runs are not repeated for its parts', async () => {
  const part = (name: string, scripts: Record<string, string>) => JSON.stringify({ name, scripts });
  const of = (root: Record<string, string>) =>
    planOf({
      'package.json': part('root', root),
      'packages/a/package.json': part('@x/a', { lint: 'eslint .', build: 'tsup' }),
      'packages/b/package.json': part('@x/b', { lint: 'eslint .' }),
      'tools/c/package.json': part('c', { lint: 'eslint .' }),
    });
  const own = ['packages/a lint: npm run lint', 'packages/b lint: npm run lint', 'tools/c lint: npm run lint'];
  const built = 'packages/a build: npm run build';
  const left = async (root: Record<string, string>) => (await of(root)).filter((step) => /^\w+\/\w /.test(step));
  const all = [own[0], built, own[1], own[2]];
  expect(await left({})).toEqual(all);
  expect(await left({ lint: 'turbo lint' })).toEqual([built]);
  expect(await left({ lint: 'turbo run lint --filter=./packages/*' })).toEqual([built, own[2]]);
  expect(await left({ lint: 'pnpm -r --filter "@x/*" --filter "!@x/b" lint' })).toEqual([built, own[1], own[2]]);
  expect(await left({ lint: 'nx run-many -t lint -p c' })).toEqual([own[0], built, own[1]]);
  expect(await left({ lint: 'npm run lint --workspaces', build: 'lerna run build' })).toEqual([]);
  expect(await left({ lint: 'cd packages/b && npm run lint' })).toEqual([own[0], built, own[2]]);
  // Of the root alone, and of what something else depends on: which, is not known.
  expect(await left({ lint: 'eslint src' })).toEqual(all);
  expect(await left({ lint: 'turbo lint --filter=...c' })).toEqual(all);
});

test('a check of the formatting is planned as one, also where it is all the linting there is', async () => {
  const files = { 'Cargo.toml': '[package]\n' };
  expect(await planOf(files, [{ run: 'cargo fmt --check' }])).toEqual(['. format_check: cargo fmt --check']);
  expect(await planOf(files, [{ run: 'cargo fmt --check' }, { run: 'cargo clippy' }])).toEqual([
    '. lint: cargo clippy',
    '. format_check: cargo fmt --check',
  ]);
});

test('a solution and a workspace of crates build what lies in them', async () => {
  const dotnet = ['a/src', 'a', 'b'].map((directory) => ({ run: 'dotnet build', directory }));
  const projects = { 'a/a.csproj': '<Project/>', 'a/src/x.csproj': '<Project/>', 'b/y.csproj': '<Project/>' };
  const both = ['a build: dotnet build', 'b build: dotnet build'];
  expect(await planOf({ ...projects, 'a/x.sln': '' }, dotnet)).toEqual(both);
  expect(await planOf(projects, dotnet)).toEqual([both[0], 'a/src build: dotnet build', both[1]]);
  const crates = { 'Cargo.toml': '[workspace]\n', 'x/Cargo.toml': '[package]\n' };
  const built = (run: string) => planOf(crates, [{ run }, { run: 'cargo build', directory: 'x' }]);
  expect(await built('cargo build --workspace')).toEqual(['. build: cargo build --workspace']);
  expect(await built('cargo build')).toEqual(['. build: cargo build', 'x build: cargo build']);
});

test('a build of one part, or with some features, is not the build', async () => {
  const crate = { 'Cargo.toml': '[workspace]\n[package]\nname = "a"\n' };
  const some = ['cargo build -p x', 'cargo build --no-default-features --features y', 'cargo build --workspace'];
  expect(
    await commandsOf(
      crate,
      some.map((run) => ({ run })),
    ),
  ).toMatchObject({ '. build': 'cargo build --workspace' });
  const scripts = (names: readonly string[]) => ({
    'package.json': JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, 'tsup'])) }),
    'package-lock.json': '{}',
  });
  const docs = scripts(['build', 'build:docs']);
  expect(await commandsOf(docs, [{ run: 'npm run build:docs' }])).toMatchObject({ '. build': 'npm run build' });
  const production = scripts(['build', 'build:prod']);
  expect(await commandsOf(production, [{ run: 'npm run build:prod' }])).toMatchObject({
    '. build': 'npm run build:prod',
  });
  expect(await commandsOf(scripts(['build:docs']), [{ run: 'npm run build:docs' }])).toMatchObject({
    '. build': 'npm run build:docs',
  });
});

test('a preview of what was built is not how it is started; the script for developers is, and builds or tests nothing', async () => {
  const of = async (scripts: Record<string, string>) =>
    commandsOf({ 'package.json': JSON.stringify({ name: 'a', scripts }), 'package-lock.json': '{}' }, []);
  const web = await of({ dev: 'vite', preview: 'vite preview', build: 'vite build' });
  expect(web).toMatchObject({ '. start': 'npm run dev', '. build': 'npm run build' });
  expect(await of({ preview: 'vite preview' })).not.toHaveProperty('. start');
  expect(await of({ serve: 'vite preview', start: 'vite preview --host' })).toMatchObject({
    '. start': 'npm run start',
  });
  expect(await of({ dev: 'vitest', start: 'node a.js' })).toEqual(
    expect.not.objectContaining({ '. test.unit': 'npm run dev' }),
  );
  expect(await of({ dev: 'next dev', start: 'next start' })).toMatchObject({ '. start': 'npm run start' });
});

test('the script called start starts it, whatever it runs; what only begins with the word comes after', async () => {
  const scripts = { 'start-frontend': 'vite --host', start: 'npm run start-server', 'start-server': 'node server.js' };
  const files = { 'package.json': JSON.stringify({ name: 'x', scripts }) };
  expect(await commandsOf(files, [])).toMatchObject({ '. start': 'npm run start' });
});

test('where nothing says how dependencies are brought, the lock file does; of several none is taken', async () => {
  const manifest = { 'package.json': '{"name": "x"}' };
  expect(await commandsOf({ ...manifest, 'pnpm-lock.yaml': '' }, [])).toEqual({
    '. install': 'pnpm install --frozen-lockfile',
  });
  expect(await commandsOf({ ...manifest, 'package-lock.json': '', 'yarn.lock': '' }, [])).toEqual({});
  expect(await commandsOf({ ...manifest, 'yarn.lock': '' }, [{ run: 'yarn install --immutable' }])).toMatchObject({
    '. install': 'yarn install --immutable',
  });
  const listed = { 'requirements.txt': 'flask\n' };
  expect(await commandsOf(listed, [])).toMatchObject({ '. install': 'pip install -r requirements.txt' });
  expect(await commandsOf({ ...manifest, ...listed, 'package-lock.json': '' }, [])).toMatchObject({
    '. install': 'npm ci',
  });
});

test('a run of the cases that hold one word is no test of the whole', async () => {
  const files = { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', 'a/Cargo.toml': '[package]\nname = "a"\n' };
  const one = 'cargo test --manifest-path a/Cargo.toml --lib print_name -- --nocapture';
  expect(await commandsOf(files, [{ run: one }])).not.toHaveProperty('a test.unit');
  const whole = 'cargo test --manifest-path a/Cargo.toml --features x -- --nocapture';
  expect(await commandsOf(files, [{ run: whole }])).toMatchObject({ 'a test.unit': whole });
});

test('bringing a browser is no test of the running system, by whichever runner', async () => {
  const files = { 'package.json': JSON.stringify({ scripts: { e2e: 'playwright test' } }), 'yarn.lock': '' };
  for (const run of [
    'yarn run playwright install --with-deps chromium',
    'pnpm playwright install',
    'npx playwright install',
  ])
    expect(await commandsOf(files, [{ run }]), run).toMatchObject({ '. test.e2e': 'yarn run e2e' });
});

test('what CI runs is followed through targets, scripts, wrappers and containers until tests are reached', async () => {
  const files = {
    Makefile:
      'ci: messages test\ndocs:\n\tsphinx-build docs out\ntest:\n\tpython -m coverage run --module manage test\nmessages:\n\tpython -m manage compilemessages\n',
    'scripts/verify.sh': 'set -e\ngo test ./...\n',
    'package.json': '{"scripts":{"test":"node --test","cover":"nyc --exclude lib --reporter=lcov npm test"}}',
  };
  const yes = ['make ci', 'docker compose run --rm web make ci', './scripts/verify.sh', 'npm run cover'];
  const { ci_tests: tests } = await sectionOf(
    files,
    [...yes, 'make docs', 'make messages'].map((run) => ({ run })),
    [],
  );
  expect(tests.map(({ run }) => run)).toEqual(yes);
  expect(tests[0]).toEqual({ file: 'ci.yml', job: 'checks', run: 'make ci', path: 'ci.yml', line: 1, shows: 'make' });
});

test('a command that names a project of a larger build is a command of that project', async () => {
  const files = {
    'App.slnx': '',
    'src/Client/Client.csproj': '',
    'build.gradle.kts': '',
    'android/build.gradle.kts': '',
  };
  expect(
    await commandsOf(files, [
      { run: 'dotnet build src/Client/Client.csproj' },
      { run: 'dotnet build App.slnf' },
      { run: './gradlew :android:assembleDebug :android:lint' },
    ]),
  ).toMatchObject({
    '. build': 'dotnet build App.slnf',
    'android build': './gradlew :android:assembleDebug :android:lint',
  });
});

test('a part is tested with what it is written in; where the code of its other language lies, the other command is the one', async () => {
  const files = {
    Gemfile: "gem 'rails'\n",
    Rakefile: 'task default: %i[test rubocop]\n',
    'package.json': '{"scripts":{"test":"vitest"}}',
    'app/models/user.rb': '',
    'app/javascript/a.ts': '',
    'app/javascript/deep/b.ts': '',
    'vite.config.ts': '',
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`app/javascript/more/${n}.ts`, ''])),
  };
  expect(await commandsOf(files, [{ run: 'npm test' }, { run: 'bin/rails db:test:prepare test' }])).toMatchObject({
    '. test.unit': 'bin/rails test',
    'app/javascript test.unit': 'CI=1 npm run test',
  });
  expect(await commandsOf(files, [{ run: 'npm test' }, { run: 'bundle exec rake' }])).toMatchObject({
    '. test.unit': 'bundle exec rake',
  });
  const loaded = { ...files, Rakefile: 'Rails.application.load_tasks\n' };
  const { ci_tests: tests } = await sectionOf(loaded, [{ run: 'bundle exec rake' }], []);
  expect(tests.map(({ run }) => run)).toEqual(['bundle exec rake']);
});

test('a target that makes a directory is no build, whatever it is called; one that builds a binary is', async () => {
  const makefile =
    'dist:\n\tmkdir -p dist\ngenerate-web: web/index.html\nbinary: generate-web dist\n\tgo build ./cmd/x\n';
  expect(await commandsOf({ Makefile: makefile, 'go.mod': 'module x' }, [])).toMatchObject({
    '. build': 'make binary',
  });
});

test('hooks that are set up are the check, and come before what a tool would do by itself', async () => {
  const files = {
    'pyproject.toml': '[tool.ruff]\n',
    '.pre-commit-config.yaml': 'repos: [{hooks: [{id: ruff-format}]}]\n',
  };
  expect(await commandsOf(files, [])).toMatchObject({ '. lint': 'pre-commit run --all-files' });
  expect(await commandsOf({ 'pyproject.toml': '[tool.ruff]\n', 'uv.lock': '' }, [])).toMatchObject({
    '. lint': 'uv run ruff check',
  });
  expect(
    await commandsOf({ 'build.gradle.kts': 'plugins { id("com.diffplug.spotless") }\n', gradlew: '' }, []),
  ).toMatchObject({ '. lint': './gradlew spotlessCheck' });
});

test('a framework that is only installed runs no tests; an analyser of types is a check of types as well', async () => {
  const installed = { 'requirements.txt': '# via locust\npytest==8.4.2\n', 'locustfile.py': '' };
  expect(await commandsOf(installed, [])).not.toHaveProperty('. test.unit');
  expect(await commandsOf({ ...installed, 'app/tests/a.py': '' }, [])).toMatchObject({ '. test.unit': 'pytest' });
  const steps = [{ run: 'vendor/bin/phpstan analyze' }, { run: 'vendor/bin/phpcs' }];
  expect(await commandsOf({ 'composer.json': '{}' }, steps)).toMatchObject({
    '. lint': 'vendor/bin/phpcs',
    '. typecheck': 'vendor/bin/phpstan analyze',
  });
});

test.each([
  ['ruff.toml', 'fix = true\n[lint]\nselect = ["E"]\n', 'ruff check', 'ruff check --no-fix'],
  ['.ruff.toml', 'line-length = 100\nfix = true\n', 'ruff check', 'ruff check --no-fix'],
  ['pyproject.toml', '[tool.ruff]\nsrc = ["src"]\nfix = true\n', 'ruff check .', 'ruff check --no-fix'],
  ['pyproject.toml', '[tool.ruff]\nsrc = ["src"]\n[tool.other]\nfix = true\n', 'ruff check', 'ruff check'],
  ['ruff.toml', '[lint]\nfix = true\n', 'ruff check', 'ruff check'],
])(
  'a linter that mends by its configuration (%s, %j) is no check without the option that stops it',
  async (name, text, run, check) => {
    const files = { [name]: text, 'a.py': 'x = 1\n', 'requirements.txt': 'flask\n' };
    const { plan } = await sectionOf(files, [{ run }], ['push']);
    expect(plan.filter(({ role }) => role === 'lint').map(({ cmd }) => cmd)).toEqual([check]);
  },
);

test('of the end-to-end tests of a part one is named as left out, not each of its variants', async () => {
  const own = {
    'test-e2e': 'playwright test',
    'test-e2e-ui': 'playwright test --ui',
    report: 'playwright show-report x',
  };
  const { left_out: out } = await sectionOf(
    { 'package.json': JSON.stringify({ name: 'x', scripts: own }) },
    [],
    ['push'],
  );
  expect(out.map(({ cmd }) => cmd)).toEqual(['npm run test-e2e']);
});

test('the compiler started by a package manager writes nothing where its configuration says so', async () => {
  const files = (options: object) => ({
    'package.json': JSON.stringify({ name: 'x', packageManager: 'yarn@4.0.0', scripts: { check: 'yarn tsc -p .' } }),
    'tsconfig.json': JSON.stringify({ compilerOptions: options }),
  });
  const rolesOf = async (options: object) => Object.keys(await commandsOf(files(options), [{ run: 'yarn check' }]));
  expect(await rolesOf({ noEmit: true })).toEqual(['. typecheck']);
  expect(await rolesOf({})).toEqual([]);
});

test('a script that is called lint is the lint, whatever else it checks; a benchmark builds nothing', async () => {
  const manifest = { name: 'a', scripts: { lint: 'tsc --noEmit && eslint . && prettier --check .' } };
  const commands = await commandsOf({ 'package.json': JSON.stringify(manifest), 'package-lock.json': '{}' }, []);
  expect(commands['. lint']).toBe('npm run lint');
  const rust = {
    'Cargo.toml': '[package]\nname = "x"\n',
    'scripts/compilation_benchmark.sh': 'cargo build --timings\n',
  };
  expect((await commandsOf(rust, []))['. build']).toBeUndefined();
});

test('where a computed value stands for a directory, those that have what the command works on are meant', async () => {
  const files = {
    'src/a/package.json': '{"name":"a"}',
    'src/b/pyproject.toml': '[project]\nname = "b"\n',
    'src/b/go.mod': '',
  };
  const ci = [{ run: 'uv run pyright', directory: null, directories: 'src/*' }];
  const commands = await commandsOf(files, ci);
  expect(commands['src/b typecheck']).toBe('src/b: uv run pyright');
  expect(commands['src/a typecheck']).toBeUndefined();
});

test('helpers of system tests among other packages are unit tests; a scan for holes is no lint', async () => {
  const go = { 'go.mod': 'module x', 'pkg/a.go': '' };
  const ran = [{ run: 'go test ./pkg/... ./test/e2e/utils/...' }, { run: 'go test ./test/e2e/...' }];
  expect(await commandsOf(go, ran)).toMatchObject({
    '. test.unit': 'go test ./pkg/... ./test/e2e/utils/...',
    '. test.e2e': 'go test ./test/e2e/...',
  });
  const rails = { Gemfile: '', 'a.rb': '' };
  expect(await commandsOf(rails, [{ run: 'bin/brakeman --no-pager' }, { run: 'bin/rubocop' }])).toMatchObject({
    '. lint': 'bin/rubocop',
  });
});

test('what sets system tests up is none of them; of one command in two places the surer one counts', async () => {
  const makefile = 'e2e-setup:\n\tkind create cluster\ne2e:\n\tgo test ./test/e2e/...\n';
  const ran = [{ run: 'make e2e-setup' }, { run: 'KIND_CLUSTER=kind make e2e' }];
  expect((await commandsOf({ Makefile: makefile, 'go.mod': 'module x' }, ran))['. test.e2e']).toBe('make e2e');
  const node = { 'package.json': '{"name":"a","scripts":{"test":"vitest run --coverage"}}', 'package-lock.json': '{}' };
  expect((await commandsOf(node, [{ run: 'npm test --if-present' }], ['release']))['. test.unit']).toBe('npm run test');
});

test('a build of one package that CI makes is not the build where a target is called so', async () => {
  const files = { Makefile: 'build:\n\tgo build -o app\n', 'go.mod': 'module x' };
  expect((await commandsOf(files, [{ run: 'go build -o try ./cmd/try' }]))['. build']).toBe('make build');
});
