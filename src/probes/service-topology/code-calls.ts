/**
 * Calls that only code and configuration together make: an address that is written out in the code of a service has the name of another
 * as its host; or the code takes it from its environment, and a configuration map that the whole pod is given holds it, or the default
 * that stands in the code is such a name. A variable that the
 * declaration of the service sets itself is read there, and not here.
 */

import { isWithin } from '../../gather/facts/fact.ts';
import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { listAt, textAt } from '../../kernel/base/json-access.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { placeOf } from '../shared/place-of.ts';
import { protocolOfImage, protocolOfPort, protocolOfScheme } from './protocols.ts';
import type { DeclaredEdge, DeclaredService } from './service-topology-section.ts';

/** An address that a pod is given as part of a whole configuration map. */
export type GivenAddress = {
  readonly from: string;
  readonly to: string;
  readonly variable: string;
  readonly protocol: string | null;
  readonly evidence: string;
};

type Taken = {
  readonly path: string;
  readonly line: number;
  readonly variable: string | null;
  readonly scheme: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly http: boolean;
};

export function readTaken(upstream: Json): readonly Taken[] {
  return listAt({ rows: upstream }, 'rows').flatMap((row) => {
    const path = textAt(row, 'path');
    const variable = textAt(row, 'variable');
    // Names of Java packages say nothing about what a file is for.
    const place = path?.replace(/(?<=(?:^|\/)src\/main\/).*(?=\/[^/]*$)/, 'x') ?? '';
    if (!isJsonObject(row) || path === null || placeOf(place) !== 'product') return [];
    const { line, port } = row;
    return [
      {
        ...{ path, variable, scheme: textAt(row, 'scheme'), host: textAt(row, 'host'), http: row['http'] === true },
        line: typeof line === 'number' ? line : 1,
        port: typeof port === 'number' ? port : null,
      },
    ];
  });
}

/** What is known of each service: from which directory it is built, in which file it is declared, what its declaration sets. */
export type CallWorld = {
  readonly services: readonly DeclaredService[];
  /** `file#service` → variables that the declaration sets. */
  readonly setBy: ReadonlyMap<string, ReadonlySet<string>>;
  readonly given: readonly GivenAddress[];
};

export function findCodeCalls({ services, setBy, given }: CallWorld, taken: readonly Taken[]): readonly DeclaredEdge[] {
  const dirs = new Map<string, Set<string>>();
  for (const { name, dir } of services)
    if (dir !== null && dir !== undefined && dir !== '.') dirs.set(name, (dirs.get(name) ?? new Set()).add(dir));
  /** The service that a file belongs to: the deepest directory around it; two services of one directory share their code. */
  const ownersOf = (path: string): readonly string[] => {
    const around = [...dirs].flatMap(([name, own]) =>
      [...own].filter((dir) => isWithin(path, dir)).map((dir) => ({ name, depth: dir.length })),
    );
    const deepest = Math.max(...around.map(({ depth }) => depth));
    return around.filter(({ depth }) => depth === deepest).map(({ name }) => name);
  };
  const owned = taken.map((one) => ({ ...one, owners: ownersOf(one.path) }));
  const edges: DeclaredEdge[] = [];
  for (const { from, to, variable, protocol, evidence } of given) {
    const use = owned.find((one) => one.variable === variable && one.owners.includes(from));
    if (use === undefined || from === to) continue;
    const spoken = protocol ?? (use.http ? 'http' : null);
    edges.push({
      ...{ from, to, via: 'config_map', evidence, protocol: spoken },
      taken_at: { path: use.path, line: use.line },
    });
  }
  const declared = services.filter(({ kind }) => kind === 'compose_service' || kind === 'workload');
  for (const one of owned) {
    const { host, variable, path, line } = one;
    if (host === null) continue;
    for (const from of one.owners) {
      for (const { source } of declared.filter(({ name }) => name === from)) {
        const to = declared.find((other) => other.name === host && isBeside(other, source));
        const isSet = variable !== null && setBy.get(`${source}#${from}`)?.has(variable) === true;
        if (to === undefined || host === from || isSet) continue;
        const protocol =
          (one.scheme === null ? null : protocolOfScheme(one.scheme.replace(/^jdbc:/, ''))) ??
          protocolOfImage(host) ??
          (one.http ? 'http' : protocolOfPort(one.port));
        const evidence = shortLine(`${source}#${from}.code.${variable ?? host}`, 400);
        edges.push({ from, to: host, via: 'code_default', evidence, protocol, taken_at: { path, line } });
      }
    }
  }
  return edges;
}

/** Compose files of one directory are one project; manifests of a cluster lie in one tree. */
function isBeside({ source }: DeclaredService, other: string): boolean {
  const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder(source) === folder(other);
}
