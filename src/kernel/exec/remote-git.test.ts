import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { admitRemote, createRemoteGit, type Remote, tokenVariable } from './remote-git.ts';

describe('addresses', () => {
  test.each([
    ['https://github.com/a/b.git/', 'https://github.com/a/b.git', 'a/b.git'],
    ['git@github.com:a/b.git', 'ssh://git@github.com/a/b.git', 'a/b.git'],
    ['ssh://git@h:2222/a', 'ssh://git@h:2222/a', 'a'],
    ['/srv/a b/c', 'file:///srv/a%20b/c', 'srv/a b/c'],
    ['file:///srv/x', 'file:///srv/x', 'srv/x'],
  ])('N1 %s is admitted', (given, url, path) => {
    expect(admitRemote(given)).toMatchObject({ url, path });
  });

  test.each([
    'http://h/a',
    'git://h/a',
    'ext::sh -c x',
    'ext::sh',
    'https://user:secret@h/a',
    'https://token@h/a',
    'ssh://-oProxyCommand=x/a',
    'ssh://h/-x',
    '-oProxyCommand=x:a',
    'file://other/a',
    'https://h/a?x=1',
    'https://h/',
    'https://h/a\nb',
    'nothing',
    '--upload-pack=x',
  ])('N1 %s is refused', (given) => {
    expect(admitRemote(given)).toHaveProperty('refused');
  });
});

describe('a fetch', () => {
  let place: string;
  let source: string;
  let sentinel: string;
  let trap: string;
  const limits = { timeoutS: 60, maxBytes: 1e9, maxFiles: 1_000, signal: new AbortController().signal };
  const plain = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();
  const admitted = (path: string): Remote => {
    const remote = admitRemote(path);
    if ('refused' in remote) throw new Error(remote.refused);
    return remote;
  };
  const open = (environment: Record<string, string> = {}) =>
    createRemoteGit(join(place, 'git'), { PATH: process.env['PATH'], ...environment });

  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'remote-git-')));
    [source, sentinel, trap] = [join(place, 'source'), join(place, 'sentinel'), join(place, 'trap')];
    writeFileSync(trap, `#!/bin/sh\ntouch ${sentinel}\n`, { mode: 0o755 });
    mkdirSync(source);
    plain(source, 'init', '-q', '-b', 'feature/one');
    writeFileSync(join(source, 'a.txt'), 'one\n');
    symlinkSync('/etc/passwd', join(source, 'link'));
    plain(source, 'add', '-A');
    plain(source, 'commit', '-q', '-m', 'first');
  });
  afterEach(() => rmSync(place, { recursive: true }));

  const whole = async () => {
    const git = open();
    const remote = admitted(source);
    const head = await git.head(remote, limits);
    const fetched = await git.fetch(remote, join(place, 'mirror'), limits);
    if (fetched.kind !== 'fetched' || head.kind !== 'head') throw new Error(JSON.stringify([fetched, head]));
    const at = join(place, 'tree');
    const done = await git.checkOut(
      { mirror: join(place, 'mirror'), commit: fetched.commit, place: at, origin: remote, branch: head.branch },
      limits,
    );
    return { head, fetched, done, at };
  };

  test('N2 gives the head, one commit of it, and a work tree that is clean and knows its branch', async () => {
    writeFileSync(join(source, 'b.txt'), 'two\n');
    plain(source, 'add', '-A');
    plain(source, 'commit', '-q', '-m', 'second');
    const { head, fetched, done, at } = await whole();
    expect(head).toEqual({ kind: 'head', commit: plain(source, 'rev-parse', 'HEAD').trim(), branch: 'feature/one' });
    expect(fetched.commit).toBe(head.commit);
    expect(done).toEqual({ kind: 'checked_out', files: 3 });
    expect(readFileSync(join(at, 'a.txt'), 'utf8')).toBe('one\n');
    expect(lstatSync(join(at, 'link')).isSymbolicLink()).toBe(true);
    expect(plain(at, 'status', '--porcelain', '--branch')).toBe('## feature/one\n');
    expect(plain(at, 'rev-list', '--count', 'HEAD')).toBe('1\n');
  });

  test('N2 fetches again into the same mirror what moved, was rewritten or not', async () => {
    const git = open();
    const mirror = join(place, 'mirror');
    const commits = new Set<string>();
    for (const text of ['two', 'three']) {
      writeFileSync(join(source, 'a.txt'), text);
      plain(source, 'commit', '-q', '-a', '--amend', '-m', text);
      const fetched = await git.fetch(admitted(source), mirror, limits);
      expect(fetched).toEqual({ kind: 'fetched', commit: plain(source, 'rev-parse', 'HEAD').trim() });
      commits.add((fetched as { commit: string }).commit);
    }
    expect(commits.size).toBe(2);
  });

  test('N2 nothing of the repository runs: hooks, filters, a monitor, an ssh command, a lazy fetch', async () => {
    for (const hook of [
      'post-checkout',
      'post-index-change',
      'reference-transaction',
      'pre-upload',
      'fsmonitor-watchman',
    ])
      writeFileSync(join(source, '.git/hooks', hook), `#!/bin/sh\ntouch ${sentinel}\n`, { mode: 0o755 });
    writeFileSync(join(source, '.gitattributes'), '* filter=evil diff=evil\n');
    plain(source, 'add', '-A');
    plain(source, 'commit', '-q', '-m', 'attributes', '--no-verify');
    rmSync(sentinel, { force: true });
    appendFileSync(
      join(source, '.git/config'),
      `[filter "evil"]\nsmudge = ${trap}\nclean = ${trap}\nrequired = true\n[core]\nfsmonitor = ${trap}\nsshCommand = ${trap}\nalternateRefsCommand = ${trap}\n[uploadpack]\npackObjectsHook = ${trap}\n`,
    );
    const { done } = await whole();
    expect(done.kind).toBe('checked_out');
    expect(existsSync(sentinel)).toBe(false);
  });

  test('N2 a partial clone is not made whole by a program of its own', async () => {
    const blob = plain(source, 'rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(source, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    appendFileSync(
      join(source, '.git/config'),
      `[core]\nrepositoryformatversion = 1\n[extensions]\npartialClone = evil\n[protocol "file"]\nallow = always\n[remote "evil"]\nurl = ${source}\nuploadpack = ${trap}\npromisor = true\n`,
    );
    expect(await open().fetch(admitted(source), join(place, 'mirror'), limits)).toMatchObject({ kind: 'failed' });
    expect(existsSync(sentinel)).toBe(false);
  });

  test('N2 a tree that unfolds to more than is allowed is not written', async () => {
    const blob = plain(source, 'rev-parse', 'HEAD:a.txt').trim();
    let tree = '';
    for (let depth = 0; depth < 8; depth += 1) {
      const lines = Array.from({ length: 10 }, (_, at) =>
        tree === '' ? `100644 blob ${blob}\tf${at}` : `040000 tree ${tree}\td${at}`,
      );
      tree = execFileSync('git', ['mktree'], {
        cwd: source,
        input: `${lines.join('\n')}\n`,
        env: { PATH: process.env['PATH'], HOME: place },
      })
        .toString()
        .trim();
    }
    plain(source, 'update-ref', 'HEAD', plain(source, 'commit-tree', '-m', 'bomb', tree).trim());
    const git = open();
    const fetched = await git.fetch(admitted(source), join(place, 'mirror'), limits);
    if (fetched.kind !== 'fetched') throw new Error(fetched.detail);
    const done = await git.checkOut(
      {
        mirror: join(place, 'mirror'),
        commit: fetched.commit,
        place: join(place, 'tree'),
        origin: admitted(source),
        branch: null,
      },
      limits,
    );
    expect(done).toMatchObject({ kind: 'failed', why: 'too_large' });
    expect(existsSync(join(place, 'tree'))).toBe(false);
  });

  test('N7 what cannot be fetched has a name', async () => {
    const git = open();
    expect(await git.head(admitted(join(place, 'nothing')), limits)).toMatchObject({ why: 'not_found' });
    expect(await git.fetch(admitted(join(place, 'nothing')), join(place, 'm'), limits)).toMatchObject({
      why: 'not_found',
    });
    expect(await git.head(admitted('https://127.0.0.1:1/a/b'), limits)).toMatchObject({ why: 'unreachable' });
    writeFileSync(join(source, '.git/HEAD'), 'ref: refs/heads/unborn\n');
    expect(await git.head(admitted(source), limits)).toMatchObject({ why: 'empty' });
    expect(await git.fetch(admitted(source), join(place, 'm'), limits)).toMatchObject({ why: 'empty' });
    const aborted = AbortSignal.abort();
    expect(await git.head(admitted(source), { ...limits, signal: aborted })).toMatchObject({ why: 'cancelled' });
  });

  test('N3 a token reaches git in its environment for its host alone', async () => {
    const seen = join(place, 'bin/git');
    mkdirSync(join(place, 'bin'));
    writeFileSync(
      seen,
      `#!/bin/sh\necho "$@" >> ${place}/args\nenv >> ${place}/env\necho "--" >> ${place}/env\nexit 1\n`,
      { mode: 0o755 },
    );
    const environment = {
      PATH: `${place}/bin:${process.env['PATH']}`,
      [tokenVariable('git.example.test')]: 'very-secret',
      GITHUB_TOKEN: 'other',
      HOME: place,
    };
    const git = createRemoteGit(join(place, 'settings'), environment);
    await git.head(admitted('https://git.example.test/a'), limits);
    await git.head(admitted('https://other.test/a'), limits);
    await git.head(admitted(source), limits);
    const [own = '', other = '', local = ''] = readFileSync(join(place, 'env'), 'utf8').split('--\n');
    const basic = Buffer.from('x-access-token:very-secret').toString('base64');
    expect(own).toContain(`Authorization: Basic ${basic}`);
    expect(own).toContain('http.followRedirects');
    for (const text of [
      other,
      local,
      readFileSync(join(place, 'args'), 'utf8'),
      readFileSync(join(place, 'settings/gitconfig'), 'utf8'),
    ]) {
      expect(text).not.toContain(basic);
      expect(text).not.toContain('very-secret');
    }
    expect(`${own}${other}${local}`).not.toContain('other\n'.padStart(19, 'GITHUB_TOKEN='));
    expect(own).toContain('GIT_ALLOW_PROTOCOL=https\n');
    expect(local).toContain('GIT_ALLOW_PROTOCOL=file\n');
  });
});
