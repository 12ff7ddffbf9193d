/** Secrets that are gone from the files and not from the history. Needs gitleaks and bwrap. */

import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { hasTool } from '../support/tools.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

const key = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
const skip = !hasTool('gitleaks') || !hasTool('bwrap');

function createPast(): string {
  repo = createFixtureRepo({
    'old.py': `# x\nkey = "${key}"\n`,
    '~/.codegenie/config.yaml': 'gitleaks.history: true\n',
  });
  const commit = repo.git('rev-parse', 'HEAD').trim();
  repo.write('old.py', '# x\n');
  repo.commit(`remove ${key}`);
  return commit;
}

test.skipIf(skip)('gitleaks: a removed secret is found in its commit, and nothing of it is written', async () => {
  const commit = createPast();
  const { envelope } = await repo.publish({ only: ['gitleaks'] });
  expect(envelope['gitleaks_findings']).toMatchObject({
    scanner: 'gitleaks',
    history_scanned: true,
    findings: [{ rule_id: 'aws_access_key', path: 'old.py', line: 2, match_fingerprint: '11b9e73f', commit }],
  });
  expect(JSON.stringify(repo.written())).not.toContain(key);
});

test.skipIf(skip)('gitleaks: another commit is another history', async () => {
  createPast();
  await repo.publish({ only: ['gitleaks'] });
  const again = await repo.publish({ only: ['gitleaks'] });
  expect(recordOf(again.envelope, 'gitleaks').cache.state).toBe('hit');
  repo.commit('empty');
  const after = await repo.publish({ only: ['gitleaks'] });
  expect(recordOf(after.envelope, 'gitleaks').cache.state).toBe('miss');
});

test.skipIf(skip)('G30 gitleaks: no program that the repository names runs while the history is read', async () => {
  createPast();
  const sentinel = join(repo.base, 'ran');
  repo.write('trap', `#!/bin/sh\necho x >> '${sentinel}'\ncat "$1" 2>/dev/null\n`);
  chmodSync(join(repo.root, 'trap'), 0o755);
  repo.write('.gitattributes', '*.py diff=trap\n');
  repo.commit();
  for (const name of [
    'diff.trap.textconv',
    'diff.trap.command',
    'diff.external',
    'core.fsmonitor',
    'gpg.program',
    'core.pager',
  ]) {
    repo.git('config', name, join(repo.root, 'trap'));
  }
  repo.git('config', 'log.showSignature', 'true');
  const { envelope } = await repo.publish({ only: ['gitleaks'] });
  expect(existsSync(sentinel)).toBe(false);
  expect(envelope['gitleaks_findings']).toMatchObject({ history_scanned: true, findings_count: 1 });
});
