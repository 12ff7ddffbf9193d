/** An indexer that is a real process group of several processes and never ends by itself. */

import type { RefreshParts } from '../../src/index/refresh/refresh-wiring.ts';
import { createProcessGroups, runProcess } from '../../src/kernel/exec/run-process.ts';

export function createSleepingIndexer(onGroup: (pgid: number) => void): Pick<RefreshParts, 'runIndexer'> {
  return {
    async runIndexer(_adapter, _context, { jobDir, signal, onStart }) {
      const outcome = await runProcess({
        file: '/bin/sh',
        // One of them does not listen to polite requests.
        args: ['-c', '(trap "" TERM; sleep 1000) & sleep 1000'],
        cwd: jobDir,
        environment: { PATH: '/usr/bin:/bin' },
        timeoutS: 1000,
        maxStdoutBytes: 1024,
        signal,
        groups: createProcessGroups(),
        onStart({ id, start }) {
          onStart(id, start);
          onGroup(id);
        },
      });
      if (outcome.kind === 'cancelled') return { kind: 'cancelled' };
      return { kind: 'failed', failure: 'tool_crashed', detail: outcome.kind, ms: 0 };
    },
  };
}
