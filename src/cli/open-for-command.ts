/** What every command that looks at a repository begins with, and how it fails. */

import type { ConfigProblem } from '../gather/config.ts';
import { packageVersion } from '../kernel/base/package-files.ts';
import { type LocatedRoot, locateRoot, type OpenSettings, openRoot } from '../serve/open-workspace.ts';
import type { Workspace } from '../serve/workspace.ts';
import type { Invocation } from './command.ts';
import type { Ending } from './exit-codes.ts';

export type Opened =
  | { readonly kind: 'opened'; readonly workspace: Workspace }
  | { readonly kind: 'ended'; readonly ending: Ending };

/** The tree that is meant: its daemon answers where there is one, this process where there is none. */
export async function openForCommand(invocation: Invocation, path: string | undefined): Promise<Opened> {
  const located = await locateForCommand(invocation, path);
  if (located.kind === 'ended') return located;
  return { kind: 'opened', workspace: await openRoot(located, settingsOf(invocation)) };
}

/** For commands that are about the daemon itself. */
export async function locateForCommand(
  invocation: Invocation,
  path: string | undefined,
): Promise<LocatedRoot | Extract<Opened, { kind: 'ended' }>> {
  const { globals, terminal } = invocation;
  const given = path ?? globals.repo;
  const outcome = await locateRoot(given, terminal.cwd, terminal);
  if (outcome.kind === 'located') {
    // Whoever stands somewhere in a work tree means the work tree; whoever names a folder of it may not.
    if (outcome.note !== null && given !== undefined && !globals.quiet && !globals.json)
      terminal.stderr.write(`note: ${outcome.note}\n`);
    return outcome;
  }
  const message = {
    missing: 'does not exist',
    not_directory: 'is not a directory',
    unreadable: `cannot be read${outcome.kind === 'unreadable' ? ` (${outcome.errno})` : ''}`,
  }[outcome.kind];
  return { kind: 'ended', ending: endWith(invocation, 'usage', `${outcome.path} ${message}; name a directory`) };
}

/** Field by field: whoever looks at the terminal's input opens it. */
export function settingsOf({ terminal }: Pick<Invocation, 'terminal'>): OpenSettings {
  const { home, environment, signal, nowMs, pool } = terminal;
  return { home, environment, signal, nowMs, pool, cliVersion: packageVersion() };
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
