/** The questions to the code index as a person asks them: every command on a real tree, as text and as JSON, and how each one fails. */

import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Terminal } from '../../src/cli/command.ts';
import { runCommandLine } from '../../src/cli/main.ts';
import { openIndexSession } from '../../src/index/sync/index-session.ts';
import { openOwnDirs } from '../../src/kernel/base/own-dirs.ts';
import { operations } from '../../src/serve/operations/operations.gen.ts';
import { parseAnswer } from '../../src/serve/workspace/json-schemas.ts';
import { createFixtureRepo, type FixtureRepo } from '../support/fixture-repo.ts';
import { runCli } from '../support/run-cli.ts';

const files = {
  '.gitignore': 'src/generated.ts\n',
  '.env': 'TOKEN=needle\n',
  'README.md': '# Shop\n\nCall getUserName first.\n',
  'assets/logo.bin': new Uint8Array([1, 0, 2]),
  'go.mod': 'module example.com/shop\n\ngo 1.22\n',
  'go/main.go':
    'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/go/store"\n)\n\nfunc main() { fmt.Println(store.Open()) }\n',
  'go/store/store.go': 'package store\n\nfunc Open() error { return nil }\n',
  'py/app/__init__.py': '',
  'py/app/main.py':
    'from .util import helper\nimport os\n\nclass Service:\n    def run(self):\n        return helper()\n',
  'py/app/util.py': 'def helper():\n    return 1\n',
  'src/app.ts': [
    "import { Order, type Line } from './order';",
    "import { sum } from '@lib/math.js';",
    "import express from 'express';",
    "import './missing';",
    "import { gen } from './generated';",
    'export async function load(name: string) { return import("./plugins/" + name); }',
    'export function getUserName(o: Order): string { return String(sum([gen])) + o.id + express.name; }',
    '',
  ].join('\n'),
  'src/generated.ts': 'export const gen = 1;\n',
  'src/lib/math.ts': 'export const sum = (xs: number[]) => xs.reduce((a, b) => a + b, 0);\n',
  'src/order.test.ts': "import { Order } from './order';\nexport const makeOrder = () => new Order([]);\n",
  'src/order.ts': [
    'export interface Line { price: number }',
    'export class Order {',
    "  readonly id = 'x';",
    '  constructor(private readonly lines: Line[]) {}',
    '  total(): number {',
    '    return this.lines.reduce((sum, line) => sum + line.price, 0);',
    '  }',
    '}',
    'function hidden() {}',
    '',
  ].join('\n'),
  'tsconfig.json': JSON.stringify({ compilerOptions: { baseUrl: '.', paths: { '@lib/*': ['src/lib/*'] } } }),
} as const;

function openRepo(): FixtureRepo {
  const repo = createFixtureRepo(files);
  symlinkSync('src/order.ts', join(repo.root, 'alias.ts'));
  symlinkSync('/etc/hosts', join(repo.root, 'outside.txt'));
  repo.commit();
  return repo;
}

let repo: FixtureRepo;
let opened: FixtureRepo[] = [];
beforeAll(() => {
  repo = openRepo();
});
afterAll(() => repo.dispose());
afterEach(() => {
  for (const one of opened) one.dispose();
  opened = [];
});

const run = (argv: readonly string[], where: { readonly repo?: FixtureRepo; readonly cwd?: string } = {}) => {
  const { root, home } = where.repo ?? repo;
  return runCli(argv, { cwd: join(root, where.cwd ?? ''), home });
};

/** Lines of a successful answer. */
async function ask(...argv: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(argv);
  // A machine with other work is slow enough for a word about progress.
  const troubles = stderr.replaceAll(/^(?:indexing|resolving imports): \d+ files\n/gm, '');
  expect({ code, stderr: troubles }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

/** A successful answer as JSON, which has every field its schema has and no other. */
async function askJson(
  argv: readonly string[],
  where: Parameters<typeof run>[1] = {},
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...argv, '--json'], where);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  const answer = JSON.parse(stdout) as Record<string, unknown>;
  const operation = operations.find(({ name }) => name === argv[0]);
  if (operation === undefined) throw new Error(`no operation ${argv[0]}`);
  expect(parseAnswer(operation, answer)).toEqual(answer);
  return answer;
}

async function fail(...argv: readonly string[]): Promise<{ readonly code: number; readonly stderr: string }> {
  const { code, stdout, stderr } = await run(argv);
  expect(stdout).toBe('');
  return { code, stderr };
}

describe('index', () => {
  test('says what it built, that nothing changed, and what an edit changed', async () => {
    const own = openRepo();
    opened.push(own);
    const first = await run(['index'], { repo: own });
    expect(first.stdout).toMatch(/^built · 17 files in scope: 17 indexed · [\d.]+ m?s\n {2}why: there was no index\n/);
    expect(first.stdout).toMatch(
      /^ {2}semantic: 3 contexts: 7 not indexed yet · 1 indexer missing or not working · 2 jobs queued; `codegenie index --semantic` runs them$/m,
    );
    expect(first.stdout).toContain('by name only: 1 binary, 1 secret · `codegenie status --verbose` names them\n');
    expect(await run(['index', '--syntactic-only'], { repo: own })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^nothing changed · 17 files in scope · /),
    });
    own.write('src/missing.ts', 'export {};\n');
    own.git('rm', '-q', 'py/app/util.py');
    const answer = await askJson(['index'], { repo: own });
    expect(answer).toMatchObject({
      result: 'updated',
      rebuilt_because: null,
      indexed: 1,
      deleted: 1,
      resolved_again: 2,
      layers: ['syntactic'],
      freshness: { state: 'clean' },
    });
    expect(await run(['deps', 'src/app.ts'], { repo: own })).toMatchObject({
      stdout: expect.stringContaining('→ src/missing.ts'),
    });
  });

  test('--semantic runs the indexers that are there, and says what is missing for the others', async () => {
    const own = openRepo();
    opened.push(own);
    const first = await run(['index', '--semantic'], { repo: own });
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toMatch(/^ {2}ts:tsconfig\.json {2}completed · 4 files · [\d.]+ m?s$/m);
    expect(first.stdout).toMatch(/^ {2}go:go\.mod +scip-go .*2 files +missing tool: Install the Go module/m);
    const second = await askJson(['index', '--semantic'], { repo: own });
    expect(second).toMatchObject({ layers: ['syntactic', 'semantic'], refreshed: { jobs: [] } });
    const status = await askJson(['status'], { repo: own });
    expect(status).toMatchObject({ certainty: { resolved: 7, syntactic: 2 }, semantic: { state: 'clean' } });
    const again = await askJson(['index', '--semantic', '--again'], { repo: own });
    expect(again['refreshed']).toMatchObject({ jobs: [{ by: 'indexer' }, { by: 'indexer' }] });
    expect((await fail('index', '--semantic', '--syntactic-only')).code).toBe(2);
    expect((await fail('index', '--again')).code).toBe(2);
  });
});

describe('status', () => {
  test('counts by language and parse result, names what is not known', async () => {
    const lines = await ask('status');
    const text = lines.join('\n');
    expect(lines[0]).toBe(repo.root);
    expect(text).toMatch(/^ {2}index +\/\S+\/index\/facts-1\.db · [\d.]+ [kM]B$/m);
    expect(text).toMatch(/^ {2}disk +compared now: nothing differs$/m);
    expect(text).toMatch(new RegExp(`^ {2}head +${repo.git('rev-parse', 'HEAD').trim()}$`, 'm'));
    expect(text).toMatch(
      /^ {2}semantic +3 contexts: 7 not indexed yet · 1 indexer missing or not working · 2 jobs queued; `codegenie index --semantic` runs them$/m,
    );
    expect(text).toMatch(/^ {2}ts:tsconfig\.json +tsgo [\d.]+ +4 files +4 not indexed yet · job queued$/m);
    expect(text).toMatch(/^ {2}skipped +1 binary, 1 secret · --verbose names them$/m);
    expect(text).toMatch(/^ {2}links +lead to no file in scope: 1 outside root$/m);
    expect(text).toMatch(/^ {2}language +files +ok +text only +skipped$/m);
    expect(text).toMatch(/^ {2}typescript +4 +4 +· +·$/m);
    expect(text).not.toContain('.env');
  });

  test('F12: --verbose names the files of which only the name is known', async () => {
    const lines = await ask('status', '--verbose');
    expect(lines.slice(-3)).toEqual(['  binary: assets/logo.bin', '  outside_root: outside.txt', '  secret: .env']);
  });

  test('the same as JSON', async () => {
    expect(await askJson(['status'])).toMatchObject({
      files: { present: 15, links: 2, test: 1 },
      certainty: { resolved: 0, syntactic: 9, text: 4, name_only: 2 },
      skipped: { binary: 1, secret: 1 },
      writer: null,
      semantic: { state: 'partial', jobs: { queued: 2, running: 0, failed: 0 } },
      freshness: { state: 'clean', watch: 'off', files: [], more: 0 },
    });
  });
});

describe('search', () => {
  test('hits under their file, and what was not searched', async () => {
    expect(await ask('search', 'getUserName')).toEqual([
      'README.md',
      '  3:6: Call getUserName first.',
      'src/app.ts',
      '  7:17: export function getUserName(o: Order): string { return String(sum([gen])) + o.id + express.name; }',
      '≥ 2 hits in 2 files',
      '  ≥ because 1 file could not be searched (1 secret)',
      'not searched: 1 binary, 1 secret',
    ]);
  });

  test('T14: exact where nothing in question was left out', async () => {
    expect(await ask('search', 'helper', '--lang', 'py')).toEqual([
      'py/app/main.py',
      '  1:19: from .util import helper',
      '  6:16: return helper()',
      'py/app/util.py',
      '  1:5: def helper():',
      '3 hits in 2 files',
    ]);
    expect(await askJson(['search', 'nowhere at all', '--path', 'src'])).toMatchObject({
      files: [],
      count: { value: 0, relation: 'eq', unresolved: [] },
      not_searched: {},
    });
  });

  test('regular expressions, case, words, paths', async () => {
    expect(await ask('search', '^export (class|interface)', '--regex', '--path', '*.ts')).toContain('2 hits in 1 file');
    expect(await ask('search', 'ORDER', '--ignore-case', '--word', '--path', 'src/order.ts')).toEqual([
      'src/order.ts',
      '  2:14: export class Order {',
      '1 hit in 1 file',
    ]);
    expect(await ask('search', 'import', '--path', '!src', '--lang', 'typescript,python')).toContain(
      '2 hits in 1 file',
    );
  });

  test('T15: a cut answer says so and goes on', async () => {
    const first = await askJson(['search', 'Order', '--lang', 'ts', '--limit', '3']);
    expect(first).toMatchObject({ truncated: true, count: { value: 3, relation: 'gte' } });
    const token = String(first['continue']);
    const next = await askJson(['search', 'Order', '--lang', 'ts', '--limit', '100', '--continue', token]);
    expect(next).toMatchObject({ truncated: false, continue: null });
    const whole = await askJson(['search', 'Order', '--lang', 'ts']);
    const hitsOf = (answer: Record<string, unknown>) =>
      (answer['files'] as readonly { readonly path: string; readonly hits: readonly object[] }[]).flatMap(
        ({ path, hits }) => hits.map((hit) => ({ path, ...hit })),
      );
    expect([...hitsOf(first), ...hitsOf(next)]).toEqual(hitsOf(whole));
    expect(await fail('search', 'other', '--continue', token)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the token is of another question'),
    });
  });

  test('F10: the text of a secret-bearing file is never found', async () => {
    expect(await ask('search', 'needle')).toContain('≥ 0 hits in 0 files');
  });

  test('what is wrong with a question is said', async () => {
    expect(await fail('search', '(', '--regex')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^codegenie: query: .*Unterminated group/),
    });
    expect(await fail('search', '')).toMatchObject({ code: 2, stderr: 'codegenie: query: the query is empty\n' });
    expect((await fail('search', 'x', '--lang', 'pyton')).stderr).toContain(
      "'pyton' is no language that is known here; did you mean python?",
    );
    expect(await fail('search', 'x', '--path', 'nowhere')).toEqual({
      code: 2,
      stderr: 'codegenie: path: no file in scope matches nowhere\n',
    });
    expect((await fail('search', 'x', '--limit', '0')).code).toBe(2);
  });

  test('names and lines from the repository cannot steer the terminal', async () => {
    const own = createFixtureRepo({ 'a\x1b[31m.ts': 'const x = "\x1b]0;title\x07mark";\n' });
    opened.push(own);
    const { stdout } = await run(['search', 'mark'], { repo: own });
    expect(stdout).toContain('mark');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('symbols', () => {
  test('one line each, the best first, with marks', async () => {
    expect(await ask('symbols', 'order')).toEqual(
      [
        'class     Order      src/order.ts:2:14      exported',
        'function  makeOrder  src/order.test.ts:2:14  exported, test',
        '2 symbols',
      ].map((line) => expect.stringMatching(new RegExp(`^${line.replace(/ {2,}/g, ' +')}$`))),
    );
  });

  test('name paths, initials, kinds, paths, exact names', async () => {
    expect(await ask('symbols', 'Order/total')).toEqual([
      'method  Order/total  src/order.ts:5:3  exported',
      '1 symbol',
    ]);
    expect(await ask('symbols', 'Order.total')).toEqual([
      'method  Order/total  src/order.ts:5:3  exported',
      '1 symbol',
    ]);
    expect((await ask('symbols', 'gUN'))[0]).toMatch(/^function +getUserName +src\/app\.ts:7:17 +exported$/);
    expect(await ask('symbols', 'Order', '--exact', '--kind', 'class,interface')).toHaveLength(2);
    expect(await ask('symbols', 'run', '--path', 'py')).toEqual([
      'method  Service/run  py/app/main.py:5:9  exported',
      '1 symbol',
    ]);
    expect(await ask('symbols', 'Open')).toContain('function  Open  go/store/store.go:3:6  exported');
    expect(await ask('symbols', 'nothingLikeThis')).toEqual(['0 symbols']);
  });

  test('as JSON, in pieces', async () => {
    const first = await askJson(['symbols', 'e', '--limit', '2']);
    expect(first).toMatchObject({ truncated: true, symbols: [{ provenance: 'syntactic', state: 'clean' }, {}] });
    const next = await askJson(['symbols', 'e', '--limit', '500', '--continue', String(first['continue'])]);
    const whole = await askJson(['symbols', 'e']);
    expect([...(first['symbols'] as []), ...(next['symbols'] as [])]).toEqual(whole['symbols']);
    expect((await fail('symbols', 'x', '--continue', String(first['continue']))).code).toBe(2);
  });

  test('P2: a file that could not be parsed makes the count a lower bound', async () => {
    const own = createFixtureRepo({ 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = (((\n' });
    opened.push(own);
    const { stdout } = await run(['symbols', 'a', '--exact'], { repo: own });
    expect(stdout).toContain('≥ 1 symbol\n  ≥ because parts of 1 file could not be parsed\n');
  });

  test('an unknown kind is answered with the nearest', async () => {
    expect((await fail('symbols', 'x', '--kind', 'clas')).stderr).toContain(
      "kind.0: 'clas' is not known (did you mean 'class'?); accepted: class, ",
    );
  });
});

describe('outline', () => {
  test('a tree with line ranges and kinds', async () => {
    expect(await ask('outline', 'src/order.ts')).toEqual([
      'src/order.ts · typescript · 9 lines · 8 symbols',
      '  1    interface Line · exported',
      '  1      property price',
      '  2–8  class Order · exported',
      '  3      field id',
      '  4      constructor constructor',
      '  4      field lines · not exported',
      '  5–7    method total',
      '  9    function hidden',
    ]);
    expect(await ask('outline', 'py/app/main.py')).toEqual([
      'py/app/main.py · python · 6 lines · 2 symbols',
      '  4–6  class Service · exported',
      '  5–6    method run',
    ]);
  });

  test('as JSON', async () => {
    const answer = await askJson(['outline', 'src/order.ts']);
    expect(answer['file']).toMatchObject({ path: 'src/order.ts', alias_of: null, state: 'clean', missing: null });
    expect(answer['symbols']).toContainEqual({
      kind: 'method',
      name: 'total',
      name_path: 'Order/total',
      overload: 0,
      depth: 1,
      exported: true,
      line: 5,
      col: 3,
      from_line: 5,
      to_line: 7,
    });
  });

  test('P2: no facts are not no symbols', async () => {
    expect(await ask('outline', '.env')).toEqual([
      '.env · no known language · ≥ 0 symbols',
      '  ≥ because its name says that it holds secrets: it is never opened',
    ]);
    expect(await ask('outline', 'README.md')).toEqual([
      'README.md · markdown · 3 lines · ≥ 0 symbols',
      '  ≥ because there is no grammar for markdown: it is text only',
    ]);
  });
});

describe('a file is meant however it is written', () => {
  const heads = async (path: string, cwd = '') => {
    const { stdout } = await run(['outline', path], { cwd });
    return stdout.split(' · ')[0];
  };

  test('from here, from the root, absolute, by its end, with a position', async () => {
    expect(await heads('math.ts', 'src/lib')).toBe('src/lib/math.ts');
    expect(await heads('../order.ts', 'src/lib')).toBe('src/order.ts');
    expect(await heads('src/order.ts', 'src/lib')).toBe('src/order.ts');
    expect(await heads('./src/../src/order.ts')).toBe('src/order.ts');
    expect(await heads(join(repo.root, 'src/order.ts'), 'go')).toBe('src/order.ts');
    expect(await heads('lib/math.ts')).toBe('src/lib/math.ts');
    expect(await heads('src/order.ts:5:3')).toBe('src/order.ts');
  });

  test('F6: a link is answered by its file', async () => {
    expect(await heads('alias.ts')).toBe('alias.ts → src/order.ts');
    expect((await askJson(['outline', 'alias.ts']))['file']).toMatchObject({
      path: 'alias.ts',
      alias_of: 'src/order.ts',
    });
  });

  test('what is not found says why, and what is near', async () => {
    expect(await fail('outline', 'ordr.ts')).toEqual({
      code: 2,
      stderr: 'codegenie: path: no file ordr.ts in the index; near it are\n  src/order.ts\n',
    });
    expect((await fail('outline', 'zzz')).stderr).toBe('codegenie: path: no file zzz in the index\n');
    expect((await fail('outline', 'src')).stderr).toContain('path: src is a directory; name a file\n  src/app.ts\n');
    expect((await fail('outline', 'src/generated.ts')).stderr).toContain('is on disk and not in scope');
    expect((await fail('outline', 'outside.txt')).stderr).toContain('is a link that leads outside the root');
    expect((await fail('outline', '/etc/hosts')).stderr).toContain('lies outside');
    const { stdout } = await run(['outline', 'ordr.ts', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      outcome: 'not_found',
      message: expect.any(String),
      candidates: ['src/order.ts'],
    });
  });

  test('candidates cannot steer the terminal', async () => {
    const own = createFixtureRepo({ 'a/z\u001b[31mNEW.ts': 'export {};\n', 'b/z\u001b[31mNEW.ts': 'export {};\n' });
    opened.push(own);
    own.commit();
    for (const path of ['z\u001b[31mNEW.ts', 'NEW.ts', 'a']) {
      const { code, stderr } = await run(['outline', path], { repo: own });
      expect(code).toBe(2);
      expect(stderr).toContain('\n  "a/z\\u001b[31mNEW.ts"\n');
      expect(stderr).not.toContain('\u001b');
    }
  });

  test('several files with that end are candidates', async () => {
    const own = createFixtureRepo({ 'a/x.py': 'A = 1\n', 'b/x.py': 'B = 1\n' });
    opened.push(own);
    const { code, stderr } = await run(['outline', 'x.py'], { repo: own });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'codegenie: path: 2 files end in x.py; name one\n  a/x.py\n  b/x.py\n',
    });
  });
});

describe('deps', () => {
  test('S4: every import has a file or a reason', async () => {
    expect(await ask('deps', 'src/app.ts')).toEqual([
      'src/app.ts · typescript · 7 lines · 6 imports · ≥ 2 files here · 1 package outside',
      '  ≥ because 1 import of a name that is computed when the program runs',
      '  ≥ because 1 import led to no file',
      '  ≥ because 1 import of files that are not in scope',
      '  1:1:   ./order              → src/order.ts',
      '  2:1:   @lib/math.js         → src/lib/math.ts',
      '  3:1:   express              → outside: express',
      '  4:1:   ./missing            → no such file (not_found)',
      '  5:1:   ./generated          → src/generated.ts, which is on disk and not in scope (ignored_target)',
      '  6:51:  "./plugins/" + name  → computed when the program runs (dynamic)',
    ]);
    expect(await ask('deps', 'go/main.go')).toEqual([
      'go/main.go · go · 8 lines · 2 imports · 1 file here · 1 package outside',
      '  4:2:  fmt                        → outside: fmt',
      '  5:2:  example.com/shop/go/store  → go/store/store.go',
    ]);
    expect(await ask('deps', 'py/app/main.py')).toContain('  1:1:  .util  → py/app/util.py');
  });

  test('candidates explain the choice, in JSON and with --verbose', async () => {
    const answer = await askJson(['deps', 'src/app.ts']);
    const imports = answer['imports'] as readonly { readonly candidates: readonly string[] }[];
    expect(imports[0]).toMatchObject({
      targets: ['src/order.ts'],
      reason: null,
      names: [{ name: 'Order' }, { name: 'Line' }],
    });
    expect(imports[0]?.candidates.at(-1)).toBe('src/order.ts');
    expect(imports[4]).toMatchObject({ reason: 'ignored_target', on_disk: 'src/generated.ts', targets: [] });
    expect((await ask('deps', 'src/app.ts', '--verbose')).join('\n')).toContain(
      'tried src/missing.ts, src/missing.tsx',
    );
  });

  test('P2: who imports it, exact only where nothing unresolved could reach it', async () => {
    expect(await ask('deps', 'src/order.ts', '--reverse')).toEqual([
      'src/order.ts · typescript · 9 lines · imported by ≥ 2 files',
      '  ≥ because 1 import of a name that is computed when the program runs (src/app.ts: "./plugins/" + name)',
      '  src/app.ts:1:1         ./order',
      '  src/order.test.ts:1:1  ./order',
    ]);
    expect(await ask('deps', 'store.go', '--reverse')).toEqual([
      'go/store/store.go · go · 3 lines · imported by 1 file',
      '  note: files of one package use each other without an import',
      '  go/main.go:5:2  example.com/shop/go/store',
    ]);
    expect(await askJson(['deps', 'py/app/util.py', '--reverse'])).toMatchObject({
      direction: 'importers',
      importers: [{ path: 'py/app/main.py', line: 1, col: 1, specifier: '.util' }],
      count: { value: 1, relation: 'eq', unresolved: [] },
    });
  });

  test('a long list comes in pieces', async () => {
    const first = await askJson(['deps', 'src/app.ts', '--limit', '4']);
    expect(first).toMatchObject({ truncated: true, count: { value: 6, relation: 'eq' } });
    const next = await askJson(['deps', 'src/app.ts', '--limit', '4', '--continue', String(first['continue'])]);
    expect(next).toMatchObject({ truncated: false, continue: null });
    expect(next['imports']).toHaveLength(2);
  });
});

describe('inputs', () => {
  test('an unknown field is an error that names the nearest', () => {
    for (const { name, input } of operations) {
      const outcome = input.safeParse({ pth: 'x', query: 'x', path: 'x' });
      expect(outcome.success, name).toBe(false);
    }
    const deps = operations.find(({ name }) => name === 'deps');
    const problems = deps?.input.safeParse({ path: 'x', revers: true }).error?.issues.map(({ message }) => message);
    expect(problems?.[0]).toContain("unknown field 'revers' (did you mean 'reverse'?); accepted: path, cwd, reverse");
  });
});

describe('serve', () => {
  test('says when it is ready, what it changed, and ends well; meanwhile others read', async () => {
    const own = openRepo();
    opened.push(own);
    const server = startServe(own, []);
    const ready = await server.said(/ready: .*\n/);
    expect(ready).toMatch(
      /^\d\d:\d\d:\d\d ready: 17 files in scope · 17 indexed · generation \d+ · .* · watcher ok · Ctrl-C ends it$/m,
    );
    own.write('src/fresh.ts', 'export const freshName = 1;\n');
    await server.said(/18 files in scope · 1 indexed · .* noticed by the watcher\n/);
    expect(await askJson(['symbols', 'freshName'], { repo: own })).toMatchObject({
      symbols: [{ path: 'src/fresh.ts' }],
    });
    expect(await askJson(['status'], { repo: own })).toMatchObject({ writer: { pid: process.pid }, watch: 'ok' });
    expect(await run(['serve', '--wait', '1'], { repo: own })).toMatchObject({
      code: 12,
      stderr: `codegenie: process ${process.pid} is the daemon of ${own.root} already; \`codegenie daemon stop\` ends it\n`,
    });
    expect((await run(['index'], { repo: own })).stdout).toContain('nothing changed · 18 files in scope');
    expect(await server.stop()).toBe('ok');
    expect(server.text()).toMatch(/stopped\n$/);
    expect((await askJson(['status'], { repo: own }))['writer']).toBeNull();
  });

  test('without a watcher it says so; interrupted before it is ready it ends like any command', async () => {
    const own = openRepo();
    opened.push(own);
    const loud = startServe(own, ['--no-watch']);
    await loud.said(/ready: .* · watcher off · /);
    expect(await loud.stop()).toBe('ok');
    const quiet = startServe(own, ['--no-watch', '--json']);
    quiet.stop();
    expect(await quiet.stop()).toBe('interrupted');
    expect(JSON.parse(quiet.text())).toMatchObject({ outcome: 'interrupted' });
  });

  test('P1: a reader whose writer has not seen an edit answers from the disk, or says that it cannot', async () => {
    const own = openRepo();
    opened.push(own);
    const writer = await openIndexSession({
      root: own.root,
      isGit: true,
      stateDir: openOwnDirs({ ...own, environment: {} }).stateDir,
      cacheDir: own.cacheDir,
      environment: { PATH: process.env['PATH'], HOME: own.home },
      extraExtensions: new Map(),
      nowMs: Date.now,
      signal: new AbortController().signal,
      onProgress: () => {},
      waitMs: 0,
    });
    if (writer.kind !== 'open') throw new Error(writer.kind);
    own.write('src/late.ts', "import { Order } from './order';\nexport const lateName = Order;\n");
    own.write('src/order.ts', 'export class Ordered {}\n');
    const searched = await askJson(['search', 'lateName'], { repo: own });
    expect(searched).toMatchObject({
      files: [{ path: 'src/late.ts', hits: [{ line: 2, col: 14 }] }],
      freshness: {
        state: 'dirty',
        files: [
          { path: 'src/late.ts', state: 'added' },
          { path: 'src/order.ts', state: 'changed' },
        ],
      },
    });
    expect(await askJson(['search', 'class Order ', '--lang', 'ts'], { repo: own })).toMatchObject({
      count: { value: 0, relation: 'eq' },
    });
    expect(await askJson(['outline', 'src/order.ts'], { repo: own })).toMatchObject({
      file: { state: 'changed' },
      count: { relation: 'gte' },
    });
    const importers = await askJson(['deps', 'src/lib/math.ts', '--reverse'], { repo: own });
    expect(importers['count']).toMatchObject({
      relation: 'gte',
      unresolved: expect.arrayContaining(['2 files on disk differ from the index']),
    });
    rmSync(join(own.root, 'src/lib/math.ts'));
    own.write('z\u001b[31mNEW.ts', 'export {};\n');
    const forward = await askJson(['deps', 'src/app.ts'], { repo: own });
    expect(forward['imports']).toContainEqual(
      expect.objectContaining({ specifier: '@lib/math.js', targets: [], reason: 'not_found' }),
    );
    expect(forward['files']).toMatchObject({
      relation: 'gte',
      unresolved: expect.arrayContaining(['4 files on disk differ from the index']),
    });
    const sliced = await run(['slice', 'src/app.ts', '--kind', 'imports'], { repo: own });
    expect(sliced.stdout).toContain('may be incomplete: 4 files on disk differ from the index');
    expect(sliced.stderr).toContain('"z\\u001b[31mNEW.ts" (added)');
    expect(`${sliced.stdout}${sliced.stderr}`).not.toContain('\u001b');
    const late = await run(['outline', 'src/late.ts'], { repo: own });
    expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining('is new on disk and not indexed yet') });
    await writer.session.close();
    expect((await run(['outline', 'src/late.ts'], { repo: own })).stdout).toContain('lateName');
  });
});

/** The command in this process, with a Ctrl-C of its own. */
function startServe(own: FixtureRepo, flags: readonly string[]) {
  const interrupt = new AbortController();
  let text = '';
  let wake = () => {};
  const keep = {
    write(chunk: string) {
      text += chunk;
      wake();
    },
  };
  const terminal: Terminal = {
    cwd: own.root,
    home: own.home,
    environment: { PATH: process.env['PATH'], HOME: own.home },
    stdout: keep,
    stderr: keep,
    signal: interrupt.signal,
    nowMs: Date.now,
  };
  const ended = runCommandLine(['serve', ...flags], terminal);
  return {
    text: () => text,
    async said(pattern: RegExp): Promise<string> {
      const over = ended.then((ending) => {
        throw new Error(`ended with ${ending}: ${text}`);
      });
      over.catch(() => {});
      while (!pattern.test(text)) await Promise.race([over, new Promise<void>((resolve) => (wake = resolve))]);
      return text;
    },
    stop() {
      interrupt.abort(new Error('interrupted'));
      return ended;
    },
  };
}
