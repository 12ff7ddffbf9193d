/**
 * A git repository in which changes are asked for as every surface does: through `runMutation`, each request a session of its own, with
 * the real compiler. The clock stands still unless it is moved, and a compiler that fails can be had.
 */

import { chmodSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../src/kernel/base/hash.ts';
import type { Answer, CommitRequest, Proof } from '../../src/mutate/answer.ts';
import { quoteAt } from '../../src/mutate/plans/anchors.ts';
import { candidateId } from '../../src/mutate/plans/ids.ts';
import type { Plan } from '../../src/mutate/plans/plan.ts';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import { findMainGroup, readSelection } from '../../src/mutate/plans/selection.ts';
import { requiredProofOf } from '../../src/mutate/questions/required-proof.ts';
import type { AnyAnswer, Change } from '../../src/serve/changes/change.ts';
import move from '../../src/serve/changes/move.ts';
import { planCancel, planCommit, planShow, planUndo } from '../../src/serve/changes/plan-requests.ts';
import rename from '../../src/serve/changes/rename.ts';
import { type ChangeSettings, runChange } from '../../src/serve/changes/run-change.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from './indexed-tree.ts';

export type ChangeWorld = {
  readonly tree: IndexedTree;
  readonly clock: { nowMs: number };
  /** As the next request is to find it. */
  settings: Partial<ChangeSettings>;
  /** `at` is `path:text` with the target marked `«a»`, `path:line:col`, or a name path. */
  rename(at: string, newName: string, more?: Readonly<Record<string, unknown>>): Promise<Answer>;
  move(file: string, to: string, more?: Readonly<Record<string, unknown>>): Promise<Answer>;
  commit(plan: Plan, change?: Partial<CommitRequest>): Promise<Answer>;
  undo(plan: Plan): Promise<Answer>;
  cancel(plan: Plan): Promise<Answer>;
  show(plan: Plan): Promise<Answer>;
  planOf(answer: Answer): Plan;
  findPlan(id: string): Plan | undefined;
  /** The main group, and for each question the option that is named by its kind; the first otherwise. */
  select(plan: Plan, options?: Readonly<Record<string, string>>): readonly string[];
  /** What a reader of the files finds at the places that are required. */
  proof(plan: Plan, selections: readonly string[]): Proof;
  read(path: string): string;
  mode(path: string): number;
  write: IndexedTree['write'];
  dispose(): Promise<void>;
};

export const projectConfig = JSON.stringify({
  compilerOptions: {
    target: 'esnext',
    // Without the browser's library a program opens in a fifth of the time.
    lib: ['esnext'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    allowJs: true,
    jsx: 'preserve',
    strict: true,
    noEmit: true,
    types: [],
  },
});

/** With a `tsconfig.json` that means everything, where the files bring none. */
export function openChangeWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  given: {
    readonly settings?: Partial<ChangeSettings>;
    readonly config?: boolean;
    readonly modes?: Readonly<Record<string, number>>;
  } = {},
): ChangeWorld {
  const tree = createIndexedTree({ ...(given.config === false ? {} : { 'tsconfig.json': projectConfig }), ...files });
  for (const [path, mode] of Object.entries(given.modes ?? {})) chmodSync(join(tree.root, path), mode);
  const clock = { nowMs: 1_800_000_000_000 };
  let count = 0;
  const read = (path: string) => readFileSync(join(tree.root, path), 'utf8');

  const ask = async <I, O extends AnyAnswer>(mutation: Change<I, O>, input: unknown): Promise<O> => {
    const outcome = await runChange(mutation, input, {
      ...sessionSettings(tree.root, tree.stateDir, true),
      nowMs: () => clock.nowMs,
      waitMs: 100_000,
      random: () => {
        count += 1;
        return sha256Hex(`${process.pid} ${count}`).slice(0, 16);
      },
      onStep: () => {},
      semantic: { toolPaths: {}, maxFileMb: 512 },
      ...world.settings,
    });
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
    return outcome.answer;
  };
  const withPlans = <T>(use: (plans: ReturnType<typeof storeOf>) => T): T => {
    const plans = storeOf(tree.stateDir);
    try {
      return use(plans);
    } finally {
      plans.close();
    }
  };
  const world: ChangeWorld = {
    tree,
    clock,
    settings: given.settings ?? {},
    read,
    mode: (path) => lstatSync(join(tree.root, path)).mode & 0o777,
    write: tree.write,
    rename: (at, newName, more = {}) =>
      ask(rename, { target: findAt(at, read), new_name: newName, wait_ms: 0, ...more }),
    move: (file, to, more = {}) => ask(move, { file, to, wait_ms: 0, ...more }),
    commit(plan, change = {}) {
      const selections = change.selections ?? world.select(plan);
      return ask(planCommit, {
        plan_id: plan.id,
        plan_hash: plan.hash,
        root_hash: plan.rootHash,
        selections,
        // Read only where it is not given: a file may be gone.
        ...('proof' in change ? {} : { proof: world.proof(plan, selections) }),
        ...change,
      });
    },
    undo: (plan) => ask(planUndo, { plan_id: plan.id }),
    cancel: (plan) => ask(planCancel, { plan_id: plan.id }),
    show: (plan) => ask(planShow, { plan_id: plan.id }),
    planOf(answer) {
      const id = 'plan' in answer.outcome ? answer.outcome.plan?.id : undefined;
      const plan = id === undefined ? undefined : world.findPlan(id);
      if (plan === undefined) throw new Error(JSON.stringify(answer.outcome, null, 1));
      return plan;
    },
    findPlan: (id) => withPlans((plans) => plans.find(id)),
    select(plan, options = {}) {
      const main = findMainGroup(plan);
      const chosen = plan.items.map(({ id, kind, options: all }) =>
        candidateId(id, options[id] ?? options[kind] ?? all[0]?.id ?? ''),
      );
      return [...(main === undefined ? [] : [main.id]), ...chosen];
    },
    proof(plan, selections) {
      const required = requiredProofOf(plan, readSelection(plan, selections).groups);
      const places = [...plan.groups.flatMap(({ edits }) => edits), ...plan.items];
      const textOf = (file: string) => read(file).replace(/^\ufeff/, '');
      const lineOf = (file: string, line: number) => textOf(file).split(/\r?\n/)[line - 1] ?? '';
      return {
        identity: required.identity ? plan.symbol.namePath : '',
        lines: required.lines.map(({ file, line }) => ({ file, line, text: lineOf(file, line) })),
        anchors: required.anchors.map(({ file, line, col }) => {
          const length =
            places.find((one) => one.path === file && one.line === line && one.col === col)?.anchor.text.length ??
            plan.symbol.name.length;
          return { file, line, col, ...quoteAt(lineOf(file, line), col - 1, col - 1 + length) };
        }),
      };
    },
    dispose: () => tree.dispose(),
  };
  return world;
}

function storeOf(stateDir: string) {
  const opened = openPlanStore(stateDir);
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return opened.plans;
}

/** A place that is named by the text around it. */
function findAt(at: string, read: (path: string) => string): string {
  if (!at.includes('«')) return at;
  const colon = at.indexOf(':');
  const path = at.slice(0, colon);
  const [before = '', name = '', after = ''] = at.slice(colon + 1).split(/[«»]/);
  const text = read(path).replace(/^\ufeff/, '');
  const start = text.indexOf(`${before}${name}${after}`);
  if (start < 0) throw new Error(`nothing at ${at}`);
  const lines = text.slice(0, start + before.length).split('\n');
  return `${path}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}
