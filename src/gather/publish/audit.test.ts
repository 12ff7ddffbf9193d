import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { echoProbe } from '../../../test/support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo } from '../../../test/support/fixture-repo.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';

const probes = [echoProbe('alpha', ['a/**'])];
let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({ 'a/one.txt': 'first' });
});
afterEach(() => repo.dispose());

const context = (path: string) => join(repo.root, '.codegenie/context', path);
const audit = () => repo.workspace({ probes }).audit();

test('no record is no pass', async () => {
  expect(await audit()).toMatchObject({ kind: 'no_record' });
  await repo.publish({}, { probes });
  rmSync(context('runs'), { recursive: true });
  expect(await audit()).toMatchObject({ kind: 'no_record' });
});

test('what was checked is named: document, reports, artifacts, cached outputs', async () => {
  const { envelope } = await repo.publish({}, { probes });
  const outcome = await audit();
  expect(outcome).toMatchObject({ kind: 'audited', findings: [], olderRecords: 0, runId: envelope.run_id });
  expect(outcome).toMatchObject({
    checked: expect.arrayContaining([
      'repo-context.yaml',
      'CONTEXT_REPORT.md',
      'CONTEXT_REPORT.html',
      'raw/alpha.json',
      'cache of alpha',
    ]),
  });
});

test('a changed file is named with both hashes', async () => {
  await repo.publish({}, { probes });
  for (const file of ['repo-context.yaml', 'CONTEXT_REPORT.md', 'CONTEXT_REPORT.html', 'raw/alpha.json']) {
    const bytes = readFileSync(context(file));
    writeFileSync(context(file), 'tampered');
    const finding = { file, problem: 'mismatch', expected: sha256Hex(bytes), actual: sha256Hex('tampered') };
    expect(await audit()).toMatchObject({ findings: [finding] });
    writeFileSync(context(file), bytes);
  }
  expect(await audit()).toMatchObject({ findings: [] });
});

test('a file that is gone, and a link in its place, are missing', async () => {
  await repo.publish({}, { probes });
  const bytes = readFileSync(context('raw/alpha.json'));
  rmSync(context('raw/alpha.json'));
  const finding = { file: 'raw/alpha.json', problem: 'missing', actual: 'missing' };
  expect(await audit()).toMatchObject({ findings: [finding] });
  writeFileSync(join(repo.home, 'copy'), bytes);
  symlinkSync(join(repo.home, 'copy'), context('raw/alpha.json'));
  expect(await audit()).toMatchObject({ findings: [finding] });
});

test('a tampered blob of the cache is found; a collected entry is not missed', async () => {
  await repo.publish({}, { probes });
  const blobs = join(repo.cacheDir, 'cache/gather/v1/blobs');
  for (const folder of readdirSync(blobs))
    for (const name of readdirSync(join(blobs, folder))) writeFileSync(join(blobs, folder, name), 'tampered');
  expect(await audit()).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ file: 'cache of alpha', problem: 'missing' })]),
  });
  rmSync(join(repo.cacheDir, 'cache'), { recursive: true });
  expect(await audit()).toMatchObject({ findings: [] });
});

test('the newest record decides; older ones must only be readable', async () => {
  await repo.publish({}, { probes });
  repo.write('a/one.txt', 'second');
  await repo.publish({}, { probes });
  expect(await audit()).toMatchObject({ findings: [], olderRecords: 1 });
  const [oldest, newest] = readdirSync(context('runs')).sort() as [string, string];
  writeFileSync(context(`runs/${oldest}`), '{"run_id": 1}');
  expect(await audit()).toMatchObject({ findings: [{ file: `runs/${oldest}`, problem: 'malformed' }] });
  writeFileSync(context(`runs/${newest}`), 'not JSON');
  expect(await audit()).toMatchObject({
    checked: [],
    findings: [{ file: `runs/${oldest}` }, { file: `runs/${newest}` }],
  });
});
