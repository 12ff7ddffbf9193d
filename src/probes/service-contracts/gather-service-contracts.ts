/** The run of the service_contracts probe: contracts by format, clients by syntax, one section. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, shortLine } from '../../kernel/base/text.ts';
import type { ParseFailure } from '../../kernel/formats/parse-outcome.ts';
import { parseLimits } from '../shared/parse-pool.ts';
import { createFindings, evidenceOf, type Findings } from '../shared/probe-reading.ts';
import {
  apiKindOf,
  followPointer,
  listAsyncOperations,
  listOperations,
  listReferences,
  locateReference,
  mayBeApiDocument,
  parseApiDocument,
  titleOf,
} from './api-document.ts';
import { findClients } from './contract-clients.ts';
import { type DjangoRoutes, djangoHint, readDjangoRoutes } from './django-routes.ts';
import { composesHttp, readNeighbours } from './environment-addresses.ts';
import { readHttpRoutes } from './http-routes.ts';
import { readSurfaces } from './manifest-surfaces.ts';
import { type ProtoFile, parseProto } from './proto.ts';
import { type RailsRoutes, readRailsRoutes } from './rails-routes.ts';
import {
  type AsyncOperation,
  clientGlobs,
  documentGlobs,
  type EnvironmentRow,
  graphqlGlobs,
  mayHoldContract,
  type Operation,
  protoGlobs,
  railsGlobs,
  routeGlobs,
} from './service-contracts-section.ts';

type ApiRow<T> = {
  readonly path: string;
  readonly title: string | null;
  readonly version: string | null;
  readonly operations: readonly T[];
};
type ProtoRow = { readonly path: string } & ProtoFile;
type GraphqlRow = {
  readonly path: string;
  readonly queries: readonly string[];
  readonly mutations: readonly string[];
  readonly subscriptions: readonly string[];
  readonly types: number;
};

/** Path items that point at path items; more is a circle or a joke. */
const referenceDepth = 5;

export async function gatherContracts(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'signal' | 'parsedManifest' | 'upstream'>,
): Promise<ProbeOutput> {
  const findings = createFindings();
  const budget = createRowBudget();
  const list = (globs: readonly string[]) => repo.inputs.list(globs).filter(mayHoldContract);
  const { openapi, asyncapi } = await readApiDocuments(repo, list(documentGlobs), findings, budget);
  const proto = await readProtos(repo, list(protoGlobs), findings, budget);
  const graphql = await readSchemas(repo, list(graphqlGlobs), findings, budget);
  const clients = await findClients(repo, list(clientGlobs), ctx.signal);
  const trpc = clients.trpc.map((row) => ({ ...row, procedures: budget.take(row.procedures) }));

  const rails = await readRails(repo);
  const { routes: registered, django, environment } = await readRoutes(repo, list(routeGlobs));
  const routes = [...registered, ...django.routes, ...rails.routes];
  const manifests = await readSurfaces(repo, ctx);

  const section = {
    provides: {
      openapi,
      proto,
      graphql,
      asyncapi,
      trpc: budget.take(trpc),
      routes: budget.take(routes),
      route_gaps: budget.take([...rails.gaps, ...django.gaps]),
      web_frameworks: budget.take(listAt({ rows: ctx.upstream['frameworks']?.value ?? null }, 'rows')),
      manifests: budget.take(manifests),
    },
    consumes: {
      http_clients: budget.take(clients.http),
      grpc_clients: budget.take(clients.grpc),
      graphql_clients: budget.take(clients.graphql),
      generated_clients: budget.take(clients.generated),
      environment: budget.take(environment),
    },
    unresolved: { value: clients.unresolved.length, relation: clients.complete ? 'eq' : 'gte' },
  };
  const raw = { ...section, unresolved_sites: budget.take(clients.unresolved) };
  if (budget.exceeded) findings.warn('service_contracts.truncated');
  const { web_frameworks: _, ...provides } = section.provides;
  const { environment: _own, ...consumes } = section.consumes;
  const found = [...Object.values(provides), ...Object.values(consumes)].some((rows) => rows.length > 0);
  const confidence: Confidence = found && !findings.warned('service_contracts.parse_error') ? 'high' : 'medium';
  return {
    kind: 'ran',
    slice: { inter_service: section as unknown as Json },
    rawArtifacts: [
      {
        name: 'service-contracts.json',
        kind: 'json',
        from: new TextEncoder().encode(canonicalJson(raw as unknown as Json)),
      },
    ],
    confidence,
    ...findings.report(),
    evidence: evidenceOf(
      repo,
      [...openapi, ...asyncapi, ...proto, ...graphql, ...trpc].map(({ path }) => path),
    ),
  };
}

async function readApiDocuments(
  repo: ProbeRepo,
  paths: readonly string[],
  findings: Findings,
  budget: RowBudget,
): Promise<{ openapi: ApiRow<Operation>[]; asyncapi: ApiRow<AsyncOperation>[] }> {
  const openapi: ApiRow<Operation>[] = [];
  const asyncapi: ApiRow<AsyncOperation>[] = [];
  const load = createDocumentLoader(repo);
  for (const path of paths) {
    const read = await repo.inputs.read(path, limits.yamlBytes);
    if (read.kind !== 'read' || !mayBeApiDocument(path, read.bytes)) continue;
    const outcome = parseApiDocument(path, read.bytes);
    if (!outcome.ok) {
      warnParse(findings, path, outcome.failure);
      continue;
    }
    const document = outcome.value;
    const kind = apiKindOf(document);
    if (kind === undefined) continue;
    for (const reference of listReferences(document)) {
      if (locateReference(path, reference).kind === 'outside') {
        findings.warn('service_contracts.ref_outside_repo', { path });
        break;
      }
    }
    if (kind === 'asyncapi') {
      asyncapi.push({ path, ...titleOf(document), operations: budget.take(listAsyncOperations(document)) });
    } else {
      const resolve = (reference: string) => resolvePathItem(load, path, document, reference, referenceDepth);
      openapi.push({ path, ...titleOf(document), operations: budget.take(await listOperations(document, resolve)) });
    }
  }
  return { openapi, asyncapi };
}

type LoadDocument = (path: string) => Promise<Json | undefined>;

/** Files that references lead to, each parsed once; only what the probe declared and only inside the root. */
function createDocumentLoader(repo: ProbeRepo): LoadDocument {
  const loaded = new Map<string, Promise<Json | undefined>>();
  const load = async (path: string): Promise<Json | undefined> => {
    if (!/\.(?:ya?ml|json)$/.test(path) || !repo.inputs.has(path)) return undefined;
    const read = await repo.inputs.read(path, limits.yamlBytes);
    const outcome = read.kind === 'read' ? parseApiDocument(path, read.bytes) : undefined;
    return outcome?.ok ? outcome.value : undefined;
  };
  return (path) => {
    const known = loaded.get(path) ?? load(path);
    loaded.set(path, known);
    return known;
  };
}

async function resolvePathItem(
  load: LoadDocument,
  fromPath: string,
  fromDocument: Json,
  reference: string,
  depth: number,
): Promise<JsonObject | undefined> {
  const target = locateReference(fromPath, reference);
  if (target.kind === 'outside' || depth === 0) return undefined;
  const document = target.path === fromPath ? fromDocument : await load(target.path);
  const item = document === undefined ? undefined : followPointer(document, target.pointer);
  if (document === undefined || !isJsonObject(item)) return undefined;
  const further = textAt(item, '$ref');
  return further === null ? item : resolvePathItem(load, target.path, document, further, depth - 1);
}

async function readProtos(
  repo: ProbeRepo,
  paths: readonly string[],
  findings: Findings,
  budget: RowBudget,
): Promise<ProtoRow[]> {
  const rows: ProtoRow[] = [];
  for (const path of paths) {
    const text = await readText(repo, path, findings);
    if (text === undefined) continue;
    const outcome = parseProto(text);
    if (!outcome.ok) {
      warnParse(findings, path, outcome.failure);
      continue;
    }
    const name = (value: string) => shortLine(value, 200);
    const services = outcome.value.services.map((service) => ({
      name: name(service.name),
      rpcs: budget.take(service.rpcs).map((rpc) => ({
        name: name(rpc.name),
        request: name(rpc.request),
        response: name(rpc.response),
        streaming: rpc.streaming,
      })),
    }));
    // Files of messages alone are part of a contract that another file offers.
    const { package: packageName } = outcome.value;
    if (services.length > 0)
      rows.push({ path, package: packageName === null ? null : name(packageName), services: budget.take(services) });
  }
  return rows;
}

async function readSchemas(
  repo: ProbeRepo,
  paths: readonly string[],
  findings: Findings,
  budget: RowBudget,
): Promise<GraphqlRow[]> {
  if (paths.length === 0) return [];
  const { defaultRoots, fieldsOf, parseSchema } = await import('./graphql-sdl.ts');
  const schemas = [];
  for (const path of paths) {
    const text = await readText(repo, path, findings);
    if (text === undefined) continue;
    const outcome = parseSchema(text);
    if (!outcome.ok) warnParse(findings, path, outcome.failure);
    else if (outcome.value !== null) schemas.push({ path, schema: outcome.value });
  }
  // A schema is often split over files; one `schema { … }` then speaks for all of them.
  const named = schemas.flatMap(({ schema }) => (schema.roots === null ? [] : [schema.roots]));
  const shared = named.length === 1 && named[0] !== undefined ? named[0] : defaultRoots;
  return schemas.map(({ path, schema }) => {
    const roots = schema.roots ?? shared;
    return {
      path,
      queries: budget.take(fieldsOf(schema, roots.query)),
      mutations: budget.take(fieldsOf(schema, roots.mutation)),
      subscriptions: budget.take(fieldsOf(schema, roots.subscription)),
      types: schema.types,
    };
  });
}

/** A file that could not be read is told by the clients, which read the same. */
async function readRoutes(repo: ProbeRepo, paths: readonly string[]) {
  const routes = [];
  const environment: EnvironmentRow[] = [];
  const ofDjango = new Map<string, string>();
  for (const file of paths) {
    if (isTestDirectory.test(file) || repo.inputs.fingerprint(file)?.kind === 'link') continue;
    const read = await repo.inputs.read(file, parseLimits.parseBytes);
    if (read.kind !== 'read') continue;
    const text = decodeLenient(read.bytes);
    if (file.endsWith('.py') && djangoHint.test(text)) ofDjango.set(file, text);
    for (const { method, path, line, whole } of readHttpRoutes(file, text))
      routes.push({ file, line, method, path: shortLine(path, 300), whole });
    const addresses = readNeighbours(text);
    if (addresses.length === 0) continue;
    const http = composesHttp(text);
    environment.push(...addresses.map((one) => ({ path: file, ...one, http })));
  }
  const found = readDjangoRoutes(ofDjango);
  const django: DjangoRoutes = {
    routes: found.routes.map((route) => ({ ...route, path: shortLine(route.path, 300) })),
    gaps: found.gaps.map((gap) => ({ ...gap, what: shortLine(gap.what, 100) })),
  };
  return { routes, django, environment };
}

async function readRails(repo: ProbeRepo): Promise<RailsRoutes> {
  const texts = new Map<string, string>();
  for (const path of repo.inputs.list(railsGlobs).filter((one) => !isTestDirectory.test(one) && mayHoldContract(one))) {
    const read = await repo.inputs.read(path, parseLimits.parseBytes);
    if (read.kind === 'read' && repo.inputs.fingerprint(path)?.kind !== 'link')
      texts.set(path, decodeLenient(read.bytes));
  }
  const read = [...texts.keys()]
    .filter((path) => path.endsWith('config/routes.rb'))
    .map((path) => {
      const application = texts.get(path.replace(/routes\.rb$/, 'application.rb')) ?? '';
      const isApi = /^\s*config\.api_only\s*=\s*true\b/m.test(application);
      return readRailsRoutes({ path, textOf: (one) => texts.get(one), isApi });
    });
  return {
    routes: read.flatMap((one) => one.routes.map((route) => ({ ...route, path: shortLine(route.path, 300) }))),
    gaps: read.flatMap((one) => one.gaps.map((gap) => ({ ...gap, what: shortLine(gap.what, 100) }))),
  };
}

const isTestDirectory = /(?:^|\/)(?:tests?|__tests__|spec|testing|e2e|mocks?)\//;

async function readText(repo: ProbeRepo, path: string, findings: Findings): Promise<string | undefined> {
  if (repo.inputs.fingerprint(path)?.kind === 'link') return undefined;
  const read = await repo.inputs.read(path, limits.manifestBytes);
  if (read.kind === 'read') return decodeLenient(read.bytes);
  if (read.kind === 'failed') warnParse(findings, path, read.failure);
  return undefined;
}

function warnParse(findings: Findings, path: string, failure: ParseFailure): void {
  const line = failure.kind === 'malformed' && failure.line !== undefined ? { line: failure.line } : {};
  findings.warn('service_contracts.parse_error', { path, detail: failure.kind, ...line });
}

/** Takes rows while there is room, so that no file can make the section too large to read. */
export interface RowBudget {
  take<T>(rows: readonly T[]): readonly T[];
  readonly exceeded: boolean;
}

const rowsPerList = 2_000;
const rowsInAll = 20_000;

export function createRowBudget(): RowBudget {
  let left = rowsInAll;
  let exceeded = false;
  return {
    take(rows) {
      const taken = rows.slice(0, Math.min(rowsPerList, left));
      left -= taken.length;
      if (taken.length < rows.length) exceeded = true;
      return taken;
    },
    get exceeded() {
      return exceeded;
    },
  };
}
