import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { openEventLog } from './event-log.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'codegenie-log-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const startedAt = '2026-01-02T03:04:05.678Z';
const open = (runId = '0123456789abcdef', keep = 20) => openEventLog(base, runId, startedAt, keep, () => 0);

test('a log that cannot be opened is a refused output, not a bug', () => {
  const first = open();
  let refusal: unknown;
  try {
    open();
  } catch (error) {
    refusal = error;
  }
  first.close();
  expect(refusal).toBeInstanceOf(OutputRefused);
  expect((refusal as OutputRefused).path).toMatch(/\/logs\/gather-2026-01-02T03-04-05-678Z-01234567\.jsonl$/);
  expect((refusal as OutputRefused).why).toBe('cannot be written (EEXIST)');
});

test('a log that cannot be written any further ends, and nothing throws', () => {
  const program = `
    const { openEventLog } = await import(${JSON.stringify(new URL('./event-log.ts', import.meta.url).href)});
    const log = openEventLog(${JSON.stringify(base)}, '0123456789abcdef', '${startedAt}', 20, () => 0);
    for (let index = 0; index < 200; index += 1) log.event('step', { index, filler: 'words '.repeat(20) });
    log.close();
    process.stdout.write('done');`;
  // The limit is on the size of a file: to the writer it is a disk that is full.
  const run = spawnSync(
    'sh',
    ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program],
    {
      encoding: 'utf8',
    },
  );
  expect([run.stdout, run.status]).toEqual(['done', 0]);
  const [name = ''] = readdirSync(join(base, 'logs'));
  const lines = readFileSync(join(base, 'logs', name), 'utf8').split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.length).toBeLessThan(200);
});

test('closing removes the oldest logs, and what cannot be removed does not fail the gather', () => {
  mkdirSync(join(base, 'logs/gather-2020-a-folder.jsonl'), { recursive: true });
  writeFileSync(join(base, 'logs/gather-2021.jsonl'), '');
  const log = open('0123456789abcdef', 1);
  log.event('one');
  log.close();
  log.event('after');
  const left = readdirSync(join(base, 'logs')).sort();
  expect(left).toEqual(['gather-2020-a-folder.jsonl', 'gather-2026-01-02T03-04-05-678Z-01234567.jsonl']);
  expect(readFileSync(join(base, 'logs', left[1] ?? ''), 'utf8')).not.toContain('after');
});
