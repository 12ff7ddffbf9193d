/** A directory of its own, with or without git, and its listing through the real git host. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../src/kernel/base/log.ts';
import { createExecHost } from '../../src/kernel/exec/exec-host.ts';
import { type Listing, listScope } from '../../src/kernel/tree/file-scope.ts';
import { commitAll, initRepository } from './new-repository.ts';

export type ScratchTree = {
  /** Holds `root` and `home`; also a place outside of both. */
  readonly place: string;
  readonly root: string;
  write(path: string, content?: string): void;
  /** Git as a person has it. Throws where git fails. */
  git(...args: string[]): string;
  commit(): void;
  list(options?: {
    readonly root?: string;
    readonly git?: boolean;
    readonly known?: Listing['index'];
  }): Promise<Listing>;
  /** Paths in scope, sorted. */
  paths(options?: { readonly root?: string; readonly git?: boolean }): Promise<readonly string[]>;
  dispose(): void;
};

export function createScratchTree(options: { readonly git: boolean } = { git: true }): ScratchTree {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'scratch-')));
  const root = join(place, 'root');
  const home = join(place, 'home');
  mkdirSync(root);
  mkdirSync(home);
  const environment = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
  const git = (...args: string[]): string => {
    const settings = ['user.name=n', 'user.email=e@x', 'commit.gpgSign=false', 'protocol.file.allow=always'];
    const argv = [...settings.flatMap((setting) => ['-c', setting]), ...args];
    const done = spawnSync('git', argv, { cwd: root, env: environment, encoding: 'utf8', input: '' });
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
    return done.stdout;
  };
  if (options.git) initRepository(root);
  const list: ScratchTree['list'] = ({ root: at = root, git: withGit = options.git, known } = {}) => {
    const host = createExecHost({ root: at, environment, toolPaths: {}, logger: silentLogger });
    const exec = host.bind({ name: 'test', signal: new AbortController().signal, workspace: home });
    return listScope({ root: at, git: withGit ? exec.git : undefined, excludes: () => false, known });
  };
  return {
    place,
    root,
    write(path, content = '') {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    git,
    commit: () => commitAll(root, { message: 'x', environment, author: { name: 'n', email: 'e@x' } }),
    list,
    paths: async (how) => (await list(how)).scope.files.map((file) => file.path),
    // Trees deeper than a path may be long are beyond Node's own removal.
    dispose: () => void execFileSync('rm', ['-rf', place]),
  };
}
