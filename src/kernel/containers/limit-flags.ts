/** The flags every container is created with: what it may not do, and how much of the machine it may use. */

import { type ContainerRequest, hardeningFlags } from './types.ts';

export type Limits = Pick<ContainerRequest, 'readOnly' | 'memoryMb' | 'pids' | 'cpus'>;
/** What a limit is enforced by; where one is not delegated to this user, an engine refuses its flag. */
export type Controller = 'memory' | 'pids' | 'cpu';

/** Any `--ulimit` replaces the engine's defaults, so both are given (containers.md §2). */
export const ulimitFlags = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'] as const;

export function limitFlags(limits: Limits, refused: readonly Controller[] = []): readonly string[] {
  const memory = `${limits.memoryMb}m`;
  const given = (controller: Controller, ...flags: string[]) => (refused.includes(controller) ? [] : flags);
  return [
    ...hardeningFlags,
    ...(limits.readOnly ? ['--read-only'] : []),
    '--tmpfs',
    '/tmp',
    ...given('pids', '--pids-limit', String(limits.pids)),
    ...given('memory', '--memory', memory, '--memory-swap', memory),
    ...given('cpu', '--cpus', String(limits.cpus)),
    ...ulimitFlags,
  ];
}
