/** `def`, `refs` and `slice` as a person asks them: on a real tree, as text and as JSON, and how each one asks back. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import refs from '../../src/serve/operations/refs.ts';
import { parseAnswer } from '../../src/serve/workspace/json-schemas.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';

// Shaped like a token of GitHub.
const secret = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyzA'}`;

const files = {
  'src/order.ts': [
    "import { round } from './math.ts';",
    'export class Order {',
    '  constructor(readonly lines: number[]) {}',
    '  total(): number { return round(sum(this.lines)); }',
    '}',
    'export function sum(xs: readonly number[]): number {',
    '  let value = 0;',
    '  for (const x of xs) value += x;',
    '  return value;',
    '}',
    '',
  ].join('\n'),
  'src/math.ts': "import { floor } from 'mathjs';\nexport const round = (n: number) => floor(n);\n",
  'src/index.ts': "export { Order, sum as add } from './order.ts';\n",
  'src/app.ts': [
    "import { add, Order } from './index.ts';",
    `const token = '${secret}'; export const one = add([1]);`,
    'export class Big extends Order {}',
    "console.log('sum', new Order([]).total());",
    '',
  ].join('\n'),
} as const;

let repo: FixtureRepo;
beforeAll(() => {
  repo = createFixtureRepo(files);
  repo.commit();
});
afterAll(() => repo.dispose());

const ask = (...argv: string[]) => runCli(argv, { cwd: repo.root, home: repo.home });

async function askJson(name: string, ...argv: string[]) {
  const { code, stdout, stderr } = await ask(name, ...argv, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('def', () => {
  test('through a barrel, as text', async () => {
    const { code, stdout } = await ask('def', 'src/app.ts:2:79');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'src/order.ts:6:17  function sum',
        '  export function sum(xs: readonly number[]): number {',
        "  via src/app.ts:1:10  './index.ts'",
        "  via src/index.ts:1:1  './order.ts'",
        '1 definition of add',
        '',
      ].join('\n'),
    );
  });

  test('as JSON', async () => {
    const answer = await askJson('def', 'src/math.ts:2:40');
    expect(answer).toMatchObject({
      outcome: 'ok',
      target: { path: 'src/math.ts', line: 2, col: 37, name: 'floor' },
      definitions: [],
      outside: [{ specifier: 'mathjs', name: 'floor', reason: 'external', external: 'mathjs' }],
      count: { value: 0, relation: 'gte', unresolved: ['it is declared outside of this repository'] },
    });
  });

  test('a name path, in one file, and how it is asked back', async () => {
    expect((await ask('def', 'Order/total')).stdout).toContain('src/order.ts:4:3  method Order/total');
    expect((await ask('def', 'order.ts#sum')).stdout).toContain('src/order.ts:6:17  function sum');
    expect((await ask('def', 'src/order.ts:Order/total')).stdout).toContain('src/order.ts:4:3  method Order/total');
    const missing = await ask('def', 'Ordr');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('no symbol Ordr; near it are\n  Order\n');
  });

  test('T15: more declarations of a name than are looked at hide none of a file that is named', async () => {
    const own = createFixtureRepo({
      'a/many.py': 'def f(): pass\n'.repeat(10_001),
      'z/one.py': 'def f(): pass\n',
    });
    try {
      own.commit();
      const def = async (target: string) =>
        JSON.parse((await runCli(['def', target, '--limit', '1', '--json'], { cwd: own.root, home: own.home })).stdout);
      expect((await def('z/one.py#f')).definitions).toMatchObject([{ path: 'z/one.py', line: 1 }]);
      expect((await def('f')).count).toMatchObject({
        relation: 'gte',
        unresolved: expect.arrayContaining([expect.stringContaining('more than 10000 symbols')]),
      });
    } finally {
      own.dispose();
    }
  });

  test('a place without a name lists the names of the line', async () => {
    const { code, stderr } = await ask('def', 'src/index.ts:1:2');
    expect(code).toBe(2);
    expect(stderr).toContain('no identifier at src/index.ts:1:2\n  src/index.ts:1:10 Order\n');
    expect((await ask('def', 'src/index.ts:9:1')).stderr).toContain('src/index.ts has no line 9');
    expect((await ask('def', 'src/gone.ts:9:1')).stderr).toContain('no file src/gone.ts in the index');
  });
});

describe('refs', () => {
  test('as text', async () => {
    const { code, stdout } = await ask('refs', 'sum');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'src/app.ts',
        "  1:10: import { add, Order } from './index.ts';  [import]",
        `  2:79: const token = '${'*'.repeat(secret.length)}'; export const one = add([1]);`,
        'src/index.ts',
        "  1:17: export { Order, sum as add } from './order.ts';  [import]",
        "  1:24: export { Order, sum as add } from './order.ts';  [export]",
        'src/order.ts',
        '  4:34: total(): number { return round(sum(this.lines)); }',
        '  6:17: export function sum(xs: readonly number[]): number {  [definition]',
        '6 references to sum in 3 files',
        'not counted: 1 in strings, comments and data',
        '',
      ].join('\n'),
    );
  });

  test('P2 T14: before a compiler has said anything nothing is zero, and asked for the answer it is whole', async () => {
    const own = createFixtureRepo(files);
    try {
      own.commit();
      const asked = async (...flags: string[]) => {
        const where = { cwd: own.root, home: own.home };
        return JSON.parse((await runCli(['refs', 'Order/total', ...flags, '--json'], where)).stdout);
      };
      const answer = await asked('--as-indexed');
      expect(parseAnswer(refs, answer)).toBeDefined();
      expect(answer).toMatchObject({
        freshness: { missing: { files: 2, under_way: false } },
        target: { name: 'total', path: 'src/order.ts', line: 4, col: 3, what: 'name' },
        files: [],
        unresolved: [
          { path: 'src/app.ts', hits: [{ line: 4, col: 34, end_col: 39, why: 'member', provenance: 'text' }] },
          { path: 'src/order.ts', hits: [{ line: 4, col: 3, end_col: 8, why: 'member' }] },
        ],
        count: { value: null, relation: 'gte' },
        truncated: false,
        continue: null,
      });
      expect(answer.count.unresolved.join()).toContain('`codegenie index --semantic` makes them');
      const whole = await asked();
      expect(whole).toMatchObject({
        freshness: { state: 'clean', compiled: 4 },
        files: [
          { path: 'src/app.ts', hits: [{ line: 4, col: 34, provenance: 'resolved' }] },
          { path: 'src/order.ts', hits: [{ line: 4, col: 3, provenance: 'resolved' }] },
        ],
        unresolved: [],
        count: { value: 2, relation: 'eq' },
      });
      expect(whole.freshness.missing).toBeUndefined();
    } finally {
      own.dispose();
    }
  });

  test('T15: a long list comes in pieces, and a piece says so', async () => {
    const first = await askJson('refs', 'sum', '--limit', '4');
    expect(first).toMatchObject({
      truncated: true,
      count: { value: 6, relation: 'gte', unresolved: ['the list goes on'] },
    });
    const rest = await askJson('refs', 'sum', '--limit', '4', '--continue', first.continue);
    expect(rest).toMatchObject({ truncated: false, continue: null, count: { value: 6, relation: 'eq' } });
    const hits = [...first.files, ...rest.files].flatMap(({ path, hits }) =>
      hits.map(({ line, col }: { line: number; col: number }) => `${path}:${line}:${col}`),
    );
    expect(new Set(hits).size).toBe(6);
    const other = await ask('refs', 'Order', '--continue', first.continue);
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('the token is of another question');
  });

  test('an ambiguous name asks back with places', async () => {
    const second = createFixtureRepo({ 'a.ts': 'export const x = 1;\n', 'b.ts': 'export const x = 2;\n' });
    try {
      const { code, stdout } = await runCli(['refs', 'x', '--json'], { cwd: second.root, home: second.home });
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toEqual({
        outcome: 'ambiguous',
        message: 'target: 2 declarations of x; name one by its place (a.ts:1:14) or as file#name',
        candidates: ['a.ts:1:14 constant x', 'b.ts:1:14 constant x'],
      });
      const one = await runCli(['refs', 'a.ts:1'], { cwd: second.root, home: second.home });
      expect(one.stdout).toContain('1 reference to x in 1 file');
    } finally {
      second.dispose();
    }
  });

  test('P1: an unannounced edit is in the next answer', async () => {
    const path = join(repo.root, 'src/later.ts');
    writeFileSync(path, "import { sum } from './order.ts';\nsum([]);\n");
    expect((await ask('refs', 'sum')).stdout).toContain('8 references to sum in 4 files');
    writeFileSync(path, '');
    expect((await ask('refs', 'sum')).stdout).toContain('6 references to sum in 3 files');
  });
});

describe('slice', () => {
  test('def-use, as text and as JSON', async () => {
    const { code, stdout } = await ask('slice', 'src/order.ts:8:23');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'value in src/order.ts · lines 6–10 · 2 definitions, 2 uses',
        '  d1  7:7   declaration  let value = 0;',
        '  d2  8:23  update       for (const x of xs) value += x;',
        '  u1  8:23  ← d1 d2  for (const x of xs) value += x;',
        '  u2  9:10  ← d1 d2  return value;',
        '',
      ].join('\n'),
    );
    const answer = await askJson('slice', 'src/order.ts:7:7', '--kind', 'def-use');
    expect(answer).toMatchObject({
      kind: 'def-use',
      variable: 'value',
      definitions: [
        { line: 7, kind: 'declaration' },
        { line: 8, kind: 'update' },
      ],
      flow: [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      flow_known: true,
      truncated: false,
    });
  });

  test('imports of a file', async () => {
    const answer = await askJson('slice', 'src/app.ts', '--kind', 'imports');
    expect(answer).toMatchObject({
      kind: 'imports',
      imports: [{ specifier: './index.ts', targets: ['src/index.ts'], names: [{ name: 'add' }, { name: 'Order' }] }],
      exports: [{ name: 'one' }, { name: 'Big' }],
      locals: [{ name: 'token' }, { name: 'one' }, { name: 'Big' }],
      truncated: false,
    });
    expect((await ask('slice', 'src/app.ts:1:1', '--kind', 'imports')).stdout).toContain('→ src/index.ts');
  });

  test('M34: a dependency chain, each symbol once, the nearest first, the same every time', async () => {
    const { stdout } = await ask('slice', 'Big', '--kind', 'dependency-chain');
    expect(stdout).toBe(
      [
        'src/app.ts#Big leans on 4 symbols (syntactic)',
        '  1  extends  src/order.ts#Order  src/app.ts:3:26',
        '  2  calls    src/math.ts#round   src/order.ts:4:28',
        '  2  calls    src/order.ts#sum    src/order.ts:4:34',
        '  3  imports  mathjs#floor        src/math.ts:2:37',
        '',
      ].join('\n'),
    );
    const [first, second] = [
      await askJson('slice', 'Big', '--kind', 'dependency-chain'),
      await askJson('slice', 'src/app.ts:3:14', '--kind', 'dependency-chain'),
    ];
    expect(second.links).toEqual(first.links);
    expect(first.truncated).toBe(false);
  });

  test('a kind that is not known, a place without a variable', async () => {
    const kind = await ask('slice', 'src/app.ts:1:10', '--kind', 'defuse');
    expect(kind.code).toBe(2);
    expect(kind.stderr).toContain("'defuse' is not known (did you mean 'def-use'?)");
    const member = await ask('slice', 'src/app.ts:4:36');
    expect(member.code).toBe(2);
    expect(member.stderr).toContain('total is no variable that src/app.ts declares or imports');
  });
});
