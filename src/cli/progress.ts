/**
 * What a person sees while something takes long, always on stderr: while probes run, files are indexed, indexers run, a change is made.
 * On a terminal lines are redrawn in place and gone at the end; elsewhere one line is written per thing that happened. Nothing here wraps,
 * and nothing keeps the process alive.
 */

import { type Execution, isFailure } from '../gather/run/execution.ts';
import type { Progress } from '../gather/run/open-world.ts';
import type { RefreshEvent } from '../index/refresh/refresher.ts';
import type { IndexProgress } from '../index/sync/reconcile.ts';
import { singleLine, truncate } from '../kernel/base/text.ts';
import type { Globals, Terminal } from './command.ts';

/** Shows one thing after the other until it is ended. */
type View<T> = { readonly show: (value: T) => void; readonly end: () => void };

const redrawMs = 100;
/** For lines of which only the time changes. */
const slowRedrawMs = 200;
/** More lines than a small terminal has rows could not be taken back. */
const shownProbes = 10;
/** Shorter work is over before anyone reads about it. */
const quietMs = 1_000;

const eraseLine = '\r\x1b[K';

/** Probes: on a terminal those that run, elsewhere those that have settled. */
export function createProgress(terminal: Terminal, globals: Globals): View<Progress> {
  if (isSilent(terminal, globals)) return silent;
  if (isLive(terminal)) return createLiveRegion(terminal, useColor(terminal, globals));
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
      const text = total === 0 ? stepWords[step] : `${stepWords[step]} ${done}/${total}`;
      if (live) {
        if (now - startedMs < quietMs / 4 || now - lastMs < redrawMs) return;
        lastMs = now;
        drawn = true;
        stderr.write(`${eraseLine}${text} · ${renderElapsed(now - startedMs)}`);
      } else if (now - startedMs > quietMs && !told.has(step) && total > 0) {
        told.add(step);
        stderr.write(`${stepWords[step]}: ${total} files\n`);
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
      ([context, since]) => `${truncate(singleLine(context), 60)} ${((terminal.nowMs() - since) / 1000).toFixed(0)} s`,
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
            `${singleLine(event.context)}: ${status}${failure === null ? '' : ` (${failure})`} · ${(ms / 1000).toFixed(1)} s\n`,
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
  const draw = () => stderr.write(`${eraseLine}${says} · ${renderElapsed(terminal.nowMs() - startedMs)}`);
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

/** A probe that has nothing to look at is no step; the summary counts it. */
function createLineLog({ stderr }: Terminal, verbose: boolean): View<Progress> {
  return {
    show(progress) {
      if (progress.kind !== 'settled') return;
      const { execution } = progress;
      if (verbose || execution.status !== 'skipped' || isFailure(execution))
        stderr.write(`${renderSettled(execution)}\n`);
    },
    end() {},
  };
}

function renderSettled({ probe, status, skip, durationMs, cache }: Execution): string {
  const time = `${Math.round(durationMs)} ms`;
  const note = skip !== null ? ` (${skip.reason})` : cache.state === 'hit' ? ' (cache hit)' : '';
  return `${status} ${probe.name} ${time}${note}`;
}

function createLiveRegion(terminal: Terminal, color: boolean): View<Progress> {
  const startedAtMs = new Map<string, number>();
  const settled = new Set<string>();
  let expected = 0;
  let drawnLines = 0;
  const dim = (text: string): string => (color ? `\x1b[2m${text}\x1b[22m` : text);

  const draw = (): void => {
    // A pseudo-terminal without a size says 0.
    const width = Math.max(1, (terminal.stderr.columns || 80) - 1);
    const lines = regionLines().map(([text, quiet]) => (quiet ? dim(truncate(text, width)) : truncate(text, width)));
    terminal.stderr.write(`${takeBack(drawnLines)}${lines.map((line) => `${line}\n`).join('')}`);
    drawnLines = lines.length;
  };
  const regionLines = (): (readonly [text: string, quiet: boolean])[] => {
    const running = [...startedAtMs].map(([name, sinceMs]) => `  ${name} ${renderElapsed(terminal.nowMs() - sinceMs)}`);
    const hidden = running.length - shownProbes;
    return [
      ...running.slice(0, shownProbes).map((line) => [line, false] as const),
      ...(hidden > 0 ? [[`  … and ${hidden} more`, true] as const] : []),
      [`${settled.size}/${Math.max(expected, settled.size + startedAtMs.size)} probes`, true],
    ];
  };
  // Drawing happens here alone, so events cannot make it more frequent; what ends before the first tick draws nothing.
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  return {
    show(progress) {
      if (progress.kind === 'planned') expected = settled.size + progress.probes.length;
      else if (progress.kind === 'started') startedAtMs.set(progress.probe, terminal.nowMs());
      else {
        startedAtMs.delete(progress.execution.probe.name);
        settled.add(progress.execution.probe.name);
      }
    },
    end() {
      clearInterval(timer);
      if (drawnLines > 0) terminal.stderr.write(takeBack(drawnLines));
      drawnLines = 0;
    },
  };
}

/** Cursor to the start of the region, and everything from there on erased. */
function takeBack(lines: number): string {
  return lines === 0 ? '' : `\x1b[${lines}A\x1b[J`;
}

function renderElapsed(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
