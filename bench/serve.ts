/**
 * The daemon under agents: one client's calls, fifty clients at once, and a cold start. Beside them, in the same run, `rg` for the same text.
 * The program is the built one, as it is published; the tree is indexed, compiler facts included, before anything is measured.
 *   --quick       3,000 files and 5 s of load
 *   --files=<n>   50000
 *   --seconds=<n> 60
 */

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildProgram, stateOf } from './build-program.ts';

const perFolder = 200;

type Place = { readonly root: string; readonly home: string; readonly program: string };

export async function benchServe(flags: readonly string[]): Promise<void> {
  const isQuick = flags.includes('--quick');
  const files = Number(readFlag(flags, 'files') ?? (isQuick ? 3_000 : 50_000));
  const seconds = Number(readFlag(flags, 'seconds') ?? (isQuick ? 5 : 60));
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-bench-')));
  const program = buildProgram(join(base, 'program'));
  const place: Place = { root: join(base, 'tree'), home: join(base, 'home'), program };
  try {
    console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
    makeTree(place, files);
    console.log(`serve: ${files} files`);
    await benchImport(place);
    await benchCalls(place);
    await benchLoad(place, seconds);
  } finally {
    run(place, 'daemon', 'stop', '--quiet');
    rmSync(base, { recursive: true, force: true });
  }
}

/** One client after the other while everything is indexed for the first time: how long the longest of them waits. */
async function benchImport(place: Place): Promise<void> {
  run(place, 'index', '--quiet');
  run(place, 'daemon', 'start', '--quiet');
  const socketPath = socketOf(place);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const lives: number[] = [];
  const questions: number[] = [];
  const began = performance.now();
  let isOver = false;
  let errors = 0;
  const { root, home, program } = place;
  const indexing = promisify(execFile)(process.execPath, [program, '-C', root, 'index', '--semantic', '--quiet'], {
    env: { ...process.env, HOME: home },
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    try {
      lives.push(await timeOf(() => ask(socketPath, agent, '/healthz')));
      questions.push(await timeOf(() => ask(socketPath, agent, '/v1/search', { query: 'g9_1' })));
    } catch {
      errors += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await indexing;
  agent.destroy();
  console.log(
    `  all compiler facts for the first time: ${((performance.now() - began) / 1_000).toFixed(1)} s; meanwhile a sign of life ` +
      `${figures(lives)}, at most ${Math.max(...lives).toFixed(0)} ms; a search ${figures(questions)}, at most ` +
      `${Math.max(...questions).toFixed(0)} ms; ${errors} errors`,
  );
  run(place, 'daemon', 'stop', '--quiet');
}

async function benchCalls(place: Place): Promise<void> {
  const began = performance.now();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [place.program, '-C', place.root, 'mcp'],
    env: { PATH: '', ...process.env, HOME: place.home } as Record<string, string>,
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  await call('search', { query: 'g7_3' });
  console.log(`  cold \`mcp\` to the first answer, index at hand: ${Math.round(performance.now() - began)} ms`);
  const tools = JSON.stringify(await client.listTools());
  console.log(`  tools: ${tools.length} characters, about ${Math.ceil(tools.length / 3.5)} tokens`);
  const asked: readonly (readonly [string, Record<string, unknown>])[] = [
    ['status', {}],
    ['symbols', { query: 'g7_3' }],
    ['navigate', { op: 'def', target: 'src/m3/f7.ts:3:20' }],
    ['search', { query: 'g7_3' }],
  ];
  for (const [name, input] of asked) {
    for (let warm = 0; warm < 5; warm += 1) await call(name, input);
    const took: number[] = [];
    const processor = processorMsOf(place);
    for (let turn = 0; turn < 200; turn += 1) took.push(await timeOf(() => call(name, input)));
    const perCall = (processorMsOf(place) - processor) / took.length;
    console.log(`  warm ${name}: ${figures(took)}, ${perCall.toFixed(1)} ms of the daemon's processor time`);
  }
  const took: number[] = [];
  for (let turn = 0; turn < 10; turn += 1)
    took.push(await timeOf(async () => execFileSync('rg', ['-l', 'g7_3', place.root], { stdio: 'pipe' })));
  console.log(`  rg for the same text: ${figures(took)}`);
  await client.close();
}

/**
 * Fifty clients, each with a connection of its own, twenty calls a second each: more than the daemon answers on two cores. The processor
 * time of the daemon is told beside them, because the clients and whatever else runs have the same cores.
 */
async function benchLoad(place: Place, seconds: number): Promise<void> {
  const socketPath = socketOf(place);
  const bodies: readonly (readonly [string, object])[] = [
    ['/v1/symbols', { query: 'g7_3', exact: true }],
    ['/v1/search', { query: 'g9_1' }],
    ['/v1/navigate', { kind: 'def', target: 'src/m3/f7.ts:3:20' }],
  ];
  const memory = async () =>
    Number(/resident_memory_bytes (\d+)/.exec(await ask(socketPath, undefined, '/metrics'))?.[1]);
  const took: number[] = [];
  let errors = 0;
  const client = async (number: number, forMs: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const began = performance.now();
    for (let turn = 0; performance.now() - began < forMs; turn += 1) {
      const [path, body] = bodies[(number + turn) % bodies.length] as readonly [string, object];
      took.push(
        await timeOf(() =>
          ask(socketPath, agent, path, body).catch(() => {
            errors += 1;
          }),
        ),
      );
      const nextMs = began + (turn + 1) * 50 - performance.now();
      if (nextMs > 0) await new Promise((resolve) => setTimeout(resolve, nextMs));
    }
    agent.destroy();
  };
  const clients = (forMs: number) => Promise.all(Array.from({ length: 50 }, (_, number) => client(number, forMs)));
  // What fifty connections take at all is not growth.
  await clients(3_000);
  took.length = 0;
  const before = await memory();
  const processor = processorMsOf(place);
  await clients(seconds * 1_000);
  const perCall = (processorMsOf(place) - processor) / took.length;
  const after = await memory();
  console.log(
    `  50 clients, ${seconds} s: ${(took.length / seconds).toFixed(0)} calls/s, ${errors} errors, ${figures(took)}; ` +
      `${perCall.toFixed(2)} ms of the daemon's processor time a call; ` +
      `${Math.round(before / 1e6)} MB → ${Math.round(after / 1e6)} MB (${((after / before - 1) * 100).toFixed(0)} %)`,
  );
}

function writerOf({ root }: Place): { readonly socket: string; readonly pid: number } {
  return JSON.parse(readFileSync(join(stateOf(root), 'run/writer.json'), 'utf8')) as { socket: string; pid: number };
}

function socketOf(place: Place): string {
  return writerOf(place).socket;
}

/** Of all its threads, in ticks of 10 ms; NaN where there is no `/proc`. */
function processorMsOf(place: Place): number {
  try {
    const fields = readFileSync(`/proc/${writerOf(place).pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function ask(socketPath: string, agent: Agent | undefined, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ socketPath, path, agent, method: body === undefined ? 'GET' : 'POST', headers });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
        else reject(new Error(String(response.statusCode)));
      });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function makeTree({ root, home }: Place, files: number): void {
  mkdirSync(home, { recursive: true });
  for (let file = 0; file < files; file += 1) {
    const folder = Math.floor(file / perFolder);
    const [own, next] = [file % perFolder, (file + 1) % perFolder];
    if (own === 0) mkdirSync(join(root, `src/m${folder}`), { recursive: true });
    writeFileSync(
      join(root, `src/m${folder}/f${own}.ts`),
      `import { g${next}_${folder} } from './f${next}';\nexport function g${own}_${folder}(n: number): number {\n  return n > 0 ? g${next}_${folder}(n - 1) : ${own};\n}\n`,
    );
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@x', ...args], { cwd: root });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'x');
}

function run({ root, home, program }: Place, ...args: readonly string[]): void {
  execFileSync(process.execPath, [program, '-C', root, ...args], {
    env: { ...process.env, HOME: home },
    stdio: 'pipe',
  });
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

function figures(took: readonly number[]): string {
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}

function readFlag(flags: readonly string[], name: string): string | undefined {
  return flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
}
