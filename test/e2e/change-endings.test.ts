/** How commands that change code end, with answers made by hand: one document, one exit code per outcome, progress apart from both. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askChange } from '../../src/cli/ask.ts';
import type { Invocation } from '../../src/cli/command.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { openOwnDirs } from '../../src/kernel/base/own-dirs.ts';
import { z } from '../../src/kernel/base/schema.ts';
import { outcomeKinds } from '../../src/mutate/vocabulary.ts';
import { defineChange } from '../../src/serve/changes/change.ts';
import { ChangeAnswer } from '../../src/serve/changes/change-answer.ts';
import { renderChange } from '../../src/serve/changes/render-change.ts';
import { parseChange } from '../../src/serve/workspace/json-schemas.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from '../support/indexed-tree.ts';
import { runCli } from '../support/run-cli.ts';
import { sampleAnswer, sampleApplied, sampleSource } from '../support/sample-answers.ts';
import { sharedPool } from '../support/shared-pool.ts';

let tree: IndexedTree;
beforeAll(() => {
  tree = createIndexedTree(sampleSource);
});
afterAll(() => tree.dispose());

/** Answers with the outcome it is asked for. */
const sample = defineChange({
  name: 'sample',
  says: 'Answer as told',
  input: z.strictObject({ kind: z.enum(outcomeKinds) }),
  output: ChangeAnswer,
  async run(world, { kind }) {
    world.onProgress('asking the compiler');
    world.onProgress('proving');
    return sampleAnswer(kind);
  },
  render: renderChange,
});

async function run(
  kind: string,
  given: {
    readonly json?: boolean;
    readonly tty?: boolean;
    readonly mutation?: typeof sample;
    readonly signal?: AbortSignal;
  } = {},
) {
  const said = { stdout: '', stderr: '' };
  const keep = (stream: 'stdout' | 'stderr') => ({
    isTTY: given.tty,
    write: (chunk: string) => {
      said[stream] += chunk;
    },
  });
  const invocation: Invocation = {
    args: [],
    flags: {},
    globals: { repo: tree.root, json: given.json ?? false, quiet: false, verbose: false, color: true },
    terminal: {
      cwd: tree.root,
      home: tree.base,
      environment: { PATH: process.env['PATH'], HOME: tree.base },
      stdout: keep('stdout'),
      stderr: keep('stderr'),
      signal: given.signal ?? new AbortController().signal,
      nowMs: Date.now,
      pool: sharedPool(),
    },
  };
  const ending = await askChange(invocation, given.mutation ?? sample, { kind }, { waitS: 1 });
  return { code: exitCodes[ending].code, ...said };
}

const codes = { ok: 0, ok_syntactic: 0, blocked: 7, needs_decision: 8, refused: 9, unsupported: 10 } as const;

describe('M1 every outcome has its exit code, as text and as one JSON document', () => {
  test.each(outcomeKinds)('%s', async (kind) => {
    const text = await run(kind);
    expect(text.code).toBe(codes[kind]);
    expect(text.stdout).toBe(
      `${renderChange(sampleAnswer(kind), { line: (path, line) => sampleSource[path]?.split('\n')[line - 1] })}\n`,
    );
    // Before it, what building the index takes where that is new.
    expect(text.stderr).toMatch(/(?:^|\n)asking the compiler\nproving\n$/);
    const json = await run(kind, { json: true });
    expect(json.code).toBe(codes[kind]);
    expect(json.stderr).toBe('');
    const answer = JSON.parse(json.stdout);
    expect(parseChange(sample, answer)).toEqual(answer);
    expect(answer).toMatchObject({ outcome: { kind }, repo: { root: tree.root }, freshness: { state: 'clean' } });
  });
});

test('on a terminal lines that go and come are told apart, and progress leaves nothing behind', async () => {
  const { stdout, stderr } = await run('ok', { tty: true });
  expect(stdout).toContain('\x1b[31m  3 - export function total(order: Order): number {\x1b[39m');
  expect(stdout).toContain('\x1b[32m    + export function amount(order: Order): number {\x1b[39m');
  expect(stderr.endsWith('\r\x1b[K')).toBe(true);
});

test('Ctrl-C while it is planned ends without an answer; what was written by then is told', async () => {
  const stopping = (answer: () => ReturnType<typeof sampleAnswer>) => {
    const controller = new AbortController();
    const mutation = {
      ...sample,
      run: async () => {
        controller.abort(new Error('interrupted'));
        return answer();
      },
    };
    return run('ok', { mutation, signal: controller.signal });
  };
  await expect(stopping(() => sampleAnswer('blocked'))).rejects.toThrow('interrupted');
  const written = await stopping(() => sampleApplied('applied'));
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files written') });
  // The lock is free again.
  expect((await run('ok')).code).toBe(0);
});

test('an input that is not understood names the field and ends with 2', async () => {
  const { code, stderr } = await run('maybe');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^codegenie: sample: kind: /);
  const json = await run('maybe', { json: true });
  expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('kind') });
});

test('G12 a command that waits for another writer says which', async () => {
  const { openIndexSession } = await import('../../src/index/sync/index-session.ts');
  const opened = await openIndexSession({
    ...sessionSettings(tree.root, openOwnDirs({ root: tree.root, home: tree.base, environment: {} }).stateDir, true),
    waitMs: 0,
  });
  if (opened.kind !== 'open') throw new Error(opened.kind);
  try {
    const { code, stderr } = await run('ok');
    expect(code).toBe(12);
    expect(stderr).toContain(`process ${process.pid} keeps the index of ${tree.root}`);
  } finally {
    await opened.session.close();
  }
});

describe('arguments', () => {
  const cli = (...argv: string[]) => runCli(argv, { cwd: tree.root, home: tree.base });

  test('a policy that is misspelt names the nearest', async () => {
    const { code, stderr } = await cli('rename', 'src/order.ts:3:17', 'amount', '--alias-policy', 'keep-local');
    expect(code).toBe(2);
    expect(stderr).toContain("'keep-local' is invalid. accepted: through, keep_local; did you mean keep_local?");
  });

  test('a plan that is not there is refused by name', async () => {
    for (const what of ['show', 'commit', 'cancel', 'undo']) {
      const { code, stdout } = await cli('plan', what, 'p-none', '--json');
      expect([what, code]).toEqual([what, 9]);
      expect(JSON.parse(stdout).outcome).toMatchObject({ kind: 'refused', reason: 'plan_not_found' });
    }
  });

  test('a proof that cannot be read is a mistake of the caller, before anything is asked', async () => {
    tree.write('bad.json', '{');
    for (const [file, why] of [
      ['none.json', 'ENOENT'],
      ['bad.json', 'not JSON'],
    ] as const) {
      const { code, stderr } = await cli('plan', 'commit', 'p-none', '--proof', file);
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
  });

  test('without plans the list says so', async () => {
    expect(await cli('plan', 'list')).toMatchObject({ code: 0, stdout: 'no plans\n' });
  });
});
