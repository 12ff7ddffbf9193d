/** A place with repositories to add, and a gather that needs no probes: what it finds stands in a file of the repository. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GatherTree } from '../../src/fleet/do-job.ts';
import { type Fleet, initFleet } from '../../src/fleet/open-fleet.ts';
import type { WorkEvent, WorkSettings } from '../../src/fleet/work.ts';
import type { Fact } from '../../src/gather/facts/fact.ts';

export type FleetRig = {
  readonly place: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A repository whose one file is this; gives its path. */
  repository(name: string, text: string): string;
  /** Another commit in it. */
  change(name: string, text: string): void;
  open(settings?: Parameters<typeof initFleet>[1]): Fleet;
  dispose(): void;
};

export function createFleetRig(): FleetRig {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-')));
  const home = join(place, 'home');
  mkdirSync(home);
  const environment = { PATH: process.env['PATH'], HOME: home, CODEGENIE_STATE_DIR: join(place, 'state') };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'commit.gpgSign=false', ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const commit = (path: string, text: string) => {
    writeFileSync(join(path, 'fact.txt'), text);
    git(path, 'add', '-A');
    git(path, 'commit', '-q', '-m', 'change', '--allow-empty');
  };
  return {
    place,
    home,
    environment,
    repository(name, text) {
      const path = join(place, 'sources', name);
      mkdirSync(path, { recursive: true });
      git(path, 'init', '-q', '-b', 'main');
      commit(path, text);
      return path;
    },
    change: (name, text) => commit(join(place, 'sources', name), text),
    open(settings = {}) {
      const opened = initFleet({ home, environment, root: '/dev/null', name: 'default' }, settings);
      if (opened.kind !== 'fleet') throw new Error(JSON.stringify(opened));
      return opened.fleet;
    },
    dispose: () => rmSync(place, { recursive: true, force: true }),
  };
}

export function fact(id: string, value: Fact['value'], more: Partial<Fact> = {}): Fact {
  return {
    id,
    scope: '.',
    state: 'known',
    value,
    confidence: 'high',
    evidence: ['fact.txt:1'],
    how: 'told',
    ...more,
  } as Fact;
}

/** Each line of `fact.txt`: `id value`, `id !unknown`, or `throw <message>`. */
function factsOfText(text: string): readonly Fact[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', value = ''] = line.split(' ');
      if (id === 'throw') throw new Error(value);
      return value === '!unknown' || value === '!not_looked'
        ? fact(id, null, { state: value.slice(1) as Fact['state'], confidence: null, evidence: [] })
        : fact(id, value);
    });
}

export const gatherText: GatherTree = async ({ root }) => {
  const facts = factsOfText(readFileSync(join(root, 'fact.txt'), 'utf8'));
  const yaml = join(root, '.codegenie/context/repo-context.yaml');
  mkdirSync(dirname(yaml), { recursive: true });
  writeFileSync(yaml, JSON.stringify({ facts }));
  return { kind: 'published', envelope: { facts }, files: { yaml } } as unknown as Awaited<ReturnType<GatherTree>>;
};

export function workSettings(
  rig: FleetRig,
  fleet: Fleet,
  more: Partial<WorkSettings> = {},
): WorkSettings & { readonly events: WorkEvent[] } {
  const events: WorkEvent[] = [];
  return {
    fleet,
    environment: rig.environment,
    gatherTree: gatherText,
    jobs: 1,
    signal: new AbortController().signal,
    nowMs: Date.now,
    random: () => 0.5,
    onEvent: (event) => events.push(event),
    events,
    ...more,
  };
}
