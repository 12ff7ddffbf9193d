/**
 * What a person sees while something takes long, always on stderr: while probes run, files are indexed, indexers run, a change is made.
 * On a terminal one line is redrawn in place and gone at the end; elsewhere a line is written for what happened. Nothing here wraps,
 * and nothing keeps the process alive.
 */

import { type Execution, isFailure } from '../gather/run/execution.ts';
import type { Progress } from '../gather/run/open-world.ts';
import type { RefreshEvent } from '../index/refresh/refresher.ts';
import type { IndexProgress } from '../index/sync/reconcile.ts';
import { formatCount, formatDuration, formatElapsed } from '../kernel/base/quantities.ts';
import { plural, singleLine, truncate } from '../kernel/base/text.ts';
import type { Globals, Terminal } from './command.ts';

/** Shows one thing after the other until it is ended. */
type View<T> = { readonly show: (value: T) => void; readonly end: () => void };

const redrawMs = 100;
/** For lines of which only the time changes. */
const slowRedrawMs = 200;
/** Shorter work is over before anyone reads about it. */
const quietMs = 1_000;

const eraseLine = '\r\x1b[K';

/** Probes: on a terminal one line about those that run; everywhere a line for each that failed. */
export function createProgress(terminal: Terminal, globals: Globals): View<Progress> {
  if (isSilent(terminal, globals)) return silent;
  if (isLive(terminal)) return createLiveLine(terminal, useColor(terminal, globals));
  return createLineLog(terminal, globals.verbose);
}

/** Files that are indexed: elsewhere than on a terminal only steps that take long. */
export function createIndexProgress(terminal: Terminal, globals: Globals): View<IndexProgress> {
  const { stderr } = terminal;
  if (isSilent(terminal, globals)) return silent;
  const live = isLive(terminal);
  const startedMs = terminal.nowMs();
  let drawn = false;
  let lastMs = 0;
  const told = new Set<IndexProgress['step']>();
  return {
    show({ step, done, total }) {
      const now = terminal.nowMs();
      const text = total === 0 ? stepWords[step] : `${stepWords[step]} ${formatCount(done)}/${formatCount(total)}`;
      if (live) {
        if (now - startedMs < quietMs / 4 || now - lastMs < redrawMs) return;
        lastMs = now;
        drawn = true;
        stderr.write(`${eraseLine}${text} · ${formatElapsed(now - startedMs)}`);
      } else if (now - startedMs > quietMs && !told.has(step) && total > 0) {
        told.add(step);
        stderr.write(`${stepWords[step]}: ${plural(total, 'file')}\n`);
      }
    },
    end() {
      if (drawn) stderr.write(eraseLine);
      drawn = false;
    },
  };
}

/** Indexers that run, with their time: a compiler that says nothing for a minute looks like one that hangs. */
export function createRefreshProgress(terminal: Terminal, globals: Globals): View<RefreshEvent> {
  const { stderr } = terminal;
  if (isSilent(terminal, globals)) return silent;
  const live = isLive(terminal);
  const running = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let drawn = false;
  const clear = () => {
    if (drawn) stderr.write(eraseLine);
    drawn = false;
  };
  const draw = () => {
    if (running.size === 0) return clear();
    const parts = [...running].map(
      ([context, since]) => `${truncate(singleLine(context), 60)} ${formatElapsed(terminal.nowMs() - since)}`,
    );
    drawn = true;
    stderr.write(`${eraseLine}indexing with compilers: ${parts.join(', ')}`);
  };
  return {
    show(event) {
      if (event.kind === 'job_started') running.set(event.context, terminal.nowMs());
      else if (event.kind === 'job_finished') {
        running.delete(event.context);
        const { status, failure, ms } = event.report;
        if (!live)
          stderr.write(
            `${singleLine(event.context)}: ${status}${failure === null ? '' : ` (${failure})`} · ${formatDuration(ms)}\n`,
          );
      } else return;
      if (!live) return;
      draw();
      if (running.size > 0) {
        timer ??= setInterval(draw, slowRedrawMs);
        timer.unref();
      } else {
        clearInterval(timer);
        timer = undefined;
      }
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

/** The steps of a change that is planned or written. */
export function createStepProgress(terminal: Terminal, globals: Globals): View<string> {
  const { stderr } = terminal;
  if (isSilent(terminal, globals)) return silent;
  const live = isLive(terminal);
  const startedMs = terminal.nowMs();
  let says = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = () => stderr.write(`${eraseLine}${says} · ${formatElapsed(terminal.nowMs() - startedMs)}`);
  return {
    show(step) {
      const text = truncate(singleLine(step), live ? Math.max(20, (stderr.columns ?? 80) - 12) : 200);
      if (text === says) return;
      says = text;
      if (!live) {
        stderr.write(`${text}\n`);
        return;
      }
      draw();
      timer ??= setInterval(draw, slowRedrawMs);
      timer.unref();
    },
    end() {
      clearInterval(timer);
      timer = undefined;
      if (live && says !== '') stderr.write(eraseLine);
      says = '';
    },
  };
}

const stepWords: Readonly<Record<IndexProgress['step'], string>> = {
  listing: 'looking at the files',
  describing: 'indexing',
  resolving: 'resolving imports',
};

const silent = { show() {}, end() {} };

function isSilent(terminal: Terminal, globals: Globals): boolean {
  return globals.quiet || (globals.json && !isLive(terminal));
}

function isLive({ stderr, environment }: Terminal): boolean {
  return stderr.isTTY === true && environment['TERM'] !== 'dumb';
}

/** https://no-color.org: set and not empty means no. */
function useColor({ environment }: Terminal, globals: Globals): boolean {
  return globals.color && (environment['NO_COLOR'] ?? '') === '';
}

/** In a pipe only what goes wrong is said while it goes wrong; `--verbose` has a line for every probe that settled. */
function createLineLog({ stderr }: Terminal, verbose: boolean): View<Progress> {
  return {
    show(progress) {
      if (progress.kind !== 'settled') return;
      const { execution } = progress;
      if (verbose || isFailure(execution)) stderr.write(`${renderSettled(execution)}\n`);
    },
    end() {},
  };
}

function renderSettled({ probe, status, skip, durationMs, cache, errors }: Execution): string {
  const time = formatDuration(durationMs);
  const note = skip?.reason ?? (errors.length > 0 ? errors.join(', ') : cache.state === 'hit' ? 'cache hit' : null);
  return `${status} ${probe.name} ${time}${note === null ? '' : ` (${note})`}`;
}

/** One line: how many have settled, since when, and what runs, the longest first. */
function createLiveLine(terminal: Terminal, color: boolean): View<Progress> {
  const startedAtMs = new Map<string, number>();
  const settled = new Set<string>();
  const beganMs = terminal.nowMs();
  let expected = 0;
  let drawn = false;
  const draw = (): void => {
    const now = terminal.nowMs();
    const all = Math.max(expected, settled.size + startedAtMs.size);
    const running = [...startedAtMs].sort(([, a], [, b]) => a - b).map(([name]) => name);
    const text = `gathering ${settled.size}/${all} · ${formatElapsed(now - beganMs)}${running.length === 0 ? '' : ` · ${running.join(', ')}`}`;
    // A pseudo-terminal without a size says 0.
    const line = truncate(singleLine(text), Math.max(1, (terminal.stderr.columns || 80) - 1));
    terminal.stderr.write(`${eraseLine}${color ? `\x1b[2m${line}\x1b[22m` : line}`);
    drawn = true;
  };
  // Drawing happens here alone, so events cannot make it more frequent; what ends before the first tick draws nothing.
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  return {
    show(progress) {
      if (progress.kind === 'planned') expected = settled.size + progress.probes.length;
      else if (progress.kind === 'started') startedAtMs.set(progress.probe, terminal.nowMs());
      else if (progress.kind === 'first') {
        // The screen takes the place of the line, which is drawn again below it.
        if (drawn) terminal.stderr.write(eraseLine);
        drawn = false;
      } else {
        startedAtMs.delete(progress.execution.probe.name);
        settled.add(progress.execution.probe.name);
        if (!isFailure(progress.execution)) return;
        terminal.stderr.write(`${drawn ? eraseLine : ''}${renderSettled(progress.execution)}\n`);
        drawn = false;
      }
    },
    end() {
      clearInterval(timer);
      if (drawn) terminal.stderr.write(eraseLine);
      drawn = false;
    },
  };
}
