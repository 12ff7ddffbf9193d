/**
 * What a person sees while a change is planned or written, on stderr: on a terminal one line with the time, redrawn in place; elsewhere
 * one line per step.
 */

import { singleLine, truncate } from '../kernel/base/text.ts';
import type { Globals, Terminal } from './command.ts';

export type StepProgressView = { readonly show: (says: string) => void; readonly end: () => void };

const redrawMs = 200;

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
      timer ??= setInterval(draw, redrawMs);
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
