// References of random names of a real project, held against the language service of another compiler. Nothing is written in the tree.
//   npm run fuzz -- refs <dir> [--count 500] [--seed 1] [--again 2] [--at <path>:<line>:<col>] [--out <file>] [--verbose]
// Per name: `refs` as the command line asks it, with compiler facts, and `findReferences` of the same place in every program that has the
// file, closed over the programs that share what was found. Failures, each of which ends the run with 1:
// - an answer that says `eq` and is another set (WRONG);
// - a reference that is called `resolved` and is none (IMPRECISE);
// - two answers that say `eq`, one asked at a place of the other, that differ (LAW); `--again` says of how many places that is asked.

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openRefresher } from '../src/index/refresh/refresher.ts';
import { listContexts, listMembers } from '../src/index/store/stored-contexts.ts';
import { type IndexSession, openIndexSession } from '../src/index/sync/index-session.ts';
import { type CodeView, openSessionView } from '../src/index/view/code-view.ts';
import { listTypeRoots, renderProject } from '../src/languages/typescript/typescript-indexer.ts';
import refs from '../src/serve/operations/refs.ts';
import { answerFrom } from '../src/serve/operations/run-operation.ts';
import { quietSettings } from './conformance/case-tree.ts';
import { createOracle, type Oracle, type Place } from './fuzz/oracle.ts';
import { listSites, type Site } from './fuzz/pick-symbols.ts';
import { createRandom, type Random } from './fuzz/random.ts';

type Said = {
  readonly relation: 'eq' | 'gte' | null;
  /** By place: how it is known. */
  readonly hits: ReadonlyMap<string, string>;
  readonly why: readonly string[];
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    again: { type: 'string', default: '2' },
    at: { type: 'string', multiple: true },
    out: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const [source] = positionals;
if (source === undefined) throw new Error('name the directory of a project');
const root = realpathSync(resolve(source));
const base = realpathSync(mkdtempSync(join(tmpdir(), 'codegenie-fuzz-refs-')));
const world = { nowMs: Date.now, signal: new AbortController().signal };
const settings = quietSettings(root, base, true, world.signal);
const opened = await openIndexSession(settings);
if (opened.kind !== 'open') throw new Error(`the index did not open: ${JSON.stringify(opened)}`);
try {
  process.exitCode = (await run(opened.session)) === 0 ? 0 : 1;
} finally {
  await opened.session.close();
  rmSync(base, { recursive: true, force: true });
}

/** How many failures there are. */
async function run(session: IndexSession): Promise<number> {
  await runIndexers(session);
  const view = await openSessionView(root, session, 'sweep');
  const programs = openPrograms(view);
  const random = createRandom(Number(values.seed));
  const { text } = programs;
  const asked = (key: string): Asked => ({ ...placeOf(key, text), kind: 'asked', name: '' });
  const picks = values.at?.map(asked) ?? pickNames(programs, Number(values.count), random);
  const counts = { names: 0, eq: 0, equal: 0, unanswered: 0, wrong: 0, imprecise: 0, law: 0 };
  const references = { resolved: 0, none: 0, missing: 0 };
  const lines: string[] = [];
  const note = (line: string) => {
    lines.push(`${line}\n`);
    if (values.out === undefined) console.log(line);
    else writeFileSync(values.out, lines.join(''));
  };
  for (const [number, { kind, ...site }] of picks.entries()) {
    const wanted = programs.references(site);
    if (wanted === undefined) continue;
    const here = keyOf(site, text(site.path));
    const said = await askProgram(view, here);
    const extra = [...said.hits.keys()].filter((key) => !wanted.has(key));
    const missing = [...wanted].filter((key) => !said.hits.has(key));
    const untrue = extra.filter((key) => said.hits.get(key) === 'resolved');
    const isSame = extra.length === 0 && missing.length === 0;
    counts.names += 1;
    if (said.relation === null) counts.unanswered += 1;
    if (said.relation === 'eq') counts.eq += 1;
    if (isSame) counts.equal += 1;
    references.resolved += [...said.hits.values()].filter((how) => how === 'resolved').length;
    references.none += untrue.length;
    references.missing += missing.length;
    const where = `#${number} ${kind} ${site.name} at ${here}: ${said.hits.size} ${said.relation}, of ${wanted.size}`;
    const differs = () =>
      [
        ...extra.slice(0, 8).map((key) => `    too many ${showLine(key, text)} (${said.hits.get(key)})`),
        ...missing.slice(0, 8).map((key) => `    missing ${showLine(key, text)}`),
        ...said.why.map((why) => `    because ${why}`),
      ].join('\n');
    if (said.relation === 'eq' && !isSame) {
      counts.wrong += 1;
      note(`WRONG ${where}\n    at ${showLine(here, text)}\n${differs()}`);
    } else if (untrue.length > 0) {
      counts.imprecise += 1;
      note(`IMPRECISE ${where}\n    at ${showLine(here, text)}\n${differs()}`);
    } else if (values.verbose && !isSame) note(`DIFFERS ${where}\n    at ${showLine(here, text)}\n${differs()}`);
    if (said.relation !== 'eq') continue;
    for (const there of choose([...said.hits.keys()].sort(), Number(values.again), random)) {
      // Another name for it is a thing of its own.
      if (wordAt(there, text) !== wordAt(here, text)) continue;
      const other = await askProgram(view, there);
      if (other.relation !== 'eq' || (other.hits.size === said.hits.size && isWithin(other.hits, said.hits))) continue;
      counts.law += 1;
      const lone = (of: Said, against: Said) => [...of.hits.keys()].filter((key) => !against.hits.has(key)).slice(0, 6);
      note(
        [
          `LAW ${where}`,
          `    and from ${showLine(there, text)}`,
          ...lone(said, other).map((key) => `    lacks ${showLine(key, text)}`),
          ...lone(other, said).map((key) => `    adds ${showLine(key, text)}`),
        ].join('\n'),
      );
    }
  }
  console.log(
    [
      `names ${counts.names} · eq ${counts.eq} · equal ${counts.equal} · unanswered ${counts.unanswered}`,
      `eq that differ ${counts.wrong} · answers with references that are none ${counts.imprecise} · law broken ${counts.law}`,
      `references called resolved ${references.resolved}, of which none ${references.none}; missing ${references.missing}`,
    ].join('\n'),
  );
  return counts.wrong + counts.imprecise + counts.law;
}

function isWithin(some: ReadonlyMap<string, unknown>, all: ReadonlyMap<string, unknown>): boolean {
  return [...some.keys()].every((key) => all.has(key));
}

function wordAt(key: string, text: (path: string) => string): string | undefined {
  const { path, start } = placeOf(key, text);
  return /^[\w$#]+/.exec(text(path).slice(start))?.[0];
}

function showLine(key: string, text: (path: string) => string): string {
  const [, path = '', line] = /^(.*):(\d+):\d+$/.exec(key) ?? [];
  return `${key}  ${(text(path).split('\n')[Number(line) - 1] ?? '').trim().slice(0, 120)}`;
}

async function runIndexers(session: IndexSession): Promise<void> {
  const refresher = openRefresher(session, {
    ...{ root, dataDir: base, cacheDir: base, environment: process.env },
    ...{ ...world, toolPaths: {}, maxFileMb: 4, onEvent: () => {} },
  });
  try {
    await refresher.refreshContexts();
    await refresher.enqueueUnsettled('fuzz');
    const { failed } = await refresher.runUntilIdle({ skipGuard: true, waitMs: 1_200_000 });
    for (const { context, failure, detail } of failed) console.log(`${context}: ${failure}: ${detail}`);
  } finally {
    await refresher.close();
  }
}

type Programs = Pick<Oracle, 'compiler' | 'files' | 'tree' | 'text'> & {
  /** By `keyOf`. */
  references(at: Place): ReadonlySet<string> | undefined;
};

/** One oracle for each context of the index. */
function openPrograms(view: CodeView): Programs {
  const inScope = new Set<string>();
  const oracles = view.read((session) =>
    listContexts(session).flatMap((context) => {
      if (context.family !== 'typescript' || !context.enabled) return [];
      const members = listMembers(session, context.id);
      for (const member of members) inScope.add(member);
      const references = (context.config['references'] ?? []) as readonly string[];
      const project = JSON.parse(renderProject({ ...context, members }, root, { references }));
      // Where the compiler would look for types if this configuration stood where the real one stands.
      const typeRoots = listTypeRoots(context, root);
      const compilerOptions = { typeRoots, ...project.compilerOptions };
      return [
        {
          oracle: createOracle(root, { text: JSON.stringify({ ...project, compilerOptions }) }),
          members: new Set(members),
        },
      ];
    }),
  );
  const owner = (path: string) => oracles.find(({ members }) => members.has(path))?.oracle;
  const [first] = oracles;
  if (first === undefined) throw new Error('there is no TypeScript or JavaScript in it');
  const text = (path: string) => owner(path)?.text(path) ?? '';
  return {
    compiler: first.oracle.compiler,
    files: [...inScope].filter((path) => /\.[cm]?[jt]sx?$/.test(path)).sort(),
    tree: (path) => owner(path)?.tree(path),
    text,
    references(at) {
      const own = oracles.filter(({ members }) => members.has(at.path));
      const found = own.flatMap(({ oracle }) => oracle.references(at));
      if (found.length === 0) return undefined;
      // Other programs may have what is declared in a file that both have.
      const declared = new Map(found.flatMap((one) => (one.isDeclared ? [[`${one.path} ${one.start}`, one]] : [])));
      const others = oracles.filter((one) => !own.includes(one));
      const more = [...declared.values()].flatMap((place) => others.flatMap(({ oracle }) => oracle.references(place)));
      const seen = [...found, ...more].filter(({ path, isDeclared }) => !isDeclared && inScope.has(path));
      const places = new Set(seen.map((place) => keyOf(place, text(place.path))));
      // Of some names of packages the service does not even find the name itself.
      return places.has(keyOf(at, text(at.path))) ? places : undefined;
    },
  };
}

type Asked = Site & { readonly kind: string };

function pickNames(programs: Programs, count: number, random: Random): readonly Asked[] {
  const byKind = listSites(programs);
  const kinds = [...byKind.keys()].sort();
  const picked: Asked[] = [];
  const seen = new Set<string>();
  for (let round = 0; picked.length < count && round < count * 4; round += 1) {
    // Every other one is any name at all.
    const kind = round % 2 === 0 ? 'use' : (kinds[((round - 1) / 2) % kinds.length] as string);
    const site = random.pick(byKind.get(kind) ?? []);
    if (site === undefined || seen.has(`${site.path} ${site.start}`)) continue;
    seen.add(`${site.path} ${site.start}`);
    picked.push({ ...site, kind });
  }
  return picked;
}

function choose<T>(from: readonly T[], count: number, random: Random): readonly T[] {
  if (from.length <= count) return from;
  return Array.from({ length: count }, () => random.pick(from) as T);
}

/** `<path>:<line>:<col>`, as people write it. */
function keyOf({ path, start }: Place, text: string): string {
  const before = text.slice(0, start);
  return `${path}:${before.split('\n').length}:${start - before.lastIndexOf('\n')}`;
}

function placeOf(key: string, text: (path: string) => string): Place {
  const [, path = '', line, col] = /^(.*):(\d+):(\d+)$/.exec(key) ?? [];
  const before = text(path)
    .split('\n')
    .slice(0, Number(line) - 1);
  return { path, start: before.reduce((sum, one) => sum + one.length + 1, 0) + Number(col) - 1 };
}

async function askProgram(view: CodeView, target: string): Promise<Said> {
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
