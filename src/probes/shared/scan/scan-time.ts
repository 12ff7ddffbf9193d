/** How long a tool may take, so that its probe can still answer within its own time. */

import type { ProbeRepo } from '../../../gather/contract.ts';

/** The probe's time is that of its definition, unless configuration says otherwise. */
export function toolSeconds(repo: ProbeRepo, probe: string, defaultSeconds: number): number {
  const seconds = repo.config['probes.timeouts'][probe] ?? defaultSeconds;
  return Math.max(0.5, seconds - Math.max(1, seconds * 0.1));
}
