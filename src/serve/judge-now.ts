/** Opens the world of a past gather without running anything, and judges its indexes again. */

import type { ConfigValues } from '../gather/config-keys.ts';
import type { Probe } from '../gather/contract.ts';
import type { JudgedIndexes } from '../gather/freshness/judge-indexes.ts';
import { freshnessNow } from '../gather/freshness-now.ts';
import { openWorld } from '../gather/open-world.ts';
import type { Json, JsonObject } from '../kernel/base/json.ts';
import { silentLogger } from '../kernel/base/log.ts';
import { createExecHost } from '../kernel/exec/exec-host.ts';

export async function judgeNow(of: {
  readonly root: string;
  readonly isGit: boolean;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly probes: readonly Probe[];
  readonly catalogs: Readonly<Record<string, Json>>;
  readonly config: ConfigValues;
  readonly dataDir: string;
  readonly envelope: JsonObject;
  readonly taskType: string;
  readonly isBuilderMade: (bytes: Uint8Array) => boolean;
}): Promise<JudgedIndexes> {
  const execHost = createExecHost({ ...of, toolPaths: of.config['tools.paths'], logger: silentLogger });
  try {
    const { world } = await openWorld({
      ...of,
      only: null,
      skip: [],
      mode: 'default',
      concurrency: 1,
      onProgress: () => {},
      task: { type: of.taskType, options: {} },
      taskClass: undefined,
      startedAt: new Date(of.nowMs()).toISOString(),
      logger: silentLogger,
      execHost,
    });
    return await freshnessNow(world, of.envelope);
  } finally {
    await execHost.killAll();
  }
}
