/**
 * Rule files of the user's own, as configuration names them. They are copied into the workspace and run from there: what is run
 * is what was hashed, and a home directory that a sandbox hides need not be shown to the tool.
 */

import type { ConfigKey } from '../../../gather/config-keys.ts';
import type { ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { relativeToConfigured } from '../configured-inputs.ts';
import type { RuleFile } from './rule-pack-version.ts';
import { writeScratch } from './write-scratch.ts';

export type ConfiguredRule = RuleFile & { readonly id: string };

const ruleName = /\.ya?ml$/;

/** Rule files below the paths of a key, or named by it, in the order of their names (`<position>/<path>`). */
export function listConfiguredRules(repo: ProbeRepo, key: ConfigKey, paths: readonly string[]): ConfiguredRule[] {
  return paths.flatMap((path, position) =>
    repo.inputs.list().flatMap((id) => {
      const below =
        id === `config:${key}:${position}` ? 'rules.yml' : relativeToConfigured(repo.root, id, { key, position, path });
      const fingerprint = repo.inputs.fingerprint(id);
      if (below === undefined || !ruleName.test(below) || fingerprint?.kind !== 'file') return [];
      return [{ id, name: `${position}/${below}`, hash: fingerprint.contentHash }];
    }),
  );
}

/** Rule files that could not be read are left out, and named. */
export async function copyRules(
  repo: ProbeRepo,
  rules: readonly ConfiguredRule[],
  place: { readonly workspace: string; readonly folder: string },
): Promise<{ readonly copied: readonly ConfiguredRule[]; readonly unreadable: readonly string[] }> {
  const copied: ConfiguredRule[] = [];
  const unreadable: string[] = [];
  for (const rule of rules) {
    const read = await repo.inputs.read(rule.id, limits.yamlCatalogBytes);
    if (read.kind !== 'read') {
      unreadable.push(rule.name);
      continue;
    }
    writeScratch(place.workspace, `${place.folder}/${rule.name}`, read.bytes);
    copied.push(rule);
  }
  return { copied, unreadable };
}
