/**
 * Runs two checkouts of the program over the same trees and prints where their answers differ: for changes that must change nothing.
 *   node scripts/compare-programs.ts <old checkout> <new checkout> <tree> [<tree> …]
 * Both see the tree at the same path with an empty home. What differs from run to run (ids, clocks, durations, process numbers) is
 * made equal before the comparison; sentences for people are compared too, so a reworded one shows up and is judged by a reader.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

type Answer = { readonly name: string; readonly text: string };

const [oldProgram = '', newProgram = '', ...trees] = process.argv.slice(2);
if (trees.length === 0) throw new Error('usage: compare-programs.ts <old checkout> <new checkout> <tree> [<tree> …]');

const place = mkdtempSync(join(tmpdir(), 'codegenie-compare-'));
const [work, home] = [join(place, 'tree'), join(place, 'home')];
let differences = 0;
try {
  for (const tree of trees) compare(tree);
} finally {
  rmSync(place, { recursive: true, force: true });
}
console.log(differences === 0 ? 'no difference' : `${differences} answers differ`);
process.exitCode = differences === 0 ? 0 : 1;

function compare(tree: string): void {
  const before = collect(oldProgram, tree, undefined);
  const after = collect(newProgram, tree, before.names);
  const answers = new Map(after.answers.map(({ name, text }) => [name, text]));
  let same = 0;
  for (const { name, text } of before.answers) {
    const now = answers.get(name);
    if (now === text) same += 1;
    else tell(`${basename(tree)}: ${name}`, text, now ?? '(no answer)');
    answers.delete(name);
  }
  for (const [name, text] of answers) tell(`${basename(tree)}: ${name}`, '(no answer)', text);
  console.log(`${basename(tree)}: ${same} of ${before.answers.length} answers are the same`);
}

function tell(name: string, before: string, after: string): void {
  differences += 1;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  const show = (lines: readonly string[], sign: string) =>
    lines.slice(Math.max(0, at), at + 3).map((line) => `  ${sign} ${line.slice(0, 300)}`);
  console.log([`${name}: line ${at + 1}`, ...show(old, '-'), ...show(now, '+')].join('\n'));
}

/** One field a line, so that a difference names its field. */
function spread(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (!line.startsWith('{')) return line;
      try {
        return JSON.stringify(JSON.parse(line), null, 1);
      } catch {
        return line;
      }
    })
    .join('\n');
}

/** `names` are the symbols that questions are about; the first program chooses them for both. */
function collect(program: string, tree: string, names: readonly string[] | undefined) {
  for (const path of [work, home]) rmSync(path, { recursive: true, force: true });
  cpSync(tree, work, { recursive: true, verbatimSymlinks: true });
  const answers: Answer[] = [];
  const ask = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(program, 'bin/codegenie.mjs'), ...words], {
      cwd: work,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
      maxBuffer: 256 * 1024 ** 2,
    });
    answers.push({ name: words.join(' '), text: `exit ${status}\n${settle(stdout)}\n--- stderr\n${settle(stderr)}` });
    return stdout;
  };
  ask('--help');
  for (const command of listCommands(program)) ask(...command, '--help');
  ask('gather', '--json');
  ask('gather', '--json');
  ask('report');
  for (const path of listFiles(join(work, '.codegenie/context')).filter((one) => !one.startsWith('runs/')))
    answers.push({
      name: `context/${path}`,
      text: settle(readFileSync(join(work, '.codegenie/context', path), 'utf8')),
    });
  ask('index', '--semantic', '--json');
  ask('status', '--json');
  const listed = ask('symbols', 'e', '--json', '--limit', '400');
  const found = names ?? chooseNames(listed);
  for (const name of found) {
    for (const question of ['def', 'refs', 'implementations', 'slice']) {
      ask(question, name, '--json');
      ask(question, name);
    }
    ask('symbols', name, '--json');
    ask('search', name, '--word', '--json');
    ask('rename', name, `${name.split(/[/#]/).at(-1)}Renamed`, '--json');
    ask('rename', name, `${name.split(/[/#]/).at(-1)}Renamed`);
  }
  for (const file of listFiles(work)
    .filter((path) => /\.(?:ts|js|py|go)$/.test(path) && !path.startsWith('.'))
    .slice(0, 6)) {
    ask('outline', file, '--json');
    ask('deps', file, '--json');
    ask('deps', file, '--reverse');
  }
  ask('refs', 'there_is_no_such_name', '--json');
  ask('refs');
  ask('rename', 'a', '--json');
  ask('plan', 'list', '--json');
  ask('plan', 'show', 'p-000000', '--json');
  ask('probes', 'list', '--json');
  ask('schema', 'envelope');
  ask('audit', 'verify', '--json');
  ask('doctor', '--json');
  return { answers, names: found };
}

function listCommands(program: string): string[][] {
  const page = readFileSync(join(program, 'docs/reference/cli.md'), 'utf8');
  return [...page.matchAll(/^##+ `codegenie ([a-z -]+?)(?: [<[].*)?`/gm)].map((found) =>
    (found[1] ?? '').trim().split(' '),
  );
}

/** Every twentieth, so that kinds and folders are mixed. */
function chooseNames(symbols: string): string[] {
  const names = [...symbols.matchAll(/"name_path":"([^"]+)"/g)].map((found) => found[1] ?? '');
  return [...new Set(names)].filter((_, index) => index % 20 === 0).slice(0, 10);
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^(?:\.git|node_modules)\//.test(path) && statSync(join(folder, path)).isFile())
    .sort();
}

function settle(text: string): string {
  return spread(text)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(?:\.\d+)?Z?/g, '<time>')
    .replaceAll(oldProgram, '<program>')
    .replaceAll(newProgram, '<program>')
    .replaceAll(/<time>-\d+Z?-[0-9a-f]+/g, '<run>')
    .replaceAll(/\bp-[0-9a-f]{6,}/g, '<plan>')
    .replaceAll(
      /"(?:[a-z_]*_ms|durationMs|duration|pid|bytes|generation|generations|size_bytes)": ?-?[\d.]+/g,
      (found) => found.replace(/-?[\d.]+$/, '0'),
    )
    .replaceAll(/\b(?:[a-z_]*_ms|duration_ms): -?[\d.]+/g, (found) => found.replace(/-?[\d.]+$/, '0'))
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s|min|MB|KB|kB|GB|B)\b/g, '<amount>')
    .replaceAll(/\b[0-9a-f]{16,64}\b/g, '<hex>');
}
