/** The two questions about commits that freshness asks git, at gather time and whenever somebody asks again later. */

import type { Exec, ExecOutcome } from '../../kernel/exec/exec.ts';

/** Commits only the first side has, commits only the second side has. */
export type CommitDistance = { readonly left: number; readonly right: number };

type Git = Pick<Exec, 'git'>;

const timeoutS = 5;

/** The commit HEAD points at; null outside a repository, on an unborn branch, or when git cannot answer. */
export async function readHead(exec: Git): Promise<string | null> {
  const text = exitedText(await exec.git(['rev-parse', '--verify', 'HEAD'], { timeoutS }))?.trim();
  return text !== undefined && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null;
}

/** Null when one of the two is no known commit, or git cannot answer. */
export async function countCommits(exec: Git, last: string, head: string): Promise<CommitDistance | null> {
  if (!isCommitId(last) || !isCommitId(head)) return null;
  const args = ['rev-list', '--left-right', '--count', `${last}...${head}`, '--'];
  return parseCommitDistance(exitedText(await exec.git(args, { timeoutS })) ?? '');
}

/** `3\t5\n` → left 3, right 5. */
export function parseCommitDistance(stdout: string): CommitDistance | null {
  const match = /^(\d{1,15})\t(\d{1,15})\n?$/.exec(stdout);
  return match === null ? null : { left: Number(match[1]), right: Number(match[2]) };
}

/** Recorded commits come from files: what is no commit id never reaches git's command line, where it could be an option. */
export function isCommitId(text: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(text);
}

function exitedText(outcome: ExecOutcome): string | undefined {
  return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8') : undefined;
}
