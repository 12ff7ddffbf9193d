/** One probe that is slow, deaf or whose tool talks nonsense costs its own answer and no other. */

import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ProbeOutput } from '../../src/gather/contract.ts';
import type { ExecOutcome } from '../../src/kernel/exec/exec.ts';
import { parseJsonObject } from '../../src/kernel/formats/parse-json.ts';
import { makeProbe, rows } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const timeouts = (of: FixtureRepo, text: string) =>
  of.write('.codegenie/config.yaml', `probes: {timeouts: {${text}}}\n`);

describe('G33 timeouts', () => {
  test("G33 the timeout of one probe ends its own process and leaves its sibling's alive", async () => {
    repo = createFixtureRepo({ 'a.ts': '' });
    timeouts(repo, 'slow: 1');
    const released = Promise.withResolvers<void>();
    let slowPid = 0;
    let siblingWasAlive = false;
    const slow = makeProbe(
      'slow',
      async (_repo, ctx) => {
        const outcome = await ctx.exec.runAllowlisted(
          ['node', '-e', 'console.log(process.pid); setInterval(() => {}, 1e6)'],
          {
            cwd: '/',
            timeoutS: 50,
            onLine: (line) => {
              slowPid = Number(line);
            },
          },
        );
        released.resolve();
        return rows('slow', [{ path: '', text: outcome.kind }]);
      },
      { tools: ['node'] },
    );
    const sibling = makeProbe(
      'sibling',
      async (_repo, ctx) => {
        // Ends only after the other one's process was ended.
        let pid = 0;
        const running = ctx.exec.runAllowlisted(
          ['node', '-e', 'console.log(process.pid); process.stdin.on("data", () => {}); setInterval(() => {}, 1e6)'],
          {
            cwd: '/',
            timeoutS: 5,
            onLine: (line) => {
              pid = Number(line);
            },
          },
        );
        await released.promise;
        siblingWasAlive = pid > 0 && isAlive(pid);
        process.kill(pid, 'SIGKILL');
        const outcome = await running;
        return rows('sibling', [{ path: '', text: outcome.kind }]);
      },
      { tools: ['node'] },
    );
    const { envelope } = await repo.publish({ maxConcurrency: 2 }, { probes: [slow, sibling] });
    expect(recordOf(envelope, 'slow')).toMatchObject({
      status: 'timed_out',
      confidence: 'low',
      errors: ['probe.timeout'],
      sections: [],
    });
    expect(isAlive(slowPid)).toBe(false);
    expect(siblingWasAlive).toBe(true);
    expect(envelope['sibling']).toEqual({ rows: [{ path: '', text: 'signalled' }] });
    expect(envelope.gather_status).toBe('partial');
  });

  test('G33 a probe that ignores its signal is abandoned, and its late answer ignored', async () => {
    repo = createFixtureRepo({ 'a.ts': '' });
    timeouts(repo, 'deaf: 1');
    const wakes = Promise.withResolvers<void>();
    let heard = false;
    const deaf = makeProbe('deaf', async (_repo, ctx) => {
      ctx.signal.addEventListener('abort', () => {
        heard = true;
      });
      await wakes.promise;
      return rows('deaf', [{ path: '', text: 'too late to matter' }]);
    });
    const prompt = makeProbe('prompt', async () => rows('prompt', []));
    const { envelope } = await repo.publish({}, { probes: [deaf, prompt] });
    wakes.resolve();
    expect(heard).toBe(true);
    expect(recordOf(envelope, 'deaf').status).toBe('timed_out');
    expect(envelope['deaf']).toBeUndefined();
    expect(recordOf(envelope, 'prompt').status).toBe('ok');
    expect(JSON.stringify(repo.written())).not.toContain('too late to matter');
  });

  test('G33 what was timed out is not stored', async () => {
    repo = createFixtureRepo({ 'a.ts': '' });
    timeouts(repo, 'once: 1');
    let slow = true;
    const once = makeProbe(
      'once',
      async (_repo, ctx) => {
        if (slow)
          await ctx.exec.runAllowlisted(['node', '-e', 'setInterval(() => {}, 1e6)'], { cwd: '/', timeoutS: 50 });
        return rows('once', []);
      },
      { tools: ['node'] },
    );
    const other = makeProbe('other', async () => rows('other', []));
    expect(recordOf((await repo.publish({}, { probes: [once, other] })).envelope, 'once').status).toBe('timed_out');
    slow = false;
    const { envelope } = await repo.publish({}, { probes: [once, other] });
    expect(recordOf(envelope, 'once')).toMatchObject({ status: 'ok', cache: { state: 'miss' } });
  });
});

describe('G32 what a tool may print', () => {
  type Told = { readonly outcome: string; readonly parsed: string; readonly bytes: number };

  /** A probe as scanners are: it starts a tool, believes only what parses, and says what it could not use. */
  async function ask(script: string, timeoutS = 30): Promise<{ told: Told; status: string; slice: unknown }> {
    repo = createFixtureRepo({ 'a.ts': '' });
    let told: Told | undefined;
    const scanner = makeProbe(
      'scanner',
      async (_repo, ctx): Promise<ProbeOutput> => {
        const outcome: ExecOutcome = await ctx.exec.runAllowlisted(['node', '-e', script], {
          cwd: '/',
          timeoutS,
          maxStdoutBytes: 1 << 20,
        });
        const stdout = outcome.kind === 'exited' ? outcome.stdout : Buffer.alloc(0);
        const parsed = parseJsonObject(stdout, { maxBytes: 1 << 20, maxDepth: 64 });
        told = { outcome: outcome.kind, parsed: parsed.ok ? 'ok' : parsed.failure.kind, bytes: stdout.length };
        const answer = rows('scanner', [{ path: '', text: parsed.ok ? JSON.stringify(parsed.value) : '' }]);
        return parsed.ok ? answer : { ...answer, confidence: 'low', errors: ['scanner.bad_output'] };
      },
      { tools: ['node'] },
    );
    const sibling = makeProbe('sibling', async () => rows('sibling', [{ path: 'a', text: 'b' }]));
    const { envelope } = await repo.publish({}, { probes: [scanner, sibling] });
    expect(recordOf(envelope, 'sibling').status).toBe('ok');
    if (told === undefined) throw new Error('not asked');
    return { told, status: recordOf(envelope, 'scanner').status, slice: envelope['scanner'] };
  }

  test.each([
    ['garbage, exit 0', 'process.stdout.write(Buffer.from([0xff, 0, 1, 2, 0x7b]))', 'degraded'],
    ['truncated JSON', 'console.log(\'{"results": [{"a": \')', 'degraded'],
    ['nothing at all', '', 'degraded'],
    ['a number where an object is due', 'console.log("42")', 'degraded'],
    ['deep nesting', 'console.log(\'{"a":\' + "[".repeat(100000) + "]".repeat(100000) + "}")', 'degraded'],
    ['a crash', 'process.abort()', 'degraded'],
    ['exit 1 with findings', 'console.log(\'{"findings": 1}\'); process.exitCode = 1', 'ok'],
  ])('G32 %s', async (_, script, status) => {
    expect((await ask(script)).status).toBe(status);
  });

  test('G32 300 MB of output keep memory bounded, and the cut is told', async () => {
    const { told, status } = await ask(
      'const chunk = "x".repeat(1 << 20); let n = 0; const more = () => { while (n++ < 300) if (!process.stdout.write(chunk)) return process.stdout.once("drain", more); }; more();',
    );
    expect(told).toMatchObject({ outcome: 'exited', bytes: 1 << 20 });
    expect(status).toBe('degraded');
    expect(JSON.stringify(repo?.written())).toContain('subproc.stdout.truncated');
  });

  test('G32 colours and controls in findings are data, and reach no report raw', async () => {
    const { status } = await ask('console.log(JSON.stringify({ a: "\\u001b[31mred\\u001b]0;x\\u0007\\u202e" }))');
    expect(status).toBe('ok');
    const written = repo?.written() ?? {};
    for (const path of ['context/CONTEXT_REPORT.md', 'context/CONTEXT_REPORT.html', 'context/repo-context.yaml'])
      expect(written[path]).not.toMatch(/[\u001b\u0007]/);
  });

  test('G32 a hang is ended by the timeout of the call', async () => {
    const { told, status } = await ask('setInterval(() => {}, 1e6)', 1);
    expect(told.outcome).toBe('timed_out');
    expect(status).toBe('degraded');
  });

  test('G32 an output of the wrong type fails its probe, with its reason and without its data', async () => {
    repo = createFixtureRepo({ 'a.ts': '' });
    const wrong = makeProbe('wrong', async () => ({
      kind: 'ran',
      slice: { wrong: { rows: 'unexpected text' } },
      confidence: 'high',
    }));
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const notJson = makeProbe(
      'not_json',
      async () => ({ kind: 'ran', slice: { not_json: circular as never }, confidence: 'high' }),
      { sections: { not_json: z.any() } },
    );
    const nothing = makeProbe('nothing', async () => undefined as never);
    const thrower = makeProbe('thrower', async () => {
      throw new Error('no\nluck');
    });
    const sibling = makeProbe('sibling', async () => rows('sibling', []));
    const { envelope } = await repo.publish({}, { probes: [wrong, notJson, nothing, thrower, sibling] });
    expect(recordOf(envelope, 'wrong')).toMatchObject({ status: 'failed', errors: ['output.invalid'] });
    expect(recordOf(envelope, 'not_json').status).toBe('failed');
    expect(recordOf(envelope, 'nothing').status).toBe('failed');
    expect(recordOf(envelope, 'thrower')).toMatchObject({ status: 'failed', errors: ['probe.threw'] });
    expect(envelope['wrong']).toBeUndefined();
    expect(recordOf(envelope, 'sibling').status).toBe('ok');
    expect(JSON.stringify(envelope)).not.toContain('unexpected text');
  });
});
