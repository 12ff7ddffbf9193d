/** A full-text index over the external documents, made of their redacted text: one SQLite file that any client can search. */

import { defineProbe, namedOnly, type Slice } from '../../gather/contract.ts';
import { byteIndexFreshness } from '../../gather/freshness/index-checks.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { z } from '../../kernel/base/schema.ts';

const section = z.strictObject({
  /** Root-relative; null when there is nothing to search. */
  bm25_index_uri: namedOnly(z.string()).nullable(),
  document_count: z.int(),
  total_chars: z.int(),
  searchable: z.boolean(),
  index_method: z.literal('bm25_fts5'),
  indexed_inputs: namedOnly(z.string()),
  indexed_at: z.string(),
});

export default defineProbe({
  name: 'external_docs_index',
  version: '0.1.0',
  layer: 'D',
  says: 'Full-text index (SQLite FTS5, BM25) over the external documents.',
  heaviness: 'light',
  sections: { 'organizational.external_docs_index': section },
  requires: [{ probe: 'external_docs', select: selectDocuments, artifacts: ['external-docs/'] }],
  declaredInputs: [],
  timeoutSeconds: 20,
  budget: { rawArtifactMb: 256 },
  artifacts: ['external-docs-bm25.sqlite'],
  warningIds: ['external_docs_index.empty'],
  confidenceRule: 'high with at least one document, low without',
  index: {
    name: 'external_docs_index',
    check: byteIndexFreshness('external_docs_index'),
    detail: (slice) => ({
      document_count: slice['document_count'] ?? 0,
      total_chars: slice['total_chars'] ?? 0,
      index_method: slice['index_method'] ?? null,
    }),
  },
  examples: [
    {
      shows: 'three documents are searchable',
      files: {
        '~/.codegenie/config.yaml': 'external_docs:\n  - {type: filesystem, path: ~/handbook}\n',
        '~/handbook/deploy.md': '# Deploying\n\nCanary first.\n',
        '~/handbook/rollback.html': '<h1>Rolling back</h1><p>Undo it.</p>',
        '~/handbook/pager.txt': 'Who answers the pager.\n',
      },
      gives: {
        'organizational.external_docs_index': {
          bm25_index_uri: '.codegenie/context/raw/external-docs-bm25.sqlite',
          document_count: 3,
          searchable: true,
          index_method: 'bm25_fts5',
        },
      },
      confidence: 'high',
    },
    {
      shows: 'without a document there is nothing to search',
      files: { '~/.codegenie/config.yaml': 'external_docs:\n  - {type: filesystem, path: ~/nowhere}\n' },
      gives: {
        'organizational.external_docs_index': {
          bm25_index_uri: null,
          document_count: 0,
          total_chars: 0,
          searchable: false,
          index_method: 'bm25_fts5',
        },
      },
      warnings: ['external_docs_index.empty'],
      confidence: 'low',
    },
    {
      shows: 'without configured sources it is skipped',
      files: { 'a.txt': 'x' },
      gives: {},
      skipped: 'not_configured',
    },
  ],
  // Asked here too: a skip for want of an upstream would make every gather without documents a partial one.
  applies: (repo) => repo.config.external_docs.length > 0 || 'not_configured',
  async run(repo, ctx) {
    const { gatherExternalDocsIndex } = await import('./gather-external-docs-index.ts');
    return gatherExternalDocsIndex(repo, ctx);
  },
});

/** What the index takes from the slice; the text comes with the artifacts. */
function selectDocuments(slice: Slice): Json {
  const docs = slice['organizational.external_docs'];
  const documents = isJsonObject(docs) && Array.isArray(docs['documents']) ? docs['documents'] : [];
  return documents.flatMap((document) => {
    if (!isJsonObject(document)) return [];
    const { local_path = null, title = null, headings = [], tags = [] } = document;
    return [{ local_path, title, headings, tags }];
  });
}
