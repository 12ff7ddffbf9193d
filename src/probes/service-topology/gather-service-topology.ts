/** The run of the service_topology probe: every document by what it is, compose files by directory, one sorted picture. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import type { ParseOutcome } from '../../kernel/formats/parse-outcome.ts';
import { parseYamlDocuments } from '../../kernel/formats/yaml.ts';
import { directoryOf } from '../deployment/deployment-section.ts';
import { stripTemplate } from '../shared/helm-template.ts';
import { createFindings, evidenceOf, type Findings } from '../shared/probe-reading.ts';
import { aspireHint, readAspireHost } from './aspire-host.ts';
import { findCodeCalls, readTaken } from './code-calls.ts';
import { isKubernetes, readKubernetes, workloadHint } from './kubernetes-calls.ts';
import {
  aspireHostGlobs,
  catalogFileGlobs,
  composeFileGlobs,
  type DeclaredEdge,
  type DeclaredService,
  environmentGlobs,
  manifestFileGlobs,
  procfileGlobs,
  projectFileGlobs,
  protoGlobs,
  skaffoldFileGlobs,
} from './service-topology-section.ts';
import {
  fillVariables,
  isCatalogEntity,
  isCompose,
  isServiceList,
  isSkaffold,
  meshHint,
  plainName,
  readCatalogEntity,
  readComposeProject,
  readMeshManifest,
  readProcfile,
  readServiceList,
  readSkaffold,
  type Topology,
  type TopologyDocument,
} from './topology-documents.ts';

const rowsMax = 5_000;

export async function gatherTopology(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'upstream'>,
): Promise<ProbeOutput> {
  const findings = createFindings();
  const documents = await readDocuments(repo, findings);
  const projects = new Map<string, TopologyDocument[]>();
  const manifests: TopologyDocument[] = [];
  const parts: Topology[] = [];
  for (const entry of documents) {
    if (isCatalogEntity(entry.document)) parts.push(readCatalogEntity(entry));
    else if (isCompose(entry.document)) {
      const directory = directoryOf(entry.path);
      const project = projects.get(directory);
      if (project === undefined) projects.set(directory, [entry]);
      else project.push(entry);
    } else if (isServiceList(entry.document)) parts.push(readServiceList(entry));
    else if (isSkaffold(entry.document)) parts.push(readSkaffold(entry));
    else if (isKubernetes(entry.document)) {
      manifests.push(entry);
      const mesh = readMeshManifest(entry);
      if (mesh !== undefined) parts.push(mesh);
    }
  }
  const overGrpc = await readRpcNames(repo);
  const setBy = new Map<string, ReadonlySet<string>>();
  for (const [directory, project] of projects) {
    const variables = await readVariables(repo, directory === '' || directory === '.' ? '.env' : `${directory}/.env`);
    const read = readComposeProject(project, { variables, overGrpc });
    parts.push(read);
    for (const [key, names] of read.setBy) setBy.set(key, names);
  }
  const cluster = readKubernetes(manifests);
  for (const [key, names] of cluster.setBy) setBy.set(key, names);
  parts.push(cluster, ...(await readProcfiles(repo)), ...(await readAspireHosts(repo)));
  const services = uniqueBy(
    parts.flatMap((part) => part.services),
    serviceOrder,
  );
  const taken = readTaken(ctx.upstream['service_contracts']?.value ?? null);
  parts.push({ services: [], edges: findCodeCalls({ services, setBy, given: cluster.given }, taken) });
  const edges = uniqueBy(
    parts.flatMap((part) => part.edges).filter(({ from, to }) => from !== '' && to !== ''),
    edgeOrder,
  );
  if (services.length === 0 && !findings.warned('service_topology.parse_error')) {
    return { kind: 'skipped', reason: 'not_configured', detail: 'no file declares a service' };
  }
  if (services.length > rowsMax || edges.length > rowsMax)
    findings.warn('service_topology.truncated', { detail: `${services.length} services, ${edges.length} edges` });
  return {
    kind: 'ran',
    slice: {
      service_topology: {
        services: services.slice(0, rowsMax).map((service) => ({ ...service, dir: service.dir ?? null })),
        edges: edges.slice(0, rowsMax).map((edge) => ({
          ...edge,
          protocol: edge.protocol ?? null,
          taken_at: edge.taken_at ?? null,
        })),
      },
    },
    confidence: services.length > 0 ? 'medium' : 'low',
    ...findings.report(),
    evidence: evidenceOf(
      repo,
      services.map(({ source }) => source),
    ),
  };
}

/** Overrides after what they override: shorter names first. */
async function readDocuments(repo: ProbeRepo, findings: Findings): Promise<TopologyDocument[]> {
  const manifests = new Set(repo.inputs.list(manifestFileGlobs));
  for (const path of repo.inputs.list([...composeFileGlobs, ...catalogFileGlobs, ...skaffoldFileGlobs]))
    manifests.delete(path);
  const processes = new Set(
    repo.inputs.list([...procfileGlobs, ...environmentGlobs, ...protoGlobs, ...aspireHostGlobs, ...projectFileGlobs]),
  );
  const paths = [...repo.inputs.list()].sort((a, b) => a.length - b.length || compareCodeUnits(a, b));
  const documents: TopologyDocument[] = [];
  for (const path of paths) {
    if (processes.has(path)) continue;
    const read = await repo.inputs.read(path, limits.yamlBytes);
    if (read.kind === 'absent') continue;
    const isCandidate = manifests.has(path);
    if (read.kind === 'failed') {
      if (!isCandidate) findings.warn('service_topology.parse_error', { path, detail: read.failure.kind });
      continue;
    }
    const text = Buffer.from(read.bytes).toString('latin1');
    const isMesh = meshHint.test(text);
    if (isCandidate && !isMesh && !workloadHint.test(text)) continue;
    const outcome = parseManifest(read.bytes);
    if (outcome.ok) documents.push(...outcome.value.map((document) => ({ path, document })));
    // A template that is no YAML until it is filled in is not this repository's mistake.
    else if (!isCandidate || isMesh)
      findings.warn('service_topology.parse_error', { path, detail: outcome.failure.kind });
  }
  return documents;
}

/** `CartService` of a contract is the service `cart`. */
async function readRpcNames(repo: ProbeRepo): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const path of repo.inputs.list(protoGlobs)) {
    const read = await repo.inputs.read(path, limits.textBytes);
    if (read.kind !== 'read') continue;
    for (const [, name = ''] of decodeLenient(read.bytes).matchAll(/^[ \t]*service[ \t]+(\w{1,100})/gm))
      names.add(plainName(name));
  }
  return names;
}

/** What compose reads beside its file: `NAME=value`, where a value may name others above it. */
async function readVariables(repo: ProbeRepo, path: string): Promise<ReadonlyMap<string, string>> {
  const variables = new Map<string, string>();
  const read = repo.inputs.has(path) ? await repo.inputs.read(path, limits.textBytes) : undefined;
  if (read?.kind !== 'read') return variables;
  for (const line of decodeLenient(read.bytes).split(/\r?\n/, 2_000)) {
    const [, name, value = ''] = /^(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)$/.exec(line.slice(0, 2_000)) ?? [];
    if (name !== undefined) variables.set(name, fillVariables(value.replace(/^(["'])(.*)\1$/, '$2'), variables));
  }
  return variables;
}

async function readProcfiles(repo: ProbeRepo): Promise<Topology[]> {
  const parts: Topology[] = [];
  for (const path of repo.inputs.list(procfileGlobs)) {
    const read = await repo.inputs.read(path, limits.textBytes);
    if (read.kind === 'read') parts.push(readProcfile(path, decodeLenient(read.bytes)));
  }
  return parts;
}

async function readAspireHosts(repo: ProbeRepo): Promise<Topology[]> {
  const world = { projects: repo.inputs.list(projectFileGlobs), contracts: repo.inputs.list(protoGlobs) };
  const parts: Topology[] = [];
  for (const path of repo.inputs.list(aspireHostGlobs)) {
    const read = await repo.inputs.read(path, limits.textBytes);
    const text = read.kind === 'read' ? decodeLenient(read.bytes) : '';
    if (aspireHint.test(text)) parts.push(readAspireHost(path, text, world));
  }
  return parts;
}

/** Manifests may be helm templates; what is static in them counts. */
function parseManifest(bytes: Uint8Array): ParseOutcome<readonly Json[]> {
  const caps = { maxBytes: limits.yamlBytes, maxDepth: limits.parseDepth };
  const outcome = parseYamlDocuments(bytes, caps);
  if (outcome.ok || outcome.failure.kind !== 'malformed') return outcome;
  const { yaml, hadActions } = stripTemplate(decodeLenient(bytes));
  return hadActions ? parseYamlDocuments(new TextEncoder().encode(yaml), caps) : outcome;
}

function serviceOrder(service: DeclaredService): string {
  return [service.name, service.source, service.kind].join('\0');
}

function edgeOrder(edge: DeclaredEdge): string {
  return [edge.from, edge.to, edge.via, edge.evidence].join('\0');
}

function uniqueBy<T>(rows: readonly T[], key: (row: T) => string): T[] {
  const byKey = new Map(rows.map((row) => [key(row), row]));
  return [...byKey].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, row]) => row);
}
