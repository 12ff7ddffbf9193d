/**
 * M1: every outcome, every reason and every kind of question is the answer to a real request, through the door that every surface uses,
 * with the real compiler. What no request can lead to yet is listed with why; a name in `outcome.ts` that is in neither list fails.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../src/mutate/answer.ts';
import { applyChanges } from '../../src/mutate/apply/apply-changes.ts';
import { noHooks } from '../../src/mutate/apply/target.ts';
import { openCompiler } from '../../src/mutate/compiler/session/open-compiler.ts';
import { planChange } from '../../src/mutate/plan-change.ts';
import type { Plan } from '../../src/mutate/plans/plan.ts';
import { openPlanStore } from '../../src/mutate/plans/plan-store.ts';
import {
  blockedReasons,
  itemKinds,
  outcomeKinds,
  refusedReasons,
  unsupportedReasons,
} from '../../src/mutate/vocabulary.ts';
import { runInSession } from '../../src/serve/changes/run-change.ts';
import { parseChange } from '../../src/serve/workspace/json-schemas.ts';
import { type ChangeWorld, openChangeWorld } from '../support/change-world.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;
type Case = {
  readonly files: Files;
  readonly ask: (world: ChangeWorld) => Promise<Answer>;
  /** Of `detail`, or of the question's. */
  readonly says?: RegExp;
};

const worlds: ChangeWorld[] = [];
const after: (() => void)[] = [];
afterEach(async () => {
  for (const undo of after.splice(0)) undo();
  for (const world of worlds.splice(0)) await world.dispose();
});

/** A rename of what is marked. */
const rename =
  (at: string, to = 'sum', more: Readonly<Record<string, unknown>> = {}) =>
  (world: ChangeWorld) =>
    world.rename(at, to, more);

/** A plan, then what becomes of it. */
const planned =
  (
    at: string,
    then: (world: ChangeWorld, plan: Plan) => Promise<Answer>,
    more: Readonly<Record<string, unknown>> = {},
  ) =>
  async (world: ChangeWorld) =>
    then(world, world.planOf(await world.rename(at, 'sum', more)));

const one: Files = { 'a.ts': 'export const total = 1;\nconsole.log(total);\n' };
const atTotal = 'a.ts:const «total»';
const box = 'export class Box {\n  size = 1;\n}\nnew Box().size;\n';
const asking: Files = { 'a.ts': `${box}export function grow(box: any) {\n  box.size += 1;\n}\n` };
const keyed: Files = {
  'a.ts': `${box}function pick(box: Box, key: keyof Box) {\n  console.log(key);\n  return box[key];\n}\npick(new Box(), "size");\n`,
};
const empty = { identity: '', lines: [], anchors: [] };
const forced = { mode: 'force_syntactic' };

const blocked: Readonly<Partial<Record<(typeof blockedReasons)[number], Case>>> = {
  not_fresh: {
    files: { 'a.py': 'def area():\n    pass\n\n\narea()\n' },
    ask: rename('a.py:def «area»'),
    says: /a\.py is not clean/,
  },
  refresh_failed: {
    files: one,
    ask: (world) => {
      // A compiler whose answers are too long for what it may say.
      const { root } = world.tree;
      const signal = new AbortController().signal;
      world.settings = {
        openCompiler: (programs) =>
          openCompiler({ root, programs, environment: process.env, signal, limits: { answerBytes: 100 } }),
      };
      return world.rename(atTotal, 'sum');
    },
    says: /the compiler gave no answer/,
  },
  files_changed: {
    files: one,
    ask: planned(atTotal, (world, plan) => {
      world.write('a.ts', `${one['a.ts']}//\n`);
      return world.commit(plan, { proof: empty });
    }),
    says: /a\.ts/,
  },
  recovery_conflict: {
    files: { ...one, 'b.ts': 'import { total } from "./a.ts";\nconsole.log(total);\n' },
    ask: planned(atTotal, (world, plan) => {
      cutOff(world, plan);
      world.write('a.ts', 'mine\n');
      return world.rename('b.ts:log(«total»', 'other');
    }),
    says: /interrupted/,
  },
  truncated: { files: { ...one, 'big.ts': 'total;\n'.repeat(200_001) }, ask: rename(atTotal), says: /more places/ },
};

const refused: Readonly<Partial<Record<(typeof refusedReasons)[number], Case>>> = {
  no_symbol: { files: { 'a.ts': 'export {};\n\n' }, ask: rename('a.ts:2:1'), says: /no identifier at a\.ts:2:1/ },
  not_renamable: {
    files: { 'a.ts': 'export class A { m() { return this; } }\n' },
    ask: rename('a.ts:«this»'),
    says: /keyword/,
  },
  external_symbol: {
    files: { 'a.ts': 'export const a = new Map();\n' },
    ask: rename('a.ts:«Map»'),
    says: /outside the repository/,
  },
  external_family: {
    files: { 'a.ts': 'export class Broken extends Error {\n  override message = "x";\n}\n' },
    ask: rename('a.ts:override «message»'),
    says: /must change together/,
  },
  vendored: {
    files: { ...one, 'vendor/lib.ts': 'import { total } from "../a.ts";\nconsole.log(total);\n' },
    ask: rename(atTotal),
    says: /vendor\/lib\.ts/,
  },
  divergence: { files: twoViews(), ask: rename('use.ts:log(«a»'), says: /different declarations/ },
  invalid_name: { files: one, ask: rename(atTotal, '1b'), says: /not an identifier/ },
  reserved_name: { files: one, ask: rename(atTotal, 'class'), says: /reserved/ },
  same_name: { files: one, ask: rename(atTotal, 'total'), says: /already called/ },
  collision: { files: { 'a.ts': `${one['a.ts']}export const sum = 2;\n` }, ask: rename(atTotal), says: /a\.ts:3:14/ },
  capture: {
    files: { 'a.ts': `${one['a.ts']}export const f = (sum: number) => sum + total;\n` },
    ask: rename(atTotal),
    says: /nearer/,
  },
  export_clash: {
    files: {
      ...one,
      'b.ts': 'export const sum = 1;\n',
      'i.ts': 'export { total } from "./a.ts";\nexport { sum } from "./b.ts";\n',
    },
    ask: rename(atTotal),
    says: /already exports/,
  },
  case_clash: {
    files: { 'a.php': '<?php\nfunction total() {}\ntotal();\n' },
    ask: rename('a.php:function «total»', 'Total', forced),
    says: /PHP does not tell/,
  },
  file_name_coupled: {
    files: { 'A.java': 'public class A {\n  A() {}\n}\n' },
    ask: rename('A.java:class «A»', 'B', forced),
    says: /A\.java/,
  },
  bindings_change: {
    // The compiler reads the file, and it cannot be edited: left alone, its import means nothing any more.
    files: { ...one, 'n.ts': 'import { total } from "./a.ts";\n\0\0 total\n' },
    ask: planned(atTotal, (world, plan) => world.commit(plan)),
    says: /something else/,
  },
  new_diagnostics: {
    files: keyed,
    ask: async (world) => {
      const plan = world.planOf(await world.rename('Box/size', 'width'));
      return world.commit(plan, { selections: world.select(plan, { string_reference: 'leave' }) });
    },
    says: /errors/,
  },
  parse_breaks: {
    files: { 'a.ts': 'export function f() {\n  const x = 1;\n  return x;\n}\n' },
    ask: rename('a.ts:const «x»', 'class', forced),
    says: /parse/,
  },
  read_only: {
    files: one,
    ask: (world) => {
      chmodSync(join(world.tree.root, 'a.ts'), 0o444);
      return world.rename(atTotal, 'sum');
    },
    says: /a\.ts/,
  },
  hard_linked: {
    files: one,
    ask: (world) => {
      linkSync(join(world.tree.root, 'a.ts'), join(world.tree.root, 'b.ts'));
      return world.rename(atTotal, 'sum');
    },
    says: /two names/,
  },
  odd_lines: {
    files: { 'a.ts': 'export const s = 1;\rexport const total = 1;\n' },
    ask: rename('a.ts:const «total»'),
    says: /line ends/,
  },
  encoding: {
    files: { ...one, 'b.ts': Buffer.from('const é = 1;\n', 'latin1') },
    ask: (world) => world.move('b.ts', 'c.ts'),
    says: /b\.ts/,
  },
  conflicted: {
    files: { 'a.ts': '<<<<<<< HEAD\nexport const total = 1;\n=======\nexport const total = 2;\n>>>>>>> b\n' },
    ask: rename(atTotal),
    says: /conflict/,
  },
  plan_not_found: {
    files: one,
    ask: planned(atTotal, (world, plan) => world.commit({ ...plan, id: 'p-none' })),
    says: /p-none/,
  },
  plan_expired: {
    files: one,
    ask: planned(atTotal, (world, plan) => {
      world.clock.nowMs += 24 * 60 * 60 * 1000;
      return world.commit(plan);
    }),
    says: /expired at/,
  },
  plan_used: {
    files: one,
    ask: planned(atTotal, async (world, plan) => {
      await world.commit(plan);
      return world.commit(plan, { proof: empty });
    }),
    says: /was committed at/,
  },
  plan_cancelled: {
    files: one,
    ask: planned(atTotal, async (world, plan) => {
      await world.cancel(plan);
      return world.commit(plan);
    }),
  },
  plan_mismatch: {
    files: one,
    ask: planned(atTotal, (world, plan) => world.commit(plan, { plan_hash: 'other' })),
    says: /has the hash/,
  },
  lock_in_the_way: {
    files: one,
    ask: planned(atTotal, (world, plan) => {
      mkdirSync(join(world.tree.root, '.codegenie.lock'));
      return world.commit(plan);
    }),
    says: /\.codegenie\.lock is no lock of ours/,
  },
  wrong_worktree: {
    files: one,
    ask: planned(atTotal, (world, plan) => world.commit(plan, { root_hash: '0123456789abcdef' })),
    says: /root_hash: 0123456789abcdef was given/,
  },
  selection_invalid: {
    files: one,
    ask: planned(atTotal, (world, plan) => world.commit(plan, { selections: ['g-none'] })),
    says: /g-none/,
  },
  proof_incomplete: {
    files: asking,
    ask: planned('Box/size', (world, plan) => world.commit(plan, { proof: empty })),
    says: /missing: identity/,
  },
  proof_mismatch: {
    files: asking,
    ask: planned('Box/size', (world, plan) => {
      const proof = world.proof(plan, world.select(plan));
      return world.commit(plan, { proof: { ...proof, identity: 'Box/other' } });
    }),
    says: /identity/,
  },
  undo_conflict: {
    files: one,
    ask: planned(atTotal, async (world, plan) => {
      await world.commit(plan);
      world.write('a.ts', `${world.read('a.ts')}//\n`);
      return world.undo(plan);
    }),
    says: /a\.ts/,
  },
};

const unsupported: Readonly<Partial<Record<(typeof unsupportedReasons)[number], Case>>> = {
  language: { files: { 'A.java': 'public class A {\n  A() {}\n}\n' }, ask: rename('A.java:class «A»'), says: /java/ },
  operation: {
    files: one,
    // No surface has it: it is declared, and not implemented.
    ask: (world) => askOperation(world),
    says: /safe_delete is not implemented/,
  },
  missing_tool: {
    files: { 'go.mod': 'module x\n', 'a.go': 'package x\n\nfunc Total() {}\n' },
    ask: (world) => {
      world.settings = { environment: { PATH: '/nowhere', HOME: world.tree.base } };
      return world.rename('a.go:func «Total»', 'Sum');
    },
    says: /no indexer looks at a\.go/,
  },
};

const questions: Readonly<Partial<Record<keyof typeof itemKinds, Case>>> = {
  unaccounted_token: {
    files: { ...one, 'u.ts': 'export {};\nconsole.log(total);\n' },
    ask: rename(atTotal),
    says: /no meaning/,
  },
  untyped_access: { files: asking, ask: rename('Box/size', 'width'), says: /knows nothing/ },
  string_reference: { files: keyed, ask: rename('Box/size', 'width'), says: /key of a type/ },
  dynamic_access: {
    files: {
      'a.ts':
        'export class Box {\n  [key: string]: number;\n  size = 1;\n}\nexport const at = (box: Box, key: string) => box[key];\n',
    },
    ask: rename('Box/size', 'width'),
    says: /only the running program knows/,
  },
  untyped_boundary: {
    files: { 'a.ts': `${box}export const read = JSON.parse("{}") as Box;\n` },
    ask: rename('Box/size', 'width'),
  },
  untyped_exit: {
    files: { 'a.ts': `${box}export const print = (box: Box) => JSON.stringify(box);\n` },
    ask: rename('Box/size', 'width'),
    says: /may read the names of its members/,
  },
  structural_tie: {
    files: {
      'a.ts':
        'export interface Box {\n  size?: number;\n}\nexport const measure = (box: Box) => box.size;\nconst crate = { size: 1 };\nmeasure(crate);\n',
    },
    ask: rename('Box/size', 'width'),
    says: /fits by a `size` of its own/,
  },
  unresolved_reference: { files: notInstalled(), ask: rename('p/total.ts:const «total»'), says: /cannot follow/ },
  unreadable_file: {
    files: { ...one, 'u.vue': '<script>\nimport { total } from "./a.ts";\n</script>\n' },
    ask: rename(atTotal),
    says: /not parsed/,
  },
  parse_error: { files: { ...one, 'u.js': '@@@ total ###\n' }, ask: rename(atTotal), says: /does not parse/ },
  generated_code: {
    files: { ...one, 'u.ts': '// @generated\nimport { total } from "./a.ts";\nconsole.log(total);\n' },
    ask: rename(atTotal),
    says: /2 times/,
  },
  public_api: {
    files: { 'package.json': '{"name":"x","version":"1.0.0","main":"./a.ts"}', ...one },
    ask: rename(atTotal),
    says: /users of the package/,
  },
  unknown_inherited: {
    files: {
      'a.ts': 'import { Base } from "nowhere";\nexport class Box extends Base {\n  size = 1;\n}\nnew Box().size;\n',
    },
    ask: rename('Box/size', 'width'),
    says: /cannot be listed/,
  },
  convention_name: {
    files: {
      'package.json': '{"name":"x","private":true,"dependencies":{"next":"1"}}',
      'pages/i.ts': 'export function getServerSideProps() {}\n',
    },
    ask: rename('pages/i.ts:function «getServerSideProps»'),
    says: /finds `getServerSideProps`/,
  },
  protocol_name: {
    files: { 'm.ts': 'export class Money {\n  toJSON() {\n    return 1;\n  }\n}\n' },
    ask: rename('Money/toJSON', 'plain'),
    says: /`JSON.stringify` calls/,
  },
  ambient_name: {
    files: { 'env.d.ts': 'declare const VERSION: string;\n', 'u.ts': 'console.log(VERSION);\n' },
    ask: rename('env.d.ts:const «VERSION»', 'RELEASE'),
    says: /is only declared here/,
  },
  text_reference: {
    files: { 'src/job.ts': 'export function run() {}\n', 'cron.yml': 'handler: src/job.run\n' },
    ask: rename('src/job.ts:function «run»', 'start'),
    says: /leads to the module of `run`.*cron.yml:1/,
  },
  name_as_data: {
    files: { 'k.ts': 'export class Money {}\nexport const kind = Money.name;\n' },
    ask: rename('Money', 'Amount'),
    says: /reads the name `Money`/,
  },
  proof_unavailable: {
    files: one,
    ask: (world) => {
      // A compiler that dies between its answer and its proof.
      const { root } = world.tree;
      const signal = new AbortController().signal;
      world.settings = {
        openCompiler: async (programs) => {
          const job = await openCompiler({ root, programs, environment: process.env, signal });
          if (job.kind !== 'open') return job;
          const ask = async (question: Parameters<typeof job.ask>[0]) => {
            if (question.kind === 'prove') await job.close();
            return job.ask(question);
          };
          return { ...job, ask: ask as typeof job.ask };
        },
      };
      return world.rename(atTotal, 'sum');
    },
  },
};

/** What no request leads to yet, and why. Only shrinks. */
const notYet: Readonly<Record<string, string>> = {
  proof_running: 'a proof is not continued in the background: it ends with the request, or with `proof_unavailable`',
  tree_busy: 'needs a second user of the tree; shown with two processes in two-users.test.ts',
  sandbox_missing: 'the compiler job runs without a sandbox where there is none',
  unsafe_volume: 'needs a volume that fails to flush; shown with a disk that fails on purpose in apply-changes.test.ts',
  overlap: 'no plan has groups that overlap; shown with a made one in commit-plan.test.ts',
  no_space: 'shown on a small volume below, where one can be mounted',
  multiple_definitions: 'in TypeScript the compiler ties or refuses them; by an index they are not asked about',
  uncovered_file:
    'files that no configuration means are a program of their own; asked about when a file moves (move-file.test.ts)',
  ...Object.fromEntries(
    [
      'computed_path',
      'file_listing',
      'own_path',
      'module_system',
      'module_shadow',
      'companion_file',
      'file_convention',
    ].map((kind) => [kind, 'asked about when a file moves (move-file.test.ts, code-paths.test.ts)']),
  ),
  dist_boundary: 'asked about by the index of other languages (rename-by-index.test.ts)',
  indexer_gap: 'no program is known on which the compiler’s two searches disagree; shown with made answers',
};

async function answer(of: Case): Promise<Answer> {
  const world = openChangeWorld(of.files);
  worlds.push(world);
  return of.ask(world);
}

/** What every answer owes to its reader. */
function expectSensible({ outcome, next }: Answer): void {
  expect(next).toMatch(/^[A-Z].*\.$/);
  expect(next.split('\n')).toHaveLength(1);
  if (!('detail' in outcome)) return;
  expect(outcome.detail.length).toBeGreaterThan(8);
  expect(outcome.detail).not.toMatch(/undefined|null|\[object|:\s*$/);
}

const entries = <K extends string>(cases: Readonly<Partial<Record<K, Case>>>) => Object.entries(cases) as [K, Case][];

describe('M1 blocked', () => {
  test.each(entries(blocked))('%s', async (reason, of) => {
    const given = await answer(of);
    expect(given.outcome).toMatchObject({ kind: 'blocked', reason });
    expectSensible(given);
    if (of.says !== undefined) expect('detail' in given.outcome ? given.outcome.detail : '').toMatch(of.says);
  });
});

describe('M1 refused', () => {
  test.each(entries(refused))('%s', async (reason, of) => {
    const given = await answer(of);
    expect(given.outcome).toMatchObject({ kind: 'refused', reason });
    expectSensible(given);
    if (of.says !== undefined) expect('detail' in given.outcome ? given.outcome.detail : '').toMatch(of.says);
  });
});

describe('M1 unsupported', () => {
  test.each(entries(unsupported))('%s', async (reason, of) => {
    const given = await answer(of);
    expect(given.outcome).toMatchObject({ kind: 'unsupported', reason });
    expectSensible(given);
    if (of.says !== undefined) expect('detail' in given.outcome ? given.outcome.detail : '').toMatch(of.says);
  });
});

describe('M1 M9 needs_decision', () => {
  test.each(entries(questions))('%s', async (kind, of) => {
    const given = await answer(of);
    expectSensible(given);
    if (given.outcome.kind !== 'needs_decision') throw new Error(JSON.stringify(given.outcome));
    const item = given.outcome.plan?.items.find((one) => one.kind === kind);
    if (item === undefined) throw new Error(JSON.stringify(given.outcome.plan?.items));
    if (of.says !== undefined) expect(item.detail).toMatch(of.says);
    expect(item.options.length).toBeGreaterThan(1);
    expect(given.outcome.candidate_sets.find((set) => set.item === item.id)?.members).toHaveLength(item.options.length);
  });
});

test('M1 ok: planned, applied, undone; ok_syntactic: planned, applied', async () => {
  const world = openChangeWorld({ ...one, 'a.py': 'def area():\n    side = 1\n    return side\n' });
  worlds.push(world);
  const first = await world.rename(atTotal, 'sum');
  expect(first.outcome).toMatchObject({ kind: 'ok', state: 'planned' });
  const plan = world.planOf(first);
  expect((await world.commit(plan)).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  expect((await world.undo(plan)).outcome).toMatchObject({ kind: 'ok', state: 'undone' });
  const shown = await world.rename('a.py:    «side»', 'edge', forced);
  expect(shown.outcome).toMatchObject({ kind: 'ok_syntactic', state: 'planned' });
  const done = await world.rename('a.py:    «side»', 'edge', { ...forced, apply: true });
  expect(done.outcome).toMatchObject({ kind: 'ok_syntactic', state: 'applied' });
  for (const one of [first, shown, done]) expectSensible(one);
});

test('M1 no_space: a volume without room is refused before anything is written', async (context) => {
  const world = openChangeWorld(one);
  worlds.push(world);
  const at = join(world.tree.root, 'small');
  mkdirSync(at);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', at]).status !== 0) return context.skip();
  after.push(() => spawnSync('umount', [at]));
  const text = `export const total = 1;\nconsole.log(total);\n// ${'x'.repeat(150_000)}\n`;
  world.write('small/b.ts', text);
  const plan = world.planOf(await world.rename('small/b.ts:const «total»', 'sum'));
  const given = await world.commit(plan);
  expect(given.outcome).toMatchObject({ kind: 'refused', reason: 'no_space' });
  expectSensible(given);
  expect(world.read('small/b.ts')).toBe(text);
  expect(world.findPlan(plan.id)?.status).toBe('open');
});

test('M1 every name of outcome.ts has its case, or says why not', () => {
  const shown = [blocked, refused, unsupported, questions].flatMap((cases) => Object.keys(cases));
  const all = [...blockedReasons, ...refusedReasons, ...unsupportedReasons, ...Object.keys(itemKinds)];
  expect(all.filter((name) => !shown.includes(name)).sort()).toEqual(Object.keys(notYet).sort());
  expect(outcomeKinds).toHaveLength(6);
});

/** As a process that is killed between two files leaves it. */
function cutOff(world: ChangeWorld, plan: Plan): void {
  const { root, stateDir } = world.tree;
  const opened = openPlanStore(stateDir);
  if (opened.kind !== 'open') throw new Error('no ledger');
  const changes = plan.files
    .filter(({ role }) => role === 'edited')
    .map(({ path, hash }) => ({
      kind: 'replace' as const,
      path,
      oldHash: hash,
      newBytes: Buffer.from(readFileSync(join(root, path), 'utf8').replaceAll('total', 'sum')),
    }));
  const die = () =>
    applyChanges({
      root,
      stateDir,
      planId: plan.id,
      changes,
      onReady: () => opened.plans.setStatus(plan.id, ['open'], 'committing'),
      nowMs: () => world.clock.nowMs,
      random: () => '0123456789abcdef',
      hooks: {
        ...noHooks,
        at: (step: string) => {
          if (step === 'after K7 a.ts') throw new Error('killed');
        },
      },
    });
  expect(die).toThrow('killed');
  opened.plans.close();
}

async function askOperation(world: ChangeWorld): Promise<Answer> {
  const session = await world.tree.session();
  const opened = openPlanStore(world.tree.stateDir);
  if (opened.kind !== 'open') throw new Error('no ledger');
  try {
    const { default: mutation } = await import('../../src/serve/changes/rename.ts');
    const { sessionSettings } = await import('../support/indexed-tree.ts');
    const given = await runInSession(
      { ...mutation, run: (inside) => planChange(inside, 'safe_delete', { apply: false }) },
      mutation.input.parse({ target: 'a.ts:1:1', new_name: 'x' }),
      session,
      opened.plans,
      { ...sessionSettings(world.tree.root, world.tree.stateDir, true), waitMs: 0, random: () => '', onStep: () => {} },
    );
    if (given.kind !== 'answered') throw new Error(given.kind);
    parseChange(mutation, given.answer);
    return given.answer;
  } finally {
    opened.plans.close();
  }
}

/** One file, two projects that read it differently. */
function twoViews(): Files {
  const view = JSON.stringify({
    compilerOptions: {
      lib: ['esnext'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      noEmit: true,
      paths: { lib: ['./lib.ts'] },
    },
    files: ['../use.ts'],
  });
  return {
    'tsconfig.json': '{"files":[]}',
    'x/tsconfig.json': view,
    'y/tsconfig.json': view,
    'x/lib.ts': 'export const a = 1;\n',
    'y/lib.ts': 'export const a = 2;\n',
    'use.ts': 'import { a } from "lib";\nconsole.log(a);\n',
  };
}

/** A workspace whose packages are not installed. */
function notInstalled(): Files {
  return {
    'package.json': '{"name":"root","private":true,"workspaces":["p","q"]}',
    'p/package.json': '{"name":"@me/p","private":true,"main":"./index.ts"}',
    'p/index.ts': 'export * from "./total.ts";\n',
    'p/total.ts': 'export const total = 1;\n',
    'q/package.json': '{"name":"q","private":true}',
    'q/use.ts': 'import { total } from "@me/p";\nconsole.log(total);\n',
  };
}
