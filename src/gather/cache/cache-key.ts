/**
 * The cache key (gather.md §4.1): twelve parts, each with its length before it, so that no part can imitate a boundary.
 * What can change an answer is in a part; what is in no part cannot have changed it.
 */

import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import type { ToolVersion } from '../../kernel/exec/exec.ts';
import type { Probe, Task } from '../contract.ts';
import { redactionVersion } from './redaction-version.gen.ts';

export const keyPartNames = [
  'probe',
  'version',
  'schemas',
  'inputs',
  'config',
  'task',
  'tools',
  'catalogs',
  'tokens',
  'upstream',
  'platform',
  'redaction',
] as const;
export type KeyParts = Readonly<Record<(typeof keyPartNames)[number], string>>;

export function keyParts(of: {
  readonly probe: Probe;
  readonly inputsDigest: string;
  readonly config: Readonly<Record<string, Json>>;
  readonly task: Task;
  readonly tools: readonly ToolVersion[];
  readonly catalogHashes: Readonly<Record<string, string>>;
  readonly tokens: readonly (readonly [token: string, value: string])[];
  readonly upstream: readonly (readonly [probe: string, digest: string])[];
  readonly platform: string;
  /** Of the rules by which the answer was redacted. */
  readonly redaction?: string;
}): KeyParts {
  const { probe } = of;
  return {
    probe: probe.name,
    version: probe.version,
    schemas: sortedLines(Object.entries(probe.sectionVersions).map(([path, version]) => `${path}@${version}`)),
    inputs: of.inputsDigest,
    config: canonicalJson(of.config),
    task: probe.taskSensitive ? canonicalJson({ type: of.task.type, options: of.task.options }) : '',
    tools: sortedLines(of.tools.map((tool) => `${tool.name}=${tool.version}`)),
    catalogs: sortedLines(probe.catalogs.map((name) => `${name}=${of.catalogHashes[name] ?? ''}`)),
    tokens: of.tokens.map(([token, value]) => `${token}=${value}`).join('\n'),
    upstream: of.upstream.map(([name, digest]) => `${name}=${digest}`).join('\n'),
    platform: probe.platformSensitive ? of.platform : '',
    redaction: of.redaction ?? redactionVersion,
  };
}

export function cacheKey(parts: KeyParts): string {
  const hash = createHash('sha256');
  hash.update('codegenie/probe-key/4\0');
  hash.update(u32(keyPartNames.length));
  for (const name of keyPartNames) {
    const bytes = Buffer.from(parts[name]);
    hash.update(u32(bytes.length));
    hash.update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}

function u32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sortedLines(lines: readonly string[]): string {
  return [...lines].sort().join('\n');
}
