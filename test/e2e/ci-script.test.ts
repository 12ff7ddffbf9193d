/** The script that the action of GitHub and the template of GitLab run, on real work trees, without a network. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageDirectory } from '../../src/kernel/base/package-files.ts';
import { entryFile } from '../../src/kernel/exec/start-self.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { quickPath } from '../support/tools.ts';

const out = 'codegenie-out';
const script = join(packageDirectory, 'ci/gather-and-compare.sh');

let repo: FixtureRepo;
beforeEach(() => {
  repo = createFixtureRepo({
    'package.json': '{"name":"shop","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"^3.0.0"}}',
    'src/a.test.ts': "import { test } from 'vitest';\ntest('a', () => {});\n",
  });
});
afterEach(() => repo.dispose());

function run(environment: Readonly<Record<string, string>>) {
  const { status, stderr } = spawnSync('bash', [script], {
    cwd: repo.root,
    encoding: 'utf8',
    env: { PATH: quickPath(), HOME: repo.home, CODEGENIE: `${process.execPath} ${entryFile}`, ...environment },
  });
  return { code: status, stderr };
}
const read = (name: string) => readFileSync(join(repo.root, out, name), 'utf8');
const git = (...args: string[]) => execFileSync('git', args, { cwd: repo.root, encoding: 'utf8' }).trim();

test('a change is compared with its base; a risk ends with 13 where that is asked, and everything is written', () => {
  const base = git('rev-parse', 'HEAD');
  repo.write('package.json', '{"name":"shop","scripts":{"test":"jest"},"devDependencies":{"jest":"^30.0.0"}}');
  repo.write('src/b.ts', 'export const run = (text: string) => eval(text);\n');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'b');
  expect(run({ CODEGENIE_BASE: base })).toMatchObject({ code: 0 });
  expect(JSON.parse(read('risks.sarif')).runs[0].results).toMatchObject([
    {
      ruleId: 'eval',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'src/b.ts' }, region: { startLine: 1 } } }],
    },
  ]);
  expect(read('changes.md')).toMatch(/\| `test\.framework` \| `vitest` \| `jest, vitest` \|/);
  expect(read('changes.md')).toContain('`dynamic_code`');
  // The tree that was compared with is gone again.
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);

  expect(run({ CODEGENIE_FAIL_ON: 'high', CODEGENIE_FORMAT: 'junit' })).toMatchObject({ code: 13 });
  expect(read('risks.junit')).toContain('<failure type="high"');
});

test('without a base, as on a first push, nothing is compared; a wrong wish ends as the program does', () => {
  expect(run({ CODEGENIE_BASE: '0'.repeat(40) })).toMatchObject({ code: 0 });
  expect(existsSync(join(repo.root, out, 'changes.md'))).toBe(false);
  expect(run({ CODEGENIE_FORMAT: 'csv' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sarif, github, junit'),
  });
});

test('the action and the template run that script, by names that it knows', () => {
  const known = new Set(readFileSync(script, 'utf8').match(/CODEGENIE_[A-Z_]+|CODEGENIE\b/g));
  const action = parse(readFileSync(join(packageDirectory, 'action.yml'), 'utf8'));
  const gather = action.runs.steps.find(({ id }: { id?: string }) => id === 'gather');
  expect(gather.run).toContain('ci/gather-and-compare.sh');
  const template = parse(readFileSync(join(packageDirectory, 'ci/codegenie.gitlab-ci.yml'), 'utf8')).codegenie;
  expect(template.script.join('\n')).toContain('ci/gather-and-compare.sh');
  const ours = new Set(['CODEGENIE_STATE_DIR', 'CODEGENIE_CACHE_KEY', 'GIT_DEPTH']);
  for (const name of [...Object.keys(gather.env), ...Object.keys(template.variables)])
    expect(known.has(name) || ours.has(name) ? name : `${name} is not read by the script`).toBe(name);
});
