/**
 * Random renames and moves of a real project, with its own tests as the judge. Each is planned on the project as it is, by one session with
 * a warm compiler; what would be applied without a question is written to a copy, independent ones together, and the tests run once for
 * all of them. Where they break, halves are tried until the change that breaks them stands alone. Everything is in a log that a later run goes on with.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileMove } from '../../src/mutate/compiler/session/messages.ts';
import { splice } from '../../src/mutate/plans/apply-selection.ts';
import type { Edit } from '../../src/mutate/plans/plan.ts';
import { runCommand } from '../conformance/run-behaviour.ts';
import { type FuzzWorld, openFuzzWorld } from './fuzz-world.ts';
import { appendToLog, readLog } from './line-log.ts';
import { type ChangeKind, type PickedChange, pickChanges } from './pick-changes.ts';
import { createRandom } from './random.ts';

type PlannedEdit = Pick<Edit, 'path' | 'startByte' | 'endByte' | 'oldText' | 'newText'>;

export type ProjectTry = PickedChange & {
  /** `applied`: planned, proven and without a question. Else what was answered. */
  readonly outcome: string;
  /** Of what is not applied: the kinds of its questions, or why it was refused. */
  readonly reasons: readonly string[];
  readonly details: readonly string[];
  readonly ms: number;
  readonly edits: readonly PlannedEdit[];
  readonly moves: readonly FileMove[];
};

/** `together`: broken beside others, and not alone. */
type ProjectVerdict = {
  readonly id: string;
  readonly verdict: 'green' | 'broken' | 'together';
  readonly says: string;
};

export type ProjectSettings = {
  readonly root: string;
  /** What is kept for the next run: the copy, the index, `log.jsonl`. */
  readonly work: string;
  readonly tests: string;
  readonly within: readonly string[];
  readonly kinds?: readonly ChangeKind[] | undefined;
  /** How many of each kind, in turn. */
  readonly count: number;
  readonly seed: number;
  /** How many changes share a run of the tests. */
  readonly batch: number;
  readonly limitMs?: number | undefined;
  readonly until?: (() => boolean) | undefined;
  readonly onTried?: ((tried: ProjectTry) => void) | undefined;
  readonly onVerdict?: ((verdict: ProjectVerdict) => void) | undefined;
  /** A fault for tests of this harness: what is written instead of the plan. */
  readonly spoil?: ((edits: readonly PlannedEdit[]) => readonly PlannedEdit[]) | undefined;
};

export type ProjectLog = {
  /** What was changed, as its manifest says. */
  readonly version: string;
  readonly tries: readonly ProjectTry[];
  readonly verdicts: ReadonlyMap<string, ProjectVerdict>;
};

const maxDetails = 6;

export async function runProject(settings: ProjectSettings): Promise<ProjectLog> {
  const { root, work, within, kinds, count, seed, batch } = settings;
  const data = join(work, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const log = join(work, 'log.jsonl');
  const known = readProjectLog(log);
  const write = (line: object) => appendToLog(log, line);
  if (known.version === '') write({ version: readVersion(root) });
  const judge = await openJudge(settings, (verdict) => {
    write({ verdict });
    settings.onVerdict?.(verdict);
  });
  const done = new Set(known.tries.map(({ id }) => id));
  let waiting = known.tries.filter(({ id, outcome }) => outcome === 'applied' && !known.verdicts.has(id));
  let running: Promise<unknown> | undefined;
  const judgeSome = () => {
    const taken = takeIndependent(waiting, batch);
    waiting = waiting.filter((one) => !taken.includes(one));
    running = judge(taken).finally(() => {
      running = undefined;
    });
  };
  const world = await openFuzzWorld(root, data);
  try {
    for (const picked of pickChanges({ root, within, kinds, count, random: createRandom(seed) })) {
      if (settings.until?.() === true) break;
      if (done.has(picked.id)) continue;
      const tried = await planChangeOf(world, picked);
      write({ tried });
      settings.onTried?.(tried);
      if (tried.outcome === 'applied') waiting.push(tried);
      if (waiting.length >= 2 * batch) await running;
      if (waiting.length >= batch && running === undefined) judgeSome();
    }
    while (waiting.length > 0 || running !== undefined) {
      await running;
      if (waiting.length > 0) judgeSome();
    }
  } finally {
    await running;
    await world.close();
  }
  return readProjectLog(log);
}

export function readProjectLog(path: string): ProjectLog {
  const read = readLog<{ version?: string; tried?: ProjectTry; verdict?: ProjectVerdict }>(path);
  return {
    version: read.find(({ version }) => version !== undefined)?.version ?? '',
    tries: read.flatMap(({ tried }) => tried ?? []),
    verdicts: new Map(read.flatMap(({ verdict }) => (verdict === undefined ? [] : [[verdict.id, verdict]]))),
  };
}

function readVersion(root: string): string {
  const path = join(root, 'package.json');
  const { version = 'of no version' } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return String(version);
}

async function planChangeOf(world: FuzzWorld, picked: PickedChange): Promise<ProjectTry> {
  const started = performance.now();
  const outcome =
    picked.kind === 'move'
      ? await world.move(picked.path, picked.to)
      : await world.rename(
          { ...picked, newName: picked.to, aliasPolicy: 'through', publicNames: 'ask' },
          false,
          'first',
        );
  const ms = Math.round(performance.now() - started);
  const plan = 'plan' in outcome && outcome.plan !== null ? world.plan(outcome.plan.id) : undefined;
  if (outcome.kind === 'ok' && plan?.provenance === 'proven') {
    const edits = plan.groups.flatMap((group) =>
      group.edits.map(({ path, startByte, endByte, oldText, newText }) => ({
        path,
        startByte,
        endByte,
        oldText,
        newText,
      })),
    );
    return { ...picked, outcome: 'applied', reasons: [], details: [], ms, edits, moves: plan.moves };
  }
  const items = plan?.items ?? [];
  const reasons = 'reason' in outcome ? [outcome.reason] : [...new Set(items.map(({ kind }) => kind))].sort();
  const details =
    'reason' in outcome
      ? [outcome.detail]
      : items.map(({ kind, path, line, col, detail }) => `${kind} ${path}:${line}:${col} ${detail}`);
  return {
    ...picked,
    outcome: outcome.kind,
    reasons,
    details: details.slice(0, maxDetails),
    ms,
    edits: [],
    moves: [],
  };
}

/** As many as fit together, first come first: no two meet in a place, and no two moves in a file. */
function takeIndependent(waiting: readonly ProjectTry[], most: number): readonly ProjectTry[] {
  const taken: ProjectTry[] = [];
  const spans = new Set<string>();
  const moving = new Set<string>();
  for (const tried of waiting) {
    if (taken.length === most) break;
    const own = tried.edits.map(({ path, startByte }) => `${path}:${startByte}`);
    const isMove = tried.moves.length > 0;
    const files = [...tried.edits.map(({ path }) => path), ...tried.moves.flatMap(({ from, to }) => [from, to])];
    if (own.some((span) => spans.has(span)) || (isMove && files.some((path) => moving.has(path)))) continue;
    for (const span of own) spans.add(span);
    if (isMove) for (const path of files) moving.add(path);
    taken.push(tried);
  }
  return taken;
}

type Judge = (changes: readonly ProjectTry[]) => Promise<boolean>;

/** Throws where the tests of the project as it is are not green: nothing after it would mean anything. */
async function openJudge(
  { root, work, tests, limitMs = 300_000, spoil = (edits) => edits }: ProjectSettings,
  tell: (verdict: ProjectVerdict) => void,
): Promise<Judge> {
  const tree = join(work, 'tree');
  // A run that was stopped may have left changes in it.
  if (existsSync(tree)) restoreTree(root, tree);
  else {
    // A copy that was cut short is no copy.
    rmSync(`${tree}.part`, { recursive: true, force: true });
    execFileSync('cp', ['-a', root, `${tree}.part`]);
    renameSync(`${tree}.part`, tree);
  }
  const run = async () => {
    const said = await runCommand(tests, tree, join(work, 'tmp'), limitMs);
    rmSync(join(work, 'tmp'), { recursive: true, force: true });
    return said;
  };
  const before = await run();
  if (!before.startsWith('rc=0')) throw new Error(`the tests are not green before any change:\n${before.slice(-2000)}`);
  const passed = countPassed(before);
  const tryThem = async (changes: readonly ProjectTry[]) => {
    const restore = writeChanges(root, tree, changes, spoil);
    try {
      const said = await run();
      if (said.startsWith('rc=0') && countPassed(said) === passed) return undefined;
      return `${countPassed(said)} of ${passed} passed: ${said.slice(-3000)}`;
    } finally {
      restore();
    }
  };
  const judge: Judge = async (changes) => {
    const says = changes.length === 0 ? undefined : await tryThem(changes);
    // A test that fails now and then fails without a change as well.
    if (says === undefined || (await tryThem(changes)) === undefined) {
      for (const { id } of changes) tell({ id, verdict: 'green', says: says === undefined ? '' : 'at the second run' });
      return true;
    }
    if (changes.length === 1) {
      for (const { id } of changes) tell({ id, verdict: 'broken', says });
      return false;
    }
    const half = Math.ceil(changes.length / 2);
    const areGreen = [await judge(changes.slice(0, half)), await judge(changes.slice(half))];
    if (areGreen.every((isGreen) => isGreen)) for (const { id } of changes) tell({ id, verdict: 'together', says });
    return false;
  };
  return judge;
}

/** Every number that a runner calls passed; a test that is not run any more is missed in it. */
function countPassed(said: string): string {
  return [...said.matchAll(/\bpass (\d+)|(\d+) (?:tests? )?pass(?:ed|ing)\b/g)]
    .map(([, first, second]) => first ?? second)
    .join('+');
}

function writeChanges(
  root: string,
  tree: string,
  changes: readonly ProjectTry[],
  spoil: (edits: readonly PlannedEdit[]) => readonly PlannedEdit[],
): () => void {
  const edits = Map.groupBy(
    changes.flatMap((change) => spoil(change.edits)),
    ({ path }) => path,
  );
  const moves = new Map(changes.flatMap((change) => change.moves.map(({ from, to }) => [from, to])));
  const touched = new Set([...edits.keys(), ...moves.keys()]);
  for (const path of touched) {
    const spliced = splice(readFileSync(join(root, path)), edits.get(path) ?? []);
    if (spliced.kind !== 'spliced') throw new Error(`edits of ${path} do not fit: ${spliced.kind}`);
    const to = moves.get(path) ?? path;
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    if (to !== path) rmSync(join(tree, path));
    writeFileSync(join(tree, to), spliced.bytes);
  }
  return () => {
    for (const to of moves.values()) rmSync(join(tree, to), { force: true });
    for (const path of touched) writeFileSync(join(tree, path), readFileSync(join(root, path)));
  };
}

function restoreTree(root: string, tree: string): void {
  execFileSync('git', ['clean', '-qfd'], { cwd: tree });
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const path of listed.split('\0').filter((one) => one !== '' && existsSync(join(root, one)))) {
    const bytes = readFileSync(join(root, path));
    if (existsSync(join(tree, path)) && bytes.equals(readFileSync(join(tree, path)))) continue;
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), bytes);
  }
}
