/** Item 6: programs that lie in the repository, also where PATH finds them first, are never run. */

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { publishUnharmed, troubled } from '../support/hostile.ts';

let repo: FixtureRepo;
afterEach(() => repo.dispose());

test('G6 planted node, git and rg never run, whichever PATH entry leads to them', async () => {
  repo = createFixtureRepo({
    'package.json': '{"name":"x","engines":{"node":">=18"}}',
    'src/a.ts': '1;\n',
    'docs/adr/0001-x.md': '# One\n\n## Status\n\nAccepted\n',
  });
  const sentinel = join(repo.base, 'ran');
  const folders = ['', 'bin', 'node_modules/.bin', 'node_modules/node/bin'];
  for (const folder of folders) {
    for (const tool of ['node', 'git', 'rg', 'bwrap', 'ast-grep', 'semgrep']) {
      const path = join(folder, tool);
      repo.write(path, `#!/bin/sh\necho "$0" >> '${sentinel}'\necho v24.0.0\n`);
      chmodSync(join(repo.root, path), 0o755);
    }
  }
  repo.commit();
  // The trap works: a program that trusts PATH runs it.
  execFileSync('git', ['--version'], { cwd: repo.root, env: { PATH: `${repo.root}/bin:${process.env['PATH']}` } });
  expect(existsSync(sentinel)).toBe(true);
  rmSync(sentinel);

  const entries = [...folders.map((folder) => join(repo.root, folder)), './node_modules/.bin', 'bin', '.', ''];
  const PATH = [...entries, process.env['PATH']].join(':');
  const cwd = process.cwd();
  process.chdir(repo.root);
  try {
    const { envelope } = await publishUnharmed(repo, {}, { environment: { PATH, HOME: repo.home } });
    expect(existsSync(sentinel)).toBe(false);
    expect(envelope.repo.git_commit).toMatch(/^[0-9a-f]{40}$/);
    const tools = recordOf(envelope, 'node_build_system').tool_versions;
    expect(tools).toMatchObject([{ name: 'node' }]);
    expect(tools[0]?.version).not.toBe('absent');
    expect(tools[0]?.path).not.toContain(repo.root);
    expect(troubled(envelope)).toEqual({});
  } finally {
    process.chdir(cwd);
  }
});

test('G6 with nothing but planted tools on PATH the tools are missing, not replaced', async () => {
  repo = createFixtureRepo({ 'package.json': '{"name":"x"}', 'src/a.ts': '1;\n' });
  const sentinel = join(repo.base, 'ran');
  for (const tool of ['git', 'node', 'rg']) {
    repo.write(`bin/${tool}`, `#!/bin/sh\necho "$0" >> '${sentinel}'\n`);
    chmodSync(join(repo.root, 'bin', tool), 0o755);
  }
  const { envelope } = await publishUnharmed(
    repo,
    { only: ['language_detection'] },
    { environment: { PATH: join(repo.root, 'bin'), HOME: repo.home } },
  );
  expect(existsSync(sentinel)).toBe(false);
  expect(envelope.repo.git_commit).toBeNull();
  expect(recordOf(envelope, 'language_detection').status).toBe('ok');
});
