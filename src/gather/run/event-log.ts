/**
 * `logs/gather-<ts>.jsonl`: one redacted event per line, written as it happens, the oldest logs removed.
 * A log that cannot be opened is refused output; one that cannot be written any further ends there, because what a gather finds is
 * worth more than the story of how.
 */

import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import type { Logger } from '../../kernel/base/log.ts';
import { ensureOwnDirectory, OutputRefused } from '../../kernel/base/write-file.ts';
import { redactText } from '../publish/redact.ts';

type EventLog = Logger & { close(): void };

export function openEventLog(
  stateDir: string,
  runId: string,
  startedAt: string,
  keep: number,
  nowMs: () => number,
): EventLog {
  const directory = `${stateDir}/logs`;
  ensureOwnDirectory(directory);
  let descriptor: number | undefined = openNew(
    `${directory}/gather-${startedAt.replace(/[:.]/g, '-')}-${runId.slice(0, 8)}.jsonl`,
  );
  const end = (): void => {
    const ending = descriptor;
    descriptor = undefined;
    if (ending !== undefined) quietly(() => closeSync(ending));
  };
  return {
    event(name, fields = {}) {
      if (descriptor === undefined) return;
      const line = JSON.stringify({ at: new Date(nowMs()).toISOString(), run_id: runId, event: name, ...fields });
      if (!append(descriptor, `${redactText(line)}\n`)) end();
    },
    close() {
      end();
      quietly(() => removeOldest(directory, keep));
    },
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'ax', 0o600);
  } catch (error) {
    throw new OutputRefused(path, `cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** False where the line is not whole: a full disk takes the first half of it, or nothing. */
function append(descriptor: number, line: string): boolean {
  try {
    return writeSync(descriptor, line) === Buffer.byteLength(line);
  } catch {
    return false;
  }
}

function removeOldest(directory: string, keep: number): void {
  const logs = readdirSync(directory)
    .filter((name) => name.startsWith('gather-'))
    .sort();
  for (const name of logs.slice(0, Math.max(0, logs.length - keep)))
    quietly(() => rmSync(`${directory}/${name}`, { force: true }));
}

/** Tidying happens when the gather is over; whatever it meets, the outcome stands. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // An old log more, or a descriptor until the process ends.
  }
}
