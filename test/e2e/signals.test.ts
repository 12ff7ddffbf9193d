/**
 * Signals, at many moments of the start of each command that works for long: the program ends by the signal or with an exit code of the
 * table, no process stays, no lock and no half of a file.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectConfig } from '../support/change-world.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { olderNode } from '../support/older-node.ts';

const program = fileURLToPath(new URL('../../bin/codegenie.mjs', import.meta.url));
const moments = Number(process.env['CODEGENIE_SOAK_RUNS'] ?? 3);

const commands: readonly (readonly string[])[] = [
  ['gather', '.'],
  ['refs', 'total'],
  ['rename', 'total', 'sum', '--apply'],
  ['serve', '--no-watch'],
  ['mcp', '--no-daemon'],
];

let tree: IndexedTree;
const children: ChildProcess[] = [];
beforeEach(() => {
  const use = (n: number) => `import { total } from "./a.ts";\nconsole.log(total, ${n});\n`;
  tree = createIndexedTree({
    'tsconfig.json': projectConfig,
    'a.ts': 'export const total = 1;\n',
    'b.ts': use(1),
    'c.ts': use(2),
  });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await tree.dispose();
});

function start(node: readonly string[], argv: readonly string[]) {
  const [file = '', ...options] = node;
  const child = spawn(file, [...options, program, ...argv], {
    cwd: tree.root,
    env: { PATH: process.env['PATH'], HOME: tree.base },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = new Promise<{ readonly code: number | null; readonly signal: string | null; readonly atMs: number }>(
    (resolve) => child.once('exit', (code, signal) => resolve({ code, signal, atMs: performance.now() })),
  );
  return { child, ended, said: () => said };
}

/** Programs other than this one that were started for this tree: they name it, or stand in it. */
function running(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return words.includes(tree.base) || readlinkSync(`/proc/${pid}/cwd`).startsWith(tree.base) ? [words] : [];
      } catch {
        return [];
      }
    });
}

/** What a writer leaves that was cut: temporary files, and half of a change. */
function halves(): readonly string[] {
  const texts = ['a.ts', 'b.ts', 'c.ts'].map((path) => readFileSync(join(tree.root, path), 'utf8'));
  const isWhole = texts.every((text) => text.includes('total')) || texts.every((text) => text.includes('sum'));
  const context = join(tree.root, '.codegenie/context');
  const published = existsSync(context) ? readdirSync(context) : [];
  return [
    ...(isWhole ? [] : texts),
    ...[...readdirSync(tree.root), ...published].filter((name) => /\.cg-|\.tmp$/.test(name)),
  ];
}

/** A module of the command blocks the thread while it is loaded, as loading does on a busy machine: no handler would be heard. */
test.each([
  ['gather', 'src/serve/workspace/open-workspace.ts'],
  ['refs', 'src/serve/workspace/open-workspace.ts'],
  ['rename', 'src/serve/workspace/open-workspace.ts'],
  ['serve', 'src/cli/ask.ts'],
  ['mcp', 'src/serve/workspace/open-workspace.ts'],
])('a signal ends `%s` while it loads %s', async (name, module) => {
  const hook = join(tree.base, 'slow.mjs');
  writeFileSync(
    hook,
    `import { writeSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (url.endsWith('${module}')) {
        writeSync(2, 'loading');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
      }
      return next(url, context);
    } });`,
  );
  const argv = commands.find(([first]) => first === name) ?? [];
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const { child, ended } = start([process.execPath, '--import', hook], argv);
    child.stderr?.once('data', () => child.kill(signal));
    expect(await ended).toMatchObject({ code: null, signal });
  }
});

const launchers = [
  ['this Node', process.execPath, commands],
  [
    'an older Node (needs an older Node)',
    olderNode,
    commands.filter(([name]) => name === 'rename' || name === 'serve'),
  ],
] as const;

describe.each(launchers)('started with %s', (_, node, asked) => {
  test.skipIf(node === undefined).each(asked.map((argv) => [argv.join(' '), argv] as const))(
    'G27 at any moment `%s` ends by a signal',
    async (_, argv) => {
      // How long a start takes here is measured: the moments are spread over it.
      const begun = performance.now();
      const first = start([node ?? ''], ['refs', 'total']);
      await first.ended;
      const tookMs = performance.now() - begun;
      for (let n = 0; n < moments; n += 1) {
        const { child, ended, said } = start([node ?? ''], argv);
        await new Promise((resolve) => setTimeout(resolve, (tookMs * (n + 0.5)) / moments));
        const isOver = child.exitCode !== null;
        const sentMs = performance.now();
        child.kill('SIGTERM');
        const { code, signal, atMs } = await ended;
        // A server that is stopped has ended well; a command may have been done.
        if (signal === null) expect([0, 130], said()).toContain(code);
        else expect(signal).toBe('SIGTERM');
        // A second, on a machine that has nothing else to do.
        if (!isOver) expect(atMs - sentMs).toBeLessThan(10_000);
        expect(running()).toEqual([]);
        expect(halves()).toEqual([]);
      }
      expect(await start([node ?? ''], ['plan', 'list']).ended).toMatchObject({ code: 0 });
    },
  );
});

test.skipIf(olderNode === undefined)(
  'the program ends with its launcher, whatever ends that (needs an older Node)',
  async () => {
    const { child, ended, said } = start([olderNode ?? ''], ['serve', '--no-watch']);
    while (!said().includes('\n')) await new Promise((resolve) => child.stdout?.once('data', resolve));
    expect(running().length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL' });
    while (running().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  },
);
