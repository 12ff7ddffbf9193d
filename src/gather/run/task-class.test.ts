import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadTaskClass } from './task-class.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-task-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
const load = (task: string) =>
  loadTaskClass(task, { root: join(base, 'repo'), home: join(base, 'home'), probeNames: ['ci', 'deployment'] });
const inRepo = (name: string) => `repo/.codegenie/task-classes/${name}.yaml`;
const inHome = (name: string) => `home/.codegenie/task-classes/${name}.yaml`;
const minimal = (more = '') => `schema_version: "1"\ntask_class: upgrade\n${more}`;

test('what ships cannot be replaced, and what the user wrote comes before the repository', async () => {
  write(inRepo('general'), minimal());
  expect(await load('general')).toMatchObject({ kind: 'found', source: 'built-in' });
  write(inRepo('upgrade'), minimal('required_probes: [ci]'));
  expect(await load('upgrade')).toMatchObject({
    source: '.codegenie/task-classes/upgrade.yaml',
    taskClass: { required_probes: ['ci'] },
  });
  write(inHome('upgrade'), minimal('confidence_floor: high'));
  expect(await load('upgrade')).toMatchObject({
    source: '~/.codegenie/task-classes/upgrade.yaml',
    taskClass: { confidence_floor: 'high' },
  });
});

test('a task without a class has none, and no name leads out of the folder', async () => {
  write('repo/secret.yaml', minimal());
  for (const task of ['nothing', '../../secret', '..', 'a/../../../secret', ''])
    expect(await load(task)).toEqual({ kind: 'none' });
});

test.each([
  ['parse', 'a: [', /malformed/],
  ['parse', '- a', /malformed|object/],
  ['parse', `# ${'x'.repeat(70_000)}`, /size_cap_exceeded/],
  ['schema', minimal('unknown: 1'), /unknown/i],
  ['schema', 'schema_version: 1\ntask_class: upgrade', /schema_version/],
  ['schema', minimal('confidence_floor: highest'), /confidence_floor/],
  ['schema', minimal('derived_queries: [{id: a, compute: refs_to, pkg: x}]'), /derived_queries/],
  [
    'unknown_query_primitive',
    minimal('derived_queries: [{id: a, compute: consumer_of, pkg: x}]'),
    /did you mean consumers_of\?/,
  ],
  ['unknown_probe', minimal('required_probes: [deploymnt]'), /did you mean deployment\?/],
  ['unknown_probe', minimal('optional_probes: [nonsense_probe]'), /^nonsense_probe/],
])('%s: %j', async (reason, text, detail) => {
  write(inRepo('upgrade'), text);
  const outcome = await load('upgrade');
  expect(outcome).toMatchObject({ kind: 'invalid', reason, source: '.codegenie/task-classes/upgrade.yaml' });
  expect(outcome.kind === 'invalid' ? outcome.detail : '').toMatch(detail);
});

test('a link in the place of a class is refused', async () => {
  write('elsewhere.yaml', minimal());
  mkdirSync(join(base, 'repo/.codegenie/task-classes'), { recursive: true });
  symlinkSync(join(base, 'elsewhere.yaml'), join(base, inRepo('upgrade')));
  expect(await load('upgrade')).toMatchObject({ kind: 'invalid', reason: 'parse', detail: 'symlink_refused' });
});
