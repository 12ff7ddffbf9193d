/**
 * The table of extractors. An extractor is a pure function from a parsed file to plain facts (they cross a thread border);
 * a new one is a new file and a line here.
 */

import { extractHttpClients } from './extractors/http-clients.ts';
import { extractImports } from './extractors/imports.ts';
import { extractReflection } from './extractors/reflection.ts';
import { extractTestCases } from './extractors/test-cases.ts';
import { extractTyping } from './extractors/typing.ts';
import type { ParsedSource } from './parse-source.ts';

export const extractors = {
  'test-cases': extractTestCases,
  'http-clients': extractHttpClients,
  imports: extractImports,
  reflection: extractReflection,
  typing: extractTyping,
} as const satisfies Record<string, (source: ParsedSource) => unknown>;

export type ExtractorName = keyof typeof extractors;
export type Facts = { readonly [K in ExtractorName]: ReturnType<(typeof extractors)[K]> };
