/**
 * A git repository with its first commit, from one process instead of three or four: the tests' processes are large, and to fork one costs
 * more than what git does. What `git init` makes is copied from one that it made; the commit is git's own.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As `git init -b main` leaves it, without the examples of hooks, which git never runs. */
export function initRepository(root: string): void {
  cpSync(templateOf(), join(root, '.git'), { recursive: true });
}

export type FirstCommit = {
  readonly message: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly author: { readonly name: string; readonly email: string };
  /** What `git add -A` is told besides. */
  readonly paths?: readonly string[];
};

/** Of everything in the tree that git does not ignore. Throws where git fails. */
export function commitAll(root: string, { message, environment, author, paths = [] }: FirstCommit): void {
  // Data goes as data: the shell reads nothing of a path or a message. Housekeeping after a commit would be two processes more.
  const script = 'git add -A "$@" && exec git commit -q --allow-empty -m "$message"';
  execFileSync('/bin/sh', ['-c', script, 'sh', ...paths], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      message,
      GIT_CONFIG_COUNT: '5',
      ...Object.fromEntries(
        [
          ['user.name', author.name],
          ['user.email', author.email],
          ['commit.gpgSign', 'false'],
          ['maintenance.auto', 'false'],
          ['gc.auto', '0'],
        ].flatMap(([key, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, key],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ),
    },
  });
}

let template: string | undefined;

function templateOf(): string {
  if (template !== undefined) return template;
  const place = mkdtempSync(join(tmpdir(), 'template-'));
  process.once('exit', () => rmSync(place, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', '-b', 'main', place], {
    env: { PATH: process.env['PATH'], HOME: place, GIT_CONFIG_NOSYSTEM: '1' },
  });
  template = join(place, '.git');
  const hooks = join(template, 'hooks');
  for (const name of readdirSync(hooks)) rmSync(join(hooks, name));
  return template;
}
