/**
 * What a person sees while probes run, always on stderr. On a terminal: one line per running probe, redrawn in place and gone
 * at the end. Elsewhere: one line per probe that has settled. It never wraps, and never keeps the process alive.
 */

import { type Execution, isFailure } from '../gather/run/execution.ts';
import type { Progress } from '../gather/run/open-world.ts';
import type { RefreshEvent } from '../index/refresh/refresher.ts';
import type { IndexProgress } from '../index/sync/reconcile.ts';
import { singleLine, truncate } from '../kernel/base/text.ts';
import type { Globals, Terminal } from './command.ts';

export type ProgressView = {
  readonly show: (progress: Progress) => void;
  readonly end: () => void;
};

const redrawMs = 100;
/** More lines than a small terminal has rows could not be taken back. */
const shownProbes = 10;

export function createProgress(terminal: Terminal, globals: Globals): ProgressView {
  if (globals.quiet) return { show() {}, end() {} };
  if (isLive(terminal)) return createLiveRegion(terminal, useColor(terminal, globals));
  if (globals.json) return { show() {}, end() {} };
  return createLineLog(terminal, globals.verbose);
}

function isLive({ stderr, environment }: Terminal): boolean {
  return stderr.isTTY === true && environment['TERM'] !== 'dumb';
}

/** https://no-color.org: set and not empty means no. */
function useColor({ environment }: Terminal, globals: Globals): boolean {
  return globals.color && (environment['NO_COLOR'] ?? '') === '';
}

/** A probe that has nothing to look at is no step; the summary counts it. */
function createLineLog({ stderr }: Terminal, verbose: boolean): ProgressView {
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

function createLiveRegion(terminal: Terminal, color: boolean): ProgressView {
  const startedAtMs = new Map<string, number>();
  const settled = new Set<string>();
  let expected = 0;
  let drawnLines = 0;
  const dim = (text: string): string => (color ? `\x1b[2m${text}\x1b[22m` : text);

  const draw = (): void => {
    // A pseudo-terminal that nobody gave a size says 0.
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

// What a person sees while files are indexed, on stderr. On a terminal one line, redrawn in place and gone at the end; elsewhere one
// line per step that took long enough to wonder about.

export type IndexProgressView = { readonly show: (progress: IndexProgress) => void; readonly end: () => void };
/** Shorter work than this is over before anybody reads about it. */
const quietMs = 1_000;

const words: Readonly<Record<IndexProgress['step'], string>> = {
  listing: 'looking at the files',
  describing: 'indexing',
  resolving: 'resolving imports',
};

export function createIndexProgress(terminal: Terminal, globals: Globals): IndexProgressView {
  const { stderr } = terminal;
  const live = stderr.isTTY === true && terminal.environment['TERM'] !== 'dumb';
  if (globals.quiet || (globals.json && !live)) return { show() {}, end() {} };
  const startedMs = terminal.nowMs();
  let drawn = false;
  let lastMs = 0;
  const told = new Set<IndexProgress['step']>();
  return {
    show({ step, done, total }) {
      const now = terminal.nowMs();
      const text = total === 0 ? words[step] : `${words[step]} ${done}/${total}`;
      if (live) {
        if (now - startedMs < quietMs / 4 || now - lastMs < redrawMs) return;
        lastMs = now;
        drawn = true;
        stderr.write(`\r\x1b[K${text} · ${((now - startedMs) / 1000).toFixed(1)} s`);
      } else if (now - startedMs > quietMs && !told.has(step) && total > 0) {
        told.add(step);
        stderr.write(`${words[step]}: ${total} files\n`);
      }
    },
    end() {
      if (drawn) stderr.write('\r\x1b[K');
      drawn = false;
    },
  };
}

// What a person sees while indexers run, on stderr: on a terminal one line with the time, redrawn in place; elsewhere one line when a
// job ends. A compiler that needs a minute and says nothing looks like one that hangs.

export type RefreshProgressView = { readonly show: (event: RefreshEvent) => void; readonly end: () => void };

const slowRedrawMs = 200;

export function createRefreshProgress(terminal: Terminal, globals: Globals): RefreshProgressView {
  const { stderr } = terminal;
  const live = stderr.isTTY === true && terminal.environment['TERM'] !== 'dumb';
  if (globals.quiet || (globals.json && !live)) return { show() {}, end() {} };
  const running = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let drawn = false;
  const clear = () => {
    if (drawn) stderr.write('\r\x1b[K');
    drawn = false;
  };
  const draw = () => {
    if (running.size === 0) return clear();
    const parts = [...running].map(
      ([context, since]) => `${truncate(singleLine(context), 60)} ${((terminal.nowMs() - since) / 1000).toFixed(0)} s`,
    );
    drawn = true;
    stderr.write(`\r\x1b[Kindexing with compilers: ${parts.join(', ')}`);
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

// What a person sees while a change is planned or written, on stderr: on a terminal one line with the time, redrawn in place; elsewhere
// one line per step.

export type StepProgressView = { readonly show: (says: string) => void; readonly end: () => void };

export function createStepProgress(terminal: Terminal, globals: Globals): StepProgressView {
  const { stderr } = terminal;
  const live = stderr.isTTY === true && terminal.environment['TERM'] !== 'dumb';
  if (globals.quiet || (globals.json && !live)) return { show() {}, end() {} };
  const startedMs = terminal.nowMs();
  let says = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = () => stderr.write(`\r\x1b[K${says} · ${((terminal.nowMs() - startedMs) / 1000).toFixed(1)} s`);
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
      if (live && says !== '') stderr.write('\r\x1b[K');
      says = '';
    },
  };
}
