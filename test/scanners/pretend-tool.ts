/** A program that the user's configuration names as one of the scanners, and that does what a test says: a shell script. */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import type { FixtureRepo } from '../support/fixture-repo.ts';

/** `body` sees the arguments; `$report` is where gitleaks is told to write. The version it is asked for is answered. */
export function installPretendTool(repo: FixtureRepo, tool: string, body: string, config = ''): void {
  const script = [
    '#!/bin/sh',
    'case "$1" in --version|version) echo 1.2.3; exit 0;; esac',
    'report=; previous=; for argument in "$@"; do [ "$previous" = --report-path ] && report=$argument; previous=$argument; done',
    body,
  ].join('\n');
  repo.write('~/pretend/tool', `${script}\n`);
  chmodSync(join(repo.home, 'pretend/tool'), 0o755);
  repo.write('~/.codegenie/config.yaml', `tools.${tool}.path: ${join(repo.home, 'pretend/tool')}\n${config}`);
}
