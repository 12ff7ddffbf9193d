/**
 * One job from a configuration to an index file (code-plane.md §6.1): the program is loaded, each document is asked about and
 * encoded, and all are written in the order of their paths. A large job is shared with a second thread, which has a compiler of
 * its own: the checker works on one core only. All shares have the same list, and take from its two ends until they meet, so that
 * none is done long before the other.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compilerVersion } from '../../../kernel/exec/compiler-packages.ts';
import { createScipFile, encodeScip } from '../../../kernel/formats/write-scip.ts';
import { isCompilerGone, isPipe } from '../compiler/compiler-process.ts';
import type { Node, Project, Symbol as TsSymbol } from '../compiler/typescript-api.ts';
import type { TsgoJob } from '../typescript-indexer.ts';
import { createQuestions } from './ask-compiler.ts';
import { createDescriber } from './describe-declarations.ts';
import { createAncestry } from './find-relationships.ts';
import { followAlias, indexDocument } from './index-document.ts';
import type { DocumentWorld } from './name-meanings.ts';
import { copyProject, type OpenProgram, openProgram } from './open-program.ts';
import { createFileSpelling, createSpelling } from './spell-declarations.ts';

/** From how many files on a second thread saves more time than loading the program twice costs. */
const sharedFiles = 600;
/** The compiler's collector works beside its checker: on two cores a second thread gained an eighth of the time for two thirds more memory. */
const sharedCores = 4;

/** Gives the exit code. */
export async function indexProgram(given: TsgoJob, say: (line: string) => void): Promise<number> {
  const began = performance.now();
  const job: TsgoJob = { ...given, isCareful: given.isCareful || hasPipeAbove(given) };
  const index = createIndexFile(job);
  const { give } = index;
  const taken = new Int32Array(new SharedArrayBuffer(4));
  // Its configuration is copied before the first one is completed: they would read and write the same file otherwise.
  const second = mayShare(job)
    ? startShare({ job: { ...job, project: copyProject(job, '1') }, share: 1, taken }, give)
    : undefined;
  let reports: readonly ShareReport[];
  let isWhole = false;
  try {
    const first = indexShare({ job, share: 0, taken, give });
    reports = [first, await second].filter((report) => report !== undefined);
    if (first === undefined) {
      say('config_error: the compiler cannot open the project');
      return 1;
    }
    isWhole = true;
  } finally {
    if (!isWhole) index.discard();
  }
  const written = performance.now();
  const bytes = index.close();
  for (const path of new Set(reports.flatMap(({ pipes }) => pipes)))
    say(`not read: ${path.replace(`${job.root}/`, '')} is no regular file`);
  for (const note of reports.flatMap(({ notes }) => notes)) say(`no document of ${note}`);
  say(describe(reports, bytes, performance.now() - began, performance.now() - written));
  return 0;
}

function mayShare({ isShared, isThrifty, scope, members }: TsgoJob): boolean {
  if (isShared !== undefined) return isShared;
  return !isThrifty && (scope ?? members).length >= sharedFiles && availableParallelism() >= sharedCores;
}

function startShare(start: ShareStart, give: (at: number, document: Uint8Array) => void) {
  const { promise, resolve, reject } = Promise.withResolvers<ShareReport | undefined>();
  const worker = new Worker(workerUrl, { workerData: start });
  worker.on('message', (message: ShareMessage) => {
    if (message.kind === 'document') give(message.at, message.bytes);
    else resolve(message.report);
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('a thread ended early')));
  // The waiter gets the rejection; until it waits, the rejection must not count as unhandled.
  promise.catch(() => {});
  return promise;
}

/** The published form has its entries beside each other, under names of their own. */
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './tsgo-share.ts' : './tsgo-share.js', import.meta.url);

/** Documents are written as soon as all before them are there. */
function createIndexFile({ root, output }: TsgoJob) {
  const file = createScipFile(output);
  const metadata = {
    toolName: 'codegenie-tsgo',
    toolVersion: compilerVersion,
    projectRoot: pathToFileURL(root).href,
  };
  file.write({ kind: 'metadata', metadata });
  const waiting = new Map<number, Uint8Array>();
  let next = 0;
  return {
    give(at: number, document: Uint8Array): void {
      waiting.set(at, document);
      for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
        file.append(ready);
        waiting.delete(next);
        next += 1;
      }
    },
    close: () => file.close(),
    discard: () => file.discard(),
  };
}

/** Where a file has none. */
const noDocument = new Uint8Array();

function describe(reports: readonly ShareReport[], bytes: number, allMs: number, writeMs: number): string {
  const sum = (of: (report: ShareReport) => number): number =>
    Math.round(reports.reduce((all, one) => all + of(one), 0));
  const [documents, requests] = [sum((one) => one.documents), sum((one) => one.requests)];
  const load = Math.round(Math.max(...reports.map(({ loadMs }) => loadMs)));
  return (
    `${documents} documents, ${bytes} bytes in ${Math.round(allMs)} ms: load ${load} ms, ` +
    `resolve ${sum((one) => one.resolveMs)} ms in ${requests} requests, ` +
    `encode ${sum((one) => one.encodeMs) + Math.round(writeMs)} ms, in ${reports.length} thread${reports.length === 1 ? '' : 's'}`
  );
}

export type ShareReport = {
  readonly loadMs: number;
  readonly resolveMs: number;
  readonly encodeMs: number;
  readonly requests: number;
  readonly documents: number;
  /** What was not read because it is no regular file, absolute. */
  readonly pipes: readonly string[];
  /** One line each: files without a document, and why. */
  readonly notes: readonly string[];
};

export type ShareWork = {
  readonly job: TsgoJob;
  /** 0 or 1; each has a compiler of its own. */
  readonly share: number;
  /** How many have been taken so far, for all shares. */
  readonly taken: Int32Array;
  /** `at` is its place in the order of paths; each place is given once. */
  give(at: number, document: Uint8Array): void;
};

/**
 * Types after which a checker is replaced: it holds as much as a large program by then. The next one finds out again what all files share: in a
 * program of 2,141 files (416,000 types) doing so every 120,000 types cost half as much processor time again, for an eighth of the memory.
 */
const typesPerChecker = 500_000;

/** Documents after which this side forgets nodes and symbols: they come from the compiler again in a fraction of the time. */
const documentsPerSnapshot = 200;

/** Undefined where the program cannot be opened. */
export function indexShare({ job, share, taken, give }: ShareWork): ShareReport | undefined {
  const began = performance.now();
  let program = openProgram(job, share);
  if (program === undefined) return undefined;
  const names = program.project.program.getSourceFileNames();
  const wanted = listWanted(names, job);
  if (share === 0) noteGlobals(names, job);
  const loaded = performance.now();
  const spent = { requests: 0, ms: 0 };
  const notes: string[] = [];
  let world = createWorld(program.project, job, spent);
  let documents = 0;
  try {
    // One share goes from the first file on, the other from the last: what lies together is about the same things.
    for (let nth = 0; Atomics.add(taken, 0, 1) < wanted.length; nth += 1) {
      const at = share === 0 ? nth : wanted.length - 1 - nth;
      if (world.questions.typesMade() > typesPerChecker) {
        program = program.renew();
        world = createWorld(program.project, job, spent);
      } else if (nth % documentsPerSnapshot === documentsPerSnapshot - 1) {
        program = program.lighten();
        world = createWorld(program.project, job, spent);
      }
      const made = makeDocument(wanted[at] as string, job, program, world, spent);
      ({ program, world } = made);
      if (made.note !== undefined) notes.push(made.note);
      if (made.bytes !== undefined) documents += 1;
      give(at, made.bytes ?? noDocument);
    }
  } finally {
    program.close();
  }
  const ended = performance.now();
  return {
    loadMs: loaded - began,
    resolveMs: spent.ms,
    encodeMs: ended - loaded - spent.ms,
    requests: spent.requests,
    documents,
    pipes: program.listPipes(),
    notes,
  };
}

type Made = {
  readonly program: OpenProgram;
  readonly world: DocumentWorld;
  readonly bytes?: Uint8Array;
  readonly note?: string;
};

/** A compiler that dies is started again, once for a file; a file that ends it twice has no document. */
function makeDocument(
  fileName: string,
  job: TsgoJob,
  opened: OpenProgram,
  known: DocumentWorld,
  spent: { requests: number; ms: number },
): Made {
  const path = fileName.slice(job.root.length + 1);
  if (isTooLarge(fileName, job.maxFileBytes)) {
    return { program: opened, world: known, note: `${path}: larger than ${job.maxFileBytes} bytes` };
  }
  let [program, world] = [opened, known];
  let note = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = program.project.program.getSourceFile(fileName);
      if (file === undefined) return { program, world, note: `${path}: not in the program` };
      const document = indexDocument(file, path, world);
      const bytes = encodeScip([{ kind: 'document', document }]);
      return { program, world, bytes };
    } catch (error) {
      note = `${path}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500);
      // Anything else would be the same again.
      if (!isCompilerGone(error)) break;
      program = program.reopen();
      world = createWorld(program.project, job, spent);
    }
  }
  return { program, world, note };
}

function isTooLarge(fileName: string, maxBytes: number): boolean {
  const found = statSync(fileName, { throwIfNoEntry: false });
  return found !== undefined && found.size > maxBytes;
}

/** Small programs are made of it later. */
function noteGlobals(names: readonly string[], { root, members, globals }: TsgoJob): void {
  if (globals === null) return;
  const own = new Set(members.map((path) => `${root}/${path}`));
  writeFileSync(globals, JSON.stringify(listGlobals(names, own)));
}

/** By path. */
function listWanted(names: readonly string[], { root, members, scope }: TsgoJob): string[] {
  const wanted = new Set((scope ?? members).map((path) => `${root}/${path}`));
  return names.filter((name) => wanted.has(name)).sort();
}

function createWorld(project: Project, { root }: TsgoJob, spent: { requests: number; ms: number }): DocumentWorld {
  const known = new Map<number, readonly Node[]>();
  const spell = createSpelling(createFileSpelling(root));
  const questions = createQuestions(project.checker, spent);
  const declarationsOf = (symbol: TsSymbol): readonly Node[] => {
    let found = known.get(symbol.id);
    if (found === undefined) {
      found = symbol.declarations.flatMap((handle) => handle.resolve(project) ?? []);
      known.set(symbol.id, found);
    }
    return found;
  };
  return {
    project,
    questions,
    spell,
    declarationsOf,
    describer: createDescriber(questions, spell, root),
    ancestry: createAncestry(questions, declarationsOf, (node, symbol) =>
      followAlias(node, symbol, { questions, declarationsOf }),
    ),
  };
}

export type ShareStart = { readonly job: TsgoJob; readonly share: number; readonly taken: Int32Array };

export type ShareMessage =
  | { readonly kind: 'document'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'done'; readonly report: ReturnType<typeof indexShare> };

/**
 * Files of a program that are no members and say something about all of them without being imported: what a package or the
 * configuration brings along that declares globals or adds to modules. By their text, so it is a superset; the compiler's own
 * libraries come by themselves.
 */
function listGlobals(names: readonly string[], members: ReadonlySet<string>): readonly string[] {
  return names.filter((name) => !members.has(name) && !isLibrary(name) && isGlobal(name));
}

function isLibrary(name: string): boolean {
  return /\/@?typescript[^/]*\/(?:[^/]+\/)*lib\.[\w.]+\.d\.ts$|\/lib\.d\.ts$|^bundled:/.test(name);
}

/** A script, or a module that reaches out. */
function isGlobal(name: string): boolean {
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch {
    return false;
  }
  if (/\bdeclare\s+(?:global|module)\b|\bexport\s+as\s+namespace\b/.test(text)) return true;
  return !/^[ \t]*(?:import|export)\b/m.test(text.replace(/\/\*[\s\S]*?\*\//g, ''));
}

/**
 * The compiler opens the `package.json` of every directory above a source, and waits at a pipe until something is written. Within
 * the repository these are few and looked at first; the process that started the job notices a wait elsewhere.
 */
function hasPipeAbove({ root, members }: Pick<TsgoJob, 'root' | 'members'>): boolean {
  const seen = new Set<string>();
  for (const member of members) {
    for (let directory = dirname(member); !seen.has(directory); directory = dirname(directory)) {
      seen.add(directory);
      if (isPipe(join(root, directory, 'package.json'))) return true;
    }
  }
  return false;
}
