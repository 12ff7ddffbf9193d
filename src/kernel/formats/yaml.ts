/**
 * YAML 1.2 within caps, for CI files, manifests and everything authored by hand.
 *
 * Promises: never throws; plain JSON values only (`toJsonValue` says how each scalar is read); unknown tags have no effect and
 * are noted as `unknown_tag`; duplicate keys are malformed; aliases are bounded; depth is bounded before anything recurses.
 * Templates that merely look like YAML (helm) are not YAML: their caller cuts them apart first.
 */

import { createRequire } from 'node:module';
import type * as YamlLibrary from 'yaml';
import { isJsonObject, type Json, type JsonObject, setOwn } from '../base/json.ts';
import { limits, limits as programLimits } from '../base/limits.ts';
import { singleLine, truncate } from '../base/text.ts';
import { requireObject } from './parse-json.ts';
import {
  failedParse,
  lineAt,
  malformed,
  type ParseFailure,
  type ParseLimits,
  type ParseNote,
  type ParseOutcome,
  parsed,
  parseText,
} from './parse-outcome.ts';

/** The only document; null when the text has none. A second one is malformed unless it is empty. */
export function parseYaml(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<Json> {
  return readOnlyDocument(bytes, limits, 'core');
}

/** As `parseYaml`, and the top level must be a mapping: empty text is malformed. */
export function parseYamlObject(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  return requireObject(parseYaml(bytes, limits));
}

/** Every document that is not empty, in order. */
export function parseYamlDocuments(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<readonly Json[]> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const outcome = readDocuments(text.value, limits, 'core');
  if (!outcome.ok) return outcome;
  const values = outcome.value.map(({ value }) => value);
  return parsed(values, outcome.notes);
}

/** As `parseYamlObject`, every scalar as the string that was written: `version: 1.10` must not become 1.1. */
export function parseYamlStrings(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<JsonObject> {
  return requireObject(readOnlyDocument(bytes, limits, 'text'));
}

type Document = { readonly value: Json; readonly offset: number };

function readOnlyDocument(bytes: Uint8Array, limits: ParseLimits, scalars: ScalarReading): ParseOutcome<Json> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const outcome = readDocuments(text.value, limits, scalars);
  if (!outcome.ok) return outcome;
  const [only, second] = outcome.value;
  if (second !== undefined) return malformed('yaml: more than one document', lineAt(text.value, second.offset));
  return parsed(only?.value ?? null, outcome.notes);
}

function readDocuments(text: string, limits: ParseLimits, scalars: ScalarReading): ParseOutcome<Document[]> {
  const documents: Document[] = [];
  const notes: ParseNote[] = [];
  const nothing = scalars === 'core' ? null : '';
  const failed = eachYamlDocument(text, { maxDepth: limits.maxDepth, scalars }, (document) => {
    const outcome = toJsonValue(document, text, limits.maxDepth);
    if (!outcome.ok) return outcome;
    noteTags(document, text, notes);
    if (outcome.value !== nothing) documents.push({ value: outcome.value, offset: document.contents?.range[0] ?? 0 });
    return null;
  });
  return failed ?? parsed(documents, notes);
}

function noteTags(document: YamlDocument, text: string, notes: ParseNote[]): void {
  for (const warning of document.warnings) {
    if (notes.length >= programLimits.diagnosticsPerProbe) return;
    if (warning.code !== 'TAG_RESOLVE_FAILED' && warning.code !== 'BAD_COLLECTION_TYPE') continue;
    const [start, end] = warning.pos;
    const tag = truncate(singleLine(text.slice(start, end)), programLimits.diagnosticDetailChars);
    notes.push({ id: 'unknown_tag', line: lineAt(text, start), detail: tag });
  }
}

// Documents: YAML text to the library's documents, one after the other, with every way of exhausting the process closed.
//
// The library would build a tree of any depth (its composer recurses), remember every error of a file, and keep about 500 bytes
// per token. Its parts are therefore driven by hand, token by token: nesting is seen on the parser's own stack while the text is
// still being read, the first error ends the parse, and a document has at most `maxTokens` of them.

export type YamlDocument = YamlLibrary.Document.Parsed;
export type YamlNode = YamlLibrary.ParsedNode;

/** `core`: numbers, booleans and null by the YAML 1.2 core schema. `text`: every scalar is the string that was written. */
export type ScalarReading = 'core' | 'text';

type Failed = { readonly ok: false; readonly failure: ParseFailure };

// Enough for 10 MiB of ordinary YAML in one document; a list of commas reaches it after 4 MB.
const maxTokens = 4_000_000;

// Loading takes 30 ms, and most lockfiles never need it (lock-yaml.ts).
const load = createRequire(import.meta.url);
export function loadYaml(): typeof YamlLibrary {
  return load('yaml') as typeof YamlLibrary;
}

/** Calls `each` per document until it answers a failure; answers the first failure of the stream. */
export function eachYamlDocument(
  text: string,
  options: { readonly maxDepth: number; readonly scalars: ScalarReading },
  each: (document: YamlDocument) => Failed | null,
): Failed | null {
  const yaml = loadYaml();
  const lexer = new yaml.Lexer();
  const parser = new yaml.Parser();
  const composer = new yaml.Composer({
    // A schema object rather than a name: a `%YAML 1.1` directive cannot bring back dates, sets or binary.
    schema: new yaml.Schema({ schema: options.scalars === 'core' ? 'core' : 'failsafe', resolveKnownTags: false }),
    // Pairwise comparison inside the library is quadratic; `toJsonValue` looks for duplicates itself.
    uniqueKeys: false,
    prettyErrors: false,
  });
  stopAtFirstError(composer);

  let tokenCount = 0;
  const wrong = (offset: number, code: string): Failed =>
    malformed(`yaml: ${code.toLowerCase().replaceAll('_', ' ')}`, lineAt(text, offset));

  const finish = (documents: Iterable<YamlDocument>): Failed | null => {
    for (const document of documents) {
      const [error] = document.errors;
      if (error !== undefined) return wrong(error.pos[0], error.code);
      const failed = each(document);
      if (failed !== null) return failed;
    }
    return null;
  };
  const accept = (tokens: Iterable<YamlLibrary.CST.Token>): Failed | null => {
    for (const token of tokens) {
      if (token.type === 'document') tokenCount = 0;
      if (token.type === 'error') return wrong(token.offset, 'unexpected token');
      const failed = finish(composer.next(token));
      if (failed !== null) return failed;
    }
    return null;
  };

  // The document itself and the scalar being read also stand on the stack; the exact check follows in `toJsonValue`.
  const maxStack = options.maxDepth + 3;
  try {
    for (const lexeme of lexer.lex(text)) {
      tokenCount += 1;
      if (tokenCount > maxTokens) return failedParse({ kind: 'expansion_cap_exceeded', cap: maxTokens });
      const failed = accept(parser.next(lexeme));
      if (failed !== null) return failed;
      if (parser.stack.length > maxStack) return failedParse({ kind: 'depth_cap_exceeded', cap: options.maxDepth });
    }
    return accept(parser.end()) ?? finish(composer.end());
  } catch (error) {
    // Known limits of the library, and nothing that a caller could act on: the file is not readable YAML to us.
    if (error instanceof FirstError) return wrong(error.offset, error.code);
    return error instanceof RangeError
      ? failedParse({ kind: 'depth_cap_exceeded', cap: options.maxDepth })
      : malformed('yaml: not readable');
  }
}

class FirstError extends Error {
  readonly offset: number;
  readonly code: string;
  constructor(offset: number, code: string) {
    super(code);
    this.offset = offset;
    this.code = code;
  }
}

/**
 * The composer keeps an object for each of a million misplaced commas or unknown tags; its handler is replaced so that the first error
 * ends it and only so many warnings stay. Should a later version of the library name the handler differently, only that saving is lost.
 */
function stopAtFirstError(composer: YamlLibrary.Composer): void {
  type Handler = (source: unknown, code: string, message: string, warning?: boolean) => void;
  const open = composer as unknown as { onError?: Handler };
  const keep = open.onError;
  let first: FirstError | null = null;
  let warnings = 0;
  open.onError = (source, code, message, warning) => {
    if (!warning) {
      // The library meets this exception on its way out and reports it as an error of its own.
      first ??= new FirstError(offsetOf(source), code);
      throw first;
    }
    warnings += 1;
    if (warnings <= limits.diagnosticsPerProbe) keep?.(source, code, message, warning);
  };
}

function offsetOf(source: unknown): number {
  if (typeof source === 'number') return source;
  if (Array.isArray(source)) return Number(source[0]);
  return Number((source as { readonly offset?: unknown }).offset ?? 0);
}

// Values: a composed document as plain JSON.
//
// Promises: nothing but JSON comes out. Keys are strings, as written (`8080: x` has the key `8080`); a collection as a key is
// malformed. Timestamps are strings, since the core schema has none, and so are `.inf` and `.nan`: JSON has no such numbers, and
// one of them is no reason to lose the file. `__proto__` is data. A repeated key is malformed. `<<` merges as YAML 1.1 has it.
//
// Anchored values are shared by identity, yet every reference pays for the whole of what it stands for, aliases inside included:
// more than `limits.yamlExpansionNodes` paid is `expansion_cap_exceeded`, before anyone can serialise the result. A long text
// costs one node per started KiB, so that a megabyte cannot be repeated a hundred thousand times either.

type Built = {
  readonly value: Json;
  /** Nodes of the expanded tree. */
  readonly nodes: number;
  /** Containers below this one; -1 for a scalar. */
  readonly height: number;
};

export function toJsonValue(
  document: YamlDocument,
  text: string,
  maxDepth: number,
): Failed | { readonly ok: true; readonly value: Json } {
  const yaml = loadYaml();
  const anchors = new Map<string, Built | 'open'>();
  const nothing: Built = { value: null, nodes: 1, height: -1 };
  let expanded = 0;
  // Set once; every loop below ends when it is.
  let failed: Failed | null = null;
  const fail = (failure: Failed): Built => {
    failed ??= failure;
    return nothing;
  };
  const wrong = (detail: string, node: YamlNode | null): Built =>
    fail(malformed(`yaml: ${detail}`, lineAt(text, node?.range[0] ?? 0)));

  function build(node: YamlNode | null, depth: number): Built {
    if (node === null) return nothing;
    if (yaml.isAlias(node)) return follow(node, depth);
    if (node.anchor !== undefined) anchors.set(node.anchor, 'open');
    const built = yaml.isScalar(node) ? scalar(node) : collection(node, depth);
    if (node.anchor !== undefined) anchors.set(node.anchor, built);
    return built;
  }

  function follow(node: YamlNode & { readonly source?: string }, depth: number): Built {
    const target = anchors.get(node.source ?? '');
    if (target === undefined) return wrong('unknown alias', node);
    if (target === 'open') return wrong('alias inside its own anchor', node);
    expanded += target.nodes;
    if (expanded > limits.yamlExpansionNodes) {
      return fail(failedParse({ kind: 'expansion_cap_exceeded', cap: limits.yamlExpansionNodes }));
    }
    return depth + target.height > maxDepth ? tooDeep() : target;
  }

  function tooDeep(): Built {
    return fail(failedParse({ kind: 'depth_cap_exceeded', cap: maxDepth }));
  }

  function scalar(node: YamlNode): Built {
    const { value, source } = node as { readonly value?: unknown; readonly source?: string };
    if (typeof value === 'string') return { value, nodes: 1 + Math.floor(value.length / 1024), height: -1 };
    if (typeof value === 'boolean') return { value, nodes: 1, height: -1 };
    if (typeof value === 'number') {
      const kept = Number.isFinite(value) ? (value === 0 ? 0 : value) : (source ?? String(value));
      return { value: kept, nodes: 1, height: -1 };
    }
    return nothing;
  }

  function collection(node: YamlNode, depth: number): Built {
    if (depth > maxDepth) return tooDeep();
    return yaml.isMap(node) ? map(node as YamlMapNode, depth) : sequence(node as YamlSeqNode, depth);
  }

  function sequence(node: YamlSeqNode, depth: number): Built {
    const items: Json[] = [];
    let nodes = 1;
    let height = 0;
    for (const item of node.items) {
      const built = build(item, depth + 1);
      if (failed !== null) return nothing;
      items.push(built.value);
      nodes += built.nodes;
      height = Math.max(height, built.height + 1);
    }
    return { value: items, nodes, height };
  }

  function map(node: YamlMapNode, depth: number): Built {
    const members: Record<string, Json> = {};
    const merges: Json[] = [];
    let nodes = 1;
    let height = 0;
    for (const pair of node.items) {
      const key = keyText(pair.key, depth + 1);
      const built = build(pair.value, depth + 1);
      if (failed !== null) return nothing;
      nodes += built.nodes;
      if (key === '<<' && isPlain(pair.key)) {
        if (!isMergeable(built.value)) return wrong('a merge key needs a mapping or a list of mappings', pair.key);
        merges.push(built.value);
        // What is merged becomes this mapping's own: one container fewer, two for a list of them.
        height = Math.max(height, built.height - (Array.isArray(built.value) ? 1 : 0));
        continue;
      }
      if (Object.hasOwn(members, key)) return wrong('duplicate key', pair.key);
      setOwn(members, key, built.value);
      height = Math.max(height, built.height + 1);
    }
    for (const source of merges.flatMap((merge) => (Array.isArray(merge) ? (merge as readonly Json[]) : [merge]))) {
      for (const [key, value] of Object.entries(source ?? {})) {
        if (!Object.hasOwn(members, key)) setOwn(members, key, value as Json);
      }
    }
    return { value: members, nodes, height };
  }

  function keyText(key: YamlNode | null, depth: number): string {
    if (key === null) return '';
    const built = build(key, depth);
    if (typeof built.value === 'object' && built.value !== null) wrong('a collection as a key', key);
    const { source } = key as { readonly source?: string };
    return typeof built.value === 'string' || yaml.isAlias(key) ? String(built.value) : (source ?? '');
  }

  const root = build(document.contents, 0);
  return failed ?? { ok: true, value: root.value };
}

type YamlMapNode = { readonly items: readonly { readonly key: YamlNode | null; readonly value: YamlNode | null }[] };
type YamlSeqNode = { readonly items: readonly (YamlNode | null)[] };

function isPlain(node: YamlNode | null): boolean {
  return (node as { readonly type?: string } | null)?.type === 'PLAIN';
}

function isMergeable(value: Json): boolean {
  return isJsonObject(value) || (Array.isArray(value) && value.every((item) => isJsonObject(item)));
}

export type Frontmatter =
  | { readonly kind: 'none'; readonly bodyOffset: 0 }
  | { readonly kind: 'unterminated' }
  | { readonly kind: 'found'; readonly yaml: string; readonly bodyOffset: number };

/**
 * The YAML between two `---` lines at the top of a Markdown file, which is not parsed here, and where the body begins: `bodyOffset` counts
 * UTF-8 bytes of the text that was given; a BOM at its start belongs to it, a BOM that the decoder has already dropped cannot.
 */
export function splitFrontmatter(text: string): Frontmatter {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const first = lineFrom(text, start);
  if (!isFence(first.line)) return { kind: 'none', bodyOffset: 0 };
  for (let at = first.next; at < text.length; ) {
    const { line, next } = lineFrom(text, at);
    if (isFence(line)) {
      const bodyOffset = Buffer.byteLength(text.slice(0, Math.min(next, text.length)));
      return { kind: 'found', yaml: text.slice(first.next, at), bodyOffset };
    }
    at = next;
  }
  return { kind: 'unterminated' };
}

/** White space behind the dashes is invisible and therefore forgiven; before them it is not a fence. */
function isFence(line: string): boolean {
  return line.startsWith('---') && line.trimEnd() === '---';
}

function lineFrom(text: string, start: number): { readonly line: string; readonly next: number } {
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd === -1 ? text.length : lineEnd;
  return { line: text.slice(start, end), next: end + 1 };
}
