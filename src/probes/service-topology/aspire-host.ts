/**
 * .NET Aspire: a program that says which projects and which stores run together, and who is given whose address. Read as text, statement by
 * statement: a chain of calls begins with what it is about (`builder.AddProject<Projects.Api>("api")`) or with its variable.
 */

import { posix } from 'node:path';
import { shortLine } from '../../kernel/base/text.ts';
import { protocolOfScheme } from './protocols.ts';
import type { DeclaredEdge, DeclaredService } from './service-topology-section.ts';
import type { Topology } from './topology-documents.ts';

export const aspireHint = /\bDistributedApplication\.CreateBuilder\b/;

/** What lies around the host: project files of the repository, and directories that hold a contract of gRPC. */
export type AspireWorld = { readonly projects: readonly string[]; readonly contracts: readonly string[] };

type Resource = { readonly name: string; readonly dir: string | null; readonly protocol: string | null };

const added =
  /(?:\b(\w{1,100})\s*=\s*)?\b(\w{1,100})\s*\.\s*Add(\w{1,60})(?:<Projects\.(\w{1,200})>)?\(\s*"([\w.-]{1,100})"(?:\s*,\s*@?"([^"]{1,300})")?/;
const given = /\.\s*WithReference\(\s*(\w{1,100})/g;
const maxStatements = 2_000;

export function readAspireHost(path: string, text: string, world: AspireWorld): Topology {
  const byVariable = new Map<string, Resource>();
  const services: DeclaredService[] = [];
  const edges: DeclaredEdge[] = [];
  const statements = text.replace(/^\s*\/\/.*$/gm, '').split(';', maxStatements);
  const subjects = statements.map((statement) => {
    const [, variable, holder = '', kind = '', project, name, written] = added.exec(statement.slice(0, 8_000)) ?? [];
    if (name === undefined) return byVariable.get(/^\s*(\w+)\s*\.\s*With/.exec(statement)?.[1] ?? '');
    const file = project !== undefined ? projectFile(project, world) : writtenFile(path, kind, written);
    const dir = file === undefined ? null : posix.dirname(file);
    const isGrpc = dir !== null && world.contracts.some((one) => one.startsWith(`${dir}/`));
    // A database is spoken to as its server is.
    const ofServer = kind === 'Database' ? (byVariable.get(holder)?.protocol ?? null) : storeProtocol(kind);
    const resource: Resource = {
      name: shortLine(name, 200),
      dir,
      protocol: dir === null ? ofServer : isGrpc ? 'grpc' : 'http',
    };
    if (variable !== undefined) byVariable.set(variable, resource);
    if (dir !== null || ofServer !== null)
      services.push({ name: resource.name, source: path, kind: dir === null ? 'resource' : 'declared', dir });
    return resource;
  });
  for (const [at, statement] of statements.entries()) {
    const from = subjects[at];
    if (from?.dir === null || from === undefined) continue;
    for (const [, variable = ''] of statement.matchAll(given)) {
      const to = byVariable.get(variable);
      if (to === undefined || to.name === from.name) continue;
      const evidence = shortLine(`${path}#${from.name}.WithReference`, 400);
      edges.push({ from: from.name, to: to.name, via: 'env_url', evidence, protocol: to.protocol });
    }
  }
  return { services, edges };
}

/** `Projects.Basket_API` is made of `Basket.API.csproj`. */
function projectFile(name: string, { projects }: AspireWorld): string | undefined {
  return projects.find(
    (path) =>
      posix
        .basename(path)
        .replace(/\.\w+proj$/, '')
        .replace(/\W/g, '_') === name,
  );
}

function writtenFile(path: string, kind: string, written: string | undefined): string | undefined {
  if (kind !== 'Project' || written === undefined) return undefined;
  const joined = posix.join(posix.dirname(path), written.replaceAll('\\', '/'));
  return joined.startsWith('..') ? undefined : joined;
}

/** `AddRedis`, `AddPostgres`, `AddAzurePostgresFlexibleServer`: stores and brokers by the name of the call. */
function storeProtocol(kind: string): string | null {
  const plain = kind.replace(/^Azure/, '').toLowerCase();
  if (plain.startsWith('sqlserver')) return 'mssql';
  const known = ['postgres', 'redis', 'valkey', 'mysql', 'mongodb', 'rabbitmq', 'kafka', 'nats', 'elasticsearch'].find(
    (one) => plain.startsWith(one),
  );
  return known === undefined ? null : protocolOfScheme(known);
}
