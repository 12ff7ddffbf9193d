/** The run of external_docs_index. A row is what the upstream slice says of a document, joined with its redacted text. */

import { relative } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import type { IndexedDocument } from '../../index/store/artifact-builder.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { scanMarkdown } from '../shared/markdown.ts';

const ARTIFACT = 'external-docs-bm25.sqlite';

export async function gatherExternalDocsIndex(repo: ProbeRepo, ctx: ProbeContext<never>): Promise<ProbeOutput> {
  const { artifacts, value } = ctx.upstream['external_docs'] ?? { artifacts: {}, value: [] };
  const documents = readIndexedDocuments(value, artifacts);
  const shared = {
    document_count: documents.length,
    total_chars: documents.reduce((sum, document) => sum + [...document.body].length, 0),
    index_method: 'bm25_fts5',
    indexed_inputs: ctx.inputsDigest,
    indexed_at: ctx.startedAt,
  } as const;
  if (documents.length === 0) {
    return {
      kind: 'ran',
      slice: { 'organizational.external_docs_index': { bm25_index_uri: null, searchable: false, ...shared } },
      confidence: 'low',
      warnings: ['external_docs_index.empty'],
    };
  }
  const { buildDocumentIndex } = await import('../../index/store/artifact-builder.ts');
  const bytes = buildDocumentIndex(documents, `${ctx.workspace}/${ARTIFACT}`);
  return {
    kind: 'ran',
    slice: {
      'organizational.external_docs_index': {
        bm25_index_uri: relative(repo.root, `${ctx.outputDir}/raw/${ARTIFACT}`),
        searchable: true,
        ...shared,
      },
    },
    rawArtifacts: [{ name: ARTIFACT, kind: 'sqlite', from: bytes }],
    confidence: 'high',
  };
}

function readIndexedDocuments(
  described: Json,
  artifacts: Readonly<Record<string, Uint8Array>>,
): readonly IndexedDocument[] {
  if (!Array.isArray(described)) return [];
  return described.flatMap((document: Json) => {
    if (!isJsonObject(document)) return [];
    const path = textAt(document, 'local_path') ?? '';
    const name = Object.keys(artifacts).find((candidate) => path.endsWith(`/${candidate}`));
    const bytes = name === undefined ? undefined : artifacts[name];
    if (name === undefined || bytes === undefined) return [];
    const body = decodeLenient(bytes);
    return [
      {
        name,
        title: textAt(document, 'title') ?? '',
        headings: listAt(document, 'headings').filter((text) => typeof text === 'string'),
        tags: listAt(document, 'tags').filter((text) => typeof text === 'string'),
        firstParagraph: scanMarkdown(body).firstParagraph,
        body,
      },
    ];
  });
}
