import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countMemoryKills } from './compiler-process.ts';

test('the kernel is believed where it counts, and nothing is made up where it does not', () => {
  const place = mkdtempSync(join(tmpdir(), 'kills-'));
  try {
    const statistics = join(place, 'vmstat');
    writeFileSync(statistics, 'nr_free_pages 3881702\noom_kill 74\nnuma_pte_updates 0\n');
    expect(countMemoryKills(statistics)).toBe(74);
    writeFileSync(statistics, 'nr_free_pages 3881702\n');
    expect(countMemoryKills(statistics)).toBeUndefined();
    expect(countMemoryKills(join(place, 'none'))).toBeUndefined();
  } finally {
    rmSync(place, { recursive: true });
  }
});

test.skipIf(process.platform !== 'linux')('Linux counts (needs Linux)', () => {
  expect(countMemoryKills()).toEqual(expect.any(Number));
});
