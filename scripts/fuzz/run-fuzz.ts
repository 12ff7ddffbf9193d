/** A whole run over a tree that may be written to: picks, tries, and looks at what tries that `tsc` was not asked about add up to. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupEdits, spliceText } from './compare-names.ts';
import { compareSaid, compileTree } from './compile.ts';
import { openFuzzWorld } from './fuzz-world.ts';
import { createOracle, type OracleEdit } from './oracle.ts';
import { pickSymbols, pickWide } from './pick-symbols.ts';
import { createRandom } from './random.ts';
import { listChanged, snapshotTree } from './snapshot-tree.ts';
import { type Tried, tryRename } from './try-rename.ts';

export type FuzzSettings = {
  readonly root: string;
  readonly stateDir: string;
  readonly count: number;
  /** Besides those, so many whose names stand in twenty files or more. */
  readonly wide?: number | undefined;
  readonly seed: number;
  /** Asked after every rename, or once of all that fit together. */
  readonly tsc: 'each' | 'together' | 'never';
  /** Of what can be renamed back, how much is; the rest is undone. */
  readonly backShare: number;
  /** Only these numbers of the run. */
  readonly only?: ReadonlySet<number> | undefined;
  readonly until?: (() => boolean) | undefined;
  readonly onTried?: ((tried: Tried, number: number) => void) | undefined;
};

export type FuzzRun = { readonly tried: readonly Tried[]; readonly together: readonly string[] };

export async function runFuzz(settings: FuzzSettings): Promise<FuzzRun> {
  const { root, stateDir, count, seed, tsc, backShare, only } = settings;
  const oracle = createOracle(root, 'tsconfig.json');
  const random = createRandom(seed);
  const picks = [...pickSymbols(oracle, count, random), ...pickWide(oracle, settings.wide ?? 0, random, 20)];
  const said = tsc === 'never' ? undefined : compileTree(root);
  const world = await openFuzzWorld(root, stateDir);
  const tried: Tried[] = [];
  try {
    const trial = { root, world, oracle, original: snapshotTree(root), said: tsc === 'each' ? said : undefined };
    for (const [number, picked] of picks.entries()) {
      if (settings.until?.() === true) break;
      const renamesBack = random.chance(backShare);
      if (only !== undefined && !only.has(number)) continue;
      const one = await tryRename(trial, picked, renamesBack);
      tried.push(one);
      settings.onTried?.(one, number);
      // Nothing after it would mean anything.
      if (one.failures.some((failure) => failure.includes('is not as it was'))) break;
    }
    const together = tsc === 'together' && said !== undefined ? compileTogether(root, oracle, said, tried) : [];
    const changed = listChanged(trial.original, snapshotTree(root));
    return { tried, together: [...together, ...changed.map((path) => `${path} is not as it was at the end`)] };
  } finally {
    await world.close();
  }
}

/** All renames to fresh names that do not meet, in one tree. */
function compileTogether(
  root: string,
  oracle: ReturnType<typeof createOracle>,
  said: ReturnType<typeof compileTree>,
  tried: readonly Tried[],
): readonly string[] {
  const spans = new Set<string>();
  const edits: OracleEdit[] = [];
  const names: string[] = [];
  for (const { picked, edits: own } of tried) {
    if (!picked.isFresh || own.some(({ path, start }) => spans.has(`${path}:${start}`))) continue;
    for (const edit of own) spans.add(`${edit.path}:${edit.start}`);
    edits.push(...own);
    names.push(picked.newName, picked.oldName);
  }
  const byPath = groupEdits(edits);
  const old = new Map([...byPath.keys()].map((path) => [path, oracle.text(path)]));
  try {
    for (const [path, ones] of byPath) writeFileSync(join(root, path), spliceText(old.get(path) ?? '', ones));
    const longest = names.sort((a, b) => b.length - a.length);
    return compareSaid(said, compileTree(root), edits, longest).map((one) => `tsc together ${one}`);
  } finally {
    for (const [path, text] of old) writeFileSync(join(root, path), text);
  }
}
