/** The run of policy: the files of each policy directory, what each is, and what it calls itself. */

import { basename } from 'node:path';
import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject, type Json } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine } from '../../kernel/base/text.ts';
import { parseYaml } from '../../kernel/formats/yaml.ts';
import { lstatOf } from '../../kernel/tree/safe-read.ts';
import {
  type ConfiguredPath,
  digestInputs,
  type PerFileError,
  relativeToConfigured,
  shownPath,
  sortPerFileErrors,
} from '../shared/authored-files.ts';
import { cutText } from '../shared/probe-reading.ts';

const POLICIES_MAX = 2000;

export async function gatherPolicy(repo: ProbeRepo, ctx: ProbeContext<'policy_repos'>): Promise<ProbeOutput> {
  const repos = [];
  const errors: PerFileError[] = [];
  let truncated = false;
  let absent = false;
  for (const [position, { path, type }] of ctx.config.policy_repos.entries()) {
    const files = listFiles(repo, { key: 'policy_repos', position, path });
    const kind = files.length > 0 ? 'directory' : kindOnDisk(path);
    if (kind === undefined) {
      absent = true;
      errors.push({ path, reason: 'path_absent' });
    } else if (kind !== 'directory') errors.push({ path, reason: 'path_not_directory' });
    const policies = [];
    for (const file of files) {
      const policy = policyKind(file.below);
      if (policy === undefined) continue;
      if (policies.length === POLICIES_MAX) {
        truncated = true;
        break;
      }
      const head = await repo.inputs.readHead(file.id, limits.yamlSmallBytes);
      if (head.kind === 'absent') continue;
      if (head.kind === 'failed') {
        const reason = head.failure.kind === 'symlink_refused' ? 'symlink_refused' : 'unreadable';
        errors.push({ path: shownPath(repo, file.id), reason });
        continue;
      }
      policies.push({ id: policyId(file.below, policy, head.bytes), path: shownPath(repo, file.id), kind: policy });
    }
    repos.push({
      name: basename(path),
      type,
      exists_on_disk: kind !== undefined,
      files: files.length,
      digest:
        files.length === 0
          ? null
          : `blake3:${digestInputs(
              repo,
              files.map((file) => file.id),
            )}`,
      policies,
    });
  }
  repos.sort((a, b) => compareCodeUnits(a.name, b.name));
  return {
    kind: 'ran',
    slice: { 'organizational.policies': { policy_repos: repos, per_file_errors: sortPerFileErrors(errors) } },
    confidence: absent ? 'low' : errors.length > 0 || truncated ? 'medium' : 'high',
    warnings: [
      ...(absent ? ['policy.repo_absent'] : []),
      ...(errors.length > 0 ? ['policy.per_file_errors_present'] : []),
      ...(truncated ? ['policy.listing_truncated'] : []),
    ],
  };
}

function listFiles(repo: ProbeRepo, configured: ConfiguredPath) {
  return repo.inputs.list().flatMap((id) => {
    const below = relativeToConfigured(repo.root, id, configured);
    return below === undefined || below === '' || below.split('/').includes('.git') ? [] : [{ id, below }];
  });
}

export function kindOnDisk(path: string): string | undefined {
  return lstatOf(path)?.kind;
}

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
