/** What one file of a policy directory is, and what it calls itself. */

import { isJsonObject, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { cutText } from '../shared/probe-reading.ts';

export type PolicyKind = 'rego' | 'yaml' | 'cue' | 'other';

const kinds: Readonly<Record<string, PolicyKind>> = {
  rego: 'rego',
  yaml: 'yaml',
  yml: 'yaml',
  cue: 'cue',
  cedar: 'other',
  hcl: 'other',
  json: 'other',
  polar: 'other',
  sentinel: 'other',
};

/** Undefined for what is no policy: documents, licences, tests' data, dot files. */
export function policyKind(path: string): PolicyKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (name.startsWith('.') || /_test\.rego$/.test(name) || !Object.hasOwn(kinds, extension)) return undefined;
  return kinds[extension];
}

/** The package of a rego or cue file, the name a YAML document gives itself, else the path without its extension. */
export function policyId(path: string, kind: PolicyKind, head: Uint8Array): string {
  const named = kind === 'yaml' ? yamlName(head) : kind === 'other' ? undefined : packageName(decodeLenient(head));
  return cutText(singleLine(named ?? path.replace(/\.[^./]*$/, '')), 200);
}

function packageName(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const match = /^package\s{1,20}([A-Za-z_][\w.[\]"/-]{0,199})(?![\w.[\]"/-])/.exec(line.slice(0, 300));
    if (match !== null) return match[1];
  }
  return undefined;
}

function yamlName(head: Uint8Array): string | undefined {
  const outcome = parseYaml(head, { maxBytes: limits.yamlSmallBytes, maxDepth: limits.parseDepthSmall });
  if (!outcome.ok || !isJsonObject(outcome.value)) return undefined;
  const { metadata, id, name } = outcome.value;
  const candidates: (Json | undefined)[] = [isJsonObject(metadata) ? metadata['name'] : undefined, id, name];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}
