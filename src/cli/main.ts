/** The command line: reads arguments, finds the command, turns its ending into an exit code. No decision is made here. */

import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { Argument, Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { packageVersion } from '../kernel/base/package-files.ts';
import { owed, whenWorkBegins } from '../kernel/base/processes.ts';
import { didYouMean, stripControls, truncate } from '../kernel/base/text.ts';
import { visibleText } from '../kernel/secrets/outgoing.ts';
import { type Command, type Flag, type Globals, globalFlags, printJson, type Terminal, type Words } from './command.ts';
import { commands } from './commands.gen.ts';
import { type Ending, exitCodes } from './exit-codes.ts';
import { openKeyboard } from './keyboard.ts';

export async function main(argv: readonly string[]): Promise<number> {
  const { signal, onSignal } = createInterrupt({
    exit: () => process.exit(exitCodes.interrupted.code),
    later: (ms, act) => void setTimeout(act, ms).unref(),
    owes: () => owed.size > 0,
  });
  // Until then there is nothing to put away, and a signal ends the process without being heard.
  whenWorkBegins(() => {
    for (const name of signals) process.on(name, onSignal);
  });
  // A reader of the output may stop reading; that ends the output, not the work.
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  const terminal: Terminal = {
    cwd: process.cwd(),
    home: process.env['HOME'] ?? homedir(),
    environment: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    get stdin() {
      // Opened when it is asked for: a stream that is open keeps the process.
      return process.stdin.setEncoding('utf8');
    },
    // Both ends: who cannot see a question cannot answer it.
    keyboard: isatty(0) && process.stdout.isTTY ? () => openKeyboard(process.stdin, signal) : undefined,
    signal,
    nowMs: Date.now,
  };
  try {
    return exitCodes[await runCommandLine(argv, terminal)].code;
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Work that is asked to end has so long, which with the time until the signal is heard is within a second. Then the process goes: what it was
 * writing is finished or taken back by the next one, as after a kill.
 */
const patienceMs = 600;
/** For what outlives the process and would stay: containers that are being removed. */
const longestMs = 10_000;

/** The first signal ends the work cleanly, and within a second; the second ends the process at once. */
export function createInterrupt(of: {
  readonly exit: () => void;
  readonly later: (ms: number, act: () => void) => void;
  /** Whether something is left that has to be undone first. */
  readonly owes: () => boolean;
}): { readonly signal: AbortSignal; readonly onSignal: () => void } {
  const interrupt = new AbortController();
  const leave = (waitedMs: number): void => {
    if (of.owes() && waitedMs < longestMs) of.later(patienceMs, () => leave(waitedMs + patienceMs));
    else of.exit();
  };
  return {
    signal: interrupt.signal,
    onSignal: () => {
      if (interrupt.signal.aborted) return of.exit();
      of.later(patienceMs, () => leave(patienceMs));
      interrupt.abort(new Error('interrupted'));
    },
  };
}

export async function runCommandLine(argv: readonly string[], given: Terminal): Promise<Ending> {
  const terminal = showingHidden(given);
  let ending: Ending = 'ok';
  const program = buildProgram(terminal, (result) => {
    ending = result;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return ending;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 'ok';
    const refused = await whyRefusedPlace(error);
    const failed: Ending =
      error instanceof CommanderError
        ? 'usage'
        : terminal.signal.aborted
          ? 'interrupted'
          : refused !== undefined
            ? 'output_refused'
            : 'internal';
    // The parser may not have got as far as `--json`; its caller reads stdout alone.
    if (argv.includes('--json')) printJson(terminal, { outcome: failed, message: refused ?? (error as Error).message });
    else if (failed === 'output_refused') terminal.stderr.write(`codegenie: ${refused}\n`);
    if (failed === 'internal') explainBug(error, terminal);
    return failed;
  }
}

/** The user's own directories may be refused wherever a command looks for them (P9): that is told, and no bug. */
async function whyRefusedPlace(error: unknown): Promise<string | undefined> {
  const { OutputRefused } = await import('../kernel/base/write-file.ts');
  if (!(error instanceof OutputRefused)) return undefined;
  const { whyRefused } = await import('../serve/operations/answer-words.ts');
  return whyRefused(error);
}

/**
 * A terminal to which no command can write what hides or reorders text: it is written as an escape, in JSON and beside it. Field by field,
 * because reading the input opens it.
 */
function showingHidden(terminal: Terminal): Terminal {
  const { cwd, home, environment, signal, nowMs, pool, stdout, stderr, keyboard } = terminal;
  return {
    ...{ cwd, home, environment, signal, nowMs, pool, keyboard },
    stdout: { isTTY: stdout.isTTY, write: (text) => stdout.write(visibleText(text)) },
    stderr: {
      isTTY: stderr.isTTY,
      get columns() {
        return stderr.columns;
      },
      write: (text) => stderr.write(visibleText(text)),
    },
    get stdin() {
      return terminal.stdin;
    },
  };
}

function buildProgram(terminal: Terminal, settle: (ending: Ending) => void): Commander {
  const program = new Commander('codegenie')
    .description('One honest source of facts about a repository.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('--help', 'show help')
    .showHelpAfterError('(codegenie --help lists the commands)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      // A message quotes what was given.
      writeErr: (text) => void terminal.stderr.write(stripControls(text)),
    });
  for (const { flags, says } of globalFlags) program.option(flags, says);
  const groups = new Map<string, Commander>();
  for (const command of commands) {
    const words = command.name.split(' ');
    const parent = words.length === 1 ? program : groupOf(program, groups, words[0] as string);
    addCommand(parent, command, words.at(-1) as string, program, terminal, settle);
  }
  program.allowExcessArguments(true).allowUnknownOption(true);
  program.action(async () => {
    const [given] = program.args;
    if (given !== undefined) refuseWord(program, truncate(given, 80));
    const { sayFirstSteps } = await import('./first-steps.ts');
    settle(await sayFirstSteps({ args: [], flags: {}, globals: readGlobals(program), terminal }));
  });
  return program;
}

/** What stands where a command is expected. `commit` is near to `plan commit`. */
function refuseWord(program: Commander, given: string): never {
  if (given.startsWith('-')) {
    const known = globalFlags.flatMap(({ flags }) => /--[a-z-]+/.exec(flags) ?? []);
    program.error(`error: unknown option '${given}'${didYouMean(given, [...known, '--help', '--version'])}`);
  }
  const known = new Set(commands.flatMap(({ name }) => [name, name.split(' ')[0] as string]));
  program.error(`error: unknown command '${given}'${didYouMean(given, [...known])}`);
}

function groupOf(program: Commander, groups: Map<string, Commander>, name: string): Commander {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const members = commands
    .filter((command) => command.name.startsWith(`${name} `))
    .map((command) => command.name.split(' ')[1]);
  const group = program
    .command(name)
    .description(`${members.join(' | ')}`)
    .helpOption('--help', 'show help');
  groups.set(name, group);
  return group;
}

function addCommand(
  parent: Commander,
  command: Command,
  name: string,
  program: Commander,
  terminal: Terminal,
  settle: (ending: Ending) => void,
): void {
  const built = parent
    .command(name)
    .description(command.says)
    .helpOption('--help', 'show help')
    .allowExcessArguments(false)
    .showHelpAfterError(`(codegenie ${command.name} --help says how)`);
  for (const { name, says, words } of command.args) {
    const argument = new Argument(name, says);
    if (isClosed(words)) argument.argParser((value) => checkWord(value, words));
    built.addArgument(argument);
  }
  for (const flag of command.flags) built.addOption(optionOf(flag));
  built.action(async (...received: unknown[]) => {
    // An argument that may stand several times comes as a list, and is the last.
    const args = received.slice(0, command.args.length).flat() as (string | undefined)[];
    const flags = built.opts() as Record<string, never>;
    settle(await command.run({ args, flags, globals: readGlobals(program), terminal }));
  });
}

function optionOf(flag: Flag): Option {
  const option = new Option(flag.flags, flag.says);
  const { words } = flag;
  const check = isClosed(words) ? (value: string) => checkWord(value, words) : (value: string) => value;
  if (flag.kind === 'text') option.argParser(check);
  if (flag.kind === 'list')
    option.argParser((value: string) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map(check),
    );
  if (flag.kind === 'count') option.argParser((value) => parseWhole(value, 1));
  if (flag.kind === 'seconds') option.argParser((value) => parseWhole(value, 0));
  return option;
}

function isClosed(words: Words | undefined): words is readonly string[] {
  return typeof words === 'object';
}

function checkWord(value: string, words: readonly string[]): string {
  if (words.includes(value)) return value;
  throw new InvalidArgumentError(`accepted: ${words.join(', ')}${didYouMean(value, words)}`);
}

function parseWhole(value: string, least: number): number {
  const count = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isInteger(count) || count < least)
    throw new InvalidArgumentError(`expected a whole number from ${least} on.`);
  return count;
}

function readGlobals(program: Commander): Globals {
  const given = program.opts() as {
    repo?: string;
    json?: boolean;
    quiet?: boolean;
    verbose?: boolean;
    color?: boolean;
  };
  return {
    repo: given.repo,
    json: given.json ?? false,
    quiet: given.quiet ?? false,
    verbose: given.verbose ?? false,
    color: given.color ?? true,
  };
}

/** Never a stack trace unless it is asked for: what happened, and what to do next. */
function explainBug(error: unknown, terminal: Terminal): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  terminal.stderr.write(`codegenie: internal error: ${name}: ${message.split('\n', 1)[0]}\n`);
  if (terminal.environment['CODEGENIE_DEBUG'] !== undefined) terminal.stderr.write(`${stack ?? ''}\n`);
  else terminal.stderr.write('This is a bug. Run again with CODEGENIE_DEBUG=1 for the stack, and report it.\n');
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
