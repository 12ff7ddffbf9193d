/**
 * What happens to a tree between a plan and its commit, what is sent instead of a proof, and repositories that mean harm: through the
 * door every surface uses, with the real compiler.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Answer, Proof } from '../../src/mutate/answer.ts';
import { type ChangeWorld, openChangeWorld } from '../support/change-world.ts';

const worlds: ChangeWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose();
});

function open(...given: Parameters<typeof openChangeWorld>): ChangeWorld {
  const world = openChangeWorld(...given);
  worlds.push(world);
  return world;
}

const shop = {
  'a.ts': 'export const total = 1;\n',
  'b.ts': 'import { total } from "./a.ts";\nconsole.log(total);\n',
};
const atTotal = 'a.ts:const «total»';
const empty: Proof = { identity: '', lines: [], anchors: [] };

describe('between a plan and its commit', () => {
  type Between = {
    readonly does: (world: ChangeWorld) => void;
    readonly gives: object;
    /** Of `b.ts`, afterwards. */
    readonly leaves: string;
  };
  const at = (world: ChangeWorld, path: string) => join(world.tree.root, path);
  const untouched = shop['b.ts'];
  const applied = 'import { sum } from "./a.ts";\nconsole.log(sum);\n';
  const cases: Readonly<Record<string, Between>> = {
    'M28 one byte more prevents it': {
      does: (world) => world.write('b.ts', `${untouched} `),
      gives: { kind: 'blocked', reason: 'files_changed' },
      leaves: `${untouched} `,
    },
    'another time of the same bytes does not': {
      does: (world) => utimesSync(at(world, 'b.ts'), 1, 1),
      gives: { kind: 'ok', state: 'applied' },
      leaves: applied,
    },
    'E6 a link in the place of a file prevents it, and what it leads to stays': {
      does: (world) => {
        renameSync(at(world, 'b.ts'), join(world.tree.base, 'b.ts'));
        symlinkSync(join(world.tree.base, 'b.ts'), at(world, 'b.ts'));
      },
      gives: { kind: 'blocked', reason: 'files_changed' },
      leaves: untouched,
    },
    'E8 a file that may not be written is refused': {
      does: (world) => chmodSync(at(world, 'b.ts'), 0o444),
      gives: { kind: 'refused', reason: 'read_only' },
      leaves: untouched,
    },
    'M28 a file that uses it now prevents it': {
      does: (world) => world.write('c.ts', 'import { total } from "./a.ts";\nconsole.log(total);\n'),
      gives: { kind: 'blocked', reason: 'files_changed' },
      leaves: untouched,
    },
    'a branch that comes and goes does not': {
      does: ({ tree }) => {
        tree.git('checkout', '-q', '-b', 'other');
        tree.write('b.ts', 'export {};\n');
        tree.git('commit', '-q', '-a', '-m', 'other');
        tree.git('checkout', '-q', 'main');
      },
      gives: { kind: 'ok', state: 'applied' },
      leaves: applied,
    },
  };
  test.each(Object.entries(cases))('%s', async (_, { does, gives, leaves }) => {
    const world = open(shop);
    const plan = world.planOf(await world.rename(atTotal, 'sum'));
    does(world);
    expect((await world.commit(plan, { proof: empty })).outcome).toMatchObject(gives);
    expect(world.read('b.ts')).toBe(leaves);
    expect(world.read('a.ts')).toBe(leaves === applied ? 'export const sum = 1;\n' : shop['a.ts']);
    expect(listTemps(world)).toEqual([]);
  });

  test('a file that is gone prevents it', async () => {
    const world = open(shop);
    const plan = world.planOf(await world.rename(atTotal, 'sum'));
    rmSync(join(world.tree.root, 'b.ts'));
    expect((await world.commit(plan, { proof: empty })).outcome).toMatchObject({
      kind: 'blocked',
      reason: 'files_changed',
    });
    expect(world.read('a.ts')).toBe(shop['a.ts']);
  });

  test('M29 a new question gives a new plan, which can be committed: no loop', async () => {
    const world = open(boxes);
    const plan = world.planOf(await world.rename('Box/size', 'width'));
    world.write('c.ts', 'export const more = (box: any) => box.size;\n');
    const again = await world.commit(plan);
    expect(again.outcome).toMatchObject({ kind: 'needs_decision' });
    const next = world.planOf(again);
    expect(next.id).not.toBe(plan.id);
    expect(next.items.length).toBe(plan.items.length + 1);
    const done = await world.commit(next, { selections: world.select(next, { untyped_access: 'leave' }) });
    expect(done.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(world.read('c.ts')).toContain('box.size');
  });
});

const boxes = {
  'a.ts': 'export class Box {\n  size = 1;\n}\nnew Box().size;\nexport const grow = (box: any) => box.size;\n',
  'other.ts': 'export const other = 1;\n',
};

test('M27 an empty, partial, foreign or guessed proof commits nothing, and the real one does', async () => {
  const world = open(boxes);
  const plan = world.planOf(await world.rename('Box/size', 'width'));
  const selections = world.select(plan, { untyped_access: 'leave' });
  const real = world.proof(plan, selections);
  const [anchor] = real.anchors;
  const [line] = real.lines;
  if (anchor === undefined || line === undefined) throw new Error('nothing is required');
  const bad: readonly [string, Proof][] = [
    ['proof_incomplete', empty],
    ['proof_incomplete', { ...real, anchors: real.anchors.slice(1) }],
    ['proof_incomplete', { ...real, lines: [] }],
    ['proof_incomplete', { ...real, lines: real.lines.map(({ file, line: at }) => ({ file, line: at })) }],
    ['proof_mismatch', { ...real, anchors: [...real.anchors, { ...anchor, file: 'other.ts', line: 1, col: 14 }] }],
    ['proof_mismatch', { ...real, anchors: real.anchors.map((one) => ({ ...one, text: 'width' })) }],
    ['proof_mismatch', { ...real, anchors: real.anchors.map((one) => ({ ...one, before: '' })) }],
    ['proof_mismatch', { ...real, lines: real.lines.map((one) => ({ ...one, text: `${one.text} ` })) }],
    ['proof_mismatch', { ...real, identity: '__proto__' }],
  ];
  for (const [reason, proof] of bad)
    expect((await world.commit(plan, { selections, proof })).outcome).toMatchObject({ kind: 'refused', reason });
  expect(world.read('a.ts')).toBe(boxes['a.ts']);
  expect((await world.commit(plan, { selections, proof: real })).outcome).toMatchObject({
    kind: 'ok',
    state: 'applied',
  });
});

test('M23 a request id gives the same answer twice and one effect, and belongs to one operation', async () => {
  const world = open(shop);
  const plan = world.planOf(await world.rename(atTotal, 'sum'));
  const first = await world.commit(plan, { request_id: 'r1', proof: empty });
  expect(first.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  const written = world.read('a.ts');
  world.write('a.ts', `${written}//\n`);
  const second = await world.commit(plan, { request_id: 'r1', proof: empty });
  expect(strip(second)).toEqual(strip(first));
  expect(world.read('a.ts')).toBe(`${written}//\n`);
  const other = await world.commit({ ...plan, hash: 'x' }, { request_id: 'r1', proof: empty });
  expect(other.outcome).toMatchObject({ kind: 'refused', reason: 'plan_mismatch' });
});

test('M25 M42 a plan lives a day from its last use, or as long as the user says', async () => {
  const world = open(shop);
  const plan = world.planOf(await world.rename(atTotal, 'sum'));
  const hour = 60 * 60 * 1000;
  world.clock.nowMs += 23 * hour;
  expect((await world.show(plan)).outcome).toMatchObject({ kind: 'ok' });
  world.clock.nowMs += 24 * hour;
  expect((await world.commit(plan, { proof: empty })).outcome).toMatchObject({
    kind: 'refused',
    reason: 'plan_expired',
  });
  expect(world.read('a.ts')).toBe(shop['a.ts']);
  world.settings = { planLifeMs: 72 * hour };
  const long = world.planOf(await world.rename(atTotal, 'sum'));
  world.clock.nowMs += 71 * hour;
  expect((await world.commit(long, { proof: empty })).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
});

describe('repositories that mean harm', () => {
  test('a configuration that extends itself is named, and no request waits for it', async () => {
    const world = open({
      ...shop,
      'tsconfig.json': '{"extends":"./tsconfig.b.json"}',
      'tsconfig.b.json': '{"extends":"./tsconfig.json"}',
    });
    expect((await world.rename(atTotal, 'sum')).outcome).toMatchObject({
      kind: 'blocked',
      reason: 'refresh_failed',
      detail: expect.stringContaining('extends it in turn'),
    });
  });

  test('a configuration that leads to one that extends itself is named, and no request waits for it', async () => {
    const world = open({
      ...shop,
      'tsconfig.json': '{"references":[{"path":"./circle"}],"files":["a.ts","b.ts"]}',
      'circle/tsconfig.json': '{"extends":"./other.json"}',
      'circle/other.json': '{"extends":"./tsconfig.json"}',
      'circle/c.ts': 'export const c = 1;\n',
    });
    expect((await world.rename(atTotal, 'sum')).outcome).toMatchObject({
      kind: 'blocked',
      reason: 'refresh_failed',
      detail: expect.stringContaining('tsconfig.json references "circle/tsconfig.json"'),
    });
  });

  test('pipes in the place of a source, a declaration file and manifests are named, and no request waits for them', async () => {
    const world = open({
      ...shop,
      '.gitignore': 'node_modules/\n',
      'sub/c.ts': 'import { total } from "../a.ts";\nimport "./pipe";\nimport "loud";\nconsole.log(total);\n',
      'node_modules/loud/package.json': '{"name":"loud","types":"index.d.ts"}',
    });
    const pipes = ['node_modules/loud/index.d.ts', 'package.json', 'sub/package.json', 'sub/pipe.ts'];
    for (const path of pipes) execFileSync('mkfifo', [join(world.tree.root, path)]);
    const { outcome } = await world.rename(atTotal, 'sum', { apply: true });
    expect(outcome).toMatchObject({
      kind: 'ok',
      state: 'applied',
      plan: {
        notes: expect.arrayContaining([
          'node_modules/loud/index.d.ts is no regular file and was not read, nor are 3 more that the compiler would read',
        ]),
      },
    });
    expect(world.read('sub/c.ts')).toContain('console.log(sum)');
  });

  test('M42 a plan of this morning is checked against packages that were installed since', async () => {
    const world = open({
      'package.json': '{"name":"p","private":true}',
      '.gitignore': 'node_modules/\n',
      'a.ts':
        "import { Base } from 'lib';\nclass Box extends Base {\n  size = 1;\n}\nexport const large = new Box().size > 1;\n",
      'node_modules/lib/package.json': '{"name":"lib","types":"index.d.ts"}',
      'node_modules/lib/index.d.ts': 'export declare class Base { other: number }\n',
    });
    const plan = world.planOf(await world.rename('a.ts:  «size» = 1', 'width'));
    expect(plan).toMatchObject({ provenance: 'proven', items: [] });
    world.write('node_modules/lib/index.d.ts', 'export declare class Base { other: number; width: string }\n');
    world.clock.nowMs += 5 * 60 * 60 * 1000;
    expect((await world.commit(plan)).outcome).toMatchObject({ kind: 'refused', reason: 'collision' });
    expect(world.read('a.ts')).toContain('size = 1');
    world.write('node_modules/lib/index.d.ts', 'export declare class Base { other: number }\n');
    expect((await world.commit(plan)).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(world.read('a.ts')).toContain('new Box().width > 1');
  });

  test('broken, foreign and absent configurations still give a plan of all uses', async () => {
    const configs = [
      '{ "compilerOptions": { "strict": true, ',
      '{"extends":"../../../../etc/passwd","references":[{"path":"../../.."},{"path":"."}],"include":["../**/*"]}',
    ];
    for (const config of configs) {
      const world = open({ ...shop, 'b.ts': shop['b.ts'].replace('a.ts', 'a'), 'tsconfig.json': config });
      const plan = world.planOf(await world.rename(atTotal, 'sum'));
      expect(plan.groups[0]?.edits.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.ts:1', 'b.ts:1', 'b.ts:2']);
    }
    const loose = open(
      {
        'a.js': 'const total = 1;\nmodule.exports = { total };\n',
        'b.js': 'const a = require("./a");\nconsole.log(a);\n',
      },
      { config: false },
    );
    const done = await loose.rename('a.js:const «total»', 'sum', { apply: true });
    expect(done.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(loose.read('a.js')).toBe('const sum = 1;\nmodule.exports = { total: sum };\n');
  });

  test('a file that the compiler reads and we do not is asked about, every time with the same answer', async () => {
    const unread: readonly (readonly [string, string])[] = [
      ['n.ts', 'import { total } from "./a.ts";\n\0\0 total\n'],
      [
        'big.js',
        `import { total } from "./a.ts";\nexport const s = "${'x'.repeat(10_000_000)}"; console.log(total);\n`,
      ],
    ];
    for (const [path, text] of unread) {
      const world = open({ ...shop, [path]: text });
      const { outcome } = await world.rename(atTotal, 'sum');
      if (outcome.kind !== 'needs_decision') throw new Error(JSON.stringify(outcome));
      expect(outcome.plan?.items).toMatchObject([{ kind: 'unreadable_file', at: { file: path } }]);
    }
  });

  test('M6 words in the strings and comments of a file that only the compiler reads are no questions', async () => {
    const long = `${'total and '.repeat(100)}${'x'.repeat(1_100_000)}`;
    const world = open({ ...shop, 'big.ts': `export const page = \`${long}\`;\n// total\n` });
    const { outcome } = await world.rename(atTotal, 'sum', { apply: true });
    expect(outcome).toMatchObject({ kind: 'ok', state: 'applied' });
  });

  test('M7 a file that cannot be read is one question, however often it has the name', async () => {
    // Where the code is wrong, the compiler does not say either what is a name.
    const text = `export const page = '${'x'.repeat(1_100_000)}';\n${'@@@ total ###\n'.repeat(30)}`;
    const world = open({ ...shop, 'big.ts': text });
    const { outcome } = await world.rename(atTotal, 'sum');
    if (outcome.kind !== 'needs_decision') throw new Error(JSON.stringify(outcome));
    expect(outcome.plan?.items).toMatchObject([
      { kind: 'unreadable_file', at: { file: 'big.ts', line: 2 }, detail: expect.stringContaining('30 times') },
    ]);
  });

  test('E1 E6 byte order mark, line ends, emoji, escapes and no final newline: nothing but the spans changes', async () => {
    const files = {
      'a.ts':
        '\ufeffexport const s = "😀"; export const apple = 1;\r\nconsole.log("😀é", \\u0061pple, [apple]);\r\n\tapple',
      'b.ts': 'import { \\u{61}pple } from "./a.ts";\n/* 😀 apple */ console.log(apple, "apple")',
    };
    const world = open(files, { modes: { 'b.ts': 0o755 } });
    const done = await world.rename('a.ts:const «apple»', 'größe', { apply: true });
    expect(done.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(world.read('a.ts')).toBe(
      '\ufeffexport const s = "😀"; export const größe = 1;\r\nconsole.log("😀é", größe, [größe]);\r\n\tgröße',
    );
    expect(world.read('b.ts')).toBe('import { größe } from "./a.ts";\n/* 😀 apple */ console.log(größe, "apple")');
    expect(world.mode('b.ts')).toBe(0o755);
    await world.undo(world.planOf(done));
    for (const [path, text] of Object.entries(files)) expect(world.read(path)).toBe(text);
  });

  test.each([
    ['hasOwnProperty', 'toString', 'ok'],
    ['toString', 'valueOf', 'ok'],
    ['__proto__', 'sum', 'ok'],
    ['sum', '__proto__', 'refused'],
    ['sum', 'constructor', 'refused'],
  ])('%s → %s is no key of ours: %s', async (oldName, newName, kind) => {
    const files = Object.fromEntries(
      Object.entries(shop).map(([path, text]) => [path, text.replaceAll('total', oldName)]),
    );
    const world = open(files);
    const { outcome } = await world.rename(`a.ts:const «${oldName}»`, newName, { apply: true });
    expect(outcome).toMatchObject({ kind });
    const name = kind === 'ok' ? newName : oldName;
    expect(world.read('b.ts')).toBe(shop['b.ts'].replaceAll('total', name));
  });

  test('very long names, reserved file names, files that differ in case, directories behind links', async () => {
    const long = 'x'.repeat(3_000);
    const world = open({
      'con.ts': `export const ${long} = 1;\n`,
      'Con.ts': `export const ${long} = 2;\n`,
      'aux/nul.ts': `import { ${long} } from "../con.ts";\nconsole.log(${long});\n`,
    });
    symlinkSync('aux', join(world.tree.root, 'link'));
    const done = await world.rename('con.ts:1:14', 'y'.repeat(4_000), { apply: true });
    expect(done.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    expect(world.read('Con.ts')).toContain(long);
    expect(world.read('aux/nul.ts')).not.toContain(long);
    expect(readdirSync(join(world.tree.root, 'aux'))).toEqual(['nul.ts']);
  });

  test('M28 a file whose name is a token is kept by its hash alone; changed between plan and commit, it is noticed', async () => {
    const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
    const world = open({
      'a.ts': 'export const total = 1;\nexport const other = 2;\n',
      'b.ts': 'import { total } from "./a.ts";\nconsole.log(total);\n',
      [`${secret}.ts`]: 'import { other } from "./a.ts";\nconsole.log(other);\n',
    });
    const plan = world.planOf(await world.rename('a.ts:1:14', 'sum'));
    const selections = world.select(plan, { unreadable_file: 'leave' });
    world.tree.write(`${secret}.ts`, 'import { other } from "./a.ts";\nconsole.log(other, 1);\n');
    const done = await world.commit(plan, { selections });
    expect(done.outcome).toMatchObject({ kind: 'blocked', reason: 'files_changed' });
    expect(JSON.stringify(done)).not.toContain(secret);
    expect(world.read('a.ts')).toContain('total');
    world.tree.write(`${secret}.ts`, 'import { other } from "./a.ts";\nconsole.log(other);\n');
    expect((await world.commit(plan, { selections })).outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    const holding = listFiles(world.tree.stateDir).filter((path) => readFileSync(path).includes(secret));
    expect(holding).toEqual([]);
  });

  test('a declaration in a file whose name is a token is in no file of the ledger', async () => {
    const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
    const world = open({
      'a.ts': 'export const total = 1;\n',
      [`${secret}.ts`]: 'import { total } from "./a.ts";\nconsole.log(total);\n',
    });
    const plan = world.planOf(await world.rename('a.ts:1:14', 'sum', { request_id: 'r4' }));
    const done = await world.commit(plan, { selections: world.select(plan, { unreadable_file: 'leave' }) });
    expect(done.outcome).toMatchObject({ kind: 'refused' });
    expect(listFiles(world.tree.stateDir).filter((path) => readFileSync(path).includes(secret))).toEqual([]);
  });

  test('a secret beside an edit is in no file of the ledger', async () => {
    const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`;
    const world = open({
      'a.ts': `export class Box {\n  size = 1;\n}\nexport const grow = (box: any) => [box.size, "${secret}", new Box().size];\n`,
    });
    const plan = world.planOf(await world.rename('Box/size', 'width', { request_id: 'r2' }));
    const done = await world.commit(plan, {
      selections: world.select(plan, { untyped_access: 'rename' }),
      request_id: 'r3',
    });
    expect(done.outcome).toMatchObject({ kind: 'ok', state: 'applied' });
    const holding = listFiles(world.tree.stateDir).filter((path) => readFileSync(path).includes(secret));
    // The copy that an undo needs is the file itself.
    expect(holding.filter((path) => !path.includes('/state/undo/'))).toEqual([]);
  });
});

function strip(answer: Answer): unknown {
  return { outcome: answer.outcome, next: answer.next };
}

function listTemps(world: ChangeWorld): readonly string[] {
  const journals = listFiles(join(world.tree.stateDir, 'state/journal'));
  return [...listFiles(world.tree.root).filter((path) => /\.cg-|\.tmp$/.test(path)), ...journals];
}

function listFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name));
  } catch {
    return [];
  }
}
