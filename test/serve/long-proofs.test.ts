/** A proof that outlasts its request (mutation.md §3.3), in a daemon for which every proof is long. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../src/mutate/answer.ts';
import type { AnyAnswer, Change } from '../../src/serve/changes/change.ts';
import { planCancel, planCommit, planList, planShow } from '../../src/serve/changes/plan-requests.ts';
import rename from '../../src/serve/changes/rename.ts';
import type { DaemonSettings } from '../../src/serve/daemon/run-daemon.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import type { Workspace } from '../../src/serve/workspace/workspace.ts';
import { listCompilers } from '../support/compiler-processes.ts';
import {
  createDaemonRepo,
  daemonFiles,
  type RunningDaemon,
  settingsFor,
  startTestDaemon,
} from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';

const waiting = { timeout: 300_000, interval: 20 } as const;
const options = { waitMs: 60_000, onProgress: () => {}, onStep: () => {} };
const input = { target: 'src/math.ts:1:17', new_name: 'plus', public_names: 'rename' };

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

type World = { readonly repo: FixtureRepo; readonly daemon: RunningDaemon; readonly workspace: Workspace };
const inside = new Map<string, Workspace>();

async function start(files: Readonly<Record<string, string>> = daemonFiles): Promise<World> {
  const repo = createDaemonRepo(files);
  ending.push(() => repo.dispose());
  const mcp: DaemonSettings['mcp'] = (of) => {
    inside.set(repo.root, of.open(of.signal));
    return createMcpHttpHandler(of);
  };
  const daemon = await startTestDaemon(repo, { times: { proofMs: 0 }, mcp });
  ending.push(() => daemon.stop());
  return { repo, daemon, workspace: daemon.workspace() };
}

async function change<I, O extends AnyAnswer>(
  workspace: Workspace,
  mutation: Change<I, O>,
  given: unknown,
): Promise<O> {
  const outcome = await workspace.change(mutation, given, options);
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  return outcome.answer;
}

const said = ({ outcome }: Answer) => [
  outcome.kind,
  'reason' in outcome ? outcome.reason : (outcome as { state?: string }).state,
];

function runningPlan({ outcome }: Answer): string {
  if (outcome.kind !== 'blocked' || outcome.reason !== 'proof_running') throw new Error(JSON.stringify(outcome));
  return outcome.plan_id as string;
}

/** A plan whose compiler is stopped just before it is asked for the proof, until `go`. */
async function hold({ repo, daemon }: World): Promise<{ readonly id: string; readonly go: () => void }> {
  // What happens inside the daemon is seen where it happens.
  await daemon.http('/mcp');
  let held: readonly number[] = [];
  const onStep = (says: string) => {
    if (!says.startsWith('proving')) return;
    held = listCompilers(repo.root);
    for (const pid of held) process.kill(pid, 'SIGSTOP');
  };
  const outcome = await inside.get(repo.root)?.change(rename, input, { ...options, onStep });
  if (outcome?.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  expect(held).not.toEqual([]);
  return {
    id: runningPlan(outcome.answer),
    go: () => {
      for (const pid of held) process.kill(pid, 'SIGCONT');
    },
  };
}

async function shown(workspace: Workspace, plan_id: string): Promise<Answer> {
  return vi.waitFor(async () => {
    const answer = await change(workspace, planShow, { plan_id });
    expect(said(answer)[1]).not.toBe('proof_running');
    return answer;
  }, waiting);
}

describe('a proof that takes too long', () => {
  test('is answered with the plan that is being proved; shown later it is proven, and commits', async () => {
    const { repo, workspace } = await start();
    const before = repo.tree();
    const first = await change(workspace, rename, input);
    const id = runningPlan(first);
    expect(first.next).toBe(`Ask again with \`codegenie plan show ${id}\`: the proof goes on.`);
    const answer = await shown(workspace, id);
    expect(answer.outcome).toMatchObject({ kind: 'ok', state: 'planned', plan: { id, provenance: 'proven' } });
    expect(repo.tree()).toEqual(before);
    if (answer.outcome.kind !== 'ok') return;
    const { plan } = answer.outcome;
    const done = await change(workspace, planCommit, {
      plan_id: id,
      plan_hash: plan.hash,
      root_hash: workspace.repo().root_hash,
      selections: [plan.groups[0]?.id],
      proof: { identity: '', lines: [], anchors: [] },
    });
    expect(said(done)).toEqual(['ok', 'applied']);
  });

  test('asked for again, the same plan is the answer, and it is not proved twice; --apply then writes it', async () => {
    const { repo, workspace } = await start();
    const id = runningPlan(await change(workspace, rename, input));
    await shown(workspace, id);
    expect((await change(workspace, rename, input)).outcome).toMatchObject({
      kind: 'ok',
      state: 'planned',
      plan: { id },
    });
    expect(said(await change(workspace, rename, { ...input, apply: true }))).toEqual(['ok', 'applied']);
    expect(repo.tree()['src/math.ts']).toContain('function plus(');
  });

  test('M2 --apply writes nothing after it was answered', async () => {
    const { repo, workspace } = await start();
    const before = repo.tree();
    const id = runningPlan(await change(workspace, rename, { ...input, apply: true }));
    expect(said(await shown(workspace, id))).toEqual(['ok', 'planned']);
    expect(repo.tree()).toEqual(before);
  });

  test('what it finds against the change is in the answer to the next request', async () => {
    const clash = {
      ...daemonFiles,
      'src/more.ts':
        "import * as all from './math';\nexport const plus = 'add' in all;\nexport const one: { add: unknown } = all;\n",
    };
    const { workspace } = await start(clash);
    const id = runningPlan(await change(workspace, rename, input));
    const answer = await shown(workspace, id);
    expect(answer.outcome.kind).toBe('refused');
    expect(await change(workspace, planShow, { plan_id: id })).toMatchObject({ outcome: answer.outcome });
    expect(await change(workspace, rename, input)).toMatchObject({ outcome: answer.outcome });
  });

  test('files that change meanwhile: there is no plan, and no answer calls it proven', async () => {
    const world = await start();
    const { repo, workspace } = world;
    const { id, go } = await hold(world);
    writeFileSync(join(repo.root, 'src/late.ts'), "import { add } from './math';\nexport const late = add(1, 1);\n");
    go();
    expect(said(await shown(workspace, id))).toEqual(['blocked', 'files_changed']);
    expect((await change(workspace, rename, input)).outcome).not.toMatchObject({ plan: { id } });
  });
});

describe('while it goes on', () => {
  async function held() {
    const world = await start();
    return { ...world, ...(await hold(world)) };
  }

  test('others ask, list and plan; its own plan can be shown and not committed', async () => {
    const { workspace, id, go } = await held();
    const { plans } = await change(workspace, planList, {});
    expect(plans).toMatchObject([{ id, status: 'proving' }]);
    expect(said(await change(workspace, planShow, { plan_id: id }))).toEqual(['blocked', 'proof_running']);
    expect(said(await change(workspace, rename, input))).toEqual(['blocked', 'proof_running']);
    const commit = {
      plan_id: id,
      plan_hash: 'x',
      root_hash: workspace.repo().root_hash,
      selections: [],
      proof: { identity: '', lines: [], anchors: [] },
    };
    expect(said(await change(workspace, planCommit, commit))).toEqual(['blocked', 'proof_running']);
    go();
    expect(said(await shown(workspace, id))).toEqual(['ok', 'planned']);
  });

  test('who asked leaves: it goes on', async () => {
    const world = await start();
    const leave = new AbortController();
    const id = runningPlan(await change(world.daemon.workspace(leave.signal), rename, input));
    leave.abort(new Error('gone'));
    expect(said(await shown(world.workspace, id))).toEqual(['ok', 'planned']);
  });

  test('its plan is cancelled: its compiler ends', async () => {
    const { repo, workspace, id } = await held();
    expect((await change(workspace, planCancel, { plan_id: id })).outcome).toMatchObject({
      plan: { status: 'cancelled' },
    });
    await vi.waitFor(() => expect(listCompilers(repo.root)).toEqual([]), waiting);
    expect(said(await change(workspace, planShow, { plan_id: id }))).toEqual(['refused', 'plan_cancelled']);
  });

  test('its daemon ends: its compiler ends, and its plan is no plan any more', async () => {
    const { repo, daemon, id } = await held();
    expect(await daemon.stop()).toMatchObject({ kind: 'ended' });
    expect(listCompilers(repo.root)).toEqual([]);
    const local = createLocalWorkspace(settingsFor(repo, new AbortController().signal));
    expect(said(await change(local, planShow, { plan_id: id }))).toEqual(['refused', 'plan_cancelled']);
  });

  test('over MCP the next call is named', async () => {
    const { daemon, id, go } = await held();
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'commit_plan', arguments: { op: 'show', plan_id: id } },
    };
    const headers = { accept: 'application/json, text/event-stream' };
    const { text } = await daemon.http('/mcp', { method: 'POST', body: call, headers });
    expect(text).toContain(`Ask again with commit_plan {op: \\"show\\", plan: \\"${id}\\"}: the proof goes on.`);
    go();
  });
});

test('without a daemon the asking process waits', async () => {
  const repo = createDaemonRepo();
  ending.push(() => repo.dispose());
  const local = createLocalWorkspace(settingsFor(repo, new AbortController().signal));
  expect(said(await change(local, rename, input))).toEqual(['ok', 'planned']);
});
