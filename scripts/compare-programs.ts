/**
 * Runs two checkouts of the program over the same trees and prints where their answers differ: for changes that must change nothing.
 *   node scripts/compare-programs.ts [--upgrade] [--quick] <old checkout> <new checkout> <tree> [<tree> …]
 * Both see the tree at the same path with an empty home, and are asked the same by the command line, by HTTP and by the tools for agents;
 * with `--upgrade` the new one finds the caches, the index and the plans that the old one left; with `--quick` only the daemon is asked
 * about symbols, and the command line about the rest, which takes minutes and not an hour. What differs from run to run (ids, clocks,
 * durations, process numbers) is made equal before the comparison; sentences for people are compared too, so a reworded one shows up and
 * is judged by a reader.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

type Answer = { readonly name: string; readonly text: string };
type Asker = ReturnType<typeof createAsker>;

const words = process.argv.slice(2);
const upgrade = words.includes('--upgrade');
const quick = words.includes('--quick');
const [oldProgram = '', newProgram = '', ...trees] = words.filter((word) => !word.startsWith('--'));
if (trees.length === 0)
  throw new Error('usage: compare-programs.ts [--upgrade] [--quick] <old checkout> <new checkout> <tree> [<tree> …]');

/** Lines of one difference that are printed. */
const maxLinesShown = 60;
const maxBuffer = 256 * 1024 ** 2;

const place = mkdtempSync(join(tmpdir(), 'codegenie-compare-'));
const [work, home] = [join(place, 'tree'), join(place, 'home')];
let differences = 0;
try {
  compareAll('help', collectHelp(oldProgram), collectHelp(newProgram));
  for (const tree of trees) {
    copyTree(tree);
    const before = collect(oldProgram, undefined);
    if (!upgrade) copyTree(tree);
    compareAll(basename(tree), before.answers, collect(newProgram, before.names).answers);
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}
console.log(differences === 0 ? 'no difference' : `${differences} answers differ`);
process.exitCode = differences === 0 ? 0 : 1;

function compareAll(subject: string, before: readonly Answer[], after: readonly Answer[]): void {
  const answers = new Map(after.map(({ name, text }) => [name, text]));
  let same = 0;
  for (const { name, text } of before) {
    const now = answers.get(name);
    if (now === text) same += 1;
    else tell(`${subject}: ${name}`, text, now ?? '(no answer)');
    answers.delete(name);
  }
  for (const [name, text] of answers) tell(`${subject}: ${name}`, '(no answer)', text);
  console.log(`${subject}: ${same} of ${before.length} answers are the same`);
}

function tell(name: string, before: string, after: string): void {
  differences += 1;
  const [old, now] = [join(place, 'old.txt'), join(place, 'new.txt')];
  writeFileSync(old, `${before}\n`);
  writeFileSync(now, `${after}\n`);
  const { stdout } = spawnSync('diff', ['-U0', old, now], { encoding: 'utf8', maxBuffer });
  const lines = stdout.split('\n').slice(2, -1);
  const shown = lines.slice(0, maxLinesShown).map((line) => `  ${line.slice(0, 300)}`);
  if (lines.length > shown.length) shown.push(`  … ${lines.length - shown.length} more lines`);
  console.log([name, ...shown].join('\n'));
}

/** One field, element or line of a text a line, so that a difference names its place. */
function spread(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('<section')) return line.replaceAll(/><(details|dt|tr|li|h3|ul)/g, '>\n<$1');
      const json = line.replace(/^data: /, '');
      if (!json.startsWith('{')) return line;
      try {
        const value = JSON.parse(json, (_, one) => parseNested(one));
        return JSON.stringify(value, null, 1).replaceAll('\\n', '\n');
      } catch {
        return line;
      }
    })
    .join('\n');
}

/** A tool's answer is one JSON object in a string. */
function parseNested(value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('{"')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function copyTree(tree: string): void {
  for (const path of [work, home]) rmSync(path, { recursive: true, force: true });
  cpSync(tree, work, { recursive: true, verbatimSymlinks: true });
}

/** Asks one program and keeps its answers, each under a name of its own. */
function createAsker(program: string) {
  const answers: Answer[] = [];
  const keep = (name: string, text: string): void => {
    const earlier = answers.filter((one) => one.name === name || one.name.startsWith(`${name} (`)).length;
    answers.push({ name: earlier === 0 ? name : `${name} (${earlier + 1})`, text });
  };
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(program, 'bin/codegenie.mjs'), ...words], {
      cwd: work,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' },
      maxBuffer,
    });
  const ask = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = run(...words);
    keep(words.join(' '), `exit ${status}\n${settle(stdout)}\n--- stderr\n${settle(stderr)}`);
    return stdout;
  };
  /** Over the daemon's socket, which stays where it is while it runs. */
  let socket = '';
  const request = (path: string, body?: object): void => {
    if (socket === '') ({ socket } = JSON.parse(run('daemon', 'status', '--json').stdout) as { socket: string });
    const sent = body === undefined ? [] : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)];
    const accept = ['-H', 'accept: application/json, text/event-stream'];
    const to = ['-sS', '-w', '\nHTTP %{http_code}', '--unix-socket', socket, `http://localhost${path}`];
    const { stdout, stderr } = spawnSync('curl', [...to, ...accept, ...sent], { encoding: 'utf8', maxBuffer });
    keep(`${path} ${JSON.stringify(body ?? {})}`, `${settle(stdout)}\n--- stderr\n${settle(stderr)}`);
  };
  return { answers, keep, ask, request };
}

function collectHelp(program: string): Answer[] {
  mkdirSync(work, { recursive: true });
  const { answers, ask } = createAsker(program);
  ask('--help');
  ask('--version');
  for (const command of listCommands(program)) ask(...command, '--help');
  ask('probes', 'list', '--json');
  ask('schema', 'envelope');
  return answers;
}

/** `names` are the symbols that questions are about; the first program chooses them for both. */
function collect(program: string, names: readonly string[] | undefined) {
  const { answers, keep, ask, request } = createAsker(program);
  ask('gather', '--json');
  ask('gather', '--json');
  ask('report');
  for (const path of listFiles(join(work, '.codegenie/context')).filter((one) => !one.startsWith('runs/')))
    keep(`context/${path}`, settle(readFileSync(join(work, '.codegenie/context', path), 'utf8')));
  ask('index', '--semantic', '--json');
  ask('status', '--json');
  const listed = ask('symbols', 'e', '--json', '--limit', '400');
  const found = names ?? chooseNames(listed);
  for (const name of quick ? [] : found) {
    for (const question of ['def', 'refs', 'implementations', 'slice']) {
      ask(question, name, '--json');
      ask(question, name);
    }
    ask('symbols', name, '--json');
    ask('search', name, '--word', '--json');
    ask('rename', name, renamed(name), '--json');
    ask('rename', name, renamed(name));
  }
  const files = listFiles(work)
    .filter((path) => /\.(?:ts|js|py|go)$/.test(path) && !path.startsWith('.'))
    .slice(0, quick ? 1 : 6);
  for (const file of files) {
    ask('outline', file, '--json');
    ask('deps', file, '--json');
    ask('deps', file, '--reverse');
  }
  for (const file of files.slice(0, 2)) ask('move', file, `moved/${basename(file)}`, '--json');
  ask('refs', 'there_is_no_such_name', '--json');
  ask('refs');
  ask('rename', 'a', '--json');
  ask('plan', 'list', '--json');
  ask('plan', 'show', 'p-000000', '--json');
  askDaemon(ask, request, found);
  for (const name of found.slice(0, quick ? 1 : 3)) ask('rename', name, renamed(name), '--apply', '--json');
  keep('the tree afterwards', hashFiles());
  ask('audit', 'verify', '--json');
  ask('doctor', '--json');
  return { answers, names: found };
}

function askDaemon(ask: Asker['ask'], request: Asker['request'], names: readonly string[]): void {
  ask('daemon', 'start');
  try {
    for (const path of ['status', 'report', 'context/languages', 'context/nowhere', 'plans']) request(`/v1/${path}`);
    const call = (name: string, input: object) =>
      request('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } });
    request('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    call('repo_context', {});
    call('status', {});
    request('/v1/search', { query: 7 });
    for (const target of names.slice(0, 4)) {
      request('/v1/search', { query: target });
      call('symbols', { query: target });
      for (const op of ['def', 'refs', 'implementations']) {
        request('/v1/navigate', { kind: op, target });
        call('navigate', { op, target });
      }
      call('slice', { kind: 'dependency-chain', target });
      request('/v1/renames', { target, new_name: renamed(target) });
      call('plan_refactor', { kind: 'rename', target, to: renamed(target) });
    }
  } finally {
    ask('daemon', 'stop');
  }
}

function renamed(name: string): string {
  return `${name.split(/[/#]/).at(-1)}Renamed`;
}

function hashFiles(): string {
  return listFiles(work)
    .filter((path) => !path.startsWith('.codegenie/'))
    .map(
      (path) =>
        `${path} ${createHash('sha1')
          .update(readFileSync(join(work, path)))
          .digest('base64')}`,
    )
    .join('\n');
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
  const settled = spread(text)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d(?:\.\d+)?Z?/g, '<time>')
    .replaceAll(oldProgram, '<program>')
    .replaceAll(newProgram, '<program>')
    .replaceAll(/<program>\/src\/[\w/.-]+/g, '<program>/<file>')
    .replaceAll(/<time>-\d+Z?-[0-9a-f]+/g, '<run>')
    .replaceAll(/\bp-[0-9a-f]{6,}/g, '<plan>')
    .replaceAll(/\bprocess \d+/g, 'process <pid>')
    .replaceAll(
      /"(?:[a-z_]*_ms|durationMs|duration|seconds|pid|bytes|generation|generations|size_bytes)": ?-?[\d.]+/g,
      (found) => found.replace(/-?[\d.]+$/, '0'),
    )
    .replaceAll(/\b(?:[a-z_]*_ms|duration_ms): -?[\d.]+/g, (found) => found.replace(/-?[\d.]+$/, '0'))
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s|min|MB|KB|kB|GB|B)\b/g, '<amount>')
    .replaceAll(/\b[0-9a-f]{16,64}\b/g, '<hex>')
    .replaceAll('run_id: "<hex>"', 'run_id: <hex>');
  return sortByName(settled);
}

/** Reports list the probes of a run by how long they took. */
function sortByName(text: string): string {
  const sorted = (found: string, separator: string) => found.split(separator).sort().join(separator);
  return text
    .replaceAll(/(?:\| `\w+` \| <amount> \| \w+ \|\n)+/g, (found) => `${sorted(found.trimEnd(), '\n')}\n`)
    .replaceAll(/(<ul class="meters timings">)(.*?)(<\/ul>)/gs, (_, start, items, end) => {
      const plain = items.replaceAll(/style="[^"]*"/g, 'style');
      return `${start}${sorted(plain.replaceAll('</li>', '</li>\n').trimEnd(), '\n')}${end}`;
    });
}
