/**
 * A rename on a real terminal (mutation.md §6.2): a pseudo-terminal of python's, in which the program runs as a person starts it. Each step waits
 * for what is asked, may write a file as another program would, and presses keys.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { runCli } from '../support/run-cli.ts';
import { quickPath } from '../support/tools.ts';

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

/** argv, steps and directory as JSON on its input; what was shown and how it ended as JSON on its output. */
const driver = `
import json, os, pty, select, sys
asked = json.load(sys.stdin)
steps = asked['steps']
pid, fd = pty.fork()
if pid == 0:
    os.chdir(asked['cwd'])
    os.execvpe(asked['argv'][0], asked['argv'], asked['environment'])
shown = b''
seen = 0
while True:
    ready, _, _ = select.select([fd], [], [], asked['patience'])
    if not ready:
        os.kill(pid, 9)
        break
    try:
        more = os.read(fd, 65536)
    except OSError:
        break
    if not more:
        break
    shown += more
    while steps and steps[0]['at'].encode() in shown[seen:]:
        step = steps.pop(0)
        seen = shown.index(step['at'].encode(), seen) + len(step['at'].encode())
        if 'write' in step:
            with open(step['write']['path'], 'w') as file:
                file.write(step['write']['text'])
        os.write(fd, step['keys'].encode())
_, status = os.waitpid(pid, 0)
json.dump({'shown': shown.decode(errors='replace').replace('\\r\\n', '\\n'), 'code': os.waitstatus_to_exitcode(status), 'left': len(steps)}, sys.stdout)
`;

type Step = {
  readonly at: string;
  readonly keys: string;
  readonly write?: { readonly path: string; readonly text: string };
};

const config = JSON.stringify({
  compilerOptions: { strict: true, noEmit: true, lib: ['esnext'], types: [] },
  include: ['src'],
});
const source = [
  'export class Box {',
  '  size = 1;',
  '}',
  'export function grow(anything: any) {',
  '  anything.size += 1;',
  '}',
  'export function read(box: Box, name: string) {',
  '  return Reflect.get(box, name);',
  '}',
  'export function again(box: Box, name: string) {',
  '  return Reflect.get(box, name) ?? 0;',
  '}',
  'const total = new Box().size;',
  'console.log(total);',
  '',
].join('\n');
const renamed = source.replaceAll('size', 'width');
const left = renamed.replace('anything.width', 'anything.size');
const ctrlC = '\x03';

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

function open() {
  const made = createIndexedTree({ 'tsconfig.json': config, 'src/box.ts': source });
  tree = made;
  const program = join(import.meta.dirname, '../../bin/codegenie.mjs');
  const path = join(made.root, 'src/box.ts');
  return {
    path,
    read: () => readFileSync(path, 'utf8'),
    write: (text: string) => writeFileSync(path, text),
    cli: (...argv: string[]) => runCli(argv, { cwd: made.root, home: made.base }),
    sit(argv: readonly string[], steps: readonly Step[]): { shown: string; code: number; left: number } {
      const input = JSON.stringify({
        argv: [process.execPath, program, ...argv],
        steps,
        cwd: made.root,
        patience: 60,
        environment: { PATH: quickPath(), HOME: made.base, TERM: 'dumb', NO_COLOR: '1' },
      });
      return JSON.parse(execFileSync('python3', ['-c', driver], { input, encoding: 'utf8', timeout: 200_000 }));
    },
  };
}

const at = ['rename', 'src/box.ts:2:3', 'width'];
const grow = { at: '(untyped_access)' };
const both = { at: '2 places: a member reached by a computed name' };
const stop = '[s] stop';

describe.skipIf(!hasPython)('on a terminal (python3 with pty)', () => {
  test('M43 the diff is shown, questions of one kind and reason are one, a key answers each, and the last one writes', () => {
    const it = open();
    const done = it.sit(at, [
      { ...grow, keys: '' },
      { at: stop, keys: 'l' },
      { ...both, keys: '' },
      { at: stop, keys: 'y' },
      { at: 'write it?', keys: 'y' },
    ]);
    expect(done, done.shown).toMatchObject({ code: 0, left: 0 });
    expect(done.shown).toContain('  2 - size = 1;\n     + width = 1;');
    expect(done.shown).toContain('question 2 of 2');
    expect(done.shown).toMatch(
      /src\/box\.ts:8:\d+ {2}return Reflect\.get\(box, name\);\n.*src\/box\.ts:11:\d+ {2}return Reflect/,
    );
    expect(done.shown).toContain('renamed size → width');
    expect(it.read()).toBe(left);
  });

  test('M43 place by place, with more to see, and the other option', () => {
    const it = open();
    const done = it.sit(at, [
      { at: stop, keys: 'r' },
      { ...both, keys: '' },
      { at: stop, keys: 'm' },
      { at: '14 | console.log', keys: '' },
      { at: stop, keys: 'p' },
      { at: 'place 1 of 2', keys: '' },
      // A key that is no answer, and one that is.
      { at: stop, keys: 'xy' },
      { at: 'place 2 of 2', keys: '' },
      { at: stop, keys: 'y' },
      { at: 'write it?', keys: 'y' },
    ]);
    expect(done, done.shown).toMatchObject({ code: 0, left: 0 });
    expect(done.shown).toMatch(/ 8 \| {3}return Reflect\.get\(box, name\);\n +\| +\^/);
    expect(it.read()).toBe(renamed);
  });

  test.each([
    ['Ctrl-C', ctrlC, 130],
    ['stop', 's', 8],
  ])('%s leaves everything as it was, and the plan for another day', async (_, key, code) => {
    const it = open();
    const ended = it.sit(at, [
      { at: stop, keys: 'l' },
      { ...both, keys: '' },
      { at: stop, keys: key },
    ]);
    expect(ended, ended.shown).toMatchObject({ code, left: 0 });
    const [, id = ''] = /nothing was written; the plan stays: codegenie plan commit (\S+)/.exec(ended.shown) ?? [];
    expect(it.read()).toBe(source);
    expect((await it.cli('plan', 'list')).stdout).toContain(`${id}  open`);
    const done = await it.cli('plan', 'commit', id, 'untyped_access=leave', '--accept', 'dynamic_access');
    expect(done.code, done.stdout).toBe(0);
    expect(it.read()).toBe(left);
  });

  test('Ctrl-C while it is planned leaves everything as it was', () => {
    const it = open();
    const ended = it.sit(at, [{ at: 'asking the compiler', keys: ctrlC }]);
    expect(ended, ended.shown).toMatchObject({ code: 130, left: 0 });
    expect(it.read()).toBe(source);
  });

  test('M43 a file that is written after its line was shown refuses what was answered', () => {
    const it = open();
    const other = source.replace('Reflect.get(box, name);', 'Reflect.get(box, name) as number;');
    const ended = it.sit(at, [
      { at: stop, keys: 'l' },
      { ...both, keys: '' },
      { at: stop, keys: 'y' },
      { at: 'write it?', keys: 'y', write: { path: it.path, text: other } },
    ]);
    // M29: the place reads otherwise, so it is asked about anew.
    expect(ended, ended.shown).toMatchObject({ code: 8, left: 0 });
    expect(it.read()).toBe(other);
  });

  test('what is proven is shown and written with one key, or left', () => {
    const it = open();
    const total = ['rename', 'src/box.ts:13:7', 'sum'];
    expect(it.sit(total, [{ at: 'write it?', keys: 'n' }])).toMatchObject({ code: 0, left: 0 });
    expect(it.read()).toBe(source);
    const done = it.sit(total, [{ at: 'write it?', keys: 'y' }]);
    expect(done, done.shown).toMatchObject({ code: 0, left: 0 });
    expect(it.read()).toBe(source.replaceAll('total', 'sum'));
  });

  test('a plan of before is asked about by `plan commit`; with --json nothing is asked', async () => {
    const it = open();
    const { stdout } = await it.cli(...at, '--json');
    const { id } = JSON.parse(stdout).outcome.plan;
    expect(it.sit([...at, '--json'], [])).toMatchObject({ code: 8, shown: expect.stringMatching(/^.*\{"outcome"/s) });
    const done = it.sit(
      ['plan', 'commit', id],
      [
        { at: stop, keys: 'r' },
        { ...both, keys: '' },
        { at: stop, keys: 'y' },
        { at: 'write it?', keys: 'y' },
      ],
    );
    expect(done, done.shown).toMatchObject({ code: 0, left: 0 });
    expect(it.read()).toBe(renamed);
  });
});
