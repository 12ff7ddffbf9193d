import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../base/log.ts';
import type { ExecOutcome } from './exec.ts';
import { createExecHost } from './exec-host.ts';
import { parseConfigKeys, planOverrides } from './git.ts';

let place: string;
let root: string;
let home: string;
let sentinel: string;
/** A program that leaves a trace. */
let trap: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'git-')));
  [root, home, sentinel, trap] = ['repo', 'home', 'sentinel', 'trap'].map((name) => join(place, name)) as [
    string,
    string,
    string,
    string,
  ];
  mkdirSync(home);
  writeFileSync(trap, `#!/bin/sh\ntouch ${sentinel}\n`, { mode: 0o755 });
  newRepository(root);
});
afterEach(() => rmSync(place, { recursive: true }));

/** Git as the user has it, in a clean room: how repositories are made here, and the control that a trap works. */
function plainGit(cwd: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'commit.gpgSign=false'];
  return spawnSync('git', [...identity, ...args], { cwd, env, input: '', encoding: 'utf8' });
}

function newRepository(at: string): void {
  mkdirSync(at, { recursive: true });
  plainGit(at, 'init', '-q', '-b', 'main');
  writeFileSync(join(at, 'a.txt'), 'one\n');
  plainGit(at, 'add', '.');
  plainGit(at, 'commit', '-q', '-m', 'first');
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { mode });
}

function configure(text: string): void {
  appendFileSync(join(root, '.git/config'), `${text}\n`);
}

function openGit(at = root, environment: Record<string, string> = {}) {
  const host = createExecHost({
    root: at,
    environment: { PATH: process.env['PATH'], HOME: home, ...environment },
    toolPaths: {},
    logger: silentLogger,
  });
  return host.bind({ name: 'test', signal: new AbortController().signal, workspace: home });
}

async function said(outcome: Promise<ExecOutcome>): Promise<string> {
  const settled = await outcome;
  if (settled.kind !== 'exited') return settled.kind;
  return settled.code === 0 ? settled.stdout.toString() : `exit ${settled.code}`;
}

const status = ['status', '--porcelain=v2', '-z', '--untracked-files=all'];

/** Every sub-command that is used, with the options that would run most. */
async function runEverything(at = root) {
  const git = openGit(at).git;
  return {
    head: await said(git(['rev-parse', 'HEAD'])),
    status: await said(git(status)),
    files: await said(git(['ls-files', '-z', '-co', '--exclude-standard'])),
    modified: await said(git(['ls-files', '-z', '-m'])),
    ignored: await said(git(['check-ignore', '-z', '--stdin', '-n', '-v'], { stdin: Buffer.from('a.txt\0') })),
    tree: await said(git(['ls-tree', '-r', '-z', 'HEAD'])),
    log: await said(git(['log', '-p', '--format=%H %G?'])),
    blob: await said(git(['cat-file', '--filters', 'HEAD:a.txt'])),
    missing: await said(git(['cat-file', '-p', 'f'.repeat(40)])),
    commits: await said(git(['rev-list', '--count', 'HEAD'])),
    alternates: await said(git(['rev-list', '--alternate-refs', '--all'])),
    base: await said(git(['merge-base', 'HEAD', 'HEAD'])),
    config: await said(git(['config', '--list', '-z'])),
  };
}

/** The stat data in the index no longer match, so git must look into the file, and its filters are asked. */
function touchTracked(): void {
  utimesSync(join(root, 'a.txt'), 1, 1);
}

type Attack = { readonly name: string; readonly arm: () => void; readonly control: readonly string[] };

const attacks: readonly Attack[] = [
  { name: 'core.fsmonitor', arm: () => configure(`[core]\nfsmonitor = ${trap}`), control: ['status'] },
  {
    name: 'a hook',
    arm: () => write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${sentinel}\n`, 0o755),
    control: ['status'],
  },
  {
    name: 'core.hooksPath into the repository',
    arm: () => {
      write('hooks/post-index-change', `#!/bin/sh\ntouch ${sentinel}\n`, 0o755);
      configure('[core]\nhooksPath = hooks');
    },
    control: ['status'],
  },
  {
    name: 'filter.clean, required',
    arm: () => {
      write('.gitattributes', '* filter=evil\n');
      configure(`[filter "evil"]\nclean = ${trap}\nsmudge = ${trap}\nrequired = true`);
    },
    control: ['status'],
  },
  {
    name: 'filter.clean of a filter whose name holds =',
    arm: () => {
      write('.gitattributes', '* filter=a=b\n');
      configure(`[filter "a=b"]\nclean = ${trap}\nrequired`);
    },
    control: ['status'],
  },
  {
    name: 'filter.process, required',
    arm: () => {
      write('.gitattributes', '* filter=evil\n');
      configure(`[filter "evil"]\nprocess = ${trap}\nrequired = true`);
    },
    control: ['status'],
  },
  {
    name: 'filter.clean through include.path',
    arm: () => {
      write('.gitattributes', '* filter=evil\n');
      write('evil.config', `[filter "evil"]\nclean = ${trap}\n[core]\nfsmonitor = ${trap}\n`);
      configure('[include]\npath = ../evil.config');
    },
    control: ['status'],
  },
  {
    name: 'diff textconv',
    arm: () => {
      write('.gitattributes', '* diff=evil\n');
      configure(`[diff "evil"]\ntextconv = ${trap}`);
    },
    control: ['log', '-p'],
  },
  { name: 'diff.external', arm: () => configure(`[diff]\nexternal = ${trap}`), control: ['log', '-p', '--ext-diff'] },
  {
    name: 'diff command',
    arm: () => {
      write('.gitattributes', '* diff=evil\n');
      configure(`[diff "evil"]\ncommand = ${trap}`);
    },
    control: ['log', '-p', '--ext-diff'],
  },
  {
    name: 'gpg.program on a signed commit',
    arm: () => {
      const commit = plainGit(root, 'cat-file', 'commit', 'HEAD').stdout.replace(
        '\n\n',
        '\ngpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----\n\n',
      );
      const env = { PATH: process.env['PATH'], HOME: home };
      const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
        cwd: root,
        env,
        input: commit,
      })
        .toString()
        .trim();
      plainGit(root, 'reset', '-q', '--soft', id);
      configure(`[gpg]\nprogram = ${trap}\n[gpg "ssh"]\nprogram = ${trap}\n[log]\nshowSignature = true`);
    },
    control: ['log'],
  },
  {
    name: 'core.sshCommand of a lazy fetch',
    arm: () =>
      configure(
        `[core]\nrepositoryformatversion = 1\nsshCommand = ${trap}\n[extensions]\npartialClone = evil\n[remote "evil"]\nurl = ssh://x/y\npromisor = true`,
      ),
    control: ['cat-file', '-p', 'f'.repeat(40)],
  },
  {
    name: 'an ext:: transport of a lazy fetch',
    arm: () =>
      configure(
        `[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = evil\n[protocol "ext"]\nallow = always\n[remote "evil"]\nurl = ext::${trap}\npromisor = true`,
      ),
    control: ['cat-file', '-p', 'f'.repeat(40)],
  },
  {
    name: 'the uploadpack program of a lazy fetch',
    arm: () =>
      configure(
        `[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = evil\n[protocol "file"]\nallow = always\n[remote "evil"]\nurl = ${root}\nuploadpack = ${trap}\npromisor = true`,
      ),
    control: ['cat-file', '-p', 'f'.repeat(40)],
  },
  {
    name: 'core.alternateRefsCommand',
    arm: () => {
      newRepository(join(place, 'other'));
      write('.git/objects/info/alternates', `${join(place, 'other/.git/objects')}\n`);
      configure(`[core]\nalternateRefsCommand = ${trap}`);
    },
    control: ['rev-list', '--alternate-refs', '--all'],
  },
];

describe('hostile configuration', () => {
  test.each(attacks)('G30 $name runs nothing', async ({ arm, control }) => {
    arm();
    touchTracked();
    await runEverything();
    expect(existsSync(sentinel)).toBe(false);
    // The same repository under plain git: the trap was real.
    touchTracked();
    plainGit(root, ...control);
    expect(existsSync(sentinel)).toBe(true);
  });

  test('G30 a blanked required filter still lets status answer', async () => {
    write('.gitattributes', '* filter=evil\n');
    configure(`[filter "evil"]\nclean = ${trap}\nrequired = true`);
    touchTracked();
    expect(await said(openGit().git(status))).toBe('? .gitattributes\0');
    write('a.txt', 'two\n');
    expect(await said(openGit().git(status))).toContain(' a.txt\0');
  });

  test('G30 core.worktree cannot point us at files outside the repository', async () => {
    writeFileSync(join(place, 'private.txt'), 'private');
    configure(`[core]\nworktree = ${place}`);
    const seen = await runEverything();
    expect(seen.status).toBe('');
    expect(seen.files).toBe('a.txt\0');
    expect(plainGit(root, 'status', '--porcelain').stdout).toContain('private.txt');
  });

  test('G30 a configuration that cannot be read whole runs nothing', async () => {
    configure('[filter "evil"\nclean = x');
    expect((await runEverything()).head).toBe('exit 128');
  });

  test('G30 environment that would redirect git is not passed on', async () => {
    newRepository(join(place, 'other'));
    const git = openGit(root, { GIT_DIR: join(place, 'other/.git'), GIT_EXTERNAL_DIFF: trap }).git;
    expect(await said(git(['rev-parse', '--absolute-git-dir']))).toBe(`${root}/.git\n`);
  });
});

describe('kinds of repository', () => {
  test.skipIf(process.getuid?.() !== 0)(
    'G30 one that belongs to another user is read all the same (needs root)',
    async () => {
      for (const path of [root, join(root, '.git')]) chownSync(path, 12345, 12345);
      expect(plainGit(root, 'rev-parse', 'HEAD').status).toBe(128);
      expect((await runEverything()).head).toMatch(/^[0-9a-f]{40}\n$/);
    },
  );

  test('G30 a corrupt index is a failed command, not an exception', async () => {
    writeFileSync(join(root, '.git/index'), 'DIRC garbage');
    const seen = await runEverything();
    expect([seen.status, seen.files]).toEqual(['exit 128', 'exit 128']);
    expect(seen.head).toMatch(/^[0-9a-f]{40}\n$/);
  });

  test('G30 bare', async () => {
    const bare = join(place, 'bare.git');
    plainGit(place, 'clone', '-q', '--bare', root, bare);
    appendFileSync(join(bare, 'config'), `[core]\nfsmonitor = ${trap}\n`);
    const seen = await runEverything(bare);
    expect(seen.head).toMatch(/^[0-9a-f]{40}\n$/);
    expect(seen.status).toBe('exit 128');
    expect(existsSync(sentinel)).toBe(false);
  });

  test('G30 a linked worktree', async () => {
    const linked = join(place, 'linked');
    plainGit(root, 'worktree', 'add', '-q', linked, '-b', 'side');
    configure(`[core]\nfsmonitor = ${trap}`);
    const seen = await runEverything(linked);
    expect(seen.files).toBe('a.txt\0');
    expect(seen.status).toBe('');
    expect(await said(openGit(linked).git(['rev-parse', '--abbrev-ref', 'HEAD']))).toBe('side\n');
    expect(existsSync(sentinel)).toBe(false);
  });

  test('G30 a submodule is neither entered from above nor broken from inside', async () => {
    newRepository(join(place, 'library'));
    plainGit(root, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', join(place, 'library'), 'lib');
    plainGit(root, 'commit', '-q', '-m', 'submodule');
    appendFileSync(
      join(root, '.git/modules/lib/config'),
      `[core]\nfsmonitor = ${trap}\n[filter "evil"]\nclean = ${trap}\n`,
    );
    writeFileSync(join(root, 'lib/.gitattributes'), '* filter=evil\n');
    writeFileSync(join(root, 'lib/a.txt'), 'changed\n');
    expect((await runEverything()).status).toBe('');
    const inside = await runEverything(join(root, 'lib'));
    expect(inside.files).toBe('.gitattributes\0a.txt\0');
    expect(inside.status).toMatch(/ a\.txt\0\? \.gitattributes\0$/);
    expect(existsSync(sentinel)).toBe(false);
    plainGit(root, 'status');
    expect(existsSync(sentinel)).toBe(true);
  });

  test('G30 shallow', async () => {
    write('b.txt', 'two\n');
    plainGit(root, 'add', '.');
    plainGit(root, 'commit', '-q', '-m', 'second');
    plainGit(place, 'clone', '-q', '--depth', '1', `file://${root}`, 'shallow');
    const seen = await runEverything(join(place, 'shallow'));
    expect([seen.commits, seen.status]).toEqual(['1\n', '']);
  });

  test('G30 unborn HEAD', async () => {
    const fresh = join(place, 'fresh');
    mkdirSync(fresh);
    plainGit(fresh, 'init', '-q', '-b', 'main');
    writeFileSync(join(fresh, 'new.txt'), '');
    const seen = await runEverything(fresh);
    expect(seen.head).toBe('exit 128');
    expect([seen.files, seen.status]).toEqual(['new.txt\0', '? new.txt\0']);
  });

  test('G30 no repository, and none found above the root', async () => {
    const inner = join(root, 'inner');
    mkdirSync(inner);
    const seen = await runEverything(inner);
    expect([seen.head, seen.status, seen.files]).toEqual(['exit 128', 'exit 128', 'exit 128']);
  });
});

describe('what may be asked', () => {
  test.each([
    [['fetch']],
    [['checkout', 'main']],
    [['-c', 'core.fsmonitor=x', 'status']],
    [['config', 'user.name', 'x']],
    [['log', '--output=/tmp/x']],
    [['log', '-p', '--ext-diff']],
    [[]],
  ])('%j is refused before any process', async (args) => {
    expect(await openGit().git(args)).toMatchObject({ kind: 'disallowed' });
  });

  test('git asked through runAllowlisted is the same hardened git', async () => {
    configure(`[core]\nfsmonitor = ${trap}`);
    const exec = openGit();
    expect(await said(exec.runAllowlisted(['git', ...status], { cwd: root, timeoutS: 10 }))).toBe('');
    expect(await exec.runAllowlisted(['git', 'push'], { cwd: root, timeoutS: 10 })).toEqual({
      kind: 'disallowed',
      argv0: 'git push',
    });
    expect(existsSync(sentinel)).toBe(false);
  });

  test('a repository that vanished is a bad directory', async () => {
    const exec = openGit();
    rmSync(root, { recursive: true });
    expect(await exec.git(['rev-parse', 'HEAD'])).toEqual({ kind: 'bad_cwd', cwd: root });
  });
});

describe("the user's own ignore file", () => {
  const listed = () => said(openGit().git(['ls-files', '-z', '-o', '--exclude-standard']));
  beforeEach(() => {
    write('notes.private', '');
    write('kept.txt', '');
  });

  test('is the one that the global configuration names', async () => {
    writeFileSync(join(home, 'my-ignores'), '*.private\n');
    writeFileSync(join(home, '.gitconfig'), '[core]\nexcludesFile = ~/my-ignores\n');
    expect(await listed()).toBe('kept.txt\0');
  });

  test('is the default one where nothing is configured', async () => {
    mkdirSync(join(home, '.config/git'), { recursive: true });
    writeFileSync(join(home, '.config/git/ignore'), '*.private\n');
    expect(await listed()).toBe('kept.txt\0');
  });

  test("is not the repository's choice", async () => {
    writeFileSync(join(place, 'hide'), '*\n');
    configure(`[core]\nexcludesFile = ${join(place, 'hide')}`);
    expect(await listed()).toBe('kept.txt\0notes.private\0');
  });
});

test('the listing of the configuration is asked once, and answered from memory', async () => {
  chmodSync(trap, 0o755);
  const counter = join(place, 'bin/git');
  mkdirSync(dirname(counter));
  writeFileSync(counter, `#!/bin/sh\necho run >> ${join(place, 'count')}\nexec /usr/bin/git "$@"\n`, { mode: 0o755 });
  const git = openGit(root, { PATH: `${join(place, 'bin')}:/usr/bin:/bin` }).git;
  await Promise.all([git(['rev-parse', 'HEAD']), git(status), git(['config', '--list', '-z'])]);
  const runs = () =>
    execFileSync('wc', ['-l', join(place, 'count')])
      .toString()
      .split(' ')[0];
  expect(runs()).toBe('3');
  expect(await said(git(['config', '--list', '-z']))).toContain('core.bare\nfalse\0');
  expect(runs()).toBe('3');
});

test('parseConfigKeys and planOverrides', () => {
  const keys = parseConfigKeys(
    Buffer.from(
      'core.bare\nfalse\0filter.X.y.clean\nc\nd\0filter.r.required\0core.gitproxy\nx\0gpg.program\nx\0diff.a.textconv\nx\0',
    ),
  );
  expect(keys).toEqual([
    'core.bare',
    'filter.X.y.clean',
    'filter.r.required',
    'core.gitproxy',
    'gpg.program',
    'diff.a.textconv',
  ]);
  expect(planOverrides(keys)).toEqual([
    ['filter.X.y.clean', ''],
    ['filter.X.y.required', 'false'],
    ['filter.r.required', 'false'],
    ['core.gitproxy', ''],
    ['gpg.program', ''],
    ['diff.a.textconv', ''],
  ]);
});

test.each(['.git/info/grafts', '.git/objects/info/alternates'])(
  'G29 a pipe at %s: what looks at commits is not started, what does not is',
  async (path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    execFileSync('mkfifo', [join(root, path)]);
    const { git } = openGit();
    for (const args of [['log', '-1'], ['rev-list', '--count', 'HEAD'], ['cat-file', '-p', 'HEAD'], status])
      expect(await git(args), args[0]).toMatchObject({
        kind: 'timed_out',
        elapsedMs: 0,
        stderrTail: `${path} is no file`,
      });
    expect(await said(git(['ls-files', '-z']))).toBe('a.txt\0');
  },
);
