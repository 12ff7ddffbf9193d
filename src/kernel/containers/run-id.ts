/**
 * Names a run so that anybody who finds what it left behind can tell whether it is still going on: host, process, start time.
 * `codegenie.run=<run id>` is the label of every container.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { processStart } from '../base/process-start.ts';

export const runLabel = 'codegenie.run';

/** `<host>-<pid>.<start>-<random>`; fit for a container's name. */
export function makeRunId(): string {
  return `${hostTag()}-${process.pid}.${processStart(process.pid)}-${randomBytes(3).toString('hex')}`;
}

/** `foreign`: made where process numbers mean something else, or not by us. */
export function stateOfRun(runId: string): 'alive' | 'dead' | 'foreign' {
  const parts = /^([0-9a-f]{8})-(\d{1,10})\.([a-z0-9]+)-[0-9a-f]{6}$/.exec(runId);
  if (parts === null || parts[1] !== hostTag()) return 'foreign';
  return processStart(Number(parts[2])) === parts[3] ? 'alive' : 'dead';
}

let knownTag: string | undefined;

/** Numbers of processes are those of a host and, on Linux, of a namespace on it. */
function hostTag(): string {
  knownTag ??= createHash('sha256').update(`${hostname()}\0${pidNamespace()}`).digest('hex').slice(0, 8);
  return knownTag;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
