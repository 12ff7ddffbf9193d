/**
 * One command of podman, in the storage that is ours and with the settings that work here. Never with the machine's or the user's
 * `containers.conf` and `mounts.conf`: what they mount into every container, or let it do, is meant for containers the user trusts.
 */

import type { Exec } from '../exec/types.ts';
import type { PodmanSettings } from './podman-settings.ts';
import type { PrivateStorage } from './private-storage.ts';
import type { EngineCall } from './types.ts';

export function podmanCall(
  exec: Pick<Exec, 'runAllowlisted'>,
  storage: PrivateStorage,
  settings: Pick<PodmanSettings, 'configuration' | 'storageOptions'>,
): EngineCall {
  const { configuration, storageOptions } = settings;
  const places = [
    '--root',
    storage.root,
    '--runroot',
    storage.runRoot,
    '--tmpdir',
    storage.runTmp,
    '--default-mounts-file',
    storage.noMounts,
  ];
  const store = storageOptions.flatMap((option) => ['--storage-opt', option]);
  const CONTAINERS_CONF = configuration === 'fallback' ? storage.fallbackConfiguration : storage.plainConfiguration;
  return (args, { envExtra, ...options }) =>
    exec.runAllowlisted(['podman', ...places, ...store, ...args], {
      ...options,
      cwd: storage.base,
      envExtra: { TMPDIR: storage.tmp, CONTAINERS_CONF, ...envExtra },
    });
}
