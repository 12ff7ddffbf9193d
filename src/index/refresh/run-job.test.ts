import { expect, test } from 'vitest';
import { failures } from '../../languages/projects/context-spec.ts';
import type { WidenedScope } from './job-inputs.ts';
import { planRetry } from './run-job.ts';

const project: WidenedScope = { granularity: 'project', scope: null, members: ['a', 'b', 'c'] };
const files: WidenedScope = { granularity: 'file', scope: null, members: ['a', 'b', 'c'] };

function pauses(failure: (typeof failures)[number]): (number | 'terminal')[] {
  return [1, 2, 3, 4, 5, 6].map((attempt) => {
    const retry = planRetry(failure, attempt, project);
    return retry.kind === 'terminal' ? 'terminal' : retry.afterMs;
  });
}

test('what may pass is tried four more times, later each time', () => {
  for (const failure of [
    'tool_crashed',
    'io_error',
    'decode_error',
    'no_output',
    'too_few_documents',
    'internal_error',
  ] as const)
    expect(pauses(failure)).toEqual([5_000, 30_000, 120_000, 600_000, 'terminal', 'terminal']);
});

test('what needs too much is tried once more, with half of it where the indexer can', () => {
  for (const failure of ['tool_timeout', 'out_of_memory'] as const) {
    expect(pauses(failure).slice(1)).toEqual(Array(5).fill('terminal'));
    expect(planRetry(failure, 1, project)).toEqual({ kind: 'again', afterMs: 5_000, scope: undefined });
    expect(planRetry(failure, 1, files)).toMatchObject({ scope: { files: ['a', 'b'], packages: [] } });
    expect(planRetry(failure, 1, { ...files, members: ['a'] })).toMatchObject({ scope: undefined });
  }
});

test('what only a person can repair is not tried again', () => {
  for (const failure of ['missing_tool', 'bad_version', 'sandbox_missing', 'config_error'] as const)
    expect(planRetry(failure, 1, project)).toEqual({ kind: 'terminal' });
});

test('every failure ends', () => {
  for (const failure of failures) expect(planRetry(failure, 5, project)).toEqual({ kind: 'terminal' });
});
