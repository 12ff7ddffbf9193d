// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how compose writes variables

import { expect, test } from 'vitest';
import { resolveInside } from './kustomize.ts';
import { mergeSecurityContexts, readManifests, tagStrategyOf } from './workloads.ts';

test('tag strategies', () => {
  const strategies = Object.fromEntries(
    [
      `app@sha256:${'a'.repeat(64)}`,
      'registry:5000/team/app:1.2.3',
      'app:v1.2.3-rc.1',
      'app:sha-1a2b3c4d',
      'app:0123456789abcdef0123456789abcdef01234567',
      'app:1234567',
      'app',
      'registry:5000/app',
      'app:latest',
      'app:{{ .Values.tag }}',
      'app:${TAG}',
      'app:prod',
    ].map((reference) => [reference, tagStrategyOf(reference)]),
  );
  expect(Object.values(strategies)).toEqual([
    'digest',
    'semver',
    'semver',
    'git_sha',
    'git_sha',
    'unknown',
    'latest',
    'latest',
    'latest',
    'templated',
    'templated',
    'unknown',
  ]);
});

test('workloads of every kind, lists, services', () => {
  const pod = { containers: [{ image: 'a:1.0', ports: [{ containerPort: 8080 }] }, {}] };
  const facts = readManifests('k8s/a.yaml', [
    { kind: 'CronJob', metadata: { name: 'nightly' }, spec: { jobTemplate: { spec: { template: { spec: pod } } } } },
    { kind: 'List', items: [{ kind: 'Pod', metadata: { name: 'p' }, spec: pod }, { kind: 'ConfigMap' }] },
    {
      kind: 'Service',
      spec: {
        ports: [
          { port: 80, targetPort: 'http' },
          { port: 443, targetPort: 8443 },
        ],
      },
    },
    { kind: 'Deployment' },
    null,
  ]);
  expect(facts.workloads).toEqual([
    { kind: 'CronJob', name: 'nightly', file: 'k8s/a.yaml', containers: 2 },
    { kind: 'Pod', name: 'p', file: 'k8s/a.yaml', containers: 2 },
    { kind: 'Deployment', name: '', file: 'k8s/a.yaml', containers: 0 },
  ]);
  expect(facts.images[0]?.path).toBe('spec.jobTemplate.spec.template.spec.containers[0].image');
  expect(facts.ports).toEqual([8080, 8080, 80, 8443]);
});

test('G3 security settings keep only fields Kubernetes knows, so no key of the repository reaches the slice', () => {
  expect(
    mergeSecurityContexts(
      { runAsNonRoot: true, runAsUser: 1, seccompProfile: { type: 'RuntimeDefault', api_key: 'x' } },
      { runAsUser: 1000, password: 'x', capabilities: { drop: ['ALL'], add: { token: 'x' } } },
    ),
  ).toEqual({
    runAsUser: 1000,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(mergeSecurityContexts({}, {})).toBe(null);
});

test('G14 resource paths are resolved inside the root or not at all', () => {
  expect(resolveInside('k8s/overlays/prod', '../../base')).toBe('k8s/base');
  expect(resolveInside('k8s', '../../outside')).toBe(undefined);
  expect(resolveInside('', '..')).toBe(undefined);
  expect(resolveInside('k8s', '/etc/passwd')).toBe(undefined);
  expect(resolveInside('k8s', './../k8s//a.yaml')).toBe('k8s/a.yaml');
});
