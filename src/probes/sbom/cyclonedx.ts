/**
 * The bill of materials as CycloneDX 1.6, and back. It says nothing of when or where it was made: equal images give equal bytes. What the
 * format has no word for stands in properties of our own.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { listAt, objectAt, textAt } from '../../kernel/base/json-access.ts';
import { type ImageOs, type ImagePackage, type PackageType, packageTypes, type Reach } from './sbom-section.ts';

type Bill = {
  readonly digest: string;
  readonly generator: 'syft' | 'builtin';
  readonly os: ImageOs | null;
  readonly packages: readonly ImagePackage[];
};

export function toCycloneDx({
  digest,
  generator,
  os,
  packages,
  roleOf,
}: Bill & { readonly roleOf: (each: ImagePackage) => string | null }): JsonObject {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: generator === 'syft' ? 'syft' : 'codegenie' }] },
      component: { type: 'container', 'bom-ref': 'image', name: 'image', version: digest },
    },
    components: [
      ...packages.map((each, index) => ({
        type: 'library',
        'bom-ref': `package-${index}`,
        name: each.name,
        version: each.version,
        ...(each.purl === '' ? {} : { purl: each.purl }),
        ...(each.type === 'go' && each.name === 'stdlib' ? { cpe: goCpe(each.version) } : {}),
        properties: [
          property('type', each.type),
          property('location', each.location),
          property('reach', each.reach),
          ...optionalProperty('role', roleOf(each)),
          ...(each.source === null
            ? []
            : [property('source_name', each.source.name), property('source_version', each.source.version)]),
          ...grypeProperties(each),
        ],
      })),
      ...(os === null ? [] : [osComponent(os)]),
    ],
  };
}

/**
 * Distributions keep vulnerabilities by source package. The purl names it, but grype goes by these words of syft's and finds nothing without
 * them, in silence (measured with 0.86.1).
 */
function grypeProperties({ type, source }: ImagePackage): JsonObject[] {
  const syft = (name: string, value: string): JsonObject => ({ name: `syft:${name}`, value });
  if (type !== 'deb' && type !== 'apk' && type !== 'rpm') return [];
  const kind = { deb: 'dpkg-db-entry', apk: 'apk-db-entry', rpm: 'rpm-db-entry' }[type];
  const typed = [syft('package:type', type), syft('package:metadataType', kind)];
  if (source === null) return typed;
  if (type === 'apk') return [...typed, syft('metadata:originPackage', source.name)];
  if (type === 'rpm') return [...typed, syft('metadata:sourceRpm', `${source.name}-${source.version}.src.rpm`)];
  return [...typed, syft('metadata:source', source.name), syft('metadata:sourceVersion', source.version)];
}

/** Go's own library has no package anywhere: it is looked up by this name alone. */
function goCpe(version: string): string {
  return `cpe:2.3:a:golang:go:${version.replace(/[^\w.]/g, '\\$&')}:-:*:*:*:*:*:*`;
}

/** Grype reads the distribution from these. */
function osComponent(os: ImageOs): JsonObject {
  return {
    type: 'operating-system',
    'bom-ref': 'os',
    name: os.id,
    version: os.version,
    properties: [
      { name: 'syft:distro:id', value: os.id },
      { name: 'syft:distro:versionID', value: os.version },
    ],
  };
}

const prefix = 'codegenie:';
const property = (name: string, value: string): JsonObject => ({ name: `${prefix}${name}`, value });

const optionalProperty = (name: string, value: string | null) => (value === null ? [] : [property(name, value)]);

/** Null for a document that is no such bill. Components that are not understood are left out. */
export function fromCycloneDx(document: Json): Pick<Bill, 'os' | 'packages'> | null {
  if (!isJsonObject(document) || textAt(document, 'bomFormat') !== 'CycloneDX') return null;
  let os: ImageOs | null = null;
  const packages: ImagePackage[] = [];
  for (const component of listAt(document, 'components')) {
    const name = textAt(component, 'name');
    const version = textAt(component, 'version') ?? '';
    if (name === null) continue;
    if (textAt(component, 'type') === 'operating-system') {
      os = { id: name, version };
      continue;
    }
    const properties = propertiesOf(objectAt(component));
    const source = properties.get('source_name');
    packages.push({
      type: typeOf(properties.get('type')),
      name,
      version,
      purl: textAt(component, 'purl') ?? '',
      source: source === undefined ? null : { name: source, version: properties.get('source_version') ?? version },
      location: properties.get('location') ?? '',
      reach: reachFrom(properties.get('reach')),
    });
  }
  return { os, packages };
}

function propertiesOf(component: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    listAt(component, 'properties').flatMap((each) => {
      const name = textAt(each, 'name');
      const value = textAt(each, 'value');
      return name?.startsWith(prefix) === true && value !== null ? [[name.slice(prefix.length), value] as const] : [];
    }),
  );
}

function typeOf(text: string | undefined): PackageType {
  return packageTypes.find((type) => type === text) ?? 'other';
}

function reachFrom(text: string | undefined): Reach {
  return text === 'loaded' || text === 'present' ? text : 'unknown';
}
