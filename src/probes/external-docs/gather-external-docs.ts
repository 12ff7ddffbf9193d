/**
 * The run of external_docs: every document of the configured sources, each either made or with the reason why not. Bounded in number, size and time;
 * what is left out because of a bound is a failure too, never silence.
 */

import { relative } from 'node:path';
import type { ConfigValues } from '../../gather/config.ts';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { compareCodeUnits, isJsonObject, type JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine, stripControls } from '../../kernel/base/text.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { compileGlobs } from '../../kernel/tree/path-patterns.ts';
import { relativeToConfigured, shownPath } from '../shared/authored-files.ts';
import { scanMarkdown, splitFrontmatterBytes } from '../shared/markdown.ts';
import { cutText } from '../shared/probe-reading.ts';
import { type FetchOptions, fetchDocument } from './fetch-document.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

export async function gatherExternalDocs(
  repo: ProbeRepo,
  ctx: ProbeContext<'external_docs' | 'external_docs_egress'>,
): Promise<ProbeOutput> {
  const allowedHosts = ctx.config.external_docs_egress;
  const { documents, failures } = await collectDocuments(repo, ctx.config.external_docs, { allowedHosts }, ctx.signal);
  const has = (reason: string) => failures.some((failure) => failure.reason === reason);
  const status = failures.length === 0 ? 'complete' : documents.length > 0 ? 'partial' : 'none';
  return {
    kind: 'ran',
    slice: {
      'organizational.external_docs': {
        fetch_status: status,
        fetched_count: documents.length,
        fetch_failures: failures,
        documents: documents.map(({ artifact, facts }) => ({
          ...facts,
          local_path: relative(repo.root, `${ctx.outputDir}/raw/${artifact}`),
          fetched_at: ctx.startedAt,
        })),
      },
    },
    rawArtifacts: documents.map(({ artifact, markdown }) => ({ name: artifact, kind: 'markdown', from: markdown })),
    confidence: status === 'complete' ? 'high' : status === 'partial' ? 'medium' : 'low',
    warnings: [
      ...(failures.length > 0 ? ['external_docs.fetch_failed'] : []),
      ...(has('host_not_allowed') ? ['external_docs.host_not_allowed'] : []),
      ...(has('config_absent') ? ['external_docs.adapter_config_absent'] : []),
    ],
  };
}

type FetchFailure = { readonly uri: string; readonly reason: string };
export type Collected = { readonly documents: readonly MadeDocument[]; readonly failures: readonly FetchFailure[] };

const DOCUMENTS_MAX = 200;
const DOCUMENT_BYTES_MAX = 5 * 1024 * 1024;
const TOTAL_BYTES_MAX = 64 * 1024 * 1024;
const FETCHES_AT_ONCE = 8;
/** Below the probe's own timeout, so that what was fetched until then is published. */
const FETCHING_MS_MAX = 90_000;

type Source = ConfigValues['external_docs'][number];
type Work =
  | { readonly kind: 'file'; readonly id: string; readonly uri: string }
  | { readonly kind: 'url'; readonly url: string; readonly uri: string };

export async function collectDocuments(
  repo: ProbeRepo,
  sources: readonly Source[],
  fetchOptions: Omit<FetchOptions, 'signal'>,
  signal: AbortSignal,
): Promise<Collected> {
  const failures: FetchFailure[] = [];
  const work = listWork(repo, sources, failures);
  const kept = work.slice(0, DOCUMENTS_MAX);
  for (const { uri } of work.slice(DOCUMENTS_MAX, DOCUMENTS_MAX * 2)) failures.push({ uri, reason: 'document_limit' });
  const deadline = AbortSignal.timeout(FETCHING_MS_MAX);
  const documents: MadeDocument[] = [];
  let bytes = 0;
  let next = 0;
  const takeWork = async (): Promise<void> => {
    while (next < kept.length) {
      const item = kept[next] as Work;
      next += 1;
      const outcome = deadline.aborted ? 'deadline' : await makeOne(repo, item, { ...fetchOptions, signal });
      if (typeof outcome === 'string') failures.push({ uri: item.uri, reason: outcome });
      else if (bytes + outcome.markdown.length > TOTAL_BYTES_MAX)
        failures.push({ uri: item.uri, reason: 'total_size_limit' });
      else {
        bytes += outcome.markdown.length;
        documents.push(outcome);
      }
    }
  };
  await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, takeWork));
  return {
    documents: documents.sort(
      (a, b) =>
        compareCodeUnits(a.facts.source, b.facts.source) ||
        compareCodeUnits(a.facts.original_uri, b.facts.original_uri) ||
        compareCodeUnits(a.artifact, b.artifact),
    ),
    failures: failures.sort((a, b) => compareCodeUnits(a.uri, b.uri) || compareCodeUnits(a.reason, b.reason)),
  };
}

function listWork(repo: ProbeRepo, sources: readonly Source[], failures: FetchFailure[]): Work[] {
  const work = new Map<string, Work>();
  let position = 0;
  for (const source of sources) {
    switch (source.type) {
      case 'filesystem': {
        const files = listFiles(repo, source, position);
        position += 1;
        if (files.length === 0) failures.push({ uri: source.path, reason: 'no_documents' });
        for (const id of files) work.set(id, { kind: 'file', id, uri: shownPath(repo, id) });
        break;
      }
      case 'url_list':
        for (const url of source.urls) work.set(url, { kind: 'url', url, uri: shownUrl(url) });
        break;
      case 'confluence':
        failures.push({ uri: shownUrl(source.base_url), reason: 'config_absent' });
        break;
      case 'notion':
        failures.push({ uri: `notion:${source.database_id}`, reason: 'config_absent' });
        break;
    }
  }
  return [...work.values()];
}

function listFiles(repo: ProbeRepo, source: Extract<Source, { type: 'filesystem' }>, position: number): string[] {
  const included = compileGlobs(source.include ?? ['**']);
  return repo.inputs.list().filter((id) => {
    const path = relativeToConfigured(repo.root, id, { key: 'external_docs', position, path: source.path });
    return path !== undefined && included(path);
  });
}

/** The document, or the reason why there is none. */
async function makeOne(repo: ProbeRepo, item: Work, options: FetchOptions): Promise<MadeDocument | string> {
  if (item.kind === 'url') {
    const outcome = await fetchDocument(item.url, options);
    if (outcome.kind === 'failed') return outcome.reason;
    const format = outcome.mediaType === 'text/html' ? 'html' : 'text';
    const made = makeDocument({ source: 'url_list', identity: item.url, uri: item.uri, text: outcome.text, format });
    return made ?? 'html_too_deep';
  }
  const read = await repo.inputs.read(item.id, DOCUMENT_BYTES_MAX);
  if (read.kind === 'absent') return 'vanished';
  if (read.kind === 'failed') return read.failure.kind;
  const format = /\.html?$/i.test(item.id) ? 'html' : 'text';
  const text = decodeLenient(read.bytes);
  return makeDocument({ source: 'filesystem', identity: item.id, uri: item.uri, text, format }) ?? 'html_too_deep';
}

/** Query, fragment and user part may hold secrets: none is shown. */
function shownUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? (url.split(/[?#]/)[0] ?? '') : `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}

// One external document as it is published: its markdown, its artifact's name, and what the slice says about it.
// The text is only cleaned of control characters here; redaction follows where every output passes. The name alone is redacted
// here, because folding a title to plain letters would hide a key in it from those who look for keys.

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
