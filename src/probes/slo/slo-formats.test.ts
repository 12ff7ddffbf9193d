import { expect, test } from 'vitest';
import type { Json } from '../../kernel/base/json.ts';
import { readBurnRateRules, readOpenSlo, readSloth } from './slo-formats.ts';

const alert = (expr: Json, labels: Json = {}): Json => ({
  groups: [{ rules: [{ alert: 'ErrorBudgetBurn', expr, labels }] }],
});

test.each([
  ['a > (14.4 * 0.001)', 99.9],
  ['a > 14.4*(1-0.9995)', 99.95],
  ['a > (14.4 * (1 - .99))', 99],
  ['slo:burnrate5m > 2', null],
])('%s has the target %s', (expression, target) => {
  expect(readBurnRateRules(alert(expression))?.[0]?.target).toBe(target);
});

test('documents of other shapes are no objectives and no failure', () => {
  const others: Json[] = [
    null,
    1,
    'x',
    [],
    {},
    { groups: [{ rules: [1] }] },
    { apiVersion: 'openslo/v1', kind: 'SLO' },
  ];
  for (const document of others) {
    for (const read of [readOpenSlo, readSloth, readBurnRateRules]) expect(read(document) ?? []).toEqual([]);
  }
  const odd = {
    apiVersion: 'openslo/v1',
    kind: 'SLO',
    spec: { objectives: [null, 'x', { target: 'high' }], timeWindow: 3 },
  };
  expect(readOpenSlo(odd)?.map(({ target }) => target)).toEqual([null, null, null]);
});

test('G16 an expression of 5 000 factors', () => {
  expect(readBurnRateRules(alert('1 * ('.repeat(5_000)))?.length).toBe(1);
});
