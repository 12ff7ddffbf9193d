/** A repository whose git configuration names programs, or whose git is broken: nothing of it runs, and the gather goes on. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/gather/publish/envelope.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { sharedPool } from '../support/shared-pool.ts';
import { hasTool, quickPath } from '../support/tools.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

/** A program that leaves a mark when it runs. */
function trap(of: FixtureRepo): { readonly program: string; wasSprung(): boolean } {
  const program = join(of.base, 'trap.sh');
  const sentinel = join(of.base, 'sentinel');
  writeFileSync(program, `#!/bin/sh\ntouch ${sentinel}\ncat\n`);
  chmodSync(program, 0o755);
  return { program, wasSprung: () => existsSync(sentinel) };
}

async function gatherAt(root: string, home: string, isGit = true): Promise<Envelope> {
  const outcome = await createLocalWorkspace({
    root,
    home,
    isGit,
    environment: { PATH: quickPath(), HOME: home },
    cliVersion: '0.0.0',
    nowMs: Date.now,
    signal: new AbortController().signal,
    pool: sharedPool(),
  }).gather({ task: null, only: null, skip: [], mode: 'default', maxConcurrency: null, onProgress: () => {} });
  if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome));
  return outcome.envelope;
}

const languages = (envelope: Envelope) => (envelope['language_stack'] as { counts: Record<string, number> }).counts;
const files = { 'a.ts': 'export {};\n', 'b.ts': 'export {};\n', 'package.json': '{"name": "a"}' };

describe('G30 programs that the configuration names', () => {
  const tricks: readonly (readonly [string, (of: FixtureRepo, program: string) => void])[] = [
    ['core.fsmonitor', (of, program) => void of.git('config', 'core.fsmonitor', program)],
    [
      'core.hooksPath',
      (of, program) => {
        mkdirSync(join(of.base, 'hooks'));
        for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout', 'reference-transaction'])
          symlinkSync(program, join(of.base, 'hooks', hook));
        of.git('config', 'core.hooksPath', join(of.base, 'hooks'));
      },
    ],
    [
      'hooks of the repository',
      (of, program) => {
        mkdirSync(join(of.root, '.git/hooks'), { recursive: true });
        for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-auto-gc'])
          symlinkSync(program, join(of.root, '.git/hooks', hook));
      },
    ],
    [
      'filter.clean that is required',
      (of, program) => {
        of.git('config', 'filter.evil.clean', program);
        of.git('config', 'filter.evil.smudge', program);
        of.git('config', 'filter.evil.process', program);
        of.git('config', 'filter.evil.required', 'true');
        of.write('.gitattributes', '*.ts filter=evil\n');
      },
    ],
    [
      'a filter whose name holds an equals sign',
      (of, program) => {
        appendFileSync(join(of.root, '.git/config'), `[filter "a=b"]\n\tclean = ${program}\n\trequired = true\n`);
        of.write('.gitattributes', '*.ts filter=a=b\n');
      },
    ],
    [
      'diff.textconv and diff.external',
      (of, program) => {
        of.git('config', 'diff.evil.textconv', program);
        of.git('config', 'diff.evil.command', program);
        of.git('config', 'diff.external', program);
        of.write('.gitattributes', '*.ts diff=evil\n');
      },
    ],
    [
      'core.sshCommand with a remote',
      (of, program) => {
        of.git('config', 'core.sshCommand', program);
        of.git('remote', 'add', 'origin', 'ssh://git@127.0.0.1:1/a.git');
        of.git('config', 'remote.origin.promisor', 'true');
        of.git('config', 'remote.origin.partialclonefilter', 'blob:none');
      },
    ],
    [
      'include.path',
      (of, program) => {
        writeFileSync(
          join(of.base, 'included'),
          `[core]\n\tfsmonitor = ${program}\n[filter "evil"]\n\tclean = ${program}\n`,
        );
        of.git('config', 'include.path', join(of.base, 'included'));
        of.write('.gitattributes', '*.ts filter=evil\n');
      },
    ],
    [
      'pager, editor, askpass, credential helper',
      (of, program) => {
        for (const key of [
          'core.pager',
          'pager.status',
          'core.editor',
          'core.askPass',
          'credential.helper',
          'gpg.program',
          'core.gitProxy',
          'core.alternateRefsCommand',
        ])
          of.git('config', key, program);
        of.git('config', 'log.showSignature', 'true');
      },
    ],
    [
      'an alias of the name of a command',
      (of, program) => {
        for (const name of ['status', 'ls-files', 'rev-parse']) of.git('config', `alias.${name}`, `!${program}`);
      },
    ],
  ];

  test.each(tricks)('G30 %s', async (_, set) => {
    repo = createFixtureRepo(files);
    const { program, wasSprung } = trap(repo);
    set(repo, program);
    // Changed without a change of size: git has to look at the bytes to know.
    repo.write('a.ts', 'export {}; \n'.slice(0, 11));
    repo.write('new.ts', '');
    const index = readdirSync(join(repo.root, '.git')).sort();
    const envelope = await gatherAt(repo.root, repo.home);
    expect(wasSprung()).toBe(false);
    expect(languages(envelope)).toMatchObject({ typescript: 3 });
    expect(envelope.repo.git_commit).toMatch(/^[0-9a-f]{40}$/);
    expect(envelope.repo.dirty).toBe(true);
    expect(readdirSync(join(repo.root, '.git')).sort()).toEqual(index);
  });

  // It starts git by itself where it can, and needs seconds: once for all of them.
  test.skipIf(!hasTool('semgrep'))('G30 all of them at once, where semgrep looks', async () => {
    repo = createFixtureRepo(files);
    const { program, wasSprung } = trap(repo);
    for (const [, set] of tricks) set(repo, program);
    repo.write('a.ts', 'export {}; \n'.slice(0, 11));
    const { envelope } = await repo.publish({ only: ['semgrep'] });
    expect(wasSprung()).toBe(false);
    expect(recordOf(envelope, 'semgrep').status).toBe('ok');
    expect(envelope['semgrep_findings']).toMatchObject({ outcome: { kind: 'ran' }, files_scanned: 2 });
  });
});

describe('G30 git as it may be found', () => {
  test.skipIf(process.getuid?.() !== 0)('G30 a tree that another user owns', async () => {
    repo = createFixtureRepo(files);
    execFileSync('chown', ['-R', '12345:12345', repo.root]);
    const envelope = await gatherAt(repo.root, repo.home);
    expect(envelope.repo.git_commit).toMatch(/^[0-9a-f]{40}$/);
    expect(languages(envelope)).toMatchObject({ typescript: 2 });
  });

  test('G30 a corrupt index: the tree is walked instead', async () => {
    repo = createFixtureRepo({ ...files, '.gitignore': 'dist/\n', 'dist/c.ts': '' });
    writeFileSync(join(repo.root, '.git/index'), 'DIRC this is no index');
    const envelope = await gatherAt(repo.root, repo.home);
    expect(languages(envelope)).toMatchObject({ typescript: 2 });
  });

  test('G30 no HEAD, a broken configuration, a .git that is empty', async () => {
    for (const harm of [
      'rm .git/HEAD',
      'echo "[core" > .git/config',
      'rm -rf .git && mkdir .git',
      'rm -rf .git && echo "gitdir: /nowhere" > .git',
    ]) {
      repo?.dispose();
      repo = createFixtureRepo(files);
      spawnSync('sh', ['-c', harm], { cwd: repo.root });
      const envelope = await gatherAt(repo.root, repo.home);
      expect([harm, languages(envelope)]).toEqual([harm, expect.objectContaining({ typescript: 2 })]);
      expect(envelope.repo.git_commit).toBeNull();
    }
  });

  test('G30 a bare repository is a directory without sources', async () => {
    repo = createFixtureRepo(files);
    const bare = join(repo.base, 'bare.git');
    repo.git('clone', '-q', '--bare', repo.root, bare);
    const envelope = await gatherAt(bare, repo.home, false);
    expect(envelope.repo.git_commit).toBeNull();
    expect(languages(envelope)).toEqual({});
  });

  test('G30 a linked worktree', async () => {
    repo = createFixtureRepo(files);
    const linked = join(repo.base, 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'other', linked);
    writeFileSync(join(linked, 'c.ts'), '');
    const envelope = await gatherAt(linked, repo.home);
    expect(envelope.repo).toMatchObject({ branch: 'other', dirty: true, dirty_files: 1 });
    expect(languages(envelope)).toMatchObject({ typescript: 3 });
    expect(existsSync(join(repo.root, '.codegenie'))).toBe(false);
  });

  test('G30 a submodule is a boundary', async () => {
    repo = createFixtureRepo(files);
    const inner = createFixtureRepo({ 'inner.ts': '' });
    try {
      repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
      repo.commit();
      const { program, wasSprung } = trap(repo);
      execFileSync('git', ['-C', join(repo.root, 'sub'), 'config', 'core.fsmonitor', program]);
      writeFileSync(join(repo.root, 'sub/changed.ts'), '');
      const envelope = await gatherAt(repo.root, repo.home);
      expect(wasSprung()).toBe(false);
      expect(languages(envelope)).toMatchObject({ typescript: 2 });
    } finally {
      inner.dispose();
    }
  });

  test('G30 a shallow clone', async () => {
    repo = createFixtureRepo(files);
    repo.commit('second');
    const shallow = join(repo.base, 'shallow');
    repo.git('clone', '-q', '--depth', '1', `file://${repo.root}`, shallow);
    const envelope = await gatherAt(shallow, repo.home);
    expect(envelope.repo.git_commit).toBe(repo.git('rev-parse', 'HEAD').trim());
  });

  test('G30 a branch without a commit', async () => {
    repo = createFixtureRepo(files, { git: false });
    execFileSync('git', ['-C', repo.root, 'init', '-q', '-b', 'main']);
    const envelope = await gatherAt(repo.root, repo.home);
    expect(envelope.repo).toMatchObject({ git_commit: null, branch: 'main', dirty: true });
    expect(languages(envelope)).toMatchObject({ typescript: 2 });
    expect(envelope.probes['index_health']?.warnings).toContain('index_health.head_unresolvable');
    rmSync(join(repo.root, '.git'), { recursive: true });
  });
});
