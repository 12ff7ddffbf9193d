/** Item 34, for the scanners: what a tool can see and do while it reads a hostile repository. Needs bwrap. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';
import { installPretendTool } from './pretend-tool.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

/** Ends with the first thing that is not as it should be. */
const looksAround = (root: string, home: string) => `
[ -e '${root}/a.js' ] || { echo 'no repository' >&2; exit 20; }
[ -e '${root}/.codegenie/notes/n.md' ] && { echo 'sees our data' >&2; exit 21; }
[ -e '${home}/private' ] && { echo 'sees the home' >&2; exit 22; }
touch '${root}/planted' 2>/dev/null && { echo 'writes to the repository' >&2; exit 23; }
touch '${root}/.git/planted' 2>/dev/null && { echo 'writes to .git' >&2; exit 24; }
[ -s '${root}/.semgrepignore' ] && { echo 'sees the ignore file' >&2; exit 25; }
[ "$(ls /sys/class/net 2>/dev/null | grep -v '^lo$' | wc -l)" -gt 0 ] && [ "$(cut -d: -f1 /proc/net/dev | grep -c -v -e lo -e '|')" -gt 0 ] && { echo 'has a network' >&2; exit 26; }
echo x > "$HOME/scratch" || { echo 'cannot write its own scratch' >&2; exit 27; }
printf '{"results":[],"errors":[],"paths":{"scanned":["a.js"]}}'
`;

test.skipIf(!hasTool('bwrap'))(
  'G34 bwrap: a scanner sees the repository, read-only, and nothing else of ours',
  async () => {
    repo = createFixtureRepo({
      'a.js': '1;\n',
      '.semgrepignore': 'a.js\n',
      '.codegenie/notes/n.md': '# private\n',
      '~/private': 'x',
    });
    installPretendTool(repo, 'semgrep', looksAround(repo.root, repo.home));
    const { envelope } = await repo.publish({ only: ['semgrep'] });
    expect(envelope.task_context.sandbox).toBe('bwrap');
    expect(envelope['semgrep_findings']).toMatchObject({ outcome: { kind: 'ran' }, files_scanned: 1 });
    expect(existsSync(join(repo.root, 'planted'))).toBe(false);
  },
);
