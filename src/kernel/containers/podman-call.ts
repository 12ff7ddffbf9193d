/** One command of podman, in the storage that is ours and with the settings that work here. */

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
  const places = ['--root', storage.root, '--runroot', storage.runRoot, '--tmpdir', storage.runTmp];
  const store = storageOptions.flatMap((option) => ['--storage-opt', option]);
  const fallback = configuration === 'fallback' ? { CONTAINERS_CONF: storage.fallbackConfiguration } : {};
  return (args, { envExtra, ...options }) =>
    exec.runAllowlisted(['podman', ...places, ...store, ...args], {
      ...options,
      cwd: storage.base,
      envExtra: { TMPDIR: storage.tmp, ...fallback, ...envExtra },
    });
}
