/** How a command asks an operation about one thing: a place or a name, a page at a time. */

import type { Operation } from '../serve/operations/operation.ts';
import type { Flag, Invocation } from './command.ts';
import type { Ending } from './exit-codes.ts';
import { present } from './present.ts';

export const targetArgs = [
  { name: '<target>', says: 'file:line:col, or a name path: Class/method, /top, name[1], file.ts#name' },
] as const;

/** `what` there are many of. */
export function pageFlags(what: string): readonly Flag[] {
  return [
    { flags: '--limit <n>', says: `${what} to show (200)`, kind: 'count' },
    { flags: '--continue <token>', says: 'go on where a longer answer ended', kind: 'text' },
  ];
}

export async function askAboutTarget<I, O extends object>(
  invocation: Invocation,
  operation: Operation<I, O>,
): Promise<Ending> {
  const { args, flags, terminal } = invocation;
  const { runOperationCommand } = await import('./ask.ts');
  const input = present({
    target: args[0],
    cwd: terminal.cwd,
    limit: flags['limit'],
    continue: flags['continue'],
  });
  return runOperationCommand(invocation, operation, input);
}
