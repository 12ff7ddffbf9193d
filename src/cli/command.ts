/**
 * What a command declares. The folder `commands/` is the registry: a file there exports one command, or a list of commands that belong
 * together. All of them are loaded at every start, so heavy modules are loaded inside `run`.
 */

import type { IndexPool } from '../index/sync/index-pool.ts';
import { visibleJson } from '../kernel/secrets/outgoing.ts';
import type { Ending } from './exit-codes.ts';

export type Globals = {
  readonly repo: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
};

/** The outside world as arguments, so that tests can be it. */
export type Terminal = {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  readonly stderr: {
    write(text: string): unknown;
    readonly isTTY?: boolean | undefined;
    readonly columns?: number | undefined;
  };
  /** Read only by a command that is told to. */
  readonly stdin?: AsyncIterable<string> | undefined;
  /** Where a person sits at it: both ends are a terminal. */
  readonly keyboard?: (() => Promise<Keyboard>) | undefined;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  /** Describing threads that outlive one command, for a process that runs many. */
  readonly pool?: IndexPool | undefined;
};

/** Open while a question waits for its answer, which is one key. */
export type Keyboard = {
  /** What was pressed before a question was shown does not answer it; Ctrl-C does. */
  readonly forget: () => void;
  /** Undefined where the input has ended. */
  readonly next: () => Promise<string | undefined>;
  readonly close: () => void;
};

/**
 * Words that may stand somewhere: a closed list, which is checked before the command runs, or things that are looked up
 * (`complete-line.ts`) and that the command judges. Completion offers both.
 */
export type Words =
  | readonly string[]
  | ('probes' | 'facts' | 'sections' | 'ids' | 'config keys' | 'symbol kinds' | 'slice kinds' | 'languages')
  | ('plans' | 'open plans');

export type Flag = {
  /** As commander writes it: `--task <type>`. */
  readonly flags: string;
  readonly says: string;
  /** `count` is a whole number from 1 on, `seconds` one from 0 on. */
  readonly kind: 'boolean' | 'text' | 'list' | 'count' | 'seconds';
  readonly words?: Words;
};

export type Argument = { readonly name: string; readonly says: string; readonly words?: Words };

export type Invocation = {
  readonly args: readonly (string | undefined)[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | number | undefined>>;
  readonly globals: Globals;
  readonly terminal: Terminal;
};

export type Command = {
  /** Words of the command, `audit verify` for a nested one. */
  readonly name: string;
  readonly says: string;
  /** `[path]`, `<name>`. */
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly run: (invocation: Invocation) => Promise<Ending>;
};

export function defineCommand(command: Command): Command {
  return command;
}

/** The one JSON document of `--json`. */
export function printJson({ stdout }: Pick<Terminal, 'stdout'>, document: object, indent?: number): void {
  stdout.write(`${visibleJson(document, indent)}\n`);
}

/** The flags that every command understands: the parser and the reference page are made from this table. */
export const globalFlags: readonly { readonly flags: string; readonly says: string }[] = [
  { flags: '-C, --repo <dir>', says: 'the repository (default: the work tree around the current directory)' },
  { flags: '--json', says: 'exactly one JSON document on stdout' },
  { flags: '--quiet', says: 'no progress, no summary' },
  { flags: '--verbose', says: 'more detail' },
  { flags: '--no-color', says: 'no colours' },
];

export const repoArgument: Argument = {
  name: '[path]',
  says: 'the repository (default: the work tree around the current directory)',
};

export const targetArgument: Argument = {
  name: '<target>',
  says: 'file:line:col, or a name path: Class/method, /top, name[1], file.ts#name',
};

export const fileArgument: Argument = { name: '<file>', says: 'from here or from the root, or the end of its path' };

/** Of a daemon, in the foreground or in the background. */
export const portFlag: Flag = {
  flags: '--port <n>',
  says: 'also answer on 127.0.0.1 at this port, with a token (0 takes a free one)',
  kind: 'text',
};

export const syntacticFlag: Flag = { flags: '--syntactic-only', says: 'run no indexers', kind: 'boolean' };

/** `what` there are many of. */
export function pageFlags(what: string): readonly Flag[] {
  return [
    { flags: '--limit <n>', says: `${what} to show (200)`, kind: 'count' },
    { flags: '--continue <token>', says: 'go on where a longer answer ended', kind: 'text' },
  ];
}
