/** The ways of choosing whom to trust that are looked for; apart from the extractor, which needs a grammar to be of use. */

export const tlsOverrideKinds = [
  'create_secure_context',
  'ca_option',
  'reject_unauthorized_false',
  'tls_verification_disabled_by_env',
] as const;
export type TlsOverrideKind = (typeof tlsOverrideKinds)[number];
