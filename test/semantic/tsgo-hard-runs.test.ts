/**
 * Our own TypeScript indexer where it comes to its limits: files that are too large, compilers that die or are too large themselves, a
 * compiler that is another one (code-plane.md §6.1, §6.3). Each ends as an outcome with a name; what is complete is taken, document by
 * document, and nothing else.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { packageDirectory } from '../../src/kernel/base/package-files.ts';
import { compilerVersion } from '../../src/kernel/exec/compiler-packages.ts';
import { tsgo } from '../../src/languages/typescript/typescript-indexer.ts';
import { createGate, createTsgoRig, expectClean, listCompilersOf, type TsgoRig } from '../support/tsgo-rig.ts';

let rig: TsgoRig | undefined;
afterEach(async () => {
  await rig?.dispose();
  rig = undefined;
});

const plain = {
  'package.json': '{"name":"shop","version":"1.0.0"}',
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"noEmit":true,"target":"esnext","module":"esnext","moduleResolution":"bundler","lib":["esnext"],"types":[]},"include":["src"]}',
  '.gitignore': 'node_modules/\n',
};

describe('large files', () => {
  function generated(bytes: number, name: string): string {
    const lines: string[] = [];
    for (let [n, size] = [0, 0]; size < bytes; n += 1) {
      const line = `export const ${name}${n}: number = ${n}; // ${'x'.repeat(3_000)}\n`;
      lines.push(line);
      size += line.length;
    }
    return lines.join('');
  }

  test('T1 T2 one within the limit is a file like any other; one above it is named, never clean, and no weight on the rest', async () => {
    const made = createTsgoRig({
      ...plain,
      'src/a.ts': 'export const a = 1;\n',
      'src/big.ts': generated(3_900_000, 'big'),
      'src/huge.ts': generated(5_000_000, 'huge'),
      'src/use.ts':
        "import { a } from './a';\nimport { big1 } from './big';\nimport { huge1 } from './huge';\nexport const used = [a, big1, huge1];\n",
    });
    rig = made;
    const others = ['src/a.ts', 'src/big.ts', 'src/use.ts'];
    const { ran, hopeless } = await made.refresh();
    expect({ ran, hopeless }).toMatchObject({ ran: [{ status: 'completed', accepted: 3, rejected: 0 }], hopeless: [] });
    expect(made.runs).toMatchObject([
      { log: expect.stringContaining('no document of src/huge.ts: larger than 4194304 bytes') },
    ]);
    await expectClean(made, ...others);
    expect(await made.states('src/huge.ts')).toEqual({ 'src/huge.ts': 'unsupported' });
    expect(await made.places('src/big.ts', 'const «big1:')).toEqual([
      'src/big.ts:2:14',
      'src/use.ts:2:10',
      'src/use.ts:4:25',
    ]);
    // What cannot be followed into it is a doubt, not a reference that is not there.
    expect(await made.items('src/use.ts')).toEqual(['unresolved_reference huge1', 'unresolved_reference huge1']);

    made.tree.write('src/huge.ts', generated(5_000_001, 'other'));
    await (await made.tree.session()).reconcile('all');
    expect(Object.values(await made.states(...others))).not.toContain('clean');
    await made.refresh();
    await expectClean(made, ...others);
  });
});

describe('a compiler that dies', () => {
  const loud = 'export declare const loud: number;\ndeclare global { var shouted: string }\n';
  const files = {
    ...plain,
    'node_modules/loud/package.json': '{"name":"loud","version":"1.0.0","types":"index.d.ts"}',
    'src/a.ts': "import { loud } from 'loud';\nexport const a = loud;\n",
    'src/b.ts': "import { a } from './a';\nexport const b = [a, shouted];\n",
  };

  test('R15 between loading and the first document is started again, and nothing is missing', async () => {
    const made = createTsgoRig(files);
    rig = made;
    const gate = createGate(join(made.tree.root, 'node_modules/loud/index.d.ts'), loud);
    let group = 0;
    const killed: number[] = [];
    const refreshed = made.refresh({ onStart: (pid) => (group = pid) });
    await gate.pass(() => {});
    await gate.pass(() => {
      for (const pid of listCompilersOf(group)) if (process.kill(pid, 'SIGKILL')) killed.push(pid);
    }, true);
    expect((await refreshed).ran).toMatchObject([{ status: 'completed', accepted: 2, rejected: 0 }]);
    expect(killed).toHaveLength(1);
    await expectClean(made, 'src/a.ts', 'src/b.ts');
    expect(await made.places('src/a.ts', 'const «a')).toEqual(['src/a.ts:2:14', 'src/b.ts:1:10', 'src/b.ts:2:19']);
  });

  test('R15 while it loads is `tool_crashed`, changes nothing, and is tried again', async () => {
    const made = createTsgoRig(files);
    rig = made;
    const gate = createGate(join(made.tree.root, 'node_modules/loud/index.d.ts'), loud);
    let group = 0;
    const refreshed = made.refresh({ onStart: (pid) => (group = pid) });
    await gate.pass(() => {
      for (const pid of listCompilersOf(group)) process.kill(pid, 'SIGKILL');
    }, true);
    const { ran, waiting } = await refreshed;
    expect({ ran, waiting }).toMatchObject({
      ran: [
        {
          status: 'failed',
          failure: 'tool_crashed',
          detail: expect.stringContaining('the compiler ended'),
          accepted: 0,
        },
      ],
      waiting: [{ failure: 'tool_crashed' }],
    });
    expect(await made.states('src/a.ts', 'src/b.ts')).toEqual({ 'src/a.ts': 'unindexed', 'src/b.ts': 'unindexed' });
  });
});

test('R15 a compiler that ends without a word when the system is out of memory has ended of that', () => {
  const exited = (stdout: string, stderr: string) => ({
    kind: 'exited' as const,
    code: 1,
    ms: 1,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
    truncated: { stdout: false, stderr: false },
  });
  const gone = 'the compiler ended and can answer no more: Unexpected EOF while reading from child process\n';
  const killed = 'out_of_memory: meanwhile the system has ended a process for want of memory\n';
  expect(tsgo.classifyExit(exited('', gone))).toBe('tool_crashed');
  expect(tsgo.classifyExit(exited(killed, gone))).toBe('out_of_memory');
  expect(tsgo.classifyExit(exited(killed, `panic: runtime error: index out of range\n${gone}`))).toBe('tool_crashed');
});

test('R15 R17 pipes in the place of a source, a declaration file and manifests are said, left out and not waited for', async () => {
  const made = createTsgoRig({
    ...plain,
    'node_modules/loud/package.json': '{"name":"loud","version":"1.0.0","types":"index.d.ts"}',
    'src/a.ts': 'export const a = 1;\n',
    'src/use.ts':
      "import { a } from './a';\nimport { b } from './b';\nimport { loud } from 'loud';\nimport { deep } from './sub/deep';\nexport const used = [a, b, loud, deep];\n",
    'src/b.ts': 'export const b = 1;\n',
    'src/sub/deep.ts': 'export const deep = 1;\n',
  });
  rig = made;
  const makePipe = (path: string): void => {
    rmSync(join(made.tree.root, path), { force: true });
    execFileSync('mkfifo', [join(made.tree.root, path)]);
  };
  makePipe('src/sub/package.json');
  expect((await made.refresh()).ran).toMatchObject([{ status: 'completed', accepted: 4, rejected: 0 }]);
  await expectClean(made, 'src/a.ts', 'src/use.ts', 'src/b.ts', 'src/sub/deep.ts');

  makePipe('src/b.ts');
  makePipe('node_modules/loud/index.d.ts');
  rmSync(join(made.tree.root, 'src/sub/package.json'));
  const { failed, waiting, hopeless } = await made.refresh({ limits: { stillLooks: 2 } });
  expect({ failed, waiting, hopeless }).toEqual({ failed: [], waiting: [], hopeless: [] });
  const [first, second] = made.runs.map((run) => (run.kind === 'output' ? run.log : run));
  expect(first).toContain('not read: src/sub/package.json is no regular file');
  for (const path of ['src/b.ts', 'node_modules/loud/index.d.ts'])
    expect(second).toContain(`not read: ${path} is no regular file`);
  await expectClean(made, 'src/a.ts', 'src/use.ts', 'src/sub/deep.ts');
  expect(await made.places('src/a.ts', '«a')).toEqual(['src/a.ts:1:14', 'src/use.ts:1:10', 'src/use.ts:5:22']);

  // What was a pipe is a file again.
  rmSync(join(made.tree.root, 'src/b.ts'));
  made.tree.write('src/b.ts', 'export const b = 2;\n');
  await made.refresh({ limits: { stillLooks: 2 } });
  await expectClean(made, 'src/a.ts', 'src/use.ts', 'src/b.ts');
  expect(await made.places('src/b.ts', '«b =')).toEqual(['src/b.ts:1:14', 'src/use.ts:2:10', 'src/use.ts:5:25']);
});

test('R15 R24 more memory than there may be is `out_of_memory`, changes nothing, and is tried again in parts', async () => {
  // Several times what is allowed, for many times as long as the watch sleeps.
  const literals = Array.from(
    { length: 60_000 },
    (_, n) => `export const v${n} = { a${n}: { b: [${n}, 'x${n}'] } };\n`,
  );
  const made = createTsgoRig({
    ...plain,
    'src/a.ts': 'export const a = 1;\n',
    'src/many.ts': literals.join(''),
    'src/more.ts': literals.join(''),
    'src/z.ts': "import { a } from './a';\nexport const z = a;\n",
  });
  rig = made;
  const { ran, waiting } = await made.refresh({ limits: { memoryMb: 128 } });
  expect({ ran, waiting }).toMatchObject({
    ran: [{ status: 'failed', failure: 'out_of_memory', accepted: 0 }],
    waiting: [{ failure: 'out_of_memory' }],
  });
  expect(await made.states('src/a.ts', 'src/many.ts', 'src/more.ts', 'src/z.ts')).toEqual({
    'src/a.ts': 'unindexed',
    'src/many.ts': 'unindexed',
    'src/more.ts': 'unindexed',
    'src/z.ts': 'unindexed',
  });
});

describe('a compiler that is another one', () => {
  /** The indexer's sources beside a package `typescript` of the test's making. */
  function runBeside(typescript: { readonly version: string } | undefined) {
    const place = mkdtempSync(join(tmpdir(), 'tsgo-'));
    try {
      cpSync(join(packageDirectory, 'src'), join(place, 'src'), { recursive: true });
      cpSync(join(packageDirectory, 'package.json'), join(place, 'package.json'));
      mkdirSync(join(place, 'node_modules/@typescript'), { recursive: true });
      if (typescript !== undefined) {
        mkdirSync(join(place, 'node_modules/typescript'));
        writeFileSync(join(place, 'node_modules/typescript/package.json'), JSON.stringify(typescript));
        const native = `@typescript/typescript-${process.platform}-${process.arch}`;
        symlinkSync(join(packageDirectory, 'node_modules', native), join(place, 'node_modules', native));
      }
      const run = spawnSync(
        process.execPath,
        [join(place, 'src/languages/typescript/tsgo/tsgo-job.ts'), join(place, 'job.json')],
        {
          encoding: 'utf8',
        },
      );
      return { status: run.status, stdout: run.stdout, stderr: run.stderr };
    } finally {
      rmSync(place, { recursive: true });
    }
  }

  test.each([
    [undefined, 'missing_tool', 'not installed'],
    [{ version: '7.1.0' }, 'bad_version', '7.1.0'],
    [{ version: '5.9.3' }, 'bad_version', '5.9.3'],
  ] as const)(
    'it says which one it is and which one it should be, before it reads anything: %j',
    (installed, failure, version) => {
      const said = `${failure}: the package typescript is ${version}, and this indexer is written for version ${compilerVersion}\n`;
      expect(runBeside(installed)).toEqual({ status: 1, stdout: said, stderr: '' });
      const streams = {
        stdout: Buffer.from(said),
        stderr: Buffer.alloc(0),
        truncated: { stdout: false, stderr: false },
      };
      expect(tsgo.classifyExit({ kind: 'exited', code: 1, ms: 1, ...streams })).toBe(failure);
    },
  );
});
