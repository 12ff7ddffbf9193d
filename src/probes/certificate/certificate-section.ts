/** The section `custom_certificates`, and what the search for certificates looks at. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';

/** The ways of choosing whom to trust that are looked for. */
const tlsOverrideKinds = [
  'create_secure_context',
  'ca_option',
  'reject_unauthorized_false',
  'tls_verification_disabled_by_env',
] as const;
export type TlsOverrideKind = (typeof tlsOverrideKinds)[number];

export const certificateFileGlobs: readonly string[] = ['**/*.{crt,pem,cer}'];
export const certificateSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];
/** Where variables and flags of Node are set: CI, compose, package scripts, environment examples. */
export const settingGlobs: readonly string[] = [
  '.github/workflows/*.{yml,yaml}',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  '**/docker-compose*.{yml,yaml}',
  '**/compose*.{yml,yaml}',
  '**/package.json',
];

const text = namedOnly(z.string());

export const certificateSection = z.strictObject({
  detected: z.boolean().nullable(),
  /** By the traced container; null without a trace. */
  cert_paths_read: z.array(text).nullable(),
  certificate_source: z.enum(['ca-certificates', 'vendored', 'bundled', 'absent', 'unknown']),
  paths: z.array(z.strictObject({ path: text, via: z.enum(['copy', 'run', 'repo_file']) })),
  /** The program that rebuilds the trust store, `NODE_EXTRA_CA_CERTS`, or `copy`. */
  install_method: text.nullable(),
  node_extra_ca_certs_set: z.boolean(),
  node_use_openssl_ca: z.boolean(),
  programmatic_ca_overrides: z.array(z.strictObject({ path: text, line: z.int(), kind: z.enum(tlsOverrideKinds) })),
});
