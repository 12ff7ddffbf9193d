/**
 * Where a fleet is: its settings and its database in the user's own state directory, mirrors and work trees in the cache directory, which costs only
 * time. Several fleets of one user have names. Nothing of it lies in a repository.
 */

import { redactionVersion } from '../gather/cache/redaction-version.gen.ts';
import { StoreFailed } from '../index/store/store-failed.ts';
import { extractorVersion } from '../index/text/extractor-version.gen.ts';
import { sha256Hex } from '../kernel/base/hash.ts';
import { readOwnTextIfThere } from '../kernel/base/if-there.ts';
import { fleetDirsOf, openFleetDirs } from '../kernel/base/own-dirs.ts';
import { packageVersion } from '../kernel/base/package-files.ts';
import { z } from '../kernel/base/schema.ts';
import { OutputRefused, writeAtomically } from '../kernel/base/write-file.ts';
import type { Environment } from '../kernel/exec/environment.ts';
import { sourceWorkerVersion } from '../probes/source-worker-version.gen.ts';
import type { FleetEngine, Now } from './fleet-engine.ts';
import { probeVersions } from './probe-versions.gen.ts';
import { openEmbedded } from './store/embedded-engine.ts';

const settingsSchema = z.strictObject({
  version: z.literal(1),
  /** How long ago a head may have been seen for a repository to count as fresh. */
  fresh_for_hours: z.number().positive(),
  /** `run` looks at a head again after so long. */
  look_every_minutes: z.number().min(0),
  /** Jobs and looks of one host at once. */
  per_host: z.int().min(1),
  /** Of what is fetched of a repository, and of its work tree. */
  max_mb: z.int().min(1),
  /** A job that takes longer is ended. */
  job_minutes: z.number().positive(),
});
export type FleetSettings = z.output<typeof settingsSchema>;

const defaultSettings: FleetSettings = {
  version: 1,
  fresh_for_hours: 24,
  look_every_minutes: 60,
  per_host: 4,
  max_mb: 2048,
  job_minutes: 60,
};

export type FleetPlace = {
  readonly home: string;
  readonly environment: Environment;
  /** The work tree in which it is asked for, or `/dev/null`: what is kept of a fleet lies in no repository. */
  readonly root: string;
  /** One of several fleets of this user. */
  readonly name: string;
};

export type Fleet = {
  readonly name: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly settings: FleetSettings;
  readonly engine: FleetEngine;
  now(nowMs: number): Now;
};

export type FleetOutcome =
  | { readonly kind: 'fleet'; readonly fleet: Fleet }
  | { readonly kind: 'no_fleet' }
  | { readonly kind: 'refused'; readonly message: string };

export const fleetNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** What facts follow from besides a commit. */
function programOf(): string {
  const parts = [packageVersion(), probeVersions, redactionVersion, extractorVersion, sourceWorkerVersion];
  return sha256Hex(parts.join('\0')).slice(0, 16);
}

/** Makes it where there is none; where there is one, only what is said of its settings changes. */
export function initFleet(
  place: FleetPlace,
  changed: Partial<FleetSettings>,
): FleetOutcome & { readonly made?: boolean } {
  return guarded(() => {
    const { stateDir } = openFleetDirs(place, place.name);
    const before = readSettings(stateDir);
    writeAtomically(
      `${stateDir}/fleet.json`,
      `${JSON.stringify({ ...(before ?? defaultSettings), ...changed }, null, 2)}\n`,
      {
        durable: true,
      },
    );
    const opened = openAt(place, 'create');
    return opened.kind === 'fleet' ? { ...opened, made: before === undefined } : opened;
  });
}

export function openFleet(place: FleetPlace): FleetOutcome {
  return guarded(() => openAt(place, 'write'));
}

function openAt(place: FleetPlace, access: 'create' | 'write'): FleetOutcome {
  const { stateDir, cacheDir } = fleetDirsOf(place, place.name);
  const settings = readSettings(stateDir);
  if (settings === undefined) return { kind: 'no_fleet' };
  openFleetDirs(place, place.name);
  const engine = openEmbedded(stateDir, access);
  const program = programOf();
  const freshForMs = settings.fresh_for_hours * 3_600_000;
  return {
    kind: 'fleet',
    fleet: { name: place.name, stateDir, cacheDir, settings, engine, now: (nowMs) => ({ nowMs, program, freshForMs }) },
  };
}

function readSettings(stateDir: string): FleetSettings | undefined {
  const path = `${stateDir}/fleet.json`;
  const text = readOwnTextIfThere(path);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OutputRefused(path, 'is no JSON; put it back from a copy, or remove it and run `codegenie fleet init`');
  }
  const checked = settingsSchema.safeParse(value);
  if (!checked.success) throw new OutputRefused(path, `is not understood: ${z.prettifyError(checked.error)}`);
  return checked.data;
}

function guarded<T extends FleetOutcome>(act: () => T): T | FleetOutcome {
  try {
    return act();
  } catch (error) {
    if (error instanceof OutputRefused) return { kind: 'refused', message: `${error.path} ${error.why}` };
    if (error instanceof StoreFailed) return { kind: 'refused', message: error.message };
    throw error;
  }
}
