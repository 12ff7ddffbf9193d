/** Every example of every probe, through the real coordinator, cold and warm (38: each probe yields data on a fixture). */

import { afterEach, describe, expect, test } from 'vitest';
import type { Probe, ProbeExample } from '../src/gather/contract.ts';
import { splitSectionPath } from '../src/gather/publish/envelope.ts';
import { probes } from '../src/probes/registry.gen.ts';
import { createFixtureRepo, type FixtureRepo, recordOf, stableText } from './support/fixture-repo.ts';
import { hasTool } from './support/tools.ts';

const NO_GIT = '(no git)';
let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

for (const probe of probes) {
  describe(probe.name, () => {
    test('G38 has an example on which it yields data', () => {
      expect(
        probe.examples.some((example) => example.skipped === undefined && Object.keys(example.gives).length > 0),
      ).toBe(true);
    });
    for (const example of probe.examples) {
      const missing = (example.needs ?? []).filter((tool) => !hasTool(tool));
      const title = missing.length === 0 ? example.shows : `${example.shows} (needs ${missing.join(', ')})`;
      test.skipIf(missing.length > 0)(title, () => checkExample(probe, example));
    }
  });
}

async function checkExample(probe: Probe, example: ProbeExample): Promise<void> {
  const { [NO_GIT]: noGit, ...files } = example.files;
  repo = createFixtureRepo(files, { git: noGit === undefined, uncommitted: '.codegenie' });
  // index_health always produces something, so a probe that reports errors is published beside it.
  const ask = { only: [probe.name, 'index_health', ...(example.beside ?? [])], task: example.task ?? null };
  const { envelope } = await repo.publish(ask);
  const record = recordOf(envelope, probe.name);
  if (example.skipped !== undefined) {
    expect(record.skip?.reason).toBe(example.skipped);
    return;
  }
  expect({ status: record.status, diagnostics: record.diagnostics }).toMatchObject({
    status: (example.errors ?? []).length > 0 ? 'degraded' : 'ok',
  });
  for (const [path, expected] of Object.entries(example.gives)) {
    const [top, leaf] = splitSectionPath(path);
    const section = envelope[top] as Record<string, unknown>;
    expect(leaf === undefined ? section : section[leaf]).toMatchObject(expected as object);
  }
  expect([...record.errors].sort()).toEqual([...(example.errors ?? [])].sort());
  if (example.warnings !== undefined) expect([...record.warnings].sort()).toEqual([...example.warnings].sort());
  if (example.confidence !== undefined) expect(record.confidence).toBe(example.confidence);
  for (const { id, scope, ...expected } of example.facts ?? []) {
    const fact = envelope.facts.find((one) => one.id === id && one.scope === scope);
    expect(fact, `${id} of ${scope}`).toMatchObject({ state: 'known', ...expected });
  }
  expect(record.warnings.filter((warning) => warning.startsWith('facts.'))).toEqual([]);

  const again = (await repo.publish(ask)).envelope;
  if (record.errors.length === 0 && probe.cacheStrategy === 'content') {
    // A probe may ask the world again before it believes a stored answer.
    const accepted = probe.revalidate === undefined ? ['hit'] : ['hit', 'stale'];
    expect(accepted).toContain(recordOf(again, probe.name).cache.state);
  }
  if (probe.cacheStrategy === 'content') expect(stableText(again)).toBe(stableText(envelope));
}
