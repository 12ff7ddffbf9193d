/**
 * One external document as it is published: its markdown, its artifact's name, and what the slice says about it.
 * The text is only cleaned of control characters here; redaction follows where every output passes. The name alone is redacted
 * here, because folding a title to plain letters would hide a key in it from those who look for keys.
 */

import { blake3Hex } from '../../../kernel/base/hash.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { singleLine, stripControls } from '../../../kernel/base/text.ts';
import { parseYaml } from '../../../kernel/formats/yaml.ts';
import { redactString } from '../../../kernel/secrets/redact-string.ts';
import { cutText } from '../cut-text.ts';
import { splitFrontmatterBytes } from '../frontmatter-bytes.ts';
import { scanMarkdown } from '../markdown.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

export type SourceDocument = {
  readonly source: 'filesystem' | 'url_list';
  /** What identifies it: the full URL, or the path. */
  readonly identity: string;
  /** What is shown: without query and fragment. */
  readonly uri: string;
  readonly text: string;
  readonly format: 'html' | 'text';
};

export type MadeDocument = {
  readonly artifact: string;
  readonly markdown: Uint8Array;
  readonly facts: {
    readonly source: 'filesystem' | 'url_list';
    readonly title: string;
    readonly original_uri: string;
    readonly char_count: number;
    readonly headings: readonly string[];
    readonly links: number;
    readonly code_blocks: number;
    readonly tags: readonly string[];
    readonly blake3: string;
  };
};

const TAGS_MAX = 50;

/** Undefined for a page whose markup is no page (nested beyond reason). */
export function makeDocument(document: SourceDocument): MadeDocument | undefined {
  const content = document.format === 'html' ? readHtml(document.text) : readText(document.text);
  if (content === undefined) return undefined;
  const outline = scanMarkdown(content.markdown);
  const title = cutText(singleLine(content.title ?? outline.title ?? lastSegment(document.uri)).trim(), 200);
  const markdown = new TextEncoder().encode(content.markdown);
  return {
    artifact: `external-docs/${slug(redactString(title, { entropy: true }).text)}-${blake3Hex(document.identity).slice(0, 8)}.md`,
    markdown,
    facts: {
      source: document.source,
      title,
      original_uri: document.uri,
      char_count: [...content.markdown].length,
      headings: outline.headings.map((heading) => heading.text),
      links: outline.links,
      code_blocks: outline.codeBlocks,
      tags: content.tags,
      blake3: blake3Hex(markdown),
    },
  };
}

type Content = { readonly markdown: string; readonly title: string | null; readonly tags: readonly string[] };

function readHtml(html: string): Content | undefined {
  const page = htmlToMarkdown(html);
  if (page === undefined) return undefined;
  return { markdown: stripControls(page.markdown), title: page.title, tags: cleanTags(page.keywords) };
}

function readText(text: string): Content {
  const bytes = new TextEncoder().encode(text);
  const split = splitFrontmatterBytes(bytes);
  if (split.kind !== 'found') return { markdown: stripControls(text), title: null, tags: [] };
  const front = readFrontmatter(split.yaml);
  const { title, tags } = front;
  return {
    markdown: stripControls(new TextDecoder().decode(bytes.subarray(split.bodyOffset))),
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    tags: cleanTags(Array.isArray(tags) ? tags : typeof tags === 'string' ? tags.split(',') : []),
  };
}

function readFrontmatter(yaml: Uint8Array): JsonObject {
  const outcome = parseYaml(yaml, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  return outcome.ok && isJsonObject(outcome.value) ? outcome.value : {};
}

function cleanTags(tags: readonly unknown[]): readonly string[] {
  const texts = tags.filter((tag) => typeof tag === 'string').map((tag) => cutText(singleLine(tag).trim(), 100));
  return [...new Set(texts)]
    .filter((tag) => tag !== '')
    .sort()
    .slice(0, TAGS_MAX);
}

function lastSegment(uri: string): string {
  const segment = uri.split('/').findLast((part) => part !== '') ?? uri;
  return segment.replace(/\.[A-Za-z0-9]{1,10}$/, '');
}

function slug(title: string): string {
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 60).replace(/-$/, '') || 'document';
}
