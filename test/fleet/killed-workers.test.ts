/** Workers that are killed by `kill -9` wherever they are: every repository is published, none twice, and nothing is left behind. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSources } from '../../src/fleet/source.ts';
import { runOnce } from '../../src/fleet/work.ts';
import { createFleetRig, type FleetRig, workSettings } from './fleet-rig.ts';

const script = fileURLToPath(new URL('./fleet-worker-child.ts', import.meta.url));
let rig: FleetRig;
let children: ChildProcess[];
beforeEach(() => {
  rig = createFleetRig();
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rig.dispose();
});

function start(): ChildProcess {
  const child = spawn(process.execPath, [script, rig.place], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Until it has said so many things. */
async function hear(child: ChildProcess, lines: number): Promise<void> {
  let heard = 0;
  for await (const text of child.stdout ?? []) {
    heard += String(text).split('\n').length - 1;
    if (heard >= lines) return;
  }
}

test('N4 N5 N8 killed workers lose no repository and publish none twice', async () => {
  const fleet = rig.open();
  const names = Array.from({ length: 24 }, (_, at) => `r${at}`);
  for (const [at, name] of names.entries()) rig.repository(name, `runtime.pin ${at}`);
  await fleet.engine.add(readSources(['sources'], rig.place).sources, Date.now());
  // Each is killed at another point of its work; the last one is joined by this process, which finishes.
  for (const lines of [1, 4, 7]) {
    const child = start();
    await hear(child, lines);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const settings = workSettings(rig, fleet);
  await runOnce(settings);
  const after = await fleet.engine.list();
  expect(after.filter(({ commit, failure, job }) => commit === null || failure !== null || job !== null)).toEqual([]);
  expect((await fleet.engine.facts(['runtime.pin'])).map(({ value }) => value).sort()).toEqual(
    names.map((_, at) => String(at)).sort(),
  );
  // One publication each: what was published by a worker that was killed afterwards was not done again.
  expect(new Set(settings.events.flatMap((event) => (event.kind === 'ended' ? [event.name] : []))).size).toBe(
    settings.events.filter(({ kind }) => kind === 'ended').length,
  );
  expect((await fleet.engine.stepsSince(Date.now())).length).toBe(0);
  expect(readdirSync(join(fleet.cacheDir, 'work'))).toEqual([]);
  await fleet.engine.close();
});
