/** P6 and item 37: the same bytes give the same document, whatever the clock, zone, language, processors and order on disk. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withoutVolatile } from '../../src/gather/run/coordinate.ts';
import type { JsonObject } from '../../src/kernel/base/json.ts';
import { parseYamlObject } from '../../src/kernel/formats/yaml.ts';
import { createFixtureRepo, type FixtureRepo, stableText } from '../support/fixture-repo.ts';
import { readContext } from '../support/hostile.ts';
import { quickPath } from '../support/tools.ts';

const names = ['a', 'B', 'ä', 'Z', 'é', 'z', '_', '10', '9', 'ı', 'İ', 'ß', '日本'];
const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"x","workspaces":["packages/*"],"scripts":{"b":"1","ä":"2","B":"3","a":"4"}}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
  ...Object.fromEntries(names.map((name) => [`packages/${name}/package.json`, `{"name":"@x/${name}"}`])),
  ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, `export const x = 1;\n`])),
  ...Object.fromEntries(
    names.map((name) => [
      `docs/adr/${name}.md`,
      `# ${name}\n\nDate: 2026-03-0${name.length}\n\n## Status\n\nAccepted\n`,
    ]),
  ),
  '.github/workflows/ci.yml': 'on: push\njobs:\n  b: {runs-on: x, steps: []}\n  ä: {runs-on: y, steps: []}\n',
  'k8s/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: b}\n',
  'k8s/a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n',
  '.codegenie/notes/b.md': '# b\n',
  '.codegenie/notes/a.md': '# a\n',
  '.codegenie/exceptions.yaml':
    '- {repo_glob: "*", task: general, reason: r, expires: 2026-06-30, approver: a}\n- {repo_glob: "*", task: x, reason: s, expires: 2026-07-01, approver: b}\n',
};

const noon = Date.UTC(2026, 5, 15, 12);
let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo(files);
});
afterEach(() => repo.dispose());

test('P6: two cold gathers of the same tree are equal but for the volatile fields', async () => {
  const first = (await repo.publish({ mode: 'no_cache' })).envelope;
  const second = (await repo.publish({ mode: 'no_cache' })).envelope;
  expect(second.run_id).not.toBe(first.run_id);
  expect(stableText(second)).toBe(stableText(first));
});

test('P6: cold, warm and with one probe at a time', async () => {
  const cold = (await repo.publish({ maxConcurrency: 1 })).envelope;
  expect(stableText((await repo.publish({ maxConcurrency: 8 })).envelope)).toBe(stableText(cold));
  expect(stableText((await repo.publish({ mode: 'no_cache', maxConcurrency: 8 })).envelope)).toBe(stableText(cold));
});

test('G37 the hour of the day, a clock that jumps and a slow one change nothing', async () => {
  const at = (ms: number, stepMs = 1) => {
    let now = ms;
    return { nowMs: () => (now += stepMs) };
  };
  const settings = [at(noon), at(noon + 11 * 3_600_000), at(noon, 60_000), at(noon, -60_000)];
  const texts = [];
  for (const each of settings) texts.push(stableText((await repo.publish({ mode: 'no_cache' }, each)).envelope));
  expect(new Set(texts).size).toBe(1);
});

test('G37 time zone, language and number of processors of the process change nothing', () => {
  const program = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));
  const gatherUnder = (environment: Readonly<Record<string, string>>): string => {
    execFileSync(process.execPath, [program, 'gather', repo.root, '--no-cache', '--quiet'], {
      env: { PATH: quickPath(), HOME: repo.home, ...environment },
      stdio: 'pipe',
    });
    const parsed = parseYamlObject(Buffer.from(readContext(repo)), { maxBytes: 1e8, maxDepth: 64 });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
    return JSON.stringify(withoutVolatile(parsed.value as JsonObject));
  };
  const texts = [
    gatherUnder({}),
    gatherUnder({
      TZ: 'Pacific/Kiritimati',
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      CODEGENIE_FORCE_CPU_COUNT: '1',
    }),
    gatherUnder({
      TZ: 'America/Adak',
      LANG: 'C',
      LC_ALL: 'sv_SE.UTF-8',
      CODEGENIE_FORCE_CPU_COUNT: '16',
      NO_COLOR: '1',
    }),
  ];
  expect(new Set(texts).size).toBe(1);
});

test('G37 the order in which files lie in their directories changes nothing', async () => {
  const texts: string[] = [];
  for (const entries of [Object.entries(files), Object.entries(files).reverse()]) {
    const walked = createFixtureRepo(Object.fromEntries(entries), { git: false });
    try {
      texts.push(stableText((await walked.publish({ mode: 'no_cache' })).envelope));
    } finally {
      walked.dispose();
    }
  }
  expect(texts[1]).toBe(texts[0]);
});
