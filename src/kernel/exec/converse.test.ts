import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasTool } from '../../../test/support/tools.ts';
import { silentLogger } from '../base/log.ts';
import { type Conversation, type ConversationRequest, converse } from './converse.ts';
import { createExecHost } from './exec-host.ts';

/** Answers by what it is asked; what it starts says its number too. */
const script = `
import { spawn } from 'node:child_process';
let pending = '';
process.stdin.on('data', (chunk) => {
  const lines = (pending + chunk).split('\\n');
  pending = lines.pop();
  for (const line of lines) answer(line);
});
process.stdin.on('end', () => process.exit(0));
function answer(line) {
  if (line === 'pids') {
    const child = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
    process.stdout.write(process.pid + ' ' + child.pid + '\\n');
  } else if (line === 'exit') { process.stderr.write('last words\\n'); process.exit(3); }
  else if (line === 'crash') process.kill(process.pid, 'SIGKILL');
  else if (line === 'hang') for (;;);
  else if (line === 'long') process.stdout.write('x'.repeat(100_000) + '\\n');
  else if (line === 'eat') { globalThis.kept = Buffer.alloc(400 * 1024 * 1024, 1); }
  else if (line === 'outside') {
    import('node:fs').then((fs) => {
      try { fs.writeFileSync(process.cwd() + '/written', ''); process.stdout.write('written\\n'); }
      catch (error) { process.stdout.write(error.code + '\\n'); }
    });
  } else process.stdout.write('re: ' + line + '\\n');
}
`;

let base: string;
let root: string;
const open: Conversation[] = [];

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'converse-')));
  root = realpathSync(mkdtempSync(join(tmpdir(), 'converse-root-')));
  writeFileSync(join(base, 'script.mjs'), script);
});
afterEach(async () => {
  for (const conversation of open.splice(0)) await conversation.close();
});
afterAll(() => {
  for (const path of [base, root]) rmSync(path, { recursive: true, force: true });
});

type Options = Partial<ConversationRequest> & { readonly sandboxed?: boolean; readonly bwrap?: string };

function start({ sandboxed = false, bwrap = '/nowhere/bwrap', ...options }: Options = {}): Conversation {
  const toolPaths: Record<string, string> = sandboxed ? {} : { bwrap };
  const host = createExecHost({ root, environment: process.env, toolPaths, logger: silentLogger });
  const conversation = converse(host, {
    name: 'script',
    script: join(base, 'script.mjs'),
    workspace: base,
    cwd: root,
    timeoutS: 60,
    residentMb: 2_048,
    maxLineBytes: 50_000,
    readable: [base],
    signal: new AbortController().signal,
    ...options,
  });
  open.push(conversation);
  return conversation;
}

/** A zombie is dead: it only waits for its parent to ask how it ended. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function pidsOf(conversation: Conversation): Promise<readonly number[]> {
  const answer = await conversation.ask('pids');
  return answer.kind === 'line' ? answer.line.split(' ').map(Number) : [];
}

test('R26: what was asked of one whose sandbox had to be made again is answered', async () => {
  const tries = join(base, 'tries');
  // The first start is the self-test, the second and third fail as if a mount had gone away.
  const bwrap = join(base, 'bwrap');
  writeFileSync(
    bwrap,
    `#!/bin/sh
[ "$1" = --version ] && exit 0
echo >> ${tries}; n=$(wc -l < ${tries})
if [ "$n" = 2 ] || [ "$n" = 3 ]; then echo "bwrap: Can't bind mount: Unable to apply mount flags" >&2; exit 1; fi
while [ "$1" != -- ]; do shift; done; shift; exec "$@"
`,
    { mode: 0o755 },
  );
  const conversation = start({ bwrap });
  const answers = await Promise.all(['one', 'two'].map((line) => conversation.ask(line)));
  expect(answers).toEqual([
    { kind: 'line', line: 're: one' },
    { kind: 'line', line: 're: two' },
  ]);
  expect(readFileSync(tries, 'utf8')).toHaveLength(4);
});

describe('asking', () => {
  test('lines are answered in order, also those asked before the process was there', async () => {
    const conversation = start();
    const answers = await Promise.all(['one', 'two', 'drei ü'].map((line) => conversation.ask(line)));
    expect(answers).toEqual(['one', 'two', 'drei ü'].map((line) => ({ kind: 'line', line: `re: ${line}` })));
  });

  test('what is longer than a pipe holds arrives whole', async () => {
    const line = 'y'.repeat(1_000_000);
    expect(await start({ maxLineBytes: 2_000_000 }).ask(line)).toEqual({ kind: 'line', line: `re: ${line}` });
  });

  test.skipIf(!hasTool('bwrap'))('bwrap: in the sandbox the root cannot be written', async () => {
    expect(await start({ sandboxed: true }).ask('outside')).toEqual({ kind: 'line', line: 'EROFS' });
  });
});

describe('endings', () => {
  test('a process that ends answers every open question with how it ended and what it said last', async () => {
    const conversation = start();
    const [first, second] = await Promise.all([conversation.ask('exit'), conversation.ask('more')]);
    expect(first).toMatchObject({ kind: 'ended', why: 'exited', detail: expect.stringContaining('code 3') });
    expect(first).toMatchObject({ detail: expect.stringContaining('last words') });
    expect(second).toEqual(first);
    expect(await conversation.ask('later')).toEqual(first);
  });

  test('a crash is named', async () => {
    expect(await start().ask('crash')).toMatchObject({ why: 'exited', detail: 'It was ended by SIGKILL.' });
  });

  test('an answer that is too long ends it', async () => {
    expect(await start().ask('long')).toMatchObject({ kind: 'ended', why: 'answer_too_long' });
  });

  test('time is limited', async () => {
    expect(await start({ timeoutS: 1 }).ask('hang')).toMatchObject({ kind: 'ended', why: 'timed_out' });
  });

  test('memory is limited', async () => {
    expect(await start({ residentMb: 300 }).ask('eat')).toMatchObject({ kind: 'ended', why: 'out_of_memory' });
  });

  test('a signal that was given before anything began', async () => {
    expect(await start({ signal: AbortSignal.abort() }).ask('one')).toMatchObject({ kind: 'ended', why: 'cancelled' });
  });

  test('a script that is not there', async () => {
    expect(await start({ script: join(base, 'missing.mjs') }).ask('one')).toMatchObject({
      kind: 'ended',
      why: 'exited',
    });
  });
});

describe.each([
  ['plain', false],
  ['in the sandbox', true],
])('nothing is left (%s)', (_, sandboxed) => {
  /** Inside the sandbox numbers are others: what is below us is counted instead. */
  const isGone = async (conversation: Conversation, end: () => Promise<unknown>) => {
    const inside = await pidsOf(conversation);
    expect(inside).toHaveLength(2);
    const before = sandboxed ? listSleepers() : inside;
    expect(before.filter(isRunning).length).toBeGreaterThan(0);
    await end();
    return before.filter(isRunning);
  };

  test('after closing', async () => {
    const conversation = start({ sandboxed });
    expect(await isGone(conversation, () => conversation.close())).toEqual([]);
  });

  test('after a signal, while a question is open', async () => {
    const stop = new AbortController();
    const conversation = start({ sandboxed, signal: stop.signal });
    const left = await isGone(conversation, async () => {
      const answer = conversation.ask('hang');
      stop.abort();
      expect(await answer).toMatchObject({ kind: 'ended', why: 'cancelled' });
    });
    expect(left).toEqual([]);
  });

  test('after the process was killed from outside', async () => {
    const conversation = start({ sandboxed });
    const before = sandboxed ? await pidsOf(conversation).then(listSleepers) : await pidsOf(conversation);
    expect(before.length).toBeGreaterThan(0);
    await conversation.ask('crash');
    // A sandbox is taken down by the system, which says so before it is done.
    await expect.poll(() => before.filter(isRunning), { timeout: 300_000 }).toEqual([]);
  });
});

/** The `sleep 1000` that descend from this process. */
function listSleepers(): readonly number[] {
  const parents = new Map<number, number>();
  const sleepers: number[] = [];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
      if (readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith('/bin/sleep\0')) sleepers.push(Number(name));
    } catch {
      // Gone meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (at === process.pid) return true;
    return false;
  };
  return sleepers.filter(isOurs);
}
