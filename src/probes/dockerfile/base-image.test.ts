// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how Dockerfiles write variables

import { expect, test } from 'vitest';
import { digestOf, isDistroless, packageManagerOf, packageManagerUsed, registryOf } from './base-image.ts';

test.each([
  ['node:24', 'docker.io'],
  ['library/node', 'docker.io'],
  ['ghcr.io/a/b:1', 'ghcr.io'],
  ['localhost:5000/a', 'localhost:5000'],
  ['localhost/a', 'localhost'],
  ['scratch', null],
  ['${REGISTRY}/a:1', null],
  ['ghcr.io/a:${TAG}', 'ghcr.io'],
  ['node:${TAG}', 'docker.io'],
  ['$IMAGE', null],
])('the registry of %s is %s', (reference, registry) => {
  expect(registryOf(reference)).toBe(registry);
});

test.each([
  ['gcr.io/distroless/static-debian12:nonroot', true],
  ['cgr.dev/chainguard/node:latest', true],
  ['cgr.dev/chainguard/node:latest-dev', false],
  ['cgr.dev/chainguard/node:latest-dev@sha256:aa', false],
  ['scratch', true],
  ['node:24-slim', false],
  ['docker.io/gcr.io/distroless/x', false],
])('%s is distroless: %s', (reference, expected) => {
  expect(isDistroless(reference)).toBe(expected);
});

test('a digest is read off its reference', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  expect(digestOf(`node:24@${digest}`)).toBe(digest);
  expect(digestOf('node@sha256:abc')).toBe(null);
});

test.each([
  ['node:24-alpine', 'apk'],
  ['node:24', 'apt'],
  ['python:3.13-slim', 'apt'],
  ['registry.access.redhat.com/ubi9/ubi-minimal', 'microdnf'],
  ['registry.access.redhat.com/ubi9/ubi:9.4', 'dnf'],
  ['amazonlinux:2', 'yum'],
  ['amazonlinux:2023', 'dnf'],
  ['cgr.dev/chainguard/node:latest-dev', 'apk'],
  ['gcr.io/distroless/nodejs24-debian12', null],
  ['registry.example.com/platform/base:7', null],
  [null, null],
])('%s brings %s', (reference, manager) => {
  expect(packageManagerOf(reference)).toBe(manager);
});

test('what a RUN uses is surer than a name', () => {
  expect(packageManagerUsed('set -e; apk add --no-cache curl')).toBe('apk');
  expect(packageManagerUsed('npm ci')).toBe(null);
});
