/**
 * `npm run mutants -- <file or folder of src>… [--max 40] [--seed 1] [--tests 12] [--with <test file>…] [--at <file>:<line>…] [--jobs 2]`:
 * one small fault at a time is written into a copy of the tree, and tests run in rounds until one notices it: those named after the file,
 * the examples of its probe, those nearest to it, those given. A fault that no test notices is a survivor, and is printed with its place:
 * it wants a test, or a reason (the fault changes nothing that can be seen). `--at` draws from these lines only: survivors, to be judged
 * again. Ends with 1 where there are survivors.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withParsedSource } from '../src/languages/parsing/parse-source.ts';
import type { Node } from '../src/languages/parsing/syntax-node.ts';
import { walkTree } from '../src/languages/parsing/walk-tree.ts';
import { createRandom } from './fuzz/random.ts';
import { root } from './house.ts';
import { examplesOf, listNearTests } from './test-near.ts';

type Mutant = {
  readonly path: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly becomes: string;
};

/** What another operator would say instead. */
const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    max: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '12' },
    with: { type: 'string', multiple: true, default: [] },
    at: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
  },
});
if (positionals.length === 0) throw new Error('name the files or folders of src to write faults into');
/** By the tests of a round. */
const usual = new Map<string, Promise<number>>();
const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-mutants-')));
try {
  process.exitCode = (await run()) === 0 ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** How many survive. */
async function run(): Promise<number> {
  const paths = [...new Set(positionals.flatMap((name) => listModules(resolve(name))))].sort();
  const all = (await Promise.all(paths.map(listMutants)))
    .flat()
    .filter(({ path, line }) => values.at.length === 0 || values.at.includes(`${path}:${line}`));
  const random = createRandom(Number(values.seed));
  const drawn = all
    .map((mutant) => ({ mutant, order: random.below(1_000_000_000) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, Number(values.max))
    .map(({ mutant }) => mutant);
  const chosen: Mutant[] = [];
  for (const mutant of drawn) if (await parses(mutant)) chosen.push(mutant);
  console.log(`${chosen.length} of ${all.length} faults in ${paths.length} files`);
  let survivors = 0;
  const waiting = [...chosen];
  const work = async (_: unknown, job: number): Promise<void> => {
    const copy = join(base, String(job));
    copyTree(copy);
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const survived = await survives(copy, mutant);
      if (survived) survivors += 1;
      console.log(
        `${survived ? 'SURVIVED' : 'noticed '} ${mutant.path}:${mutant.line}  ${shown(mutant.was)} → ${shown(mutant.becomes)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  console.log(`${chosen.length - survivors} noticed, ${survivors} survived`);
  return survivors;
}

/** The cheap ones first: most faults are noticed by the tests named after the file. */
function listRounds(path: string): readonly (readonly string[])[] {
  const near = listNearTests(new Map([[path, undefined]]));
  // Those that are named after the file, however they reach it.
  const stem = path.slice(0, -'.ts'.length);
  const own = near.filter((test) => test.startsWith(`${stem}.`));
  const beside = near.slice(0, Number(values.tests)).filter((test) => !own.includes(test));
  const given = values.with.filter((test) => !own.includes(test) && !beside.includes(test));
  return [own, examplesOf([path]), beside, given].filter((round) => round.length > 0);
}

async function survives(copy: string, mutant: Mutant): Promise<boolean> {
  const file = join(copy, mutant.path);
  const text = readFileSync(file, 'utf8');
  for (const tests of listRounds(mutant.path)) {
    const ms = await judgeUnchanged(copy, tests);
    writeFileSync(file, withFault(text, mutant));
    // A fault that makes a test run for ever is noticed.
    const green = await isGreen(copy, tests, ms * 4 + 20_000);
    writeFileSync(file, text);
    if (!green) return false;
  }
  return true;
}

/** How long the tests take without a fault. They must be green then, or they notice everything. */
function judgeUnchanged(copy: string, tests: readonly string[]): Promise<number> {
  const key = tests.join(' ');
  const known = usual.get(key);
  if (known !== undefined) return known;
  const began = Date.now();
  const judged = isGreen(copy, tests, 600_000).then((green) => {
    if (!green) throw new Error(`tests fail without a fault: ${key}`);
    return Date.now() - began;
  });
  usual.set(key, judged);
  return judged;
}

/** A fault that is no program would be noticed by anything. */
async function parses(mutant: Mutant): Promise<boolean> {
  return withParsedSource(
    'typescript',
    withFault(readFileSync(join(root, mutant.path), 'utf8'), mutant),
    (source) => !source.hasErrors,
  );
}

function withFault(text: string, { start, end, becomes }: Mutant): string {
  return text.slice(0, start) + becomes + text.slice(end);
}

async function isGreen(copy: string, tests: readonly string[], timeoutMs: number): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // Of a thousand modules one is another than at the last run.
  const cache = ['--fsModuleCache', `--fsModuleCachePath=${join(copy, 'modules')}`];
  const words = [vitest, 'run', '--bail=1', '--reporter=dot', '--maxWorkers=1', ...cache, ...tests];
  const child = spawn(process.execPath, words, { cwd: copy, stdio: 'ignore', detached: true });
  // With its group: a worker that loops for ever hears nothing.
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeoutMs);
  const [status] = await once(child, 'exit');
  clearTimeout(limit);
  return status === 0;
}

function copyTree(copy: string): void {
  for (const name of [
    'src',
    'test',
    'scripts',
    'schemas',
    'docs',
    'bin',
    'bench',
    'package.json',
    'vitest.config.ts',
    'tsconfig.json',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

function listModules(path: string): readonly string[] {
  if (statSync(path).isDirectory()) return readdirSync(path).flatMap((name) => listModules(join(path, name)));
  return path.endsWith('.ts') && !/\.(?:test|gen)\.ts$/.test(path) ? [relative(root, path)] : [];
}

async function listMutants(path: string): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  await withParsedSource('typescript', readFileSync(join(root, path)), ({ root: tree }) => {
    const add = (node: Node, becomes: string) => {
      found.push({
        path,
        line: node.startPosition.row + 1,
        start: node.startIndex,
        end: node.endIndex,
        was: node.text,
        becomes,
      });
      return undefined;
    };
    const turn = (node: Node) => add(node, node.text === 'true' ? 'false' : 'true');
    walkTree(tree, {
      // Types have no effect.
      type_annotation: () => 'skip',
      type_alias_declaration: () => 'skip',
      interface_declaration: () => 'skip',
      import_statement: () => 'skip',
      binary_expression: (node) => {
        const operator = node.childForFieldName('operator');
        const other = operators[operator?.text ?? ''];
        return operator === null || other === undefined ? undefined : add(operator, other);
      },
      unary_expression: (node) =>
        node.childForFieldName('operator')?.text === '!'
          ? add(node, node.childForFieldName('argument')?.text ?? '')
          : undefined,
      true: turn,
      false: turn,
      // A statement that only has an effect, and a way out, are left away.
      expression_statement: (node) => (node.text.startsWith("'use") ? undefined : add(node, ';')),
      continue_statement: (node) => add(node, ';'),
      if_statement: (node) => {
        const condition = node.childForFieldName('condition');
        return condition === null ? undefined : add(condition, '(false)');
      },
      number: (node) => add(node, `(${node.text} + 1)`),
      template_substitution: (node) => add(node, ''),
    });
  });
  return found;
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line === '' ? '(nothing)' : line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
