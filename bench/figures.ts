/** Medians, spreads, processor time, and the table that a benchmark prints as it goes. */

import { readFileSync } from 'node:fs';

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

export function p95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * 0.95) - 1)] as number;
}

/** The median with half the spread. */
export function ms(values: readonly number[]): string {
  const half = (Math.max(...values) - Math.min(...values)) / 2;
  const middle = median(values);
  const digits = middle < 10 ? 2 : middle < 100 ? 1 : 0;
  return `${middle.toFixed(digits)} ± ${half.toFixed(digits)} ms`;
}

export function mb(values: readonly number[]): string {
  return `${Math.round(median(values))} MB`;
}

export type Figure = {
  readonly measure: string;
  readonly ours: string;
  readonly peer?: string;
  /** Ours ÷ the peer's, of medians. */
  readonly ratio?: number;
  /** What is compared with what it must not exceed. */
  readonly target?: { readonly says: string; readonly value: number; readonly most: number };
};

export type Table = { add(figure: Figure): void };

/** Rows in Markdown, each as soon as it is known. */
export function createTable(title: string): Table {
  console.log(`\n### ${title}\n\n| measure | ours | peer | ours ÷ peer | target | |\n|---|---|---|---|---|---|`);
  return {
    add({ measure, ours, peer = '', ratio, target }) {
      const verdict = target === undefined ? '' : target.value <= target.most ? '**reached**' : '**missed**';
      const cells = [measure, ours, peer, ratio === undefined ? '' : showRatio(ratio), target?.says ?? '', verdict];
      console.log(`| ${cells.join(' | ')} |`);
    },
  };
}

function showRatio(ratio: number): string {
  return ratio < 0.1 ? ratio.toFixed(4) : ratio.toFixed(2);
}

export async function time(act: () => unknown): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/** What a process has used, and what those that it started and that have ended have used; 0 for one that is gone. In ticks of 10 ms. */
export function processorMs(pid: number | 'self'): { readonly own: number; readonly children: number } {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return { own: 0, children: 0 };
  }
  const [own = 0, ownSystem = 0, children = 0, childrenSystem = 0] = (stat.split(') ')[1] ?? '')
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) * 10);
  return { own: own + ownSystem, children: children + childrenSystem };
}
