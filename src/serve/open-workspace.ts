/** From a path a person named to the workspace it means. */

import { silentLogger } from '../kernel/base/log.ts';
import { createExecHost } from '../kernel/exec/exec-host.ts';
import { findRoot } from '../kernel/repo/root.ts';
import { createLocalWorkspace, type LocalSettings } from './local-workspace.ts';
import type { Workspace } from './workspace.ts';

export type OpenOutcome =
  | { readonly kind: 'opened'; readonly workspace: Workspace; readonly note: string | null }
  | { readonly kind: 'missing' | 'not_directory'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly errno: string };

/**
 * The named directory is the root, with one exception: a directory that a work tree around it tracks means that work tree, as it
 * does for git itself. A directory the work tree ignores (an unpacked package, a fixture) stands for itself.
 */
export async function openWorkspace(
  given: string | undefined,
  cwd: string,
  settings: Omit<LocalSettings, 'root' | 'isGit'>,
): Promise<OpenOutcome> {
  const found = findRoot(given ?? '.', cwd);
  if (found.kind !== 'root') return found;
  const { root, isGit, enclosing } = found;
  if (enclosing !== null && (await tracks(enclosing, root, settings))) {
    const note = `${root} is part of the work tree ${enclosing}, which is what is looked at`;
    return { kind: 'opened', workspace: createLocalWorkspace({ ...settings, root: enclosing, isGit: true }), note };
  }
  return { kind: 'opened', workspace: createLocalWorkspace({ ...settings, root, isGit }), note: null };
}

async function tracks(
  workTree: string,
  directory: string,
  settings: Omit<LocalSettings, 'root' | 'isGit'>,
): Promise<boolean> {
  const host = createExecHost({
    root: workTree,
    environment: settings.environment,
    toolPaths: {},
    logger: silentLogger,
  });
  const exec = host.bind({ name: 'workspace', signal: settings.signal, workspace: workTree });
  const below = directory.slice(workTree === '/' ? 1 : workTree.length + 1);
  const listed = await exec.git(['ls-files', '-z', '--', `:(literal,top)${below}`], { timeoutS: 10 });
  return listed.kind === 'exited' && listed.code === 0 && listed.stdout.length > 0;
}
