/** The last lines of a daemon's log, across its parts. */

import { DATA_DIR } from '../../gather/data-dir.ts';
import { createDirectoryGuard, readRegular } from '../../kernel/repo/safe-read.ts';
import { daemonLogPath, logLimits } from './daemon-log.ts';

/** A part may have grown by its last line. */
const maxPartBytes = logLimits.partBytes * 2;

/** Undefined where there is no log. */
export function readDaemonLog(root: string, count: number): readonly string[] | undefined {
  const path = daemonLogPath(DATA_DIR);
  const parts = [
    ...Array.from({ length: logLimits.parts - 1 }, (_, at) => `${path}.${logLimits.parts - 1 - at}`),
    path,
  ];
  const texts = parts.flatMap((part) => {
    const read = readRegular(root, part, maxPartBytes, createDirectoryGuard(root));
    return read.kind === 'read' ? [Buffer.from(read.bytes).toString()] : [];
  });
  if (texts.length === 0) return undefined;
  return texts.join('').trimEnd().split('\n').slice(-count);
}
