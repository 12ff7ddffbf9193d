/**
 * How a command asks: it opens the workspace that is meant, shows progress on stderr, then the answer as text or as one JSON document,
 * and ends. What can go wrong on the way ends every command alike.
 */

import type { ConfigProblem } from '../gather/config.ts';
import { packageVersion } from '../kernel/base/package-files.ts';
import { plural, quotedPath, shown, singleLine, stripControls } from '../kernel/base/text.ts';
import type { OutcomeKind } from '../mutate/vocabulary.ts';
import { type AnyAnswer, type Change, outcomeKindOf } from '../serve/changes/change.ts';
import type { Freshness, Operation } from '../serve/operations/operation.ts';
import { type LocatedRoot, locateRoot, type OpenSettings, openRoot } from '../serve/workspace/open-workspace.ts';
import type { AskOptions, AskOutcome, ChangeOutcome, Workspace } from '../serve/workspace/workspace.ts';
import { type Invocation, printJson } from './command.ts';
import type { Ending } from './exit-codes.ts';
import { createIndexProgress, createStepProgress } from './progress.ts';

type Fields = Readonly<Record<string, unknown>>;

type ChangeWait = {
  readonly waitS?: number | undefined;
  /** On a terminal what is planned is asked about there and then. */
  readonly asks?: boolean;
};

const questionWaitS = 60;
const changeWaitS = 10;

type Opened =
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
    // A user inside a work tree means the work tree; one who names a folder of it may not.
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

/** Field by field, because reading the terminal's input opens it. */
export function settingsOf({ terminal }: Pick<Invocation, 'terminal'>): OpenSettings {
  const { home, environment, signal, nowMs, pool } = terminal;
  return { home, environment, signal, nowMs, pool, cliVersion: packageVersion() };
}

/** One sentence on stderr, or one JSON document on stdout: never both. */
export function endWith({ globals, terminal }: Invocation, ending: Ending, message: string): Ending {
  if (globals.json) printJson(terminal, { outcome: ending, message });
  else terminal.stderr.write(`codegenie: ${stripControls(message)}\n`);
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
    `${answer.path} cannot be used (${answer.why ?? 'unknown'}); run \`codegenie gather\` again`,
  );
}

/** Fields that are undefined are left out of `input`. */
export async function askQuestion<I, O extends object>(
  invocation: Invocation,
  operation: Operation<I, O>,
  input: Fields,
  options: {
    readonly waitS?: number;
    /** Before it is shown. */
    readonly onAnswer?: (answer: O) => void;
  } & Pick<AskOptions, 'refresh' | 'onRefresh'> = {},
): Promise<Ending> {
  const { globals, terminal } = invocation;
  const opened = await openForCommand(invocation, undefined);
  if (opened.kind === 'ended') return opened.ending;
  const progress = createIndexProgress(terminal, globals);
  const steps = createStepProgress(terminal, globals);
  const outcome = await opened.workspace
    .ask(operation, dropUndefined(input), {
      onRefresh(event) {
        progress.end();
        if (event.kind === 'job_started') steps.show(`asking the compiler about ${shown(event.context, 120)}`);
      },
      ...options,
      onProgress: progress.show,
      waitMs: (options.waitS ?? questionWaitS) * 1000,
    })
    .finally(() => {
      progress.end();
      steps.end();
    });
  if (outcome.kind !== 'answered') return endUnanswered(invocation, outcome);
  const { answer } = outcome;
  options.onAnswer?.(answer);
  if (globals.json) printJson(terminal, answer);
  else terminal.stdout.write(`${stripControls(operation.render(answer))}\n`);
  if (!globals.json && !globals.quiet) {
    for (const note of describeDirt(answer.freshness, outcome.view.unverified))
      terminal.stderr.write(`note: ${note}\n`);
  }
  return 'ok';
}

export async function askChange<I, O extends AnyAnswer>(
  invocation: Invocation,
  change: Change<I, O>,
  input: Fields,
  wait: ChangeWait = {},
): Promise<Ending> {
  const opened = await openForCommand(invocation, undefined);
  if (opened.kind === 'ended') return opened.ending;
  const outcome = await requestChange(invocation, opened.workspace, change, input, wait);
  if (wait.asks !== true) return endChange(invocation, change, outcome);
  const { endOrAsk } = await import('./ask-questions.ts');
  return endOrAsk(invocation, opened.workspace, change, outcome);
}

export async function requestChange<I, O extends AnyAnswer>(
  { globals, terminal }: Invocation,
  workspace: Workspace,
  change: Change<I, O>,
  input: Fields,
  { waitS = changeWaitS }: ChangeWait = {},
): Promise<ChangeOutcome<O>> {
  const files = createIndexProgress(terminal, globals);
  const steps = createStepProgress(terminal, globals);
  const end = () => {
    files.end();
    steps.end();
  };
  const onStep = (says: string) => {
    files.end();
    steps.show(says);
  };
  return workspace
    .change(change, dropUndefined(input), { onProgress: files.show, onStep, waitMs: waitS * 1000 })
    .finally(end);
}

export function endChange<I, O extends AnyAnswer>(
  invocation: Invocation,
  change: Change<I, O>,
  outcome: ChangeOutcome<O>,
): Ending {
  const { globals, terminal } = invocation;
  if (outcome.kind !== 'answered') return endUnanswered(invocation, outcome);
  const { answer, look } = outcome;
  if (globals.json) printJson(terminal, answer);
  else say(invocation, change.render(answer, look));
  if (invocation.flags['apply'] === true && isOnlyPlanned(answer)) {
    // A caller who asked to write goes on only if it was written.
    if (globals.json) return 'needs_decision';
    return endWith(invocation, 'needs_decision', 'nothing was written: only what is proven is applied at once');
  }
  return endings[outcomeKindOf(answer)];
}

function endUnanswered(
  invocation: Invocation,
  outcome: Exclude<AskOutcome<never> | ChangeOutcome<never>, { kind: 'answered' }>,
): Ending {
  switch (outcome.kind) {
    case 'busy':
      return endWith(invocation, 'busy', singleLine(outcome.message));
    case 'refused':
      return endWith(invocation, 'output_refused', singleLine(outcome.message));
    case 'config_invalid':
      return showConfigProblems(invocation, outcome.problems);
    case 'not_answered': {
      const { problem } = outcome;
      if (invocation.globals.json) {
        printJson(invocation.terminal, problem);
        return 'usage';
      }
      const list = problem.candidates.map((candidate) => `\n  ${quotedPath(candidate)}`).join('');
      return endWith(invocation, 'usage', `${singleLine(problem.message)}${list}`);
    }
  }
}

/** P1: an answer that the disk has overtaken says so, and says where. */
function describeDirt({ state, files, more, ...facts }: Freshness, unverified: string | null): readonly string[] {
  const compilers = describeCompilers(facts);
  if (state === 'clean') return compilers;
  if (state === 'facts_behind')
    return compilers.length > 0
      ? compilers
      : ['compilers have not seen all these files as they are; `codegenie index --semantic` shows them'];
  if (unverified !== null) return [singleLine(unverified), ...compilers];
  const names = files.slice(0, 5).map((file) => `${quotedPath(file.path)} (${file.state})`);
  const rest = files.length - names.length + more;
  return [
    `not yet indexed as they are on disk: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    ...compilers,
  ];
}

/** What they were asked for this answer, and what they have not said yet. */
function describeCompilers({ compiled, missing }: Pick<Freshness, 'compiled' | 'missing'>): readonly string[] {
  const asked =
    compiled === undefined ? [] : [`the compiler was asked about ${plural(compiled, 'file')} as they are now`];
  if (missing?.under_way !== true) return asked;
  const about = `compiler facts of ${plural(missing.files, 'file')} are being made, about ${missing.about_s} s`;
  return [...asked, about];
}

function isOnlyPlanned(answer: AnyAnswer): boolean {
  const { outcome } = answer;
  return typeof outcome === 'object' && 'state' in outcome && outcome.state === 'planned';
}

const endings: Readonly<Record<OutcomeKind, Ending>> = {
  ok: 'ok',
  ok_syntactic: 'ok',
  blocked: 'blocked',
  needs_decision: 'needs_decision',
  refused: 'refused',
  unsupported: 'unsupported',
};

/** For people, with colours where they can be seen. */
export function say(invocation: Invocation, text: string): void {
  invocation.terminal.stdout.write(`${paint(stripControls(text), invocation)}\n`);
}

/** Lines that go and lines that come, told apart at a glance. */
function paint(text: string, { globals, terminal }: Invocation): string {
  const colors = globals.color && terminal.stdout.isTTY === true && terminal.environment['NO_COLOR'] === undefined;
  if (!colors) return text;
  return text
    .replace(/^ +(?:\d+ )?- .*$/gm, (line) => `\x1b[31m${line}\x1b[39m`)
    .replace(/^ +\+ .*$/gm, (line) => `\x1b[32m${line}\x1b[39m`);
}

function dropUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
