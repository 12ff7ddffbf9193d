/** A Node that is too old for the program, where this machine has one. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const olderNode: string | undefined = [
  ...(process.env['PATH'] ?? '').split(':').map((directory) => join(directory, 'node')),
  '/usr/bin/node',
  '/usr/local/bin/node',
].find(
  (path) =>
    existsSync(path) && Number.parseInt(spawnSync(path, ['-p', 'process.versions.node']).stdout.toString(), 10) < 24,
);
