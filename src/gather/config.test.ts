import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, probeNamesIn } from './config.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-config-'));
  for (const path of ['home/.codegenie', 'root']) mkdirSync(join(base, path), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function load(text: string) {
  writeFileSync(join(base, 'home/.codegenie/config.yaml'), text);
  return loadConfig({ root: join(base, 'root'), home: join(base, 'home'), overrides: {} });
}
async function valuesOf(text: string) {
  const outcome = await load(text);
  if (outcome.kind !== 'loaded') throw new Error(JSON.stringify(outcome.problems));
  return outcome.values;
}

describe('G35 tools', () => {
  test.each([
    ['nested', 'tools: {git: {path: /opt/git}, rg: {path: ~/rg}}'],
    ['with dots', 'tools.git.path: /opt/git\ntools.rg.path: ~/rg'],
    ['half and half', 'tools.git: {path: /opt/git}\ntools: {rg.path: ~/rg}'],
  ])('G35 %s', async (_, text) => {
    expect((await valuesOf(text))['tools.paths']).toEqual({ git: '/opt/git', rg: join(base, 'home/rg') });
  });

  test.each([
    ['an unknown tool', 'tools: {ripgrp: {path: /x}}', 'tools.ripgrp', /unknown tool ripgrp/],
    ['a mistyped tool', 'tools: {semgrp: {path: /x}}', 'tools.semgrp', /did you mean semgrep\?/],
    ['a mistyped tool with dots', 'tools.gti.path: /x', 'tools.gti.path', /unknown tool gti; did you mean git\?/],
    ['a name that every object has', 'tools: {toString: {path: /x}}', 'tools.toString', /unknown tool/],
    ['a member too much', 'tools: {git: {path: /x, args: [a]}}', 'tools.git.args', /unknown key.*\{git: \{path: /],
    ['a member below the path', 'tools.git.path.x: /x', 'tools.git.path.x', /unknown key/],
    ['no path', 'tools: {git: {}}', 'tools.git', /expected \{path/],
    ['a path that is no text', 'tools: {git: {path: 5}}', 'tools.git.path', /absolute path/],
    ['the same path twice', 'tools: {git: {path: /x}}\ntools.git.path: /y', 'tools.git.path', /twice/],
    ['the name of the code', 'tools.paths: {git: /x}', 'tools.paths', /unknown tool paths/],
    ['a mistyped group', 'tool.git.path: /x', 'tool.git.path', /did you mean tools\.git\.path\?/],
  ])('G35 %s', async (_, text, key, message) => {
    const outcome = await load(text);
    expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ key, message: expect.stringMatching(message) }] });
  });
});

describe('G35 probes.timeouts', () => {
  test('G35 a time that no timer can hold is refused', async () => {
    expect(await load('probes: {timeouts: {ci: 2000001}}')).toMatchObject({
      kind: 'invalid',
      problems: [{ key: 'probes.timeouts', message: expect.stringMatching(/2000000/) }],
    });
    const values = await valuesOf('probes: {timeouts: {ci: 2000000}}');
    expect((values['probes.timeouts']['ci'] ?? 0) * 1000).toBeLessThan(2 ** 31);
  });

  test('G35 every probe that the configuration names can be checked against the registry', async () => {
    const values = await valuesOf('probes: {disabled: [adrs], timeouts: {ci: 5, slo: 6}}');
    expect(probeNamesIn(values)).toEqual(['adrs', 'ci', 'slo']);
  });
});
