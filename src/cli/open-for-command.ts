/** What every command that looks at a repository begins with, and how it fails. */

import type { ConfigProblem } from '../gather/config.ts';
import { packageVersion } from '../kernel/base/package-files.ts';
import { openWorkspace } from '../serve/open-workspace.ts';
import type { Workspace } from '../serve/workspace.ts';
import type { Invocation } from './command.ts';
import type { Ending } from './exit-codes.ts';

export type Opened =
  | { readonly kind: 'opened'; readonly workspace: Workspace }
  | { readonly kind: 'ended'; readonly ending: Ending };

export async function openForCommand(invocation: Invocation, path: string | undefined): Promise<Opened> {
  const { globals, terminal } = invocation;
  const outcome = await openWorkspace(path ?? globals.repo, terminal.cwd, {
    ...terminal,
    cliVersion: packageVersion(),
  });
  if (outcome.kind === 'opened') {
    // Whoever stands somewhere in a work tree means the work tree; whoever names a folder of it may not.
    const named = (path ?? globals.repo) !== undefined;
    if (outcome.note !== null && named && !globals.quiet && !globals.json)
      terminal.stderr.write(`note: ${outcome.note}\n`);
    return { kind: 'opened', workspace: outcome.workspace };
  }
  const message = {
    missing: 'does not exist',
    not_directory: 'is not a directory',
    unreadable: `cannot be read${outcome.kind === 'unreadable' ? ` (${outcome.errno})` : ''}`,
  }[outcome.kind];
  return { kind: 'ended', ending: endWith(invocation, 'usage', `${outcome.path} ${message}; name a directory`) };
}

/** One sentence on stderr, or one JSON document on stdout: never both. */
export function endWith({ globals, terminal }: Invocation, ending: Ending, message: string): Ending {
  if (globals.json) terminal.stdout.write(`${JSON.stringify({ outcome: ending, message })}\n`);
  else terminal.stderr.write(`codegenie: ${message}\n`);
  return ending;
}

export function showConfigProblems(invocation: Invocation, problems: readonly ConfigProblem[]): Ending {
  const lines = problems.map((problem) => `${problem.file}: ${problem.message}`);
  return endWith(invocation, 'usage', lines.join('\n  '));
}

export function noContext(
  invocation: Invocation,
  answer: { readonly kind: string; readonly path: string; readonly why?: string },
): Ending {
  if (answer.kind === 'no_context')
    return endWith(invocation, 'usage', `${answer.path} does not exist yet; run \`codegenie gather\` first`);
  return endWith(
    invocation,
    'usage',
    `${answer.path} cannot be read (${answer.why ?? 'unknown'}); run \`codegenie gather\` again`,
  );
}
