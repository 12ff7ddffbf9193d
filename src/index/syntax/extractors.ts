/**
 * The table of extractors. An extractor is a pure function from a parsed file to plain facts (they cross a thread border);
 * a new one is a new file and a line here.
 */

import { extractDefinitions } from './extractors/definitions.ts';
import { extractHttpClients } from './extractors/http-clients.ts';
import { extractImports } from './extractors/imports.ts';
import { extractInvariantHints } from './extractors/invariant-hints.ts';
import { extractReflection } from './extractors/reflection.ts';
import { extractTestCases } from './extractors/test-cases.ts';
import { extractTlsOptions } from './extractors/tls-options.ts';
import { extractTyping } from './extractors/typing.ts';
import type { ParsedSource } from './parse-source.ts';

export const extractors = {
  'test-cases': extractTestCases,
  'http-clients': extractHttpClients,
  definitions: extractDefinitions,
  imports: extractImports,
  'invariant-hints': extractInvariantHints,
  reflection: extractReflection,
  'tls-options': extractTlsOptions,
  typing: extractTyping,
} as const satisfies Record<string, (source: ParsedSource) => unknown>;

export type ExtractorName = keyof typeof extractors;
export type Facts = { readonly [K in ExtractorName]: ReturnType<(typeof extractors)[K]> };
