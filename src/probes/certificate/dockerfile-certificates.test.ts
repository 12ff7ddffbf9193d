import { expect, test } from 'vitest';
import { parseDockerfile } from '../dockerfile/dockerfile-stages.ts';
import { isCertificatePath, readDockerfileCertificates } from './dockerfile-certificates.ts';

function read(...lines: readonly string[]) {
  return readDockerfileCertificates([
    { path: 'Dockerfile', ...parseDockerfile(['FROM a', ...lines].join('\n')).facts },
  ]);
}

test('a private key is no certificate', () => {
  expect(['ca.crt', 'certs/root.pem', 'x.CER'].map(isCertificatePath)).toEqual([true, true, true]);
  expect(['server.key', 'privkey.pem', 'server-key.pem', 'a.txt'].map(isCertificatePath)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a certificate of the repository that the trust store takes up', () => {
  const found = read('COPY certs/corp.crt /usr/local/share/ca-certificates/', 'RUN update-ca-certificates');
  expect(found.paths).toEqual([{ path: 'certs/corp.crt', via: 'copy' }]);
  expect([...found.installers]).toEqual(['update-ca-certificates']);
  expect(found).toMatchObject({ bringsOwn: true, usesSystemBundle: true });
});

test('the bundle of another stage is the system bundle', () => {
  const found = read('FROM scratch', 'COPY --from=0 /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/');
  expect(found).toMatchObject({ bringsOwn: false, usesSystemBundle: true });
});

test('downloads, variables and flags', () => {
  const found = read(
    'RUN curl -o /tmp/corp.pem https://example.com/corp.pem && keytool -importcert -file /tmp/corp.pem',
    'ENV NODE_EXTRA_CA_CERTS=/etc/corp.pem NODE_OPTIONS=--use-openssl-ca',
  );
  expect([...found.installers]).toEqual(['keytool']);
  expect(found).toMatchObject({ bringsOwn: true, extraCaCerts: true, opensslCa: true });
});

test('packages and keys are no certificates', () => {
  expect(read('RUN apk add ca-certificates', 'COPY tls/server.key /etc/app/')).toMatchObject({
    paths: [],
    bringsOwn: false,
    usesSystemBundle: false,
  });
});
