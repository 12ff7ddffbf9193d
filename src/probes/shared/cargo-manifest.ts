/** What a Cargo.toml says: dependencies of every target; build dependencies count as development ones. */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { type ManifestFacts, namesIn, textMember } from './manifest-facts.ts';

export function readCargoManifest(document: JsonObject): ManifestFacts {
  const tables = [document, ...Object.values(objectOf(document['target'])).map(objectOf)];
  const pkg = objectOf(document['package']);
  const rust = textMember(pkg, 'rust-version');
  return {
    name: textMember(pkg, 'name'),
    version: textMember(pkg, 'version'),
    runtime: new Set([
      ...tables.flatMap((table) => namesIn(table['dependencies'])),
      ...namesIn(objectOf(document['workspace'])['dependencies']),
    ]),
    dev: new Set(
      tables.flatMap((table) => [...namesIn(table['dev-dependencies']), ...namesIn(table['build-dependencies'])]),
    ),
    engines: rust === null ? [] : [{ name: 'rust', range: rust }],
  };
}

export function isCargoWorkspace(document: JsonObject): boolean {
  return isJsonObject(document['workspace']);
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
