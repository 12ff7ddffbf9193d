/** The members of a Node workspace with their manifests, whoever declares them. */

import type { ProbeRepo } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { isVendoredPath } from '../../kernel/tree/file-roles.ts';
import type { Findings } from './findings.ts';
import { type ManifestContext, readOrReport } from './manifests.ts';
import { expandWorkspaces, packageGlobsOf, workspaceGlobsOf } from './workspaces.ts';

/** What a probe must declare to call `readWorkspaceMembers`; unreadable files are reported as these families. */
export const workspaceInputs: readonly string[] = ['**/package.json', 'pnpm-workspace.yaml', 'lerna.json'];
export const workspaceFamilies: readonly string[] = ['package_json', 'pnpm_workspace', 'lerna_json'];

export type PackageMember = { readonly directory: string; readonly manifest: JsonObject };

/** In path order. pnpm reads its own file alone; the others read package.json, and old lerna repositories lerna.json. */
export async function readWorkspaceMembers(
  repo: ProbeRepo,
  ctx: ManifestContext,
  rootManifest: JsonObject | null,
  manager: string | null,
  findings: Findings,
): Promise<readonly PackageMember[]> {
  const own = workspaceGlobsOf(rootManifest);
  const readPnpm = manager === 'pnpm' || own === null;
  const pnpm = readPnpm ? await readOrReport(repo, ctx, 'pnpm-workspace.yaml', 'pnpm_workspace', findings) : null;
  const globs = packageGlobsOf(pnpm) ?? own;
  const lerna = globs === null ? await readOrReport(repo, ctx, 'lerna.json', 'lerna_json', findings) : null;
  const members: PackageMember[] = [];
  for (const directory of expandWorkspaces(globs ?? packageGlobsOf(lerna) ?? [], listPackageJson(repo))) {
    const manifest = await readOrReport(repo, ctx, `${directory}/package.json`, 'package_json', findings);
    members.push({ directory, manifest: manifest ?? {} });
  }
  return members;
}

/** Every package.json of the repository's own among a probe's inputs. */
export function listPackageJson(repo: ProbeRepo): readonly string[] {
  return repo.inputs.list(['**/package.json']).filter((id) => !isVendoredPath(id));
}
