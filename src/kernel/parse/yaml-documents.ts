/**
 * YAML text to the library's documents, one after the other, with every way of exhausting the process closed.
 *
 * The library would build a tree of any depth (its composer recurses), remember every error of a file, and keep about 500 bytes
 * per token. Its parts are therefore driven by hand, token by token: nesting is seen on the parser's own stack while the text is
 * still being read, the first error ends the parse, and a document has at most `maxTokens` of them.
 */

import { createRequire } from 'node:module';
import type * as YamlLibrary from 'yaml';
import { limits } from '../base/limits.ts';
import { failedParse, malformed, type ParseFailure } from './outcome.ts';
import { lineAt } from './text.ts';

export type YamlDocument = YamlLibrary.Document.Parsed;
export type YamlNode = YamlLibrary.ParsedNode;

/** `core`: numbers, booleans and null by the YAML 1.2 core schema. `text`: every scalar is the string that was written. */
export type ScalarReading = 'core' | 'text';

type Failed = { readonly ok: false; readonly failure: ParseFailure };

// Enough for 10 MiB of ordinary YAML in one document; a list of commas reaches it after 4 MB.
const maxTokens = 4_000_000;

// Loading takes 30 ms, and most lockfiles never need it (block-yaml.ts).
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
    // Pairwise comparison inside the library is quadratic; yaml-values.ts looks for duplicates itself.
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

  // The document itself and the scalar being read also stand on the stack; the exact check follows in yaml-values.ts.
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
 * The composer keeps an object for each of a million misplaced commas or unknown tags; its handler is replaced so that the first
 * error ends it and only so many warnings stay. Should a later version of the library name the handler differently, only that saving is lost.
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
