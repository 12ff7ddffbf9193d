/**
 * Random renames in random programs that run. What is applied must leave what the program prints, and is taken back before the next; a
 * program keeps one index and one compiler for all its renames. The same seed tries the same renames of the same programs.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapBounded } from '../../src/kernel/base/turns.ts';
import type { BehaviourCase } from '../conformance/behaviour-case.ts';
import { runCommand } from '../conformance/run-behaviour.ts';
import { openFuzzWorld } from './fuzz-world.ts';
import { createRandom, type Random } from './random.ts';
import { listChanged, snapshotTree } from './snapshot-tree.ts';
import { memberNames, type Program, type ProgramPlace, writeProgram } from './write-program.ts';

export type ProgramTry = {
  readonly seed: number;
  readonly looseShare: number;
  readonly place: ProgramPlace;
  readonly newName: string;
  /** `applied`, or what else was answered. */
  readonly outcome: string;
  readonly reason: string;
  /** What must not be; with it the program, as a case of the behaviour corpus. */
  readonly failure: string | undefined;
  readonly asCase: BehaviourCase | undefined;
};

export type ProgramSettings = {
  /** How many programs, and how many renames of each. */
  readonly programs: number;
  readonly renames: number;
  readonly seed: number;
  readonly until?: (() => boolean) | undefined;
  readonly onTried?: ((tried: ProgramTry) => void) | undefined;
  readonly onLeftOut?: ((seed: number, printed: string) => void) | undefined;
};

const parallel = 2;
const command = 'node --experimental-transform-types main.ts';
/** Names that the language calls or reads by itself. */
const protocolNames = ['toString', 'toJSON', 'then', 'valueOf', 'constructor', 'length'] as const;

export async function runPrograms(settings: ProgramSettings): Promise<readonly ProgramTry[]> {
  const seeds = Array.from({ length: settings.programs }, (_, at) => settings.seed * 1_000_000 + at);
  const tried = await mapBounded(seeds, parallel, async (seed) => {
    if (settings.until?.() === true) return [];
    return tryProgram(seed, settings);
  });
  return tried.flat();
}

async function tryProgram(
  seed: number,
  { renames, onTried, onLeftOut }: ProgramSettings,
): Promise<readonly ProgramTry[]> {
  const random = createRandom(seed);
  const program = writeProgram(random);
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-program-')));
  const root = join(base, 'tree');
  const stateDir = join(base, 'data');
  mkdirSync(root);
  mkdirSync(stateDir, { mode: 0o700 });
  try {
    for (const { path, text } of program.files) writeFileSync(join(root, path), text);
    const run = () => runCommand(command, root, mkdtempSync(join(base, 'run-')));
    const before = await run();
    // The generator writes a program now and then that fails by itself, and shows nothing.
    if (!before.startsWith('rc=0')) {
      onLeftOut?.(seed, before);
      return [];
    }
    const original = snapshotTree(root);
    const world = await openFuzzWorld(root, stateDir);
    try {
      const tries: ProgramTry[] = [];
      for (const [at, { place, newName }] of pickRenames(program, renames, random).entries()) {
        const outcome = await world.rename({ ...place, newName, aliasPolicy: 'through' }, true, 'first');
        const isApplied = outcome.kind === 'ok' && outcome.state === 'applied';
        const after = isApplied ? await run() : before;
        if (isApplied) await world.undo(outcome.plan.id);
        const [left] = listChanged(original, snapshotTree(root));
        const failure =
          after !== before
            ? `prints something else:\n${after}`
            : left === undefined
              ? undefined
              : `${left} is not as it was`;
        const one: ProgramTry = {
          seed,
          looseShare: program.looseShare,
          place,
          newName,
          outcome: isApplied ? 'applied' : outcome.kind,
          reason: whyNot(world, outcome),
          failure,
          asCase: failure === undefined ? undefined : caseOf(program, place, newName, before, `${seed}-${at}`),
        };
        tries.push(one);
        onTried?.(one);
        // Nothing after it would mean anything.
        if (left !== undefined) break;
      }
      return tries;
    } finally {
      await world.close();
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function pickRenames(
  { places }: Program,
  count: number,
  random: Random,
): readonly { readonly place: ProgramPlace; readonly newName: string }[] {
  // Locals and types hold; what the fuzz is for is the names of members.
  const members = places.filter(({ name }) => (memberNames as readonly string[]).includes(name));
  return Array.from({ length: count }, (_, at) => {
    const place = random.pick(random.chance(0.7) ? members : places) as ProgramPlace;
    const taken = random.chance(0.2) ? random.pick(random.chance(0.8) ? memberNames : protocolNames) : undefined;
    const fresh = /^\p{Lu}/u.test(place.name) ? `Renamed${at}` : `renamed${at}`;
    return { place, newName: taken === undefined || taken === place.name ? fresh : taken };
  });
}

type World = Awaited<ReturnType<typeof openFuzzWorld>>;

function whyNot(world: World, outcome: Awaited<ReturnType<World['rename']>>): string {
  if ('reason' in outcome) return `${outcome.reason}: ${outcome.detail}`;
  const items =
    outcome.kind === 'needs_decision' && outcome.plan !== null ? world.plan(outcome.plan.id)?.items : undefined;
  return items?.map(({ kind, path, line, detail }) => `${kind} ${path}:${line} ${detail}`).join(' · ') ?? '';
}

function caseOf(
  { files }: Program,
  { path, line, col }: ProgramPlace,
  newName: string,
  before: string,
  id: string,
): BehaviourCase {
  return {
    id,
    area: 'fuzz',
    class: 'generated',
    kind: 'rename',
    args: [`${path}:${line}:${col}`, newName],
    files,
    run: command,
    before,
    expect: 'apply',
    judge: 'run',
  };
}
