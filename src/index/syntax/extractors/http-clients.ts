/**
 * Where a file talks to other services: HTTP, gRPC and GraphQL clients, and the tRPC procedures it offers.
 * Only what is written is reported. An address is known when its host is a literal (also as the fixed beginning of a template,
 * a concatenation or a format string); otherwise `literal` is false and the address unknown. Credentials in an address are dropped.
 */

import type { GrammarName } from '../grammars.ts';
import type { ParsedSource } from '../parse-source.ts';
import { findGoClients } from './http-clients/go.ts';
import { findJavascriptClients } from './http-clients/javascript.ts';
import { findPythonClients } from './http-clients/python.ts';

export type HttpClientFact = {
  readonly kind: 'http' | 'grpc' | 'graphql' | 'trpc_procedure';
  /** 1-based. */
  readonly line: number;
  /** Module or global the call belongs to: `axios`, `fetch`, `requests`, `net/http`, `@grpc/grpc-js` … */
  readonly library: string;
  /** `https://host[:port]`, for gRPC the target; null when there is no host in the source. */
  readonly base_url: string | null;
  /** The address is written in the source, even if it has no host (`fetch('/api')`). */
  readonly literal: boolean;
  /** Procedure or client name. */
  readonly name?: string;
};

const findersByGrammar: Partial<Record<GrammarName, (source: ParsedSource) => HttpClientFact[]>> = {
  typescript: findJavascriptClients,
  tsx: findJavascriptClients,
  javascript: findJavascriptClients,
  python: findPythonClients,
  go: findGoClients,
};

export function extractHttpClients(source: ParsedSource): readonly HttpClientFact[] {
  return (findersByGrammar[source.grammar]?.(source) ?? []).sort((a, b) => a.line - b.line);
}
