/** What the toolchain of a part does where nothing says otherwise: commands that its manifests and lock files imply. */

import { posix } from 'node:path';
import { type Component, isProduct, isWithin } from '../../gather/facts/fact.ts';
import { lazy } from '../../kernel/base/lazy.ts';
import type { CommandRole } from '../shared/command-deeds.ts';

export type Convention = {
  readonly role: CommandRole;
  readonly dir: string;
  readonly cmd: string;
  /** The file that implies it. */
  readonly path: string;
};

type Shelf = {
  readonly managerOf: (dir: string) => string;
  readonly filesIn: (dir: string) => readonly string[];
  readonly pythonRunnerOf: (dir: string) => string;
  readonly has: (path: string) => boolean;
  readonly isDirectory: (path: string) => boolean;
  readonly textOf: (path: string) => string;
  readonly mends: (linter: string, dir: string) => boolean;
  readonly paths: readonly string[];
};

export function listConventions(components: readonly Component[], shop: Shelf): readonly Convention[] {
  const pythonTested = lazy(() => dirsAround(shop.paths.filter((path) => pythonTest.test(path))));
  return components.filter(isProduct).flatMap(({ dir, manifests }) => {
    const inDir = (name: string) => manifests.find((path) => path === join(dir, name));
    const isInside = (name: string) =>
      dir !== '.' &&
      components.some(
        (one) => one.dir !== dir && isWithin(dir, one.dir) && one.manifests.includes(join(one.dir, name)),
      );
    const say = (path: string | undefined, role: CommandRole, cmd: string): Convention[] =>
      path === undefined ? [] : [{ role, dir, cmd, path }];
    const go = inDir('go.mod');
    const cargo = isInside('Cargo.toml') ? undefined : inDir('Cargo.toml');
    const isWorkspace = cargo !== undefined && shop.textOf(cargo).includes('[workspace');
    const every = isWorkspace ? ' --workspace' : '';
    const pom = isInside('pom.xml') ? undefined : inDir('pom.xml');
    const gradle =
      isInside('build.gradle') || isInside('build.gradle.kts')
        ? undefined
        : (inDir('build.gradle') ?? inDir('build.gradle.kts'));
    const mvn = shop.has(join(dir, 'mvnw')) ? './mvnw' : 'mvn';
    const gradlew = shop.has(join(dir, 'gradlew')) ? './gradlew' : 'gradle';
    const projects = components.flatMap((one) =>
      isWithin(one.dir, dir) ? one.manifests.filter((path) => /\.(?:cs|fs|vb)proj$/.test(path)) : [],
    );
    const solution = manifests.find((path) => /\.slnx?$/.test(path));
    const dotnet = solution ?? manifests.find((path) => projects.includes(path));
    const dotnetTests = projects.some((path) => /tests?\.[a-z]+proj$/i.test(path)) ? dotnet : undefined;
    const holding = (pattern: RegExp, ...names: readonly string[]) =>
      names.map((name) => join(dir, name)).find((path) => shop.has(path) && pattern.test(shop.textOf(path)));
    const there = (...names: readonly string[]) => names.map((name) => join(dir, name)).find(shop.has);
    // A list of all that is installed names it where another package needs it.
    const named = holding(/\bpytest\b/, 'pyproject.toml', ...requirementNames);
    const pytest =
      there('pytest.ini', 'conftest.py', 'tests/conftest.py') ??
      (named !== undefined && pythonTested().has(dir) ? named : undefined);
    const django = pytest === undefined ? there('manage.py') : undefined;
    const rspec = holding(/\brspec\b|rspec-rails/, 'Gemfile');
    const rails =
      rspec === undefined && shop.isDirectory(join(dir, 'test')) ? holding(/\brails\b/, 'Gemfile') : undefined;
    const mix = inDir('mix.exs');
    const composer = inDir('composer.json');
    const phpunit = composer === undefined ? undefined : there('phpunit.xml', 'phpunit.xml.dist');
    const gem = there('Gemfile');
    const rubocop = gem === undefined ? undefined : there('.rubocop.yml');
    const systemTests = ['test/system', 'spec/system', 'spec/features'].find((name) =>
      shop.filesIn(join(dir, name)).some((file) => /_(?:test|spec)\.rb$/.test(file)),
    );
    const systemRun = systemTests === 'test/system' ? 'bin/rails test:system' : `bundle exec rspec ${systemTests}`;
    const phpstan =
      composer === undefined ? undefined : there('phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon');
    const golangci = go === undefined ? undefined : there('.golangci.yml', '.golangci.yaml', '.golangci.toml');
    const hooks = there('.pre-commit-config.yaml', '.pre-commit-config.yml');
    // The build file of the root, or one that all parts share, names the plugin.
    const gradleText = gradle === undefined ? [] : gradleFilesBelow(dir, shop);
    const gradleCheck = gradleChecks.flatMap(([pattern, task]) => {
      const path = gradleText.find((one) => pattern.test(shop.textOf(one)));
      return path === undefined ? [] : [{ path, task }];
    })[0];
    const pomText = pom === undefined ? '' : shop.textOf(pom);
    const mavenCheck = mavenChecks.find(([pattern]) => pattern.test(pomText))?.[1];
    const eslint =
      inDir('package.json') === undefined ? undefined : shop.filesIn(dir).find((name) => eslintConfig.test(name));
    const ruff = there('ruff.toml', '.ruff.toml') ?? holding(/^\[tool\.ruff\b/m, 'pyproject.toml');
    const flake8 = there('.flake8');
    const mypy = there('mypy.ini', '.mypy.ini') ?? holding(/^\[tool\.mypy\b/m, 'pyproject.toml');
    const pyright = there('pyrightconfig.json') ?? holding(/^\[tool\.(?:based)?pyright\b/m, 'pyproject.toml');
    const runner = shop.pythonRunnerOf(dir);
    const swift = inDir('Package.swift');
    const sbt = inDir('build.sbt');
    const deno = inDir('deno.json') ?? inDir('deno.jsonc');
    const hasTests = (...names: readonly string[]) => names.some((name) => shop.isDirectory(join(dir, name)));
    const held = Object.entries(installs).flatMap(([name, cmd]) => (shop.has(join(dir, name)) ? [{ name, cmd }] : []));
    const listed = [{ name: 'requirements.txt', cmd: 'pip install -r requirements.txt' }];
    const locks = held.length > 0 ? held : listed.filter(({ name }) => shop.has(join(dir, name)));
    const [lock] = locks;
    // Which of several is meant, only a guide or CI can say.
    const isPlain = lock !== undefined && locks.length === 1;
    return [
      ...say(isPlain ? join(dir, lock.name) : undefined, 'install', lock?.cmd ?? ''),
      ...say(go, 'build', 'go build ./...'),
      ...say(go, 'test.unit', 'go test ./...'),
      ...say(ruff, 'lint', `${runner}ruff check${shop.mends('ruff', dir) ? ' --no-fix' : ''}`),
      ...say(ruff === undefined ? flake8 : undefined, 'lint', `${runner}flake8`),
      ...say(rubocop, 'lint', shop.has(join(dir, 'bin/rubocop')) ? 'bin/rubocop' : 'bundle exec rubocop'),
      ...say(phpstan, 'lint', 'vendor/bin/phpstan analyse'),
      ...say(golangci, 'lint', `golangci-lint run${shop.mends('golangci-lint', dir) ? ' --fix=false' : ''}`),
      ...say(gradleCheck?.path, 'lint', `${gradlew} ${gradleCheck?.task ?? ''}`),
      ...say(mavenCheck === undefined ? undefined : pom, 'lint', `${mvn} ${mavenCheck ?? ''}`),
      ...say(
        eslint === undefined ? undefined : join(dir, eslint),
        'lint',
        `${execs[shop.managerOf(dir)] ?? 'npx'} eslint .`,
      ),
      ...say(hooks, 'lint', 'pre-commit run --all-files'),
      ...say(mypy, 'typecheck', `${runner}mypy${shop.isDirectory(join(dir, 'src')) ? ' src' : ' .'}`),
      ...say(mypy === undefined ? pyright : undefined, 'typecheck', `${runner}pyright`),
      ...say(systemTests === undefined ? undefined : gem, 'test.e2e', systemRun),
      ...say(go, 'lint', 'go vet ./...'),
      ...say(cargo, 'build', `cargo build${every}`),
      ...say(cargo, 'test.unit', `cargo test${every}`),
      ...say(pom, 'build', `${mvn} package`),
      ...say(pom, 'test.unit', `${mvn} test`),
      ...say(gradle, 'build', `${gradlew} build`),
      ...say(gradle, 'test.unit', `${gradlew} test`),
      ...say(dotnet, 'build', 'dotnet build'),
      ...say(dotnetTests, 'test.unit', 'dotnet test'),
      ...say(pytest, 'test.unit', `${shop.pythonRunnerOf(dir)}pytest`),
      ...say(django, 'test.unit', `${shop.pythonRunnerOf(dir)}python manage.py test`),
      ...say(rspec, 'test.unit', 'bundle exec rspec'),
      ...say(rails, 'test.unit', 'bin/rails test'),
      ...say(mix, 'build', 'mix compile'),
      ...say(hasTests('test') ? mix : undefined, 'test.unit', 'mix test'),
      ...say(phpunit, 'test.unit', 'vendor/bin/phpunit'),
      ...say(swift, 'build', 'swift build'),
      ...say(hasTests('Tests') ? swift : undefined, 'test.unit', 'swift test'),
      ...say(sbt, 'build', 'sbt compile'),
      ...say(hasTests('src/test') ? sbt : undefined, 'test.unit', 'sbt test'),
      ...say(hasTests('test', 'tests') ? deno : undefined, 'test.unit', 'deno test'),
    ];
  });
}

const pythonTest = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$|(?:^|\/)tests?\/.*\.py$/;

function dirsAround(paths: readonly string[]): ReadonlySet<string> {
  const dirs = new Set<string>();
  for (const path of paths) for (let dir = posix.dirname(path); !dirs.has(dir); dir = posix.dirname(dir)) dirs.add(dir);
  return dirs;
}

/** Plugins, in the order in which a repository that has several would run one for all. */
const gradleChecks: readonly (readonly [RegExp, string])[] = [
  [/\bspotless\b/, 'spotlessCheck'],
  [/\bktlint\b/, 'ktlintCheck'],
  [/\bdetekt\b/, 'detekt'],
  [/\bcheckstyle\b/, 'checkstyleMain'],
];
const mavenChecks: readonly (readonly [RegExp, string])[] = [
  [/<artifactId>spotless-maven-plugin</, 'spotless:check'],
  [/<artifactId>spring-javaformat-maven-plugin</, 'spring-javaformat:validate'],
  [/<artifactId>maven-checkstyle-plugin</, 'checkstyle:check'],
];
const eslintConfig = /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:json|js|cjs|ya?ml))?)$/;
const execs: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' };

/** The build file of a build, and the conventions that its parts share. */
function gradleFilesBelow(dir: string, shop: Shelf): readonly string[] {
  const folders = [
    '.',
    'buildSrc',
    'buildSrc/src/main/kotlin',
    'buildSrc/src/main/groovy',
    'build-logic',
    'build-logic/src/main/kotlin',
  ];
  return folders.flatMap((folder) => {
    const at = folder === '.' ? dir : join(dir, folder);
    return shop
      .filesIn(at)
      .filter((name) => /\.gradle(?:\.kts)?$/.test(name))
      .map((name) => join(at, name));
  });
}

/** What brings the dependencies that a lock file pins. */
const installs: Readonly<Record<string, string>> = {
  'package-lock.json': 'npm ci',
  'npm-shrinkwrap.json': 'npm ci',
  'pnpm-lock.yaml': 'pnpm install --frozen-lockfile',
  'yarn.lock': 'yarn install',
  'bun.lock': 'bun install --frozen-lockfile',
  'uv.lock': 'uv sync',
  'poetry.lock': 'poetry install',
  'pdm.lock': 'pdm install',
  'Gemfile.lock': 'bundle install',
  'composer.lock': 'composer install',
  'go.sum': 'go mod download',
  'Cargo.lock': 'cargo fetch --locked',
  'mix.lock': 'mix deps.get',
};

const requirementNames = [
  'requirements.txt',
  'requirements-dev.txt',
  'requirements_dev.txt',
  'dev-requirements.txt',
  'requirements-test.txt',
  'test-requirements.txt',
];

/** Root-relative; `.` is the root. */
export function join(dir: string, name: string): string {
  return dir === '.' ? name : `${dir}/${name}`;
}
