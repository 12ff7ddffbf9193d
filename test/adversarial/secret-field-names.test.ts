/** Item 3: a probe that emits a key shaped like the name of a secret is refused; the gather goes on and the command exits 6. */

import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../src/kernel/base/json.ts';
import languageDetection from '../../src/probes/language-detection/language-detection.ts';
import { makeProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { isWritten, publishUnharmed, troubled } from '../support/hostile.ts';
import { runCli } from '../support/run-cli.ts';

let repo: FixtureRepo;
afterEach(() => {
  repo.dispose();
  vi.doUnmock('../../src/probes/registry.gen.ts');
  vi.resetModules();
});

const value = 'what-the-key-holds';
const emits = (section: Json) =>
  makeProbe('leaky', async () => ({ kind: 'ran', slice: { leaky: section }, confidence: 'high' }), {
    sections: { leaky: z.json() },
  });

test.each<[string, Json, string]>([
  ['at top level', { api_key: value }, 'api_key'],
  ['at depth 3', { a: { b: { dbPassword: value } } }, 'dbPassword'],
  ['inside a list', { rows: [{ name: 'x' }, { authToken: value }] }, 'authToken'],
  ['inside a list of lists', [[[{ 'Private-Key': value }]]], 'Private-Key'],
  ['in other letters', { x: { CLIENT_SECRET: value } }, 'CLIENT_SECRET'],
])('G3 a secret-shaped key %s is refused and named by its path', async (_, section, key) => {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  const { envelope } = await publishUnharmed(repo, {}, { probes: [languageDetection, emits(section)] });
  const record = recordOf(envelope, 'leaky');
  expect(record).toMatchObject({ status: 'failed', errors: ['output.secret_field_name'], sections: [] });
  expect(record.diagnostics[0]?.detail).toContain(key);
  expect(envelope['leaky']).toBeUndefined();
  expect(isWritten(repo, value)).toBe(false);
  expect(troubled(envelope)).toEqual({ leaky: ['output.secret_field_name'] });
  expect(recordOf(envelope, 'language_detection').status).toBe('ok');
});

test('G3 the one exempt name, and values that mention secrets, pass', async () => {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  const section = { references_secrets: [{ name: 'API_TOKEN' }], detail: 'a password' };
  const { envelope } = await repo.publish({}, { probes: [languageDetection, emits(section)] });
  expect(envelope['leaky']).toEqual(section);
});

test('G3 a refused output is not cached: the next gather refuses it again', async () => {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  const settings = { probes: [languageDetection, emits({ token: value })] };
  await repo.publish({}, settings);
  const { envelope } = await repo.publish({}, settings);
  expect(recordOf(envelope, 'leaky')).toMatchObject({ status: 'failed', cache: { state: 'miss' } });
});

test('G3 the command publishes what the others found and exits 6', async () => {
  repo = createFixtureRepo({ 'a.ts': '1;\n' });
  vi.resetModules();
  vi.doMock('../../src/probes/registry.gen.ts', () => ({
    probes: [languageDetection, emits({ a: [{ secret: value }] })],
  }));
  const ended = await runCli(['--json', 'gather', repo.root], { cwd: repo.base, home: repo.home });
  expect(ended.code).toBe(6);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    outcome: 'secret_field',
    gather_status: 'partial',
    probe_failures: [{ probe: 'leaky', status: 'failed', errors: ['output.secret_field_name'] }],
  });
  expect(repo.written()['context/repo-context.yaml']).toContain('language_stack:');
  expect(isWritten(repo, value)).toBe(false);
});
