/**
 * Clients and tRPC procedures in source files: each is read once, most are dropped after a look at their bytes, the rest is parsed
 * off the main thread. A file that could not be read as code makes the count of unresolved clients a lower bound.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { mapBounded } from '../../kernel/base/turns.ts';
import type { GrammarName } from '../../languages/languages.ts';
import { findGrammar } from '../../languages/parsing/grammar-pins.ts';
import { openParsePool, type ParsePool, parseLimits } from '../shared/parse-pool.ts';
import type { HttpClientFact } from './http-clients.ts';
import type { ClientRow, GeneratedRow } from './service-contracts-section.ts';

type FoundClients = {
  readonly http: readonly ClientRow[];
  readonly grpc: readonly ClientRow[];
  readonly graphql: readonly ClientRow[];
  readonly generated: readonly GeneratedRow[];
  readonly trpc: readonly { readonly path: string; readonly procedures: readonly string[] }[];
  /** Clients whose address is not written in the source. */
  readonly unresolved: readonly ClientRow[];
  /** Every file was read and parsed without errors. */
  readonly complete: boolean;
};

type FileClients = {
  readonly path: string;
  readonly facts: readonly HttpClientFact[];
  readonly generator?: string | undefined;
  readonly complete: boolean;
};

/** Enough to keep every thread busy, little enough to bound what is held in memory. */
const atOnce = 32;

export async function findClients(
  repo: ProbeRepo,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<FoundClients> {
  const pool = openParsePool({ signal, memo: repo.inputs.extracted });
  let files: readonly FileClients[];
  try {
    files = (await mapBounded(paths, atOnce, (path) => readFile(repo, path, pool))).filter((file) => file !== null);
  } finally {
    await pool.close();
  }
  const sites = files.flatMap(({ path, facts }) => facts.map((fact) => ({ fact, row: toRow(path, fact) })));
  // `new URL(x)` parses as often as it addresses: it is a client only when it names a host.
  const rowsOf = (kind: HttpClientFact['kind']): ClientRow[] =>
    sites
      .filter(({ fact }) => fact.kind === kind && (fact.library !== 'URL' || fact.base_url !== null))
      .map(({ row }) => row);
  return {
    http: rowsOf('http'),
    grpc: rowsOf('grpc'),
    graphql: rowsOf('graphql'),
    generated: files.flatMap(({ path, generator }) => (generator === undefined ? [] : [{ path, generator }])),
    trpc: files.flatMap(({ path, facts }) => {
      const procedures = facts
        .filter(({ kind }) => kind === 'trpc_procedure')
        .map(({ name }) => shortLine(name ?? '', 200));
      return procedures.length === 0 ? [] : [{ path, procedures: [...new Set(procedures)].sort() }];
    }),
    unresolved: sites.filter(({ fact }) => !fact.literal).map(({ row }) => row),
    complete: files.every(({ complete }) => complete),
  };
}

/** Null for a file that has nothing to say. */
async function readFile(repo: ProbeRepo, path: string, pool: ParsePool): Promise<FileClients | null> {
  const grammar = findGrammar(path);
  // A link owns no facts: its file does.
  if (grammar === undefined || repo.inputs.fingerprint(path)?.kind === 'link') return null;
  const read = await repo.inputs.read(path, parseLimits.parseBytes);
  if (read.kind === 'absent') return null;
  if (read.kind === 'failed') return { path, facts: [], complete: false };
  const generator = findGenerator(read.bytes);
  if (!mayHoldClients(grammar, read.bytes)) {
    return generator === undefined ? null : { path, facts: [], generator, complete: true };
  }
  const outcome = await pool.run({ grammar, bytes: read.bytes, extract: ['http-clients'] });
  if (outcome.kind === 'failed') return { path, facts: [], generator, complete: false };
  return { path, facts: outcome.facts['http-clients'], generator, complete: !outcome.hasErrors };
}

function toRow(path: string, { line, base_url, library }: HttpClientFact): ClientRow {
  return { path, line, base_url: base_url === null ? null : shortLine(withoutCredentials(base_url), 300), library };
}

/** A gRPC target is taken as it stands; should it carry credentials after all, they end here. */
function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]{0,20}:\/\/)?[^/?#\s]{0,500}@/i, '$1');
}

// Which source files are worth parsing for clients. Sharper than a look for the words alone, because license headers and comments
// say `https` in every file of some repositories; as sound, because every expression asks for what the extractor itself needs:
// a call, or the import of a module under any name.

const javascript =
  /\b(?:fetch|axios|got|ky)\s{0,8}(?:[.(<]|\?\.)|['"`](?:axios|got|ky|urql|@urql\/core|graphql-request|undici|node-fetch|cross-fetch|isomorphic-fetch|(?:node:)?https?|grpc|@grpc\/grpc-js)['"`]|\bnew\s{1,8}(?:[\w$]{1,64}\.){0,4}URL\b|ApolloClient|GraphQLClient|HttpLink|GraphQLWsLink|createUploadLink|rocedure/;
const python =
  /\b(?:requests|httpx|aiohttp)\s{0,8}\.\s{0,8}(?:get|post|put|patch|delete|head|options|request|stream|Client|AsyncClient|ClientSession)\b|\burlopen\s{0,8}\(|\bgrpc\.(?:aio\.)?(?:in)?secure_channel|HTTPX?Transport/;
const go = /\.\s{0,8}(?:Get|Post|PostForm|Head|NewRequest|NewRequestWithContext|Dial|DialContext|NewClient)\s{0,8}\(/;
const goImports = /"(?:net\/http|google\.golang\.org\/grpc|[^"\n]{0,100}graphql[^"\n]{0,100})"/i;

export function mayHoldClients(grammar: GrammarName, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (grammar === 'python') return python.test(text);
  if (grammar === 'go') return goImports.test(text) && go.test(text);
  return javascript.test(text);
}

// Clients that a generator wrote, by the note it leaves at the top of its files.

const HEAD_BYTES = 3 * 1024;
const note = /generated (?:by|with|using|from|via)|do not (?:edit|modify|make direct changes)|@generated/i;

const generators: readonly (readonly [RegExp, string])[] = [
  [/openapi[- ]generator/i, 'openapi-generator'],
  [/swagger[- ]codegen/i, 'swagger-codegen'],
  [/openapi-typescript/i, 'openapi-typescript'],
  [/@hey-api\/openapi-ts/i, 'openapi-ts'],
  [/oapi-codegen/i, 'oapi-codegen'],
  [/openapi-python-client/i, 'openapi-python-client'],
  [/\borval v?\d/i, 'orval'],
  [/graphql-code-?gen(?:erator)?|@graphql-codegen/i, 'graphql-codegen'],
  [/genqlient/i, 'genqlient'],
  [/protoc-gen-go-grpc/i, 'protoc-gen-go-grpc'],
  [/protoc-gen-(?:connect-[a-z]{1,10}|grpc-web|ts_proto|ts)\b/i, 'protoc-gen-ts'],
  [/protobuf-ts/i, 'protobuf-ts'],
  [/ts-proto/i, 'ts-proto'],
  [/gRPC Python protocol compiler/i, 'grpc_tools'],
  [/grpc_tools_node_protoc|GENERATED CODE -- DO NOT EDIT/, 'grpc-tools'],
];

export function findGenerator(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString('latin1');
  const comment = leadingComment(head);
  return note.test(comment) ? generators.find(([mark]) => mark.test(comment))?.[1] : undefined;
}

/** The comment lines a file opens with; code that merely speaks of generators is not generated. */
function leadingComment(head: string): string {
  const lines = head.split('\n');
  let inBlock = false;
  const end = lines.findIndex((line) => {
    const text = line.trim();
    const isComment = inBlock || text === '' || /^(?:\/\/|\/\*|#|"""|'use |"use )/.test(text);
    if (/^(?:\/\*|""")/.test(text)) inBlock = true;
    if (text.includes('*/') || (text.length > 3 && text.endsWith('"""'))) inBlock = false;
    return !isComment;
  });
  return lines.slice(0, end < 0 ? lines.length : end).join('\n');
}
