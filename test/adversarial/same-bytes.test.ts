/** P6: the same files give the same document, wherever, whenever and on whatever they are gathered. */

import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, type FixtureSettings, stableText } from '../support/fixture-repo.ts';
import { quickPath } from '../support/tools.ts';

const repos: FixtureRepo[] = [];
const zone = process.env['TZ'];
const locale = process.env['LC_ALL'];
afterEach(() => {
  for (const repo of repos.splice(0)) repo.dispose();
  for (const [name, value] of Object.entries({ TZ: zone, LC_ALL: locale })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const files: Readonly<Record<string, string>> = {
  'package.json':
    '{"name": "a", "version": "1.0.0", "scripts": {"test": "vitest", "build": "tsc"}, "workspaces": ["packages/*"]}',
  'tsconfig.json': '{"compilerOptions": {"strict": true}}',
  Dockerfile: 'FROM node:22\nCMD ["node", "a.js"]\n',
  '.github/workflows/ci.yml':
    'on: push\njobs: {b: {runs-on: x, steps: [{run: npm test}]}, a: {runs-on: x, steps: []}}\n',
  'docs/adr/0002-b.md': '# 2. B\n\n## Status\n\nAccepted\n',
  'docs/adr/0001-a.md': '# 1. A\n\n## Status\n\nAccepted\n',
  'AGENTS.md': '# Rules\n',
  CODEOWNERS: '* @a\n',
  '.codegenie/notes/z.md': '# Z\n',
  '.codegenie/notes/ä.md': '# Ä\n',
  ...Object.fromEntries(
    ['z', 'a', 'ä', 'Z', 'B', 'ß', 'i', 'I', 'ı'].map((name) => [
      `packages/${name}/package.json`,
      `{"name": "${name}"}`,
    ]),
  ),
  ...Object.fromEntries(['b', 'A', 'c', 'Ö', 'o'].map((name) => [`src/${name}.test.ts`, 'test("x", () => {});\n'])),
};

async function documentOf(names: readonly string[], settings: FixtureSettings = {}): Promise<string> {
  const repo = createFixtureRepo({}, { git: false });
  repos.push(repo);
  for (const name of names) repo.write(name, files[name] as string);
  const { envelope } = await repo.publish({ mode: 'no_cache' }, settings);
  return stableText(envelope);
}

const names = Object.keys(files);

test('G37 the order in which a directory lists its files does not show', async () => {
  const sorted = await documentOf([...names].sort());
  expect(await documentOf([...names].sort().reverse())).toBe(sorted);
  expect(await documentOf([...names].sort((a, b) => a.length - b.length))).toBe(sorted);
});

test('G37 the clock does not show, neither its hour nor its year', async () => {
  const now = await documentOf(names, { nowMs: () => Date.parse('2026-05-17T08:00:00Z') });
  expect(await documentOf(names, { nowMs: () => Date.parse('2019-12-31T23:59:59.999Z') })).toBe(now);
  expect(await documentOf(names, { nowMs: () => Date.parse('2038-02-29T12:00:00Z') })).toBe(now);
});

test('G37 time zone, locale and number of processors do not show', async () => {
  const plain = await documentOf(names);
  process.env['TZ'] = 'Pacific/Auckland';
  process.env['LC_ALL'] = 'tr_TR.UTF-8';
  const path = { PATH: quickPath() };
  for (const count of ['1', '2', '16']) {
    const environment = { ...path, TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', CODEGENIE_FORCE_CPU_COUNT: count };
    expect(await documentOf(names, { environment })).toBe(plain);
  }
});

test('G37 a clock that went back does not make a cached answer newer than now, or lose it', async () => {
  const repo = createFixtureRepo(files);
  repos.push(repo);
  const first = await repo.publish({}, { nowMs: () => Date.parse('2026-05-17T08:00:00Z') });
  const second = await repo.publish({}, { nowMs: () => Date.parse('2026-05-16T08:00:00Z') });
  expect(stableText(second.envelope)).toBe(stableText(first.envelope));
  expect(await repo.workspace().audit()).toMatchObject({ kind: 'audited', findings: [] });
});
