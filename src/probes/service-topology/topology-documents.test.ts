import { expect, test } from 'vitest';
import type { Json } from '../../kernel/base/json.ts';
import { readComposeProject, readMeshManifest } from './topology-documents.ts';

const compose = (document: Json) => readComposeProject([{ path: 'compose.yaml', document }]);

test('an address counts only when its host is a sibling; credentials before it do not hide it', () => {
  const { edges } = compose({
    services: {
      web: {
        environment: {
          A: 'https://example.com',
          B: 'redis://:pw@cache:6379/0',
          C: 'cache',
          D: 'amqp://u:p@mq,http://API:80',
          E: null,
          F: 80,
        },
      },
      cache: null,
      mq: {},
      api: {},
    },
  });
  expect(edges.map(({ to, evidence }) => [to, evidence.split('.').at(-1)])).toEqual([
    ['cache', 'B'],
    ['mq', 'D'],
    ['api', 'D'],
  ]);
});

test.each<readonly [string, Json]>([
  [
    'services of other types',
    { services: { a: 1, b: [], c: 'x', d: { depends_on: 3, links: {}, environment: 'A=b' } } },
  ],
  ['names of prototypes', { services: { constructor: { depends_on: ['__proto__'] }, toString: {} } }],
])('G11 %s', (_, document) => {
  expect(compose(document).services.length).toBeGreaterThan(1);
});

test('G16 a value of 5 000 schemes, and a manifest of 5 000 hosts and destinations', () => {
  expect(compose({ services: { a: { environment: { X: 'a+://@'.repeat(5_000) } } } }).edges).toEqual([]);
  const hosts = Array.from({ length: 5_000 }, (_, n) => `h${n}`);
  const mesh = readMeshManifest({
    path: 'a.yaml',
    document: {
      apiVersion: 'networking.istio.io/v1',
      kind: 'VirtualService',
      spec: { hosts, http: [{ route: hosts.map((host) => ({ destination: { host } })) }] },
    },
  });
  expect(mesh?.edges.length).toBe(200 * 199);
});
