// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how environment files refer to each other

import { expect, test } from 'vitest';
import { describeValue, environmentOf, findDrift, nameEnvironments } from './gather-production-config.ts';

test.each([
  ['LOG_LEVEL', 'info', 'literal'],
  ['A', '${B}', 'reference'],
  ['A', '$B', 'reference'],
  ['A', '{{ .Values.a }}', 'reference'],
  ['A', 'vault://kv/a#b', 'reference'],
  ['A', 'arn:aws:secretsmanager:eu-west-1:1:secret:a', 'reference'],
  ['A', 'https://${HOST}/x', 'templated'],
  ['A', 'costs 5$', 'literal'],
])('%s=%s is %s', (name, value, kind) => {
  const described = describeValue(name, value);
  expect(described.kind).toBe(kind);
  expect(described.value_digest === null).toBe(kind !== 'literal');
});

test('G22 what might be a secret has no digest, however short it is and whatever its name', () => {
  const values = [
    ['DB_PASSWORD', 'hunter2'],
    ['api.auth.user', 'admin'],
    ['URL', 'postgres://app:s3cr3tpw@db/app'],
    ['VALUE', `AKIA${'IOSFODNN7ABCDEFG'}`],
    ['VALUE', 'fK39xQ2mZ8vLw41TyBn7Rc5Ds0HgJp6U'],
  ] as const;
  for (const [name, value] of values) expect(describeValue(name, value), name).toMatchObject({ value_digest: null });
});

test('nothing is expanded in single quotes', () => {
  expect(describeValue('A', '${B}', true).kind).toBe('literal');
});

test.each([
  ['.env.production', 'production'],
  ['.env', 'default'],
  ['deploy/prod/.env', 'prod'],
  ['staging.env', 'staging'],
  ['config/production.yaml', 'production'],
  ['chart/values-prod.yaml', 'prod'],
  ['application-prod.yml', 'prod'],
  ['appsettings.Production.json', 'Production'],
  ['prod/config.json', 'prod'],
])('%s is for %s', (path, name) => {
  expect(environmentOf(path)).toBe(name);
});

test('two files of one environment keep their paths', () => {
  expect([...nameEnvironments(['a/prod.env', 'b/prod.env', 'c/dev.env']).values()]).toEqual([
    'a/prod.env',
    'b/prod.env',
    'dev',
  ]);
});

test('drift is what is missing or differs; secrets and references cannot be compared', () => {
  const environment = (name: string, ...keys: ReturnType<typeof describeValue>[]) => ({ name, path: name, keys });
  const drift = findDrift([
    environment('prod', describeValue('A', '1'), describeValue('B', 'x'), describeValue('PASSWORD', 'abc')),
    environment(
      'dev',
      describeValue('A', '1'),
      describeValue('B', 'y'),
      describeValue('PASSWORD', 'def'),
      describeValue('C', '1'),
    ),
  ]);
  expect(drift).toEqual([
    { key: 'B', environments: ['dev', 'prod'] },
    { key: 'C', environments: ['dev'] },
  ]);
});
