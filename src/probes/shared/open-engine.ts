/**
 * The engine that containers are built and run with: `containers.engine`, where `auto` is podman if it answers, else docker, else none.
 * Opened once per gather and probe; what was found out about an engine is kept, so that opening it again costs next to nothing.
 */

import type { ConfigValues } from '../../gather/config.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import type { Engine, EngineKind, NoEngine } from '../../kernel/containers/engine.ts';
import type { Exec } from '../../kernel/exec/exec.ts';
import { tools } from '../../kernel/exec/tools.ts';

/** What a probe's context has of it; `containers.engine` must be among the probe's config keys. */
export type EngineContext = {
  readonly exec: Exec;
  readonly config: Pick<ConfigValues, 'containers.engine'>;
};

/** `home`: where podman's storage lies, the user's own unless given. */
export async function openEngine(ctx: EngineContext, home = ctx.exec.home): Promise<Engine | NoEngine> {
  const wanted = ctx.config['containers.engine'];
  if (wanted === 'none')
    return {
      kind: 'none',
      reason: 'not_configured',
      detail: 'containers.engine is none: no container engine is used.',
    };
  const kinds: readonly EngineKind[] = wanted === 'auto' ? ['podman', 'docker'] : [wanted];
  const refusals: NoEngine[] = [];
  for (const kind of kinds) {
    const opened = await openOne(kind, ctx.exec, home);
    if (opened.kind !== 'none') return opened;
    refusals.push(opened);
  }
  // An engine that is there and does not work is more worth telling than one that is not there.
  const [first, ...others] = refusals.filter(({ reason }) => reason !== 'tool_missing');
  if (first !== undefined) return { ...first, detail: [first, ...others].map(({ detail }) => detail).join(' ') };
  return { kind: 'none', reason: 'tool_missing', detail: howToInstall(kinds) };
}

async function openOne(kind: EngineKind, exec: Exec, home: string | null): Promise<Engine | NoEngine> {
  const { version, path } = await exec.toolVersion(kind);
  if (path === null) return { kind: 'none', reason: 'tool_missing', detail: howToInstall([kind]) };
  if (kind === 'docker') {
    const { openDocker } = await import('../../kernel/containers/docker.ts');
    return openDocker(exec, version);
  }
  const [{ createPodman }, { findPodmanSettings }, { openPrivateStorage }] = await Promise.all([
    import('../../kernel/containers/podman.ts'),
    import('../../kernel/containers/podman-settings.ts'),
    import('../../kernel/containers/private-storage.ts'),
  ]);
  try {
    const storage = openPrivateStorage(home);
    const settings = await findPodmanSettings(exec, storage, version);
    return 'kind' in settings ? settings : createPodman(exec, storage, settings);
  } catch (error) {
    if (!(error instanceof OutputRefused)) throw error;
    return { kind: 'none', reason: 'tool_unhealthy', detail: `podman has no place for its storage: ${error.message}` };
  }
}

function howToInstall(kinds: readonly EngineKind[]): string {
  return `No container engine was found. ${kinds.map((kind) => tools[kind].install).join(' Or: ')}`;
}
