/**
 * What a person sees of the sync loop: one line when it is ready, one per reconcile that changed something, one per trouble.
 * A log that lies inside the root is itself a file that changes with every line: there it keeps quiet, or it would never end.
 */

import { fstatSync, readlinkSync, statSync } from 'node:fs';
import type { RefreshEvent } from '../index/refresh/refresher.ts';
import type { ReconcileOutcome } from '../index/sync/reconcile.ts';
import type { SyncEvent } from '../index/sync/sync-loop.ts';
import { formatCount, formatDuration } from '../kernel/base/quantities.ts';
import { plural, quotedPath, singleLine, truncate } from '../kernel/base/text.ts';
import { type Invocation, printJson } from './command.ts';

export type SyncLog = {
  readonly show: (event: SyncEvent) => void;
  readonly showRefresh: (event: RefreshEvent) => void;
  readonly showListening: (at: {
    readonly socket: string;
    readonly port: number | null;
    readonly tokenFile: string | null;
  }) => void;
  readonly isReady: () => boolean;
  readonly end: () => void;
};

/** With `--json` the one document comes at the end, and says how often what happened. */
export function createSyncLog(root: string, { globals, terminal }: Invocation, clearLine: () => void): SyncLog {
  const counts = { reconciles: 0, jobs: 0, failures: 0 };
  let watch: 'ok' | 'degraded' | 'off' = 'off';
  let ready = false;
  const feedsItself = liesInside(root, terminal.stdout) || liesInside(root, terminal.stderr);
  let lastFailure: string | undefined;
  const say = (line: string, isTrouble = false) => {
    if (globals.json || (globals.quiet && !isTrouble)) return;
    clearLine();
    const stream = isTrouble ? terminal.stderr : terminal.stdout;
    stream.write(`${new Date(terminal.nowMs()).toISOString().slice(11, 19)} ${line}\n`);
  };
  return {
    show(event) {
      switch (event.kind) {
        case 'ready':
          ready = true;
          say(`ready: ${describe(event.first)} · ${root} · watcher ${watch} · Ctrl-C ends it`);
          if (feedsItself && !globals.verbose) {
            say(
              'note: this output is a file inside the root, so changes are not reported here; --verbose reports them',
            );
          }
          break;
        case 'reconciled':
          counts.reconciles += 1;
          lastFailure = undefined;
          if (feedsItself && !globals.verbose) break;
          say(`${describe(event.outcome)} · ${event.ms} ms · noticed by ${noticedBy[event.why] ?? event.why}`);
          break;
        case 'watch':
          if (event.state === watch) break;
          watch = event.state;
          if (watch !== 'ok') say(`watcher ${watch}${event.detail === null ? '' : `: ${shown(event.detail)}`}`, true);
          else if (ready) say('watcher ok');
          break;
        case 'failed':
          if (terminal.signal.aborted) break;
          counts.failures += 1;
          {
            const failure = shown(messageOf(event.error));
            if (feedsItself && failure === lastFailure) break;
            lastFailure = failure;
            const noticed = noticedBy[event.why] ?? event.why;
            say(`could not update (${noticed}): ${failure}; tried again with the next change`, true);
          }
          break;
      }
    },
    showRefresh(event) {
      if (event.kind === 'job_finished') {
        counts.jobs += 1;
        const { context, status, failure, detail, accepted, ms } = event.report;
        const why =
          failure === null ? '' : `: ${failure.replaceAll('_', ' ')}${detail === null ? '' : ` (${shown(detail)})`}`;
        const files = status === 'completed' ? ` · ${plural(accepted, 'file')}` : '';
        say(`${shown(context)} ${status}${why}${files} · ${formatDuration(ms)}`, status === 'failed');
      } else if (event.kind === 'failed') {
        counts.failures += 1;
        say(`indexers: ${shown(event.why)}: ${shown(messageOf(event.error))}`, true);
      } else if (event.kind === 'context_problems') {
        for (const problem of event.problems) say(shown(problem), true);
      } else if (event.kind === 'job_started' && globals.verbose) say(`${shown(event.context)} started`);
    },
    showListening({ socket, port, tokenFile }) {
      if (globals.verbose) say(`answers at ${quotedPath(socket)}`);
      if (port !== null) say(`answers at http://127.0.0.1:${port} · token in ${quotedPath(tokenFile ?? '')}`);
    },
    isReady: () => ready,
    end() {
      if (globals.json) printJson(terminal, { outcome: 'ok', root, watch, ...counts });
      else say('stopped');
    },
  };
}

const noticedBy: Readonly<Record<string, string>> = {
  watcher: 'the watcher',
  poll: 'the regular look',
  git: 'a change of git',
};

function describe({ listed, written, deleted, resolvedAgain, generation }: ReconcileOutcome): string {
  const did = [
    ...(written > 0 ? [`${formatCount(written)} indexed`] : []),
    ...(deleted > 0 ? [`${formatCount(deleted)} removed`] : []),
    ...(resolvedAgain > 0 ? [`imports of ${resolvedAgain} resolved again`] : []),
  ];
  return `${plural(listed, 'file')} in scope · ${did.length === 0 ? 'nothing changed' : did.join(', ')} · generation ${generation}`;
}

/** Where the system does not tell the name of an open file, one on the same device may lie inside. */
function liesInside(root: string, stream: object): boolean {
  const fd = 'fd' in stream && typeof stream.fd === 'number' ? stream.fd : undefined;
  if (fd === undefined) return false;
  try {
    const open = fstatSync(fd);
    if (!open.isFile()) return false;
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${root}/`);
    } catch {
      return open.dev === statSync(root).dev;
    }
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function shown(text: string): string {
  return truncate(singleLine(text), 300);
}
