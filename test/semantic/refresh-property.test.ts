/** Any order of edits, requests, runs that end and runs that fail (code-plane.md §7): nothing is left behind, nothing is wrong. */

import { afterEach, expect, test } from 'vitest';
import { checkInvariants } from '../../src/index/store/invariants.ts';
import type { Failure } from '../../src/languages/projects/context-spec.ts';
import fc from '../support/properties.ts';
import { createRefreshRig, type RefreshRig } from '../support/refresh-rig.ts';

const directories = ['app', 'lib'] as const;
const names = ['a', 'b', 'c', 'd', 'e'] as const;
const keys = directories.map((directory) => `ts:${directory}/tsconfig.json`);

/** Uses the file before it, in the other directory for the first one; `variant` decides the interface and the body. */
function sourceOf(directory: string, at: number, variant: number): string {
  const name = names[at] ?? '';
  const other = at === 0 ? (directory === 'lib' ? '../app/a' : undefined) : `./${names[at - 1]}`;
  const used = at === 0 ? 'app_a' : `${directory}_${names[at - 1]}`;
  const type = variant % 2 === 0 ? 'number' : 'string';
  const uses = other === undefined || variant % 5 === 4 ? '' : `import { ${used} } from '${other}'\n`;
  const value = uses === '' ? String(variant) : `${used} + ${variant}`;
  // Some infer their type from what they use, and some add to what all the others declare.
  const written = variant % 4 === 3 ? '' : `: ${type}`;
  const more = variant === 8 ? `declare module './a' { interface Api { ${name}: ${type} } }\n` : '';
  return `${uses}export const ${directory}_${name}${written} = ${value}\n${more}`;
}

type Step =
  | { readonly do: 'write'; readonly in: number; readonly at: number; readonly variant: number }
  | { readonly do: 'remove'; readonly in: number; readonly at: number }
  | { readonly do: 'configure'; readonly in: number; readonly variant: number }
  | { readonly do: 'request'; readonly in: number; readonly at: number | null }
  | { readonly do: 'end'; readonly which: number; readonly failure: Failure | undefined }
  | { readonly do: 'reconcile' | 'run' | 'turn' | 'commit' | 'cancel' };

const place = { in: fc.nat(1), at: fc.nat(4) };
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), ...place, variant: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), ...place }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('configure' as const), in: fc.nat(1), variant: fc.nat(2) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('request' as const), in: fc.nat(1), at: fc.option(fc.nat(4)) }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which: fc.nat(3),
        failure: fc.option(fc.constantFrom<Failure>('tool_crashed', 'tool_timeout', 'no_output'), {
          nil: undefined,
          freq: 4,
        }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('reconcile' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
  ),
  { minLength: 5, maxLength: 25 },
);

/** A run that looked at the queue while the last job ended did not see what that job had queued, and waited for ever. */
const endsDuringALook: readonly Step[] = [
  { do: 'reconcile' },
  { do: 'configure', in: 1, variant: 2 },
  { do: 'request', in: 0, at: 2 },
  { do: 'run' },
  { do: 'run' },
  { do: 'request', in: 0, at: 4 },
  { do: 'run' },
  { do: 'write', in: 1, at: 2, variant: 6 },
  { do: 'cancel' },
  { do: 'request', in: 0, at: 0 },
  { do: 'end', which: 0, failure: 'tool_timeout' },
  { do: 'run' },
  { do: 'end', which: 0, failure: 'tool_timeout' },
  { do: 'reconcile' },
  { do: 'write', in: 0, at: 0, variant: 9 },
  { do: 'reconcile' },
  { do: 'end', which: 3, failure: 'tool_timeout' },
  { do: 'end', which: 0, failure: 'tool_timeout' },
];

let rig: RefreshRig | undefined;
afterEach(() => rig?.dispose());

test.each(['project', 'file'] as const)(
  'R21 R22 R24 S11 whatever happens, every file ends clean, or a failure or a job names it: by %s',
  async (granularity) => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const made = await createRefreshRig(initialFiles(), { memory: 8 * 1024 ** 3, granularity });
        rig = made;
        made.indexer.holds = true;
        await made.refresher.refreshContexts();
        const running: Promise<unknown>[] = [];
        for (const step of all) await take(made, step, running);
        made.indexer.holds = false;
        for (const run of made.indexer.runs) run.end();
        await Promise.all(running);
        await made.reconcile();
        // What was asked for may have been cancelled.
        await made.refresher.enqueueUnsettled('test');
        let summary = await made.run();
        for (let tries = 0; tries < 10 && summary.waiting.length > 0; tries += 1) {
          made.clock.advance(600_000);
          summary = await made.run();
        }
        expect(summary.running).toEqual([]);
        expect(summary.waiting).toEqual([]);
        const named = new Set(
          summary.hopeless.flatMap(({ context, files }) => files.map((path) => `${context} ${path}`)),
        );
        expect(made.unsettled().filter((file) => !named.has(file))).toEqual([]);
        expect(made.session.facts.read(checkInvariants)).toEqual([]);
        expect(made.indexer.jobDirs.size).toBe(0);
        for (const key of keys) {
          const open = jobsOf(made, key).filter(({ status }) => status === 'queued' || status === 'running');
          expect(open).toEqual([]);
        }
        if (named.size === 0) expect(await made.tree.dump()).toBe(await freshDump(made, granularity));
        await made.dispose();
        rig = undefined;
      }),
      { numRuns: 10, examples: [[endsDuringALook]] },
    );
  },
);

function initialFiles(): Record<string, string> {
  return Object.fromEntries(
    directories.flatMap((directory) => [
      [`${directory}/tsconfig.json`, '{}'],
      ...names.map((name, at) => [`${directory}/${name}.ts`, sourceOf(directory, at, at)]),
    ]),
  );
}

function jobsOf(made: RefreshRig, key: string) {
  try {
    return made.jobs(key);
  } catch {
    return [];
  }
}

async function take(made: RefreshRig, step: Step, running: Promise<unknown>[]): Promise<void> {
  const directory = 'in' in step ? (directories[step.in] ?? 'app') : 'app';
  const fileAt = (at: number) => `${directory}/${names[at]}.ts`;
  switch (step.do) {
    case 'write':
      made.tree.write(fileAt(step.at), sourceOf(directory, step.at, step.variant));
      return;
    case 'remove':
      made.tree.remove(fileAt(step.at));
      return;
    case 'configure':
      made.tree.write(`${directory}/tsconfig.json`, JSON.stringify({ variant: step.variant }));
      return;
    case 'request':
      await made.refresher.request(
        `ts:${directory}/tsconfig.json`,
        step.at === null ? null : { files: [fileAt(step.at)], packages: [] },
        { trigger: 'test', priority: 1 },
      );
      return;
    case 'end': {
      const open = made.indexer.runs.filter(({ signal }) => !signal.aborted);
      open[open.length - 1 - (step.which % Math.max(1, open.length))]?.end(step.failure);
      return;
    }
    case 'reconcile':
      await made.reconcile();
      checkNamed(made);
      return;
    case 'run':
      running.push(made.run());
      return;
    case 'turn':
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return;
    case 'commit':
      made.tree.git('add', '-A');
      made.tree.git('commit', '-q', '--allow-empty', '-m', 'more');
      return;
    case 'cancel':
      await made.refresher.cancel(keys[0] ?? '');
      // A caller that cancels expects that; every other one is told again.
      await made.refresher.enqueueUnsettled('test');
      return;
  }
}

/** R24 at a moment at which the refresher has been told everything. */
function checkNamed(made: RefreshRig): void {
  for (const file of made.unsettled()) {
    const [key = '', path] = file.split(' ');
    const jobs = jobsOf(made, key);
    const isNamed =
      jobs.some(({ status }) => status === 'queued' || status === 'running') ||
      made.refresher.hopeless.some(({ context, files }) => context === key && files.includes(path ?? ''));
    if (!isNamed) throw new Error(`${path} is not clean, and nothing says why: ${JSON.stringify(jobs)}`);
  }
}

/** What a store that never saw any of it holds. */
async function freshDump(made: RefreshRig, granularity: 'project' | 'file'): Promise<string> {
  const { tree } = made;
  await made.refresher.close();
  await tree.forgetStore();
  const fresh = await createRefreshRig({}, { tree, owner: 'fresh', granularity });
  // Not from what was kept.
  fresh.tree.remove('../data/cache');
  await fresh.refresher.refreshContexts();
  await fresh.run();
  expect(fresh.unsettled()).toEqual([]);
  const dump = await tree.dump();
  await fresh.dispose();
  return dump;
}
