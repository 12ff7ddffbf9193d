/** The rows of the document index: what the upstream slice says of each document, joined with its redacted text. */

import type { IndexedDocument } from '../../index/store/artifact-builder.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { scanMarkdown } from '../shared/markdown.ts';

export function readIndexedDocuments(
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
