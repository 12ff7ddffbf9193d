/** The rows of the document index: what the upstream slice says of each document, joined with its redacted text. */

import type { IndexedDocument } from '../../index/store/artifact-builder.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { scanMarkdown } from '../shared/markdown.ts';

export function readIndexedDocuments(
  described: Json,
  artifacts: Readonly<Record<string, Uint8Array>>,
): readonly IndexedDocument[] {
  if (!Array.isArray(described)) return [];
  return described.flatMap((document: Json) => {
    if (!isJsonObject(document)) return [];
    const path = textOf(document['local_path']);
    const name = Object.keys(artifacts).find((candidate) => path.endsWith(`/${candidate}`));
    const bytes = name === undefined ? undefined : artifacts[name];
    if (name === undefined || bytes === undefined) return [];
    const body = decodeLenient(bytes);
    return [
      {
        name,
        title: textOf(document['title']),
        headings: textsOf(document['headings']),
        tags: textsOf(document['tags']),
        firstParagraph: scanMarkdown(body).firstParagraph,
        body,
      },
    ];
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
