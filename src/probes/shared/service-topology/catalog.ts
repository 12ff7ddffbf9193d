/** Backstage entities: what depends on what, by the names their references carry (`resource:default/orders-db` → `orders-db`). */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { member, objectAt, shortLine, textAt, textsOf } from '../json-access.ts';
import type { DeclaredEdge, DeclaredService, Topology, TopologyDocument } from './topology.ts';

const kinds: Readonly<Record<string, DeclaredService['kind']>> = {
  Component: 'component',
  API: 'api',
  Resource: 'resource',
  System: 'system',
};

export function isCatalogEntity(document: Json): boolean {
  return textAt(document, 'apiVersion')?.startsWith('backstage.io/') === true;
}

export function readCatalogEntity({ path, document }: TopologyDocument): Topology {
  const kind = textAt(document, 'kind') ?? '';
  const name = textAt(document, 'metadata', 'name');
  if (name === null || !Object.hasOwn(kinds, kind)) return { services: [], edges: [] };
  const from = shortLine(name, 200);
  const spec = objectAt(document, 'spec');
  const edge = (field: string, reference: string, reversed = false): DeclaredEdge => {
    const other = entityName(reference);
    const evidence = shortLine(`${path}#${from}.spec.${field}`, 400);
    return { from: reversed ? other : from, to: reversed ? from : other, via: 'dependsOn', evidence };
  };
  return {
    services: [{ name: from, source: path, kind: kinds[kind] ?? 'component' }],
    edges: [
      ...textsOf(spec['dependsOn']).map((reference) => edge('dependsOn', reference)),
      ...textsOf(spec['consumesApis']).map((reference) => edge('consumesApis', reference)),
      ...textsOf(spec['dependencyOf']).map((reference) => edge('dependencyOf', reference, true)),
    ],
  };
}

function entityName(reference: string): string {
  const text = reference.slice(0, 600);
  const afterKind = text.slice(text.indexOf(':') + 1);
  return shortLine(afterKind.slice(afterKind.lastIndexOf('/') + 1), 200);
}

/** `services: [{name, depends_on: […]}]`: a plain list that configuration points at. */
export function isServiceList(document: Json): boolean {
  return Array.isArray(member(document, 'services'));
}

export function readServiceList({ path, document }: TopologyDocument): Topology {
  const services: DeclaredService[] = [];
  const edges: DeclaredEdge[] = [];
  const list = member(document, 'services');
  for (const item of Array.isArray(list) ? (list as readonly Json[]) : []) {
    const name = typeof item === 'string' ? item : textAt(item, 'name');
    if (name === null) continue;
    const from = shortLine(name, 200);
    services.push({ name: from, source: path, kind: 'declared' });
    if (!isJsonObject(item)) continue;
    for (const field of ['dependsOn', 'depends_on']) {
      for (const to of textsOf(item[field]))
        edges.push({
          from,
          to: shortLine(to, 200),
          via: 'dependsOn',
          evidence: shortLine(`${path}#${from}.${field}`, 400),
        });
    }
  }
  return { services, edges };
}
