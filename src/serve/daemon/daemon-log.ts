/** `logs/daemon.log`: one redacted line a thing that happened, the older parts beside it, the oldest gone. */

import { appendFileSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { redactText } from '../../gather/publish/redact.ts';
import { ensureOwnDirectory } from '../../kernel/base/write-file.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/tree/safe-read.ts';

export type DaemonLog = (line: string) => void;

const logLimits = { partBytes: 1024 * 1024, parts: 3 } as const;

export function daemonLogPath(stateDir: string): string {
  return `${stateDir}/logs/daemon.log`;
}

/** What cannot be written is not worth ending for. */
export function openDaemonLog(
  stateDir: string,
  nowMs: () => number,
  limits: { readonly partBytes: number; readonly parts: number } = logLimits,
): DaemonLog {
  const path = daemonLogPath(stateDir);
  ensureOwnDirectory(`${stateDir}/logs`);
  return (line) => {
    try {
      const found = lstatSync(path, { throwIfNoEntry: false });
      // Nothing is written through a link.
      if (found !== undefined && !found.isFile()) return;
      if ((found?.size ?? 0) >= limits.partBytes) rotate(path, limits.parts);
      const text = redactText(line).trimEnd().replaceAll('\n', '\n  ');
      appendFileSync(path, `${new Date(nowMs()).toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 });
    } catch {
      // A full disk, or the tree is gone.
    }
  };
}

function rotate(path: string, parts: number): void {
  rmSync(`${path}.${parts - 1}`, { force: true });
  for (let part = parts - 2; part >= 0; part -= 1) {
    const from = part === 0 ? path : `${path}.${part}`;
    if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${part + 1}`);
  }
}

/** A part may have grown by its last line. */
const maxPartBytes = logLimits.partBytes * 2;

/** The last lines of a log, across its parts; undefined where there is none. */
export function readDaemonLog(stateDir: string, count: number): readonly string[] | undefined {
  const path = 'logs/daemon.log';
  const parts = [
    ...Array.from({ length: logLimits.parts - 1 }, (_, at) => `${path}.${logLimits.parts - 1 - at}`),
    path,
  ];
  const texts = parts.flatMap((part) => {
    const read = readRegular(stateDir, part, maxPartBytes, createDirectoryGuard(stateDir));
    return read.kind === 'read' ? [Buffer.from(read.bytes).toString()] : [];
  });
  if (texts.length === 0) return undefined;
  return texts.join('').trimEnd().split('\n').slice(-count);
}
