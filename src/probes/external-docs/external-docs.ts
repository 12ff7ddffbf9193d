/**
 * Documents outside the repository that its people named: read from directories, or fetched from hosts they allowed.
 * The only probe that may open a connection, and it does so only in `fetch-document.ts`.
 */

import { defineProbe, namedOnly } from '../../gather/contract.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';

const document = z.strictObject({
  source: z.enum(['filesystem', 'url_list']),
  title: z.string(),
  original_uri: namedOnly(z.string()),
  local_path: namedOnly(z.string()),
  fetched_at: z.string(),
  char_count: z.int(),
  headings: z.array(z.string()),
  links: z.int(),
  code_blocks: z.int(),
  tags: z.array(z.string()),
  /** Of the markdown before redaction; the artifact's own hash is in `raw_artifacts`. */
  blake3: namedOnly(z.string()),
});

const section = z.strictObject({
  fetch_status: z.enum(['complete', 'partial', 'none']),
  fetched_count: z.int(),
  fetch_failures: z.array(z.strictObject({ uri: namedOnly(z.string()), reason: z.string() })),
  documents: z.array(document),
});

/** What a directory may offer; anything else in it is not even hashed. */
const readable = '**/*.{md,MD,mdx,markdown,txt,TXT,rst,adoc,html,HTML,htm,HTM}';

/** Failures that another day may cure: a stored answer that has one is not taken for the last word. */
const passing = /^(?:timeout|dns_failed|connection_failed|tls_failed|deadline|http_5\d\d|http_429)$/;

export default defineProbe({
  name: 'external_docs',
  version: '0.1.0',
  layer: 'D',
  says: 'Configured external documents, converted to markdown, with their headings and tags.',
  heaviness: 'medium',
  sections: { 'organizational.external_docs': section },
  declaredInputs: [`config:external_docs:${readable}`],
  configKeys: ['external_docs', 'external_docs_egress'],
  deterministic: false,
  timeoutSeconds: 120,
  ttlHours: 24,
  budget: { rawArtifactMb: 8, truncateMb: 8 },
  artifacts: ['external-docs/'],
  warningIds: ['external_docs.fetch_failed', 'external_docs.host_not_allowed', 'external_docs.adapter_config_absent'],
  confidenceRule: 'high when every document was read, medium when some were not, low when none was',
  examples: [
    {
      shows: 'a directory of three documents, one of them a page',
      files: {
        '~/.codegenie/config.yaml': 'external_docs:\n  - {type: filesystem, path: ~/handbook}\n',
        '~/handbook/deploy.md':
          '---\ntitle: Deploying\ntags: [release, canary]\n---\n# Deploying\n\nSee [rollback](rollback.html).\n\n```sh\nmake deploy\n```\n',
        '~/handbook/rollback.html':
          '<html><head><title>Rolling back</title></head><body><h1>Rolling back</h1><script>alert(1)</script><p>Undo it.</p></body></html>',
        '~/handbook/oncall/pager.txt': 'Who answers the pager.\n',
        '~/handbook/logo.png': 'not text',
      },
      gives: {
        'organizational.external_docs': {
          fetch_status: 'complete',
          fetched_count: 3,
          fetch_failures: [],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'hosts that are not allowed, adapters without credentials and empty directories are told',
      files: {
        '~/.codegenie/config.yaml': [
          'external_docs:',
          '  - {type: url_list, urls: ["https://docs.example.com/a?b=c"]}',
          '  - {type: confluence, base_url: "https://wiki.example.com/wiki", space: ENG}',
          '  - {type: notion, database_id: abc}',
          '  - {type: filesystem, path: ~/docs, include: ["*.md"]}',
          '  - {type: filesystem, path: ~/empty}',
        ].join('\n'),
        '~/docs/a.md': '# A\n',
        '~/docs/b.txt': 'not included\n',
      },
      gives: {
        'organizational.external_docs': {
          fetch_status: 'partial',
          fetched_count: 1,
          fetch_failures: [
            { uri: '~/empty', reason: 'no_documents' },
            { uri: 'https://docs.example.com/a', reason: 'host_not_allowed' },
            { uri: 'https://wiki.example.com/wiki', reason: 'config_absent' },
            { uri: 'notion:abc', reason: 'config_absent' },
          ],
        },
      },
      warnings: ['external_docs.fetch_failed', 'external_docs.host_not_allowed', 'external_docs.adapter_config_absent'],
      confidence: 'medium',
    },
    {
      shows: 'without configured sources it is skipped',
      files: { 'a.txt': 'x' },
      gives: {},
      skipped: 'not_configured',
    },
  ],
  applies: (repo) => repo.config.external_docs.length > 0 || 'not_configured',
  async revalidate(output) {
    const stored = output['organizational.external_docs'];
    const failures = isJsonObject(stored) && Array.isArray(stored['fetch_failures']) ? stored['fetch_failures'] : [];
    return !failures.some((failure) => isJsonObject(failure) && passing.test(String(failure['reason'])));
  },
  async run(repo, ctx) {
    const { gatherExternalDocs } = await import('./gather-external-docs.ts');
    return gatherExternalDocs(repo, ctx);
  },
});
