/**
 * fast-check as this suite uses it: `npm test` draws the same cases on every run, so its verdict is about the code and not about luck.
 * A new seed comes with a commit; `npm run soak` draws new cases, and more of them (CODEGENIE_SOAK), and a case that fails there becomes
 * an example here. CODEGENIE_SEED draws those of a seed that was printed. A case that does not end fails by itself and is printed;
 * CODEGENIE_SHRINK=1 looks for a smaller one.
 */

import * as fc from 'fast-check';

const wantedTimes = process.env['CODEGENIE_SOAK'];
const wantedSeed = process.env['CODEGENIE_SEED'] ?? (wantedTimes === undefined ? '20261117' : undefined);

/** Whether new cases are wanted. */
export const isSoak = wantedTimes !== undefined;

fc.configureGlobal({
  ...(wantedSeed === undefined ? {} : { seed: Number(wantedSeed) }),
  // Of one case. The longest take seconds on a busy machine; a soak may be one of many things that run.
  timeout: isSoak ? 300_000 : 50_000,
  endOnFailure: process.env['CODEGENIE_SHRINK'] === undefined,
});

/** How many cases are tried where `npm test` tries `count`: what a soak costs is so many times what these tests cost there. */
export function soaked(count: number): number {
  return Math.ceil(count * Number(wantedTimes ?? 1));
}

/** The known examples of a property are tried once, and `numRuns` counts them. */
export function assert<Ts>(property: fc.IAsyncProperty<Ts>, params?: fc.Parameters<Ts>): Promise<void>;
export function assert<Ts>(property: fc.IProperty<Ts>, params?: fc.Parameters<Ts>): void;
export function assert<Ts>(property: fc.IRawProperty<Ts>, params: fc.Parameters<Ts> = {}): Promise<void> | void {
  const { numRuns = 100, examples = [] } = params;
  const drawn = isSoak ? soaked(Math.max(1, numRuns - examples.length)) : numRuns - examples.length;
  return fc.assert(property, { ...params, numRuns: examples.length + drawn });
}

export * from 'fast-check';
export * as default from './properties.ts';
