import { expect, test } from 'vitest';
import {
  expandScripts,
  findSmokeFile,
  isImageBuild,
  isSmokeTest,
  isUnitTest,
  listCommandLines,
  listInvocations,
  scriptNameOf,
  servesPurpose,
  smokePathIn,
} from './shell-commands.ts';

const none = () => undefined;

test('unit tests are recognised by the program that starts, not by a word in the line', () => {
  const yes = [
    'npm test',
    'npm run test',
    'pnpm -r test',
    'pnpm --filter api test',
    'yarn workspace api test',
    'bun run test:unit',
    'CI=true npx --yes vitest run --coverage',
    'yarn jest --ci',
    './node_modules/.bin/mocha',
    'python -m pytest -q',
    'uv run pytest',
    'go test ./...',
    'cargo test --all',
    'mvn -B test',
    './gradlew :app:test',
    'node --test',
    'npm ci && npm test',
    'if [ -n "$X" ]; then npm test; fi',
  ];
  const no = [
    'npm install -g jest',
    'echo vitest',
    'npm run test:e2e',
    'npm run test:smoke',
    'npm run build',
    'go build',
    'pip install pytest',
    'npm',
  ];
  expect(yes.filter((line) => !isUnitTest(line))).toEqual([]);
  expect(no.filter(isUnitTest)).toEqual([]);
});

test('images and smoke tests are recognised by their text', () => {
  expect(['docker build .', 'docker buildx build .', 'podman build -t x .', 'buildah bud .'].every(isImageBuild)).toBe(
    true,
  );
  expect(['docker run x', 'npm run docker'].some(isImageBuild)).toBe(false);
  expect(['npm run smoke', 'yarn test:smoke', './scripts/smoke-test.sh', 'node smoke.mjs'].every(isSmokeTest)).toBe(
    true,
  );
  expect(['npm test', 'echo smoking'].some(isSmokeTest)).toBe(false);
});

test('scripts are opened through aliases, and a cycle ends', () => {
  const scripts: Record<string, string> = {
    verify: 'npm run lint && pnpm check',
    check: 'vitest run',
    lint: 'npm run verify',
  };
  const lookup = (name: string) => scripts[name];
  expect(expandScripts('npm run verify', lookup)).toEqual([
    'npm run verify',
    'npm run lint && pnpm check',
    'npm run verify',
    'vitest run',
  ]);
  expect(servesPurpose('npm run verify', 'unit_test', lookup)).toBe(true);
  expect(servesPurpose('npm run verify', 'unit_test', none)).toBe(false);
});

test('the script of an invocation', () => {
  expect(scriptNameOf(['npm', 'ci'])).toBe(null);
  expect(scriptNameOf(['npm', 't'])).toBe('test');
  expect(scriptNameOf(['pnpm', '-r', '--filter', 'x', 'run', 'build'])).toBe('build');
  expect(scriptNameOf(['yarn', 'workspaces', 'foreach', '-A', 'run', 'test'])).toBe('test');
});

test('lines: continuations are joined, comments dropped', () => {
  expect(listCommandLines('# x\nnpm ci \\\n  --ignore-scripts\n\nnpm test\n')).toEqual([
    'npm ci --ignore-scripts',
    'npm test',
  ]);
  expect(listInvocations('FOO=1 npx -y c8 jest && (cd a; ./gradlew test)')).toEqual([
    ['jest'],
    ['cd', 'a'],
    ['gradlew', 'test'],
  ]);
});

test('smoke paths: relative to the step, never outside the root, never computed', () => {
  expect(smokePathIn('bash ./scripts/smoke.sh prod', '')).toBe('scripts/smoke.sh');
  expect(smokePathIn('node smoke.js', 'apps/web')).toBe('apps/web/smoke.js');
  expect(smokePathIn('../scripts/smoke.sh', '')).toBe(null);
  expect(smokePathIn('$DIR/smoke.sh', '')).toBe(null);
  expect(smokePathIn('npm run smoke', '')).toBe(null);
  expect(findSmokeFile(['a/b/smoke.sh', 'scripts/smoke.js'])).toBe('scripts/smoke.js');
});

test('G16 hostile lines take linear time', () => {
  const long = 'npm run test && '.repeat(5_000);
  expect(listInvocations(long)).toHaveLength(5_000);
  expect(isImageBuild(`${'docker '.repeat(5_000)}${' '.repeat(50_000)}build`)).toBe(false);
  expect(smokePathIn(`${'smoke'.repeat(5_000)}!`, '')).toBe(null);
  expect(listCommandLines('\\\n'.repeat(5_000))).toEqual([]);
});
