/**
 * What a person sees while indexers run, on stderr: on a terminal one line with the time, redrawn in place; elsewhere one line when a
 * job ends. A compiler that needs a minute and says nothing looks like one that hangs.
 */

import type { RefreshEvent } from '../index/sync/refresh/refresher.ts';
import { singleLine, truncate } from '../kernel/base/text.ts';
import type { Globals, Terminal } from './command.ts';

export type RefreshProgressView = { readonly show: (event: RefreshEvent) => void; readonly end: () => void };

const redrawMs = 200;

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
        timer ??= setInterval(draw, redrawMs);
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
