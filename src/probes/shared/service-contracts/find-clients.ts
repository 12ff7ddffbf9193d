/**
 * Clients and tRPC procedures in source files: each is read once, most are dropped after a look at their bytes, the rest is parsed
 * off the main thread. A file that could not be read as code makes the count of unresolved clients a lower bound.
 */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { mapBounded } from '../../../kernel/base/turns.ts';
import { findGrammar } from '../../../languages/parsing/grammar-pins.ts';
import type { HttpClientFact } from '../../service-contracts/http-clients.ts';
import { shortLine } from '../json-access.ts';
import { openParsePool, type ParsePool, parseLimits } from '../parse-pool.ts';
import type { ClientRow, GeneratedRow, TrpcRow } from './contract-rows.ts';
import { findGenerator } from './generated-client.ts';
import { mayHoldClients } from './may-hold-clients.ts';

export type FoundClients = {
  readonly http: readonly ClientRow[];
  readonly grpc: readonly ClientRow[];
  readonly graphql: readonly ClientRow[];
  readonly generated: readonly GeneratedRow[];
  readonly trpc: readonly TrpcRow[];
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
  const pool = openParsePool({ signal });
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
