/** A rename from the command line to the disk and back, with the real compiler: what a person types, and what is then in the files. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Answer, Proof } from '../../src/mutate/answer.ts';
import { createIndexedTree, type IndexedTree } from '../support/indexed-tree.ts';
import { runCli } from '../support/run-cli.ts';

const config = JSON.stringify({
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    types: [],
  },
  include: ['src'],
});

const shop = {
  'tsconfig.json': config,
  'src/order.ts':
    'export type Order = { lines: number[] };\n\nexport function total(order: Order): number {\n  return order.lines.length;\n}\n\nexport function sum(): number {\n  return 1;\n}\n',
  'src/cart.ts':
    "import { total } from './order.ts';\n\nexport const shown = { total };\nconsole.log(total({ lines: [] }), 'total');\n",
};

let tree: IndexedTree | undefined;
afterEach(async () => {
  await tree?.dispose();
  tree = undefined;
});

function open(files: Readonly<Record<string, string>>) {
  const made = createIndexedTree(files);
  tree = made;
  const run = (...argv: string[]) => runCli(argv, { cwd: made.root, home: made.base });
  return {
    run,
    read: (path: string) => readFileSync(join(made.root, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(made.root, path), text),
    async ask(...argv: string[]) {
      const { code, stdout, stderr } = await run(...argv, '--json');
      expect(stdout.trimEnd().split('\n'), stderr).toHaveLength(1);
      return { code, ...(JSON.parse(stdout) as Answer & { readonly proof_template?: Proof }) };
    },
  };
}

test('M2 a plan writes nothing, a commit writes it, an undo takes every byte back', async () => {
  const { run, ask, read } = open(shop);
  const planned = await run('rename', 'src/order.ts:3:17', 'amount');
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.stdout).toContain(
    "  1 - import { total } from './order.ts';\n    + import { amount } from './order.ts';",
  );
  expect(planned.stdout).toContain(
    '  3 - export const shown = { total };\n    + export const shown = { total: amount };',
  );
  expect(read('src/cart.ts')).toBe(shop['src/cart.ts']);
  const id = /plan commit (\S+)$/m.exec(planned.stdout)?.[1] ?? '';
  expect((await run('plan', 'list')).stdout).toMatch(new RegExp(`^${id}  open  rename total → amount  `));

  const committed = await run('plan', 'commit', id);
  expect(committed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('renamed total → amount · 2 files written'),
  });
  expect(read('src/cart.ts')).toBe(
    "import { amount } from './order.ts';\n\nexport const shown = { total: amount };\nconsole.log(amount({ lines: [] }), 'total');\n",
  );
  expect(await ask('plan', 'commit', id)).toMatchObject({ code: 9, outcome: { reason: 'plan_used' } });

  expect(await run('plan', 'undo', id)).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(shop)) expect(read(path)).toBe(text);
  expect((await run('plan', 'list')).stdout).toMatch(new RegExp(`^${id}  undone `));
});

test('--apply writes at once what is proven, by a name path as well', async () => {
  const { ask, read } = open(shop);
  expect(await ask('rename', 'total', 'amount', '--apply')).toMatchObject({
    code: 0,
    outcome: { kind: 'ok', state: 'applied', result: { files: [{ path: 'src/cart.ts' }, { path: 'src/order.ts' }] } },
  });
  expect(read('src/order.ts')).toContain('export function amount(');
});

test('a cancelled plan cannot be committed', async () => {
  const { run, ask } = open(shop);
  const { outcome } = await ask('rename', 'total', 'amount');
  const id = outcome.kind === 'ok' ? outcome.plan.id : '';
  expect(await run('plan', 'cancel', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`cancelled plan ${id}`),
  });
  expect(await ask('plan', 'commit', id)).toMatchObject({ code: 9, outcome: { reason: 'plan_cancelled' } });
});

describe('what is not planned has its own exit code', () => {
  test('G9 a name that is taken', async () => {
    const { run, ask, read } = open(shop);
    expect(await ask('rename', 'total', 'sum')).toMatchObject({
      code: 9,
      outcome: { kind: 'refused', reason: 'collision' },
    });
    expect((await run('rename', 'total', 'sum')).stdout).toMatch(/^refused \(collision\): /);
    expect(read('src/order.ts')).toBe(shop['src/order.ts']);
  });

  test('G9 nothing there', async () => {
    const { ask } = open(shop);
    expect(await ask('rename', 'src/order.ts:2:1', 'amount')).toMatchObject({
      code: 9,
      outcome: { reason: 'no_symbol' },
    });
  });

  test('G8 a name of two things lists both', async () => {
    const { run, ask } = open({ ...shop, 'src/other.ts': 'export function total() {}\n' });
    expect(await ask('rename', 'total', 'amount')).toMatchObject({
      code: 8,
      outcome: { kind: 'needs_decision', plan: null },
    });
    const { stdout } = await run('rename', 'total', 'amount');
    expect(stdout).toContain('src/order.ts:3:17');
    expect(stdout).toContain('src/other.ts:1:17');
  });
});

test('a file moves with every import of it, and back', async () => {
  const { run, read } = open(shop);
  const planned = await run('move', 'src/order.ts', 'src/shop/order.ts');
  expect(planned).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^move src\/order\.ts → src\/shop\/order\.ts\nplan /),
  });
  expect(planned.stdout).toContain("+ import { total } from './shop/order.ts';");
  const id = /plan commit (\S+)$/m.exec(planned.stdout)?.[1] ?? '';
  expect(await run('plan', 'commit', id)).toMatchObject({ code: 0 });
  expect(read('src/shop/order.ts')).toBe(shop['src/order.ts']);
  expect(() => read('src/order.ts')).toThrow('ENOENT');
  expect(await run('plan', 'undo', id)).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(shop)) expect(read(path)).toBe(text);
});

const tool = {
  'tool.py': 'def area(width, height):\n    side = width\n    return side * height\n\n\nprint(area(1, 2))\n',
};

test('M16 of two classes of one name in a file the one that is pointed at is renamed, with a compiler and by scope alone', async () => {
  const ts = (name: string) => `export function one() {\n  class ${name} {}\n  return new ${name}();\n}\n`;
  const py = (name: string) => `def one():\n    class ${name}:\n        pass\n    return ${name}()\n`;
  const second = {
    ts: 'export function two() {\n  class Item {}\n  return new Item();\n}\n',
    py: '\n\ndef two():\n    class Item:\n        pass\n    return Item()\n',
  };
  const { ask, read } = open({
    'tsconfig.json': config,
    'src/a.ts': ts('Item') + second.ts,
    'b.py': py('Item') + second.py,
  });
  expect(await ask('rename', 'src/a.ts:2:9', 'Thing', '--apply')).toMatchObject({ outcome: { kind: 'ok' } });
  expect(read('src/a.ts')).toBe(ts('Thing') + second.ts);
  const forced = await ask('rename', 'b.py:2:11', 'Thing', '--mode', 'force_syntactic', '--apply');
  expect(forced).toMatchObject({ outcome: { kind: 'ok_syntactic', state: 'applied' } });
  expect(read('b.py')).toBe(py('Thing') + second.py);
});

describe('other languages', () => {
  test('M33 forced, code of another language is called that, prose is prose, and only strings are strings', async () => {
    const { run, ask } = open({
      'a.go': 'package p\n\n// Handle\nfunc Handle() string { return "Handle" }\n',
      'b.py': 'def Handle():\n    """Handle"""\n    # Handle\n    return "Handle"\n\n\nprint(f"{Handle()}")\n',
      'c.md': 'Handle it.\n',
    });
    const { outcome } = await ask('rename', 'a.go:4:6', 'Serve', '--mode', 'force_syntactic');
    if (outcome.kind !== 'ok_syntactic') throw new Error(outcome.kind);
    const told = outcome.review.map(({ edit, reasons }) => `${edit.file}:${edit.line} ${reasons.join(' ')}`);
    expect(told.sort()).toEqual([
      'a.go:3 comment',
      'a.go:4 exported',
      'a.go:4 string',
      'b.py:1 other_language',
      'b.py:2 comment',
      'b.py:3 comment',
      'b.py:4 string',
      'b.py:7 other_language',
      'c.md:1 prose',
    ]);
    expect(outcome.auto_applied).toEqual([]);
    expect(outcome.pending_review).toHaveLength(9);
    expect(outcome.review_checklist.map(({ groups }) => groups.length).sort()).toEqual([1, 1, 2, 2, 3]);
    const text = await run('rename', 'a.go:4:6', 'Serve', '--mode', 'force_syntactic');
    expect(text.stdout).toContain(
      'b.py:1:5  medium risk: any other token of that name; it is code of another language',
    );
  });

  test('M33 a forced edit in another file tells by which imports it comes to the name', async () => {
    const { run, ask } = open({
      'pkg/__init__.py': 'from .core import helper\n',
      'pkg/core.py': 'def helper():\n    return 1\n',
      'main.py': 'from pkg import helper\n\nprint(helper())\n',
    });
    const { outcome } = await ask('rename', 'pkg/core.py:1:5', 'assist', '--mode', 'force_syntactic');
    if (outcome.kind !== 'ok_syntactic') throw new Error(outcome.kind);
    const chains = Object.fromEntries(
      outcome.review.map(({ edit, import_chain }) => [
        `${edit.file}:${edit.line}`,
        import_chain.map(({ file, line, specifier }) => `${file}:${line} ${specifier}`),
      ]),
    );
    expect(chains).toEqual({
      'pkg/core.py:1': [],
      'pkg/__init__.py:1': ['pkg/__init__.py:1 .core'],
      'main.py:1': ['main.py:1 pkg', 'pkg/__init__.py:1 .core'],
      'main.py:3': ['main.py:1 pkg', 'pkg/__init__.py:1 .core'],
    });
    const text = await run('rename', 'pkg/core.py:1:5', 'assist', '--mode', 'force_syntactic');
    expect(text.stdout).toContain("via pkg/__init__.py:1:19  '.core'");
  });

  test('M32 a forced change says what scope vouched for, and what it left for a reader', async () => {
    const { run, ask } = open({ 'a.py': 'def f(xs):\n    size = 1\n    return [size, xs.size, "size"]\n' });
    const applied = await ask('rename', 'a.py:2:5', 'length', '--mode', 'force_syntactic', '--apply');
    expect(applied.outcome).toMatchObject({
      auto_applied: [
        { file: 'a.py', line: 2, col: 5 },
        { file: 'a.py', line: 3, col: 13 },
      ],
      pending_review: [],
    });
    const { outcome } = await ask('rename', 'a.py:1:5', 'g', '--mode', 'force_syntactic');
    expect(outcome).toMatchObject({ auto_applied: [], pending_review: [expect.any(String)] });
    const id = applied.outcome.kind === 'ok_syntactic' ? applied.outcome.plan.id : '';
    expect((await ask('plan', 'show', id)).outcome).toMatchObject({ auto_applied: [{ line: 2 }, { line: 3 }] });
    expect((await run('plan', 'show', id)).stdout).toContain('renamed size → length');
  });

  test('M32 forced, what scope binds in one file is applied; what other files can see is to be selected', async () => {
    const { run, ask, read } = open(tool);
    const applied = await ask('rename', 'tool.py:2:5', 'edge', '--mode', 'force_syntactic', '--apply');
    expect(applied).toMatchObject({
      code: 0,
      outcome: { kind: 'ok_syntactic', state: 'applied', binding: 'scope_proven' },
    });
    expect(read('tool.py')).toContain('    edge = width\n    return edge * height\n');
    const shown = await run('rename', 'tool.py:1:5', 'surface', '--mode', 'force_syntactic', '--apply');
    // A caller that asked to write must not go on as if it had been written.
    expect(shown).toMatchObject({ code: 8, stdout: expect.stringContaining('2 edits to select, one by one') });
    expect(read('tool.py')).toContain('def area(');
  });

  test('M33 a forced plan has no group without an edit, and a commit that selects none writes nothing and uses nothing up', async () => {
    const { ask } = open({
      'go.mod': 'module m\n\ngo 1.22\n',
      'pkg/a.go': 'package pkg\n\nfunc helper() int { return 1 }\n',
      'pkg/b.go': 'package pkg\n\nfunc Use() int { return helper() }\n',
      'src/box.ts': 'export class Box {\n  run(): number {\n    return 1;\n  }\n}\n',
    });
    const planned = await ask('rename', 'pkg/a.go:3:6', 'assist', '--mode', 'force_syntactic');
    const { plan, review } = planned.outcome as unknown as {
      plan: { id: string; hash: string; groups: { edits: unknown[] }[] };
      review: { tier: string; reasons: string[] }[];
    };
    expect(plan.groups.map(({ edits }) => edits.length)).toEqual([1, 1]);
    expect(review.map(({ tier }) => tier)).toEqual(['import_linked', 'import_linked']);
    expect(await ask('plan', 'commit', plan.id, '--hash', plan.hash)).toMatchObject({
      outcome: { kind: 'refused', reason: 'selection_invalid' },
    });
    expect(await ask('plan', 'show', plan.id)).toMatchObject({ outcome: { plan: { status: 'open' } } });
    const member = await ask('rename', 'src/box.ts:2:3', 'exec', '--mode', 'force_syntactic');
    expect(member.outcome).toMatchObject({
      review: [{ tier: 'import_linked', reasons: expect.not.arrayContaining(['member_without_type']) }],
    });
  });

  test('M17 by an indexer a plan is never proven, and --apply does not write it', async () => {
    const { ask, read } = open(tool);
    expect(await ask('rename', 'tool.py:1:5', 'surface', '--apply', '--wait', '100')).toMatchObject({
      code: 8,
      outcome: { kind: 'ok', state: 'planned', plan: { provenance: 'resolved' } },
    });
    expect(read('tool.py')).toBe(tool['tool.py']);
  });
});

const asking = {
  'tsconfig.json': config,
  'src/box.ts':
    'export class Box {\n  size = 1;\n}\nexport function pick<K extends keyof Box>(box: Box, key: K): Box[K] {\n  return box[key];\n}\nexport function grow(box: any): void {\n  box.size += 1;\n}\nnew Box().size;\n',
};

describe('a plan with questions', () => {
  /** What a person does: opens the file at each place and copies what stands there. */
  function fillIn(template: Proof, read: (path: string) => string): Proof {
    const lineOf = (file: string, line: number) => read(file).split('\n')[line - 1] ?? '';
    return {
      identity: 'Box/size',
      lines: template.lines.map(({ file, line }) => ({ file, line, text: lineOf(file, line) })),
      anchors: template.anchors.map(({ file, line, col }) => {
        const text = lineOf(file, line);
        const token = /^[\w$]+/.exec(text.slice(col - 1))?.[0] ?? '';
        const end = col - 1 + token.length;
        const before = text.slice(Math.max(0, col - 17), col - 1);
        return { file, line, col, before, text: token, after: text.slice(end, end + 16) };
      }),
    };
  }

  test('M26 commits with one option of each and what was read, and not before', async () => {
    const { run, ask, read, write } = open(asking);
    const planned = await ask('rename', 'Box/size', 'width');
    expect(planned).toMatchObject({ code: 8, outcome: { kind: 'needs_decision' } });
    if (planned.outcome.kind !== 'needs_decision' || planned.outcome.plan === null) throw new Error('not asked');
    const { plan, candidate_sets: sets } = planned.outcome;
    const text = await run('plan', 'show', plan.id);
    expect(text.code).toBe(8);
    expect(text.stdout).toContain('8 | box.size += 1;');

    const unselected = await run('plan', 'commit', plan.id);
    expect(unselected).toMatchObject({ code: 8, stdout: text.stdout });

    const main = plan.groups.find(({ item }) => item === undefined)?.id ?? '';
    const chosen = sets.map(({ members }) => members.find(({ means }) => !/^stop/.test(means))?.id ?? '');
    const select = ['--select', [main, ...chosen].join(',')];
    expect(await ask('plan', 'commit', plan.id, '--select', main)).toMatchObject({
      code: 9,
      outcome: { reason: 'selection_invalid' },
    });
    expect(read('src/box.ts')).toBe(asking['src/box.ts']);

    const template = JSON.parse((await run('plan', 'show', plan.id, '--proof-template')).stdout) as Proof;
    expect(JSON.stringify(template)).not.toContain('size');
    write('../proof.json', JSON.stringify(template));
    const empty = await ask('plan', 'commit', plan.id, ...select, '--proof', '../proof.json');
    expect(empty).toMatchObject({ code: 9, outcome: { kind: 'refused', reason: 'proof_incomplete' } });
    write('../proof.json', JSON.stringify(fillIn(template, read)));
    const committed = await ask('plan', 'commit', plan.id, ...select, '--proof', '../proof.json');
    expect(committed).toMatchObject({ code: 0, outcome: { kind: 'ok', state: 'applied' } });
    expect(read('src/box.ts')).toContain('  width = 1;');
    expect(read('src/box.ts')).toContain('new Box().width;');
  });

  const risky = {
    'tsconfig.json': config,
    'src/box.ts':
      'export class Box {\n  size = 1;\n}\nexport function grow(box: any): void {\n  box.size += 1;\n}\nexport function read(box: Box, name: string) {\n  return (box as unknown as Record<string, number>)[name];\n}\nnew Box().size;\n',
  };

  async function planned(it: ReturnType<typeof open>) {
    const { outcome } = await it.ask('rename', 'src/box.ts:2:3', 'width');
    if (outcome.kind !== 'needs_decision' || outcome.plan === null) throw new Error(outcome.kind);
    return outcome.plan;
  }

  test('M43 is answered by numbers, in one line', async () => {
    const it = open(risky);
    const { id, items } = await planned(it);
    const words = items.map(({ number, kind }) => `${number}=${kind === 'untyped_access' ? 'rename' : 'accept'}`);
    expect((await it.run('plan', 'commit', id, ...words.slice(1))).code).toBe(9);
    expect(it.read('src/box.ts')).toBe(risky['src/box.ts']);
    const done = await it.run('plan', 'commit', id, ...words);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('renamed size → width') });
    expect(it.read('src/box.ts')).toBe(risky['src/box.ts'].replaceAll('size', 'width'));
    expect(await it.run('plan', 'commit', id, ...words)).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('plan_used'),
    });
  });

  test('M43 is answered by kinds: those to go on with, and the option of another', async () => {
    const it = open(risky);
    const { id, items } = await planned(it);
    const kinds = [...new Set(items.map(({ kind }) => kind))].filter((kind) => kind !== 'untyped_access');
    const accept = ['--accept', kinds.join(',')];
    expect(await it.ask('plan', 'commit', id, 'untyped_access=accept', ...accept)).toMatchObject({
      code: 9,
      outcome: { reason: 'selection_invalid' },
    });
    const done = await it.ask('plan', 'commit', id, 'untyped_access=leave', ...accept);
    expect(done).toMatchObject({ code: 0, outcome: { kind: 'ok', state: 'applied' } });
    expect(it.read('src/box.ts')).toContain('box.size += 1');
    expect(it.read('src/box.ts')).toContain('new Box().width');
  });

  test('M43 a line that is quoted by hand is the one that counts', async () => {
    const it = open(risky);
    const { id, items, to_quote: places } = await planned(it);
    const [place] = places;
    const words = items.map(({ number, kind }) => {
      const option = kind === 'untyped_access' ? 'leave' : 'accept';
      return `${number}=${option}${String(number) === place?.key ? ': return box[name];' : ''}`;
    });
    expect(await it.ask('plan', 'commit', id, ...words)).toMatchObject({
      code: 9,
      outcome: { reason: 'proof_mismatch' },
    });
    expect(it.read('src/box.ts')).toBe(risky['src/box.ts']);
  });

  test.each([
    ['no option', ['1'], "'1' is no answer"],
    ['two answers to one question', ['1=leave', '1=rename'], '1 is answered twice'],
    ['a kind twice', ['dynamic_access=stop', '--accept', 'dynamic_access'], 'dynamic_access is answered twice'],
  ])('%s is a mistake of the caller', async (_, words, says) => {
    const it = open(risky);
    const { code, stderr } = await it.run('plan', 'commit', 'p-none', ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe('M43 asked with keys', () => {
  const reads = Array.from({ length: 12 }, (_, at) => `  Reflect.get(box, names[${at}] ?? '');`);
  const many = {
    'tsconfig.json': config,
    'src/box.ts': `export class Box {\n  size = 1;\n}\nexport function read(box: Box, names: string[]) {\n${reads.join('\n')}\n}\n`,
  };
  async function sit(keys: readonly string[]) {
    const made = createIndexedTree(many);
    tree = made;
    const argv = ['rename', 'src/box.ts:2:3', 'width'];
    const ending = await runCli(argv, { cwd: made.root, home: made.base, keys });
    return { ...ending, text: readFileSync(join(made.root, 'src/box.ts'), 'utf8') };
  }

  test('a yes to all is a yes to what was shown: the others are shown before it counts', async () => {
    const early = await sit(['y', 'n']);
    expect(early.code).toBe(8);
    expect(early.stdout).toContain('12 places: ');
    expect(early.stdout).toContain('and 2 more');
    expect(early.stdout.split('these are the others')[0]).toContain("Reflect.get(box, names[11] ?? '')");
    expect(early.stdout).not.toContain('write it?');
    expect(early.text).toBe(many['src/box.ts']);
    await tree?.dispose();
    const done = await sit(['y', 'y', 'y']);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('renamed size → width') });
    expect(done.text).toBe(many['src/box.ts'].replace('size', 'width'));
  });

  test('where the input ends nothing is written', async () => {
    const ended = await sit(['y', 'y']);
    expect(ended).toMatchObject({ code: 8, stdout: expect.stringContaining('nothing was written') });
    expect(ended.text).toBe(many['src/box.ts']);
  });
});
