// References of random names of a real project, held against the language service of another compiler; resumable. Nothing is written in the tree.
//   npm run fuzz -- refs <dir> --work <dir> [--count 500] [--seed 1] [--again 2] [--minutes 600] [--redo] [--at <path>:<line>:<col>]
//   npm run fuzz -- refs report <work>… [--write-docs]
// Per name: `refs` as the command line asks it, with compiler facts, and `findReferences` of the same place in every program that has the
// file, closed over the programs that share what was found. `--work` keeps the index and `log.jsonl`: another run with it goes on; with
// `--redo` it makes the index anew and asks the program again what the oracle was asked before. Failures, each of which ends the run with 1:
// - an answer that says `eq` and is another set (WRONG);
// - a reference that is called `resolved` and is none (IMPRECISE);
// - two answers that say `eq`, one asked at a place of the other, that differ (LAW); `--again` says of how many places that is asked.

import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openRefresher } from '../src/index/refresh/refresher.ts';
import { type IndexSession, openIndexSession } from '../src/index/sync/index-session.ts';
import { type CodeView, openSessionView } from '../src/index/view/code-view.ts';
import refs from '../src/serve/operations/refs.ts';
import { answerFrom } from '../src/serve/operations/run-operation.ts';
import { quietSettings } from './conformance/case-tree.ts';
import { writeSection } from './conformance/write-document.ts';
import { appendToLog } from './fuzz/line-log.ts';
import { createRandom, type Random } from './fuzz/random.ts';
import { type Answered, readRefsLog, reportRefs, verdictOf, type Wanted } from './fuzz/refs-log.ts';
import { createTexts, keyOf, openPrograms, type Programs, placeOf, showLine, wordAt } from './fuzz/refs-programs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    work: { type: 'string' },
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    again: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '600' },
    redo: { type: 'boolean', default: false },
    at: { type: 'string', multiple: true },
    'write-docs': { type: 'boolean', default: false },
  },
});
const [first = '', ...others] = positionals;
const world = { nowMs: Date.now, signal: new AbortController().signal };

if (first === 'report') {
  const report = reportRefs(
    others.map((work) => ({ name: basename(work), log: readRefsLog(join(work, 'log.jsonl')) })),
  );
  console.log(report.summary.join('\n'));
  const project = join(dirname(fileURLToPath(import.meta.url)), '..');
  if (values['write-docs'])
    writeSection(join(project, 'docs/conformance.md'), 'refsprojects', 'References on real projects', report.markdown);
  process.exitCode = report.failures === 0 ? 0 : 1;
} else {
  if (first === '' || values.work === undefined) throw new Error('name the directory of a project, and --work');
  await runProject(realpathSync(resolve(first)), resolve(values.work));
}

async function runProject(root: string, work: string): Promise<void> {
  const data = join(work, 'data');
  if (values.redo) rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const opened = await openIndexSession(quietSettings(root, realpathSync(data), true, world.signal));
  if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
  try {
    await runIndexers(root, realpathSync(data), opened.session);
    const view = await openSessionView(root, opened.session, 'sweep');
    await askNames(root, join(work, 'log.jsonl'), view);
  } finally {
    await opened.session.close();
  }
  const report = reportRefs([{ name: basename(work), log: readRefsLog(join(work, 'log.jsonl')) }]);
  console.log(report.summary.join('\n'));
  process.exitCode = report.failures === 0 ? 0 : 1;
}

async function runIndexers(root: string, data: string, session: IndexSession): Promise<void> {
  const refresher = openRefresher(session, {
    ...{ root, stateDir: data, cacheDir: data, environment: process.env },
    ...{ ...world, toolPaths: {}, maxFileMb: 4, onEvent: () => {} },
  });
  try {
    await refresher.refreshContexts();
    await refresher.enqueueUnsettled('fuzz');
    const { failed } = await refresher.runUntilIdle({ skipGuard: true, waitMs: 3_600_000 });
    for (const { context, failure, detail } of failed) console.log(`${context}: ${failure}: ${detail}`);
  } finally {
    await refresher.close();
  }
}

async function askNames(root: string, path: string, view: CodeView): Promise<void> {
  const endMs = Date.now() + Number(values.minutes) * 60_000;
  const texts = createTexts(root);
  const log = readRefsLog(path);
  if (log.version === '') appendToLog(path, { version: readVersion(root) });
  let opened: Programs | undefined;
  const programs = () => {
    opened ??= openPrograms(root, view, texts);
    return opened;
  };
  const random = createRandom(Number(values.seed));
  const ask = async ({ at, ...rest }: Pick<Wanted, 'at' | 'name' | 'kind'>) => {
    let wanted = log.wanted.get(at);
    if (wanted === undefined) {
      const found = programs().references(placeOf(at, texts));
      wanted = { at, ...rest, wanted: found === undefined ? null : [...found].sort() };
      appendToLog(path, { wanted });
    }
    if (wanted.wanted === null || (log.answered.has(at) && !values.redo && values.at === undefined)) return;
    const answered = await judge(view, at, new Set(wanted.wanted), random);
    appendToLog(path, { answered });
    tell(wanted, answered);
  };
  const isOver = () => Date.now() > endMs;
  if (values.at !== undefined) {
    for (const at of values.at) await ask({ at, name: wordAt(at, texts) ?? '', kind: 'asked' });
    return;
  }
  if (values.redo) for (const one of log.wanted.values()) if (!isOver()) await ask(one);
  if (log.wanted.size >= Number(values.count) && values.redo) return;
  for (const { kind, name, ...place } of programs().pick(Number(values.count), createRandom(Number(values.seed)))) {
    if (isOver()) break;
    const at = keyOf(place, texts);
    if (!values.redo || !log.wanted.has(at)) await ask({ at, name, kind });
  }

  function tell({ kind, name, wanted }: Wanted, answered: Answered): void {
    const verdict = verdictOf(answered);
    if (verdict === 'equal') return;
    const { at, relation, extra, missing, why, law } = answered;
    const shown = [
      `${verdict} ${kind} ${name}: ${relation}, ${wanted?.length ?? 0} wanted`,
      `at ${showLine(at, texts)}`,
      ...extra.slice(0, 8).map(([key, how]) => `too many ${showLine(key, texts)} (${how})`),
      ...missing.slice(0, 8).map((key) => `missing ${showLine(key, texts)}`),
      ...law.map((key) => `another set from ${showLine(key, texts)}`),
      ...why.map((one) => `because ${one}`),
    ];
    console.log(shown.join('\n    '));
  }

  async function judge(view: CodeView, at: string, wanted: ReadonlySet<string>, random: Random): Promise<Answered> {
    const { relation, hits, why } = await askProgram(view, at);
    const law: string[] = [];
    // Another name for it is a thing of its own.
    const alike = [...hits.keys()].sort().filter((there) => wordAt(there, texts) === wordAt(at, texts));
    for (const there of relation === 'eq' ? choose(alike, Number(values.again), random) : []) {
      const other = await askProgram(view, there);
      const isSame = other.hits.size === hits.size && [...other.hits.keys()].every((key) => hits.has(key));
      if (other.relation === 'eq' && !isSame) law.push(there);
    }
    const isOneExport = (key: string) => programs().areOneExport(placeOf(at, texts), placeOf(key, texts));
    const extra = [...hits].filter(([key]) => !wanted.has(key));
    return {
      at,
      relation,
      resolved: [...hits.values()].filter((how) => how === 'resolved').length,
      extra: extra.filter(([key, how]) => how !== 'resolved' || !isOneExport(key)),
      missing: [...wanted].filter((key) => !hits.has(key)),
      why,
      law,
    };
  }
}

function choose<T>(from: readonly T[], count: number, random: Random): readonly T[] {
  if (from.length <= count) return from;
  return Array.from({ length: count }, () => random.pick(from) as T);
}

function readVersion(root: string): string {
  const path = join(root, 'package.json');
  const { version = '' } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return String(version);
}

async function askProgram(
  view: CodeView,
  target: string,
): Promise<Pick<Answered, 'relation' | 'why'> & { readonly hits: ReadonlyMap<string, string> }> {
  const outcome = await answerFrom(refs, { target, limit: 100_000 }, view, world);
  if (outcome.kind !== 'answered') {
    const why = outcome.kind === 'not_answered' ? outcome.problem.message : outcome.kind;
    return { relation: null, hits: new Map(), why: [why] };
  }
  const { files, count } = outcome.answer;
  const hits = files.flatMap(({ path, hits }) =>
    hits.map(({ line, col, provenance }) => [`${path}:${line}:${col}`, provenance] as const),
  );
  return { relation: count.relation, hits: new Map(hits), why: count.unresolved };
}
