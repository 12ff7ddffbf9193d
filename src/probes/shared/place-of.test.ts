import { expect, test } from 'vitest';
import { type Place, placeOf } from './place-of.ts';

test.each<[string, Place]>([
  ['src/config.py', 'product'],
  ['certs/server.key', 'product'],
  ['pkg/latest/contest.go', 'product'],
  ['runtime-tests/bun/index.ts', 'test'],
  ['src/Auth.Tests/AuthTests.cs', 'test'],
  ['spec/models/user_spec.rb', 'test'],
  ['src/UserServiceTest.kt', 'test'],
  ['docs/config.rst', 'documentation'],
  ['integration/tls/privkey.pem', 'test'],
  ['src/integration/client.ts', 'product'],
  ['README.md', 'documentation'],
  ['site/docusaurus.config.ts', 'documentation'],
  ['examples/app/main.go', 'example'],
  ['.env.example', 'example'],
  ['config.sample.yml', 'example'],
  ['appsettings.Development.json', 'development'],
  ['compose.override.yml', 'development'],
  ['Dockerfile.dev', 'development'],
  ['.devcontainer/Dockerfile', 'development'],
  ['web/Dockerfile.playwright', 'test'],
  ['docker/builder-go.dockerfile', 'product'],
  ['vendor/lib/key.go', 'vendored'],
  ['static/app.min.js', 'vendored'],
])('%s belongs to: %s', (path, place) => {
  expect(placeOf(path)).toBe(place);
});
