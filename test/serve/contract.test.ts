/**
 * One suite for every implementation of the façade: in this process, and over the socket of a daemon. Each is asked the same of an equal tree;
 * what they said is compared in the end, word for word but for names that must differ.
 */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AnyAnswer, Change } from '../../src/serve/changes/change.ts';
import { changes } from '../../src/serve/changes/changes.gen.ts';
import move from '../../src/serve/changes/move.ts';
import {
  planCancel,
  planCommit,
  planFile,
  planList,
  planShow,
  planUndo,
} from '../../src/serve/changes/plan-requests.ts';
import rename from '../../src/serve/changes/rename.ts';
import def from '../../src/serve/operations/def.ts';
import deps from '../../src/serve/operations/deps.ts';
import implementations from '../../src/serve/operations/implementations.ts';
import index from '../../src/serve/operations/index.ts';
import map from '../../src/serve/operations/map.ts';
import type { Operation } from '../../src/serve/operations/operation.ts';
import { operations } from '../../src/serve/operations/operations.gen.ts';
import outline from '../../src/serve/operations/outline.ts';
import refs from '../../src/serve/operations/refs.ts';
import search from '../../src/serve/operations/search.ts';
import slice from '../../src/serve/operations/slice.ts';
import status from '../../src/serve/operations/status.ts';
import symbols from '../../src/serve/operations/symbols.ts';
import text from '../../src/serve/operations/text.ts';
import { createLocalWorkspace } from '../../src/serve/workspace/local-workspace.ts';
import type { AskOptions, GatherAsk, Workspace } from '../../src/serve/workspace/workspace.ts';
import { createDaemonRepo, type RunningDaemon, settingsFor, startTestDaemon } from '../support/daemon-world.ts';
import type { FixtureRepo } from '../support/fixture-repo.ts';

type Opened = {
  readonly repo: FixtureRepo;
  open(signal?: AbortSignal): Workspace;
  close(): Promise<void>;
};

const stay = new AbortController().signal;

const implementationsOf: Readonly<Record<string, () => Promise<Opened>>> = {
  async 'in this process'() {
    const repo = createDaemonRepo();
    return {
      repo,
      open: (signal = stay) => createLocalWorkspace(settingsFor(repo, signal)),
      close: async () => repo.dispose(),
    };
  },
  async 'by a daemon'() {
    const repo = createDaemonRepo();
    const daemon: RunningDaemon = await startTestDaemon(repo);
    return {
      repo,
      open: daemon.workspace,
      async close() {
        expect(await daemon.stop()).toMatchObject({ kind: 'ended' });
        repo.dispose();
      },
    };
  },
};

const transcripts = new Map<string, (readonly [what: string, said: unknown])[]>();

describe.each(Object.keys(implementationsOf))('the façade %s', (name) => {
  const said: (readonly [string, unknown])[] = [];
  let opened: Opened;
  let workspace: Workspace;
  const asked = new Set<string>();

  beforeAll(async () => {
    opened = await (implementationsOf[name] as () => Promise<Opened>)();
    workspace = opened.open();
    transcripts.set(name, said);
  });
  afterAll(() => opened.close());

  const note = <T>(what: string, value: T): T => {
    said.push([what, settle(value, opened.repo)]);
    return value;
  };
  const options: AskOptions = { onProgress: () => {}, waitMs: 100_000 };
  const ask = async <I, O extends object>(
    operation: Operation<I, O>,
    input: unknown,
    more: Partial<AskOptions> = {},
  ) => {
    asked.add(operation.name);
    return note(
      `${operation.name} ${JSON.stringify(input, (key, inner) => (key === 'continue' ? '…' : inner))}`,
      await workspace.ask(operation, input, { ...options, ...more }),
    );
  };
  const answer = async <I, O extends object>(
    operation: Operation<I, O>,
    input: unknown,
    more: Partial<AskOptions> = {},
  ) => {
    const outcome = await ask(operation, input, more);
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
    expect(operation.output.safeParse(outcome.answer).error, operation.name).toBeUndefined();
    return outcome.answer;
  };
  const change = async <I, O extends AnyAnswer>(mutation: Change<I, O>, input: unknown) => {
    asked.add(mutation.name);
    const steps: string[] = [];
    const onStep = (says: string) => void steps.push(says);
    const outcome = await workspace.change(mutation, input, { onProgress: () => {}, onStep, waitMs: 100_000 });
    const rendered = outcome.kind === 'answered' ? mutation.render(outcome.answer, outcome.look) : null;
    note(mutation.name, { ...outcome, rendered });
    return outcome;
  };
  const changed = async <I, O extends AnyAnswer>(mutation: Change<I, O>, input: unknown) => {
    const outcome = await change(mutation, input);
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
    return outcome.answer;
  };
  const read = (path: string) => opened.repo.tree()[path];

  test('who it is of', () => {
    expect(workspace.root).toBe(opened.repo.root);
    note('repo', workspace.repo());
    expect(workspace.repo().root_hash).toMatch(/^[0-9a-f]{16}$/);
  });

  test('what reads the context says that there is none', async () => {
    expect(note('report', await workspace.report())).toMatchObject({ kind: 'no_context' });
    expect(note('explain', await workspace.explain('x'))).toMatchObject({ kind: 'no_context' });
    const ask = { id: null, scope: null, explain: false };
    expect(note('facts', await workspace.facts(ask))).toMatchObject({ kind: 'no_context' });
    expect(note('audit', await workspace.audit())).toMatchObject({ kind: 'no_record' });
  });

  test('every operation answers', async () => {
    expect(await answer(search, { query: 'total' })).toMatchObject({ count: { value: 2, relation: 'eq' } });
    // What a daemon finds out about the tree meanwhile makes a token old: then both pages are asked for again.
    const pages = await vi.waitFor(
      async () => {
        const first = await workspace.ask(search, { query: 'a', limit: 2 }, options);
        if (first.kind !== 'answered') throw new Error(JSON.stringify(first));
        const next = { query: 'a', limit: 2, continue: first.answer.continue };
        const second = await workspace.ask(search, next, options);
        if (second.kind !== 'answered') throw new Error(JSON.stringify(second));
        return [first, second] as const;
      },
      { timeout: 300_000 },
    );
    expect(note('pages', pages)[0].answer).toMatchObject({ truncated: true });
    expect(await answer(symbols, { query: 'area' })).toMatchObject({ count: { relation: 'eq' } });
    expect(await answer(def, { target: 'src/shape.ts:4:27' })).toMatchObject({
      definitions: [{ path: 'src/math.ts' }],
    });
    expect(await answer(refs, { target: 'src/math.ts:1:17' })).toMatchObject({ count: { value: 4 } });
    await answer(implementations, { target: 'src/shape.ts:2:18' });
    expect(await answer(deps, { path: 'src/shape.ts' })).toMatchObject({ imports: [{ targets: ['src/math.ts'] }] });
    await answer(deps, { path: 'src/math.ts', reverse: true });
    await answer(outline, { path: 'src/shape.ts' });
    await answer(slice, { target: 'src/math.ts:2:9', kind: 'def-use' });
    expect(await answer(map, { path: 'src' })).toMatchObject({ path: 'src', count: { relation: 'eq' } });
    await answer(text, { path: 'src/math.ts', from: 2, lines: 2 });
    expect((await answer(status, {})).freshness).toMatchObject({ state: 'clean' });
  });

  test('what cannot be answered is said in the same words', async () => {
    expect(await ask(search, { querry: 'x' })).toMatchObject({ kind: 'not_answered', problem: { outcome: 'invalid' } });
    expect(await ask(def, { target: 'nothingOfThisName' })).toMatchObject({ problem: { outcome: 'not_found' } });
    const ambiguous = await ask(refs, { target: 'area' });
    expect(ambiguous).toMatchObject({ kind: 'not_answered', problem: { outcome: 'ambiguous' } });
    expect(await ask(outline, { path: '../../etc/passwd' })).toMatchObject({ kind: 'not_answered' });
    expect(await ask(outline, { path: 'src/\0math.ts' })).toMatchObject({ kind: 'not_answered' });
    expect(await change(rename, { target: 'src/math.ts:1:17' })).toMatchObject({ problem: { outcome: 'invalid' } });
  });

  test('P1 an edit of a moment ago is in the answer, without a watcher', async () => {
    opened.repo.write('src/late.ts', 'export const lateName = 1;\n');
    expect(await answer(symbols, { query: 'lateName' })).toMatchObject({ count: { value: 1, relation: 'eq' } });
    rmSync(join(opened.repo.root, 'src/late.ts'));
    expect(await answer(symbols, { query: 'lateName' })).toMatchObject({ count: { value: 0, relation: 'eq' } });
  });

  test('indexers run on request, and are told of', async () => {
    const kinds: string[] = [];
    const onRefresh: AskOptions['onRefresh'] = (event) => void kinds.push(event.kind);
    const indexed = await answer(index, {}, { refresh: { waitMs: null }, onRefresh });
    expect(indexed.refreshed?.jobs.map((job) => job.status)).toEqual(['completed']);
    expect(kinds).toContain('job_finished');
    expect(await answer(refs, { target: 'src/math.ts:1:17' })).toMatchObject({ count: { value: 4, relation: 'eq' } });
  });

  test('a change is planned, shown, committed and undone', async () => {
    const before = opened.repo.tree();
    const planned = await changed(rename, { target: 'src/math.ts:1:17', new_name: 'plus' });
    if (!('plan' in planned.outcome) || planned.outcome.plan === null) throw new Error(JSON.stringify(planned.outcome));
    expect(planned.outcome).toMatchObject({ kind: 'ok', state: 'planned' });
    const { id, hash, groups } = planned.outcome.plan;
    await changed(planShow, { plan_id: id });
    await changed(planFile, { plan_id: id, path: 'src/math.ts' });
    expect(await changed(planList, {})).toMatchObject({ plans: [{ id, status: 'open' }] });
    expect(opened.repo.tree()).toEqual(before);
    const commit = {
      plan_id: id,
      plan_hash: hash,
      root_hash: workspace.repo().root_hash,
      selections: groups.map((group) => group.id),
      proof: { identity: '', lines: [], anchors: [] },
      request_id: 'once',
    };
    expect(await changed(planCommit, { ...commit, root_hash: '0000000000000000', request_id: 'other' })).toMatchObject({
      outcome: { kind: 'refused' },
    });
    expect(await changed(planCommit, commit)).toMatchObject({ outcome: { kind: 'ok', state: 'applied' } });
    expect(read('src/shape.ts')).toContain("import { plus } from './math'");
    // M23: asked again with the same id nothing is done twice.
    expect(await changed(planCommit, commit)).toMatchObject({ outcome: { kind: 'ok', state: 'applied' } });
    expect(await answer(symbols, { query: 'plus', exact: true })).toMatchObject({ count: { value: 1 } });
    await changed(planUndo, { plan_id: id });
    expect(opened.repo.tree()).toEqual(before);
    expect(await answer(symbols, { query: 'plus', exact: true })).toMatchObject({ count: { value: 0 } });
  });

  test('a file is moved in a plan, and the plan is given up', async () => {
    const before = opened.repo.tree();
    const planned = await changed(move, { file: 'src/math.ts', to: 'src/deep/sums.ts' });
    if (!('plan' in planned.outcome) || planned.outcome.plan === null) throw new Error(JSON.stringify(planned.outcome));
    const cancelled = await changed(planCancel, { plan_id: planned.outcome.plan.id });
    expect(cancelled.outcome).toMatchObject({ kind: 'ok' });
    expect(await changed(planShow, { plan_id: 'p-nothing' })).toMatchObject({ outcome: { kind: 'refused' } });
    expect(opened.repo.tree()).toEqual(before);
  });

  test('a gather publishes, and what was published is reported, explained and audited', async () => {
    const seen: string[] = [];
    const gatherAsk: GatherAsk = {
      task: null,
      only: ['language_detection', 'ownership'],
      skip: [],
      mode: 'default',
      maxConcurrency: 2,
      onProgress: (progress) =>
        void seen.push(progress.kind === 'settled' ? progress.execution.probe.name : progress.kind),
    };
    const outcome = await workspace.gather(gatherAsk);
    if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome));
    expect(seen).toContain('language_detection');
    const went = outcome.executions.map(({ probe, status: how, errors, skip }) => [probe.name, how, errors, skip]);
    note('gather', { went, files: outcome.files, sections: Object.keys(outcome.envelope).sort() });
    const report = await workspace.report();
    expect(report).toMatchObject({ kind: 'report' });
    note('reported', report.kind === 'report' ? [typeof report.markdown, report.freshnessNow] : report);
    note('explained', (await workspace.explain('language_stack')).kind);
    note('unknown', await workspace.explain('no.such.field'));
    const owners = await workspace.facts({ id: 'owners', scope: '.', explain: true });
    expect(owners).toMatchObject({ kind: 'facts', since: null, facts: [{ id: 'owners', scope: '.' }] });
    note('owners', owners.kind === 'facts' ? owners.facts : owners);
    note('no fact', await workspace.facts({ id: 'ownrs', scope: null, explain: false }));
    note('no scope', await workspace.facts({ id: 'owners', scope: 'no/where', explain: false }));
    expect(note('audited', await workspace.audit())).toMatchObject({ kind: 'audited', findings: [] });
    expect(note('nobody', await workspace.gather({ ...gatherAsk, only: ['ownershp'] }))).toMatchObject({
      kind: 'unknown_probe',
      nearest: 'ownership',
    });
    const { tools } = await workspace.doctor();
    note(
      'doctor',
      tools.map(({ name: tool }) => tool),
    );
  });

  test('who stops is not answered, and nothing is published', async () => {
    const stopped = AbortSignal.abort(new Error('interrupted'));
    const gone = opened.open(stopped);
    await expect(gone.ask(symbols, { query: 'add' }, options)).rejects.toThrow('interrupted');
    const nothing = { task: null, only: null, skip: [], mode: 'default', maxConcurrency: null } as const;
    expect(await gone.gather({ ...nothing, onProgress: () => {} })).toEqual({ kind: 'cancelled' });
  });

  test('a configuration that is wrong is named, by everything that needs it', async () => {
    const file = join(opened.repo.root, '.codegenie/config.yaml');
    writeFileSync(file, 'daemon: {idle_exit_minute: 3}\n');
    expect(await ask(symbols, { query: 'add' })).toMatchObject({ kind: 'config_invalid' });
    expect(await change(planList, {})).toMatchObject({ kind: 'config_invalid' });
    expect(note('report', await workspace.report())).toMatchObject({ kind: 'config_invalid' });
    rmSync(file);
    expect(await ask(symbols, { query: 'add' })).toMatchObject({ kind: 'answered' });
  });

  test('nothing was left out', () => {
    const all = [...operations, ...changes].map((one) => one.name);
    expect(all.filter((one) => !asked.has(one))).toEqual([]);
  });
});

test('all implementations said the same', () => {
  const [first, ...others] = [...transcripts.values()];
  for (const other of others) expect(other).toEqual(first);
});

/** Without what must differ: where the tree is, who answers, when, and random names. */
function settle(value: unknown, repo: FixtureRepo): unknown {
  const names = new Map<string, string>();
  const hide = (key: string, inner: unknown): unknown => {
    if (hidden.has(key)) return null;
    if (typeof inner !== 'string') return inner;
    return inner
      .replaceAll(repo.root, '<root>')
      .replace(/(that of <root> is )[0-9a-f]{16}/g, '$1<hash>')
      .replaceAll(repo.stateDir, '<state>')
      .replaceAll(repo.cacheDir, '<cache>')
      .replace(/\bruns\/[\dTZ-]+-[0-9a-f]{8}\.json/g, 'runs/<record>')
      .replaceAll(repo.home, '<home>')
      .replace(/\b(?:p|c|g|i)-[0-9a-f]{8,}/g, (id) => {
        names.set(id, names.get(id) ?? `id${names.size}`);
        return names.get(id) as string;
      });
  };
  return JSON.parse(JSON.stringify(value, hide) ?? 'null');
}

const hidden = new Set([
  'root_hash',
  'head',
  'generation',
  'hash',
  'plan_hash',
  'pid',
  'writer',
  'writer_pid',
  'reconciled',
  // A session that was opened for the question says why it had to build; a daemon did that before the question.
  'rebuilt',
  'seconds',
  'finished_at',
  'continue',
  'created_at',
  'expires_at',
  'last_written',
  'at_ms',
  'ms',
  'spent_ms',
  'bytes',
  'record',
  'runId',
]);
