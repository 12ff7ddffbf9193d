import { expect, test } from 'vitest';
import { isConfigFile } from './config-files.ts';

test.each([
  'tsconfig.json',
  'a/tsconfig.base.json',
  'tsconfig-strict.json',
  'web.tsconfig.json',
  'jsconfig.json',
  'packages/typescript-config/base.json',
  'dist/index.d.ts.map',
  'package.json',
  'pnpm-lock.yaml',
  'go.mod',
  'go.work',
  'crates/a/Cargo.toml',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'pom.xml',
  'build.gradle',
  'settings.gradle.kts',
  'build/compile_commands.json',
  'composer.json',
  'src/App.csproj',
  'App.sln',
  'Gemfile',
  'acme.gemspec',
  '.codegenie/contexts.json',
])('%s feeds resolution or a context', (path) => {
  expect(isConfigFile(path)).toBe(true);
});

test.each([
  'src/config.json',
  'mytsconfig.json',
  'tsconfig.json/x.ts',
  'xgo.mod',
  'gradle',
  'README.md',
  'my-package.json',
  'contexts.json',
])('%s does not', (path) => {
  expect(isConfigFile(path)).toBe(false);
});
