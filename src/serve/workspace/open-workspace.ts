/** From a path a person named to the workspace it means: that of the daemon of the tree where there is one, else one in this process. */

import { silentLogger } from '../../kernel/base/log.ts';
import { createExecHost } from '../../kernel/exec/exec-host.ts';
import { findRoot } from '../../kernel/tree/root.ts';
import { findDaemon } from '../daemon/find-daemon.ts';
import type { LocalSettings, Workspace } from './workspace.ts';

export type OpenSettings = Omit<LocalSettings, 'root' | 'isGit'>;

export type LocatedRoot = {
  readonly kind: 'located';
  readonly root: string;
  readonly isGit: boolean;
  readonly note: string | null;
};
type NotLocated =
  | { readonly kind: 'missing' | 'not_directory'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly errno: string };

/** Of a root that is known: its daemon's workspace, or the local one. */
export async function openRoot(
  { root, isGit }: Pick<LocatedRoot, 'root' | 'isGit'>,
  settings: OpenSettings,
): Promise<Workspace> {
  const openLocal = async () => {
    const { createLocalWorkspace } = await import('./local-workspace.ts');
    return createLocalWorkspace({ ...settings, root, isGit });
  };
  const { signal, cliVersion: version } = settings;
  const found = await findDaemon({ ...settings, root, version });
  if (found.kind !== 'found') return openLocal();
  const open = await joinRemote(root, found.socket, settings);
  return open(signal, openLocal);
}

/** Workspaces of one daemon over the same connections, each with the signal of the call it is for. */
export async function joinRemote(
  root: string,
  socket: string,
  settings: Pick<OpenSettings, 'probes' | 'home'>,
): Promise<(signal: AbortSignal, openLocal: () => Promise<Workspace>) => Workspace> {
  const { createDaemonAgent, createRemoteWorkspace } = await import('./remote-workspace.ts');
  const probes = async () =>
    (await import('./local-gathering.ts')).listKnownProbes({ root, home: settings.home }, settings.probes);
  const agent = createDaemonAgent();
  return (signal, local) => createRemoteWorkspace({ root, socket, signal, probes, agent, local });
}

/**
 * The named directory is the root, with one exception: a directory that a work tree around it tracks means that work tree, as it
 * does for git itself. A directory the work tree ignores (an unpacked package, a fixture) stands for itself.
 */
export async function locateRoot(
  given: string | undefined,
  cwd: string,
  settings: Pick<OpenSettings, 'environment' | 'signal'>,
): Promise<LocatedRoot | NotLocated> {
  const found = findRoot(given ?? '.', cwd);
  if (found.kind !== 'root') return found;
  const { root, isGit, enclosing } = found;
  if (enclosing !== null && (await tracks(enclosing, root, settings))) {
    const note = `${root} is part of the work tree ${enclosing}, which is what is looked at`;
    return { kind: 'located', root: enclosing, isGit: true, note };
  }
  return { kind: 'located', root, isGit, note: null };
}

async function tracks(
  workTree: string,
  directory: string,
  settings: Pick<OpenSettings, 'environment' | 'signal'>,
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
