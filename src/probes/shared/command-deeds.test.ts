import { expect, test } from 'vitest';
import { deedOfCommand } from './command-deeds.ts';

const scripts: Readonly<Record<string, string>> = {
  test: 'npm run lint && npm run unit',
  lint: 'eslint . --fix',
  unit: 'node --test',
  image: 'docker buildx build . --push',
  wipe: 'rm -rf src/generated',
  clean: 'rm -rf dist coverage',
  loop: 'npm run loop',
};
const deed = (line: string) => {
  const { roles, effects } = deedOfCommand(line, (name) => scripts[name]);
  return [...roles, '/', ...effects].join(' ').trim();
};

test('a command is what runs at the end of its scripts, not what it is called', () => {
  expect(deed('npm test')).toBe('test.unit / writes');
  expect(deed('npm run image')).toBe('/ publishes');
  expect(deed('npm run wipe')).toBe('/ deletes');
  expect(deed('npm run clean')).toBe('/');
  expect(deed('npm run loop')).toBe('/');
});

test('runners and their options are no part of the command', () => {
  expect(deed('uv run --locked --group dev tox run -e typing')).toBe('typecheck /');
  expect(deed('CI=1 npx --yes vitest@3 run')).toBe('test.unit /');
  expect(deed('bundle exec standardrb --fix-unsafely')).toBe('/ writes');
  expect(deed('nyc --exclude examples -r lcov --reporter=text npm run unit')).toBe('test.unit /');
  expect(deed('xvfb-run -a npm run unit')).toBe('test.unit /');
  expect(deed('timeout -k 5 10m go test ./...')).toBe('test.unit /');
  expect(deed('sudo -E env X=1 pytest')).toBe('test.unit /');
  expect(deed('python3.12 -W error -m coverage run --source=. --module manage test')).toBe('test.unit /');
});

test('what a container is told to run is done there, and needs it', () => {
  expect(deed('docker compose -f dev.yml run --rm -e CI=1 web npm run unit')).toBe('test.unit / service');
  expect(deed('docker-compose exec -T app sh -c "pytest -q"')).toBe('test.unit / service');
  expect(deed('docker run --rm -v .:/src golang:1 golangci-lint run')).toBe('lint / service');
  expect(deed('docker compose run web')).toBe('/ service');
});

test('the same program checks, rewrites or publishes by its options', () => {
  expect(deed('prettier --check .')).toBe('format_check /');
  expect(deed('prettier --write .')).toBe('/ writes');
  expect(deed('biome check')).toBe('lint /');
  expect(deed('biome check --write --unsafe')).toBe('/ writes');
  expect(deed('tsc --noEmit')).toBe('typecheck /');
  expect(deed('tsc -p tsconfig.json')).toBe('build / writes');
  expect(deed('./mvnw -B verify')).toBe('build test.unit /');
  expect(deed('./mvnw -DskipTests package')).toBe('build /');
  expect(deed('mvn install -DskipTests=$SKIP')).toBe('build test.unit /');
  expect(deed('mvn install -DskipTests=true')).toBe('build /');
  expect(deed('bash playwright_code_generator.sh')).toBe('/');
  expect(deed("go test -run='^$' -bench=. ./...")).toBe('/');
  expect(deed('go test -run ^$ -bench . ./...')).toBe('/');
  expect(deed('go test -run TestA ./...')).toBe('test.unit /');
  expect(deed('./gradlew build -x test')).toBe('build /');
  expect(deed('cargo fmt --all --check')).toBe('format_check /');
  expect(deed('bin/rails db:test:prepare test')).toBe('test.unit /');
  expect(deed('bundle exec rake db:drop test')).toBe('test.unit / deletes');
  expect(deed('docker compose down -v')).toBe('/ deletes');
  expect(deed('npx np --no-publish')).toBe('/ publishes');
});

test('what is not opened is what its name says; what is not known plays no part', () => {
  expect(deed('make test')).toBe('test.unit /');
  expect(deed('bash scripts/tests-start.sh "x"')).toBe('test.unit /');
  expect(deed('./test/e2e.sh')).toBe('test.e2e /');
  expect(deed('composer test')).toBe('test.unit /');
  expect(deed('scripts/test')).toBe('test.unit /');
  expect(deed('./script/lint --all')).toBe('lint /');
  expect(deed('bin/rspec')).toBe('test.unit /');
  expect(deed('make run-telemetry-tests')).toBe('test.e2e /');
  expect(deed('make release')).toBe('/ publishes');
  expect(deed('make smoke')).toBe('test.e2e /');
  expect(deed('make smoke-report')).toBe('/');
  expect(deed('make cypress-open')).toBe('/');
  expect(deed('make cypress-run')).toBe('test.e2e /');
  expect(deed('echo test')).toBe('/');
  expect(deed('frobnicate --all')).toBe('/');
});

test('tests of the running system are chosen by a path, a tag or a configuration; what is left out is not chosen', () => {
  expect(deed('go test ./integration/...')).toBe('test.e2e /');
  expect(deed('go test -tags=e2e ./...')).toBe('test.e2e /');
  expect(deed('bundle exec rspec spec/system')).toBe('test.e2e /');
  expect(deed('vitest run --config vitest.e2e.config.ts')).toBe('test.e2e /');
  expect(deed('./gradlew connectedCheck')).toBe('test.e2e /');
  expect(deed('./gradlew jvmTest')).toBe('test.unit /');
  expect(deed('pytest --ignore=tests/integration tests')).toBe('test.unit /');
  expect(deed('pytest -m "not integration"')).toBe('test.unit /');
  expect(deed('mocha --require test/support/env test/ test/acceptance/')).toBe('test.unit /');
});
