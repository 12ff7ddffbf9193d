/** Configurations that the projects rest on and that no glob names: bases under other names, and what the user adds. */

import type { ProbeContext, ProbeRepo } from '../../gather/contract.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { resolveTsconfig, tsconfigSource, withNeighbours } from '../shared/tsconfig.ts';
import { configPathOf } from './scip-index-section.ts';

const configsMax = 2_000;

export async function deriveConfigInputs(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<'scip.extra_projects'>, 'config' | 'parsedManifest'>,
): Promise<readonly string[]> {
  const extra = ctx.config['scip.extra_projects'].flatMap((text) => configPathOf(text) ?? []);
  const source = tsconfigSource(repo, ctx);
  const wanted = new Set<string>();
  for (const path of repo.inputs.list(['**/tsconfig*.json']).slice(0, configsMax)) {
    if (isVendoredPath(path)) continue;
    const resolved = await resolveTsconfig(path, source);
    for (const base of resolved.wanted) wanted.add(base);
  }
  // Of installed packages, what was installed is not part of the repository; their configurations are read by the tool.
  const own = [...wanted].filter((path) => !isVendoredPath(path));
  return [...extra, ...withNeighbours(own)];
}
