import { expect, test } from 'vitest';
import { createBuildLog } from './engine-output.ts';

function stepOf(...lines: string[]): string | null {
  const log = createBuildLog();
  for (const line of lines) log.add(line);
  return log.step();
}

test('the last step that was begun is the one a build failed in', () => {
  expect(stepOf('STEP 1/2: FROM scratch', 'STEP 2/2: RUN false', 'Error: exit status 1')).toBe('2/2: RUN false');
  expect(stepOf('[1/2] STEP 1/1: FROM scratch', '[2/2] STEP 1/3: COPY a b')).toBe('1/3: COPY a b');
  expect(stepOf('Step 1/2 : FROM scratch', 'Step 2/2 : RUN false')).toBe('2/2 : RUN false');
  expect(stepOf('#4 [build 2/3] RUN false', '#4 ERROR: exit code: 1')).toBe('[build 2/3] RUN false');
  expect(stepOf('nothing of the kind')).toBeNull();
});

test('G32 of an endless log the end is kept', () => {
  const log = createBuildLog();
  for (let line = 0; line < 60_000; line += 1) log.add(`${line} ${'x'.repeat(100)}`);
  expect(log.text().length).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(log.text().endsWith(`59999 ${'x'.repeat(100)}\n`)).toBe(true);
  expect(log.tail()).toHaveLength(4096);
});
