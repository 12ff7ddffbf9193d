/** `logs/gather-<ts>.jsonl`: one redacted event per line, written as it happens, the oldest logs removed. */

import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import type { Logger } from '../kernel/base/log.ts';
import { redactText } from './redact.ts';
import { ensureOwnDirectory } from './write-file.ts';

export type EventLog = Logger & { close(): void };

export function openEventLog(
  dataDir: string,
  runId: string,
  startedAt: string,
  keep: number,
  nowMs: () => number,
): EventLog {
  const directory = `${dataDir}/logs`;
  ensureOwnDirectory(directory);
  const descriptor = openSync(
    `${directory}/gather-${startedAt.replace(/[:.]/g, '-')}-${runId.slice(0, 8)}.jsonl`,
    'ax',
    0o600,
  );
  let open = true;
  return {
    event(name, fields = {}) {
      if (!open) return;
      const line = JSON.stringify({ at: new Date(nowMs()).toISOString(), run_id: runId, event: name, ...fields });
      writeSync(descriptor, `${redactText(line)}\n`);
    },
    close() {
      if (!open) return;
      open = false;
      closeSync(descriptor);
      const logs = readdirSync(directory)
        .filter((name) => name.startsWith('gather-'))
        .sort();
      for (const name of logs.slice(0, Math.max(0, logs.length - keep)))
        rmSync(`${directory}/${name}`, { force: true });
    },
  };
}
