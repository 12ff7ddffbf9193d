/**
 * Whom the service trusts: certificates that are copied or installed into the image, variables and flags that point Node at a bundle,
 * code that chooses for itself. `detected` is yes on evidence, no only when a trace that covered enough read no certificate, and
 * otherwise not known.
 */

import { defineProbe } from '../../gather/contract.ts';
import { member } from '../../kernel/base/json-access.ts';
import { dockerfileGlobs, dockerfileRequirement, isDockerfile } from '../dockerfile/dockerfile-section.ts';
import {
  certificateFileGlobs,
  certificateSection,
  certificateSourceGlobs,
  settingGlobs,
} from './certificate-section.ts';

const untraced = 'certificate.upstream_runtime_trace_unavailable';
const nodeSources = [...certificateSourceGlobs, '**/package.json'];

export default defineProbe({
  name: 'certificate',
  version: '0.1.3',
  layer: 'C',
  says: 'Certificate authorities of the service: copied, installed, pointed to by Node settings, chosen in code, read while traced.',
  heaviness: 'light',
  sections: { custom_certificates: certificateSection },
  requires: [
    { ...dockerfileRequirement, optional: true },
    {
      probe: 'runtime_trace',
      optional: true,
      select: (slice) => ({
        cert_paths_read: member(slice['runtime_trace'], 'cert_paths_read') ?? [],
        trace_coverage_confidence: member(slice['runtime_trace'], 'trace_coverage_confidence') ?? null,
      }),
    },
  ],
  declaredInputs: [...dockerfileGlobs, ...certificateSourceGlobs, ...certificateFileGlobs, ...settingGlobs],
  timeoutSeconds: 60,
  budget: { rssMb: 500 },
  warningIds: [untraced],
  errorIds: ['certificate.grammar_unavailable'],
  confidenceRule:
    'high with a trace that covered enough; medium on static evidence alone; low when nothing is known or a grammar is not available',
  applies: (repo) =>
    repo.scope.match(dockerfileGlobs).some(({ path }) => isDockerfile(path)) ||
    repo.scope.match(nodeSources).length > 0 ||
    'not_applicable',
  async run(repo, ctx) {
    const { gatherCertificates } = await import('./gather-certificates.ts');
    return gatherCertificates(repo, ctx);
  },
  examples: [
    {
      shows: 'a certificate authority that is copied into the image and taken up by its trust store',
      files: {
        Dockerfile:
          'FROM node:24-alpine\nCOPY certs/corp-root.crt /usr/local/share/ca-certificates/\nRUN update-ca-certificates\nENV NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/corp-root.crt\nCMD ["node", "a.js"]\n',
        'certs/corp-root.crt': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      },
      gives: {
        custom_certificates: {
          detected: true,
          cert_paths_read: null,
          certificate_source: 'vendored',
          paths: [
            { path: 'certs/corp-root.crt', via: 'copy' },
            { path: 'certs/corp-root.crt', via: 'repo_file' },
          ],
          install_method: 'update-ca-certificates',
          node_extra_ca_certs_set: true,
          node_use_openssl_ca: false,
          programmatic_ca_overrides: [],
        },
      },
      warnings: [untraced],
      confidence: 'medium',
    },
    {
      shows: 'code that chooses for itself, and code that verifies nothing',
      files: {
        'src/client.ts':
          "import { https } from './transport';\nconst agent = new https.Agent({\n  ca: bundle,\n});\nexport const pool = new Pool({ ssl: { rejectUnauthorized: false } });\n",
        'src/languages.ts': "export const languages = { ca: 'Català', de: 'Deutsch' };\n",
      },
      gives: {
        custom_certificates: {
          detected: true,
          certificate_source: 'bundled',
          paths: [],
          install_method: null,
          programmatic_ca_overrides: [
            { path: 'src/client.ts', line: 3, kind: 'ca_option' },
            { path: 'src/client.ts', line: 5, kind: 'reject_unauthorized_false' },
          ],
        },
      },
      warnings: [untraced],
      confidence: 'medium',
    },
    {
      shows: 'the bundle of the build stage in an image without anything, and a flag that CI sets',
      files: {
        Dockerfile:
          'FROM golang:1.24 AS build\nRUN go build -o /app .\nFROM scratch\nCOPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/\nCOPY --from=build /app /app\nENTRYPOINT ["/app"]\n',
        '.github/workflows/ci.yml': 'env:\n  NODE_OPTIONS: --use-openssl-ca\n',
      },
      gives: {
        custom_certificates: {
          detected: true,
          certificate_source: 'ca-certificates',
          paths: [{ path: '/etc/ssl/certs/ca-certificates.crt', via: 'copy' }],
          install_method: 'copy',
          node_use_openssl_ca: true,
        },
      },
    },
    {
      shows:
        'without evidence and without a trace nothing is claimed; certificates of tests are no evidence, keys are no certificates',
      files: {
        'src/a.js': 'export const a = 1;\n',
        'test/fixtures/ca.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
        'tls.pem': 'not a certificate\n',
      },
      gives: {
        custom_certificates: {
          detected: null,
          certificate_source: 'unknown',
          paths: [{ path: 'test/fixtures/ca.pem', via: 'repo_file' }],
          programmatic_ca_overrides: [],
        },
      },
      warnings: [untraced],
      confidence: 'low',
    },
    { shows: 'neither image nor Node', files: { 'a.py': 'x = 1\n' }, gives: {}, skipped: 'not_applicable' },
  ],
});
