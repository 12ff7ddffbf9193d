/**
 * A share of a program's documents. All shares have the same list, and take from its two ends until they meet, so that none is done long
 * before the other.
 */

import { statSync, writeFileSync } from 'node:fs';
import { encodeScip } from '../../../kernel/formats/write-scip.ts';
import { isCompilerGone } from '../../../languages/typescript/compiler/compiler-process.ts';
import type { Node, Project, Symbol as TsSymbol } from '../../../languages/typescript/compiler/typescript-api.ts';
import type { TsgoJob } from '../../../languages/typescript/typescript-indexers.ts';
import { createQuestions } from './ask-compiler.ts';
import { createDescriber } from './describe-declarations.ts';
import { createAncestry } from './find-relationships.ts';
import { type DocumentWorld, followAlias, indexDocument } from './index-document.ts';
import { listGlobals } from './list-globals.ts';
import { type OpenProgram, openProgram } from './open-program.ts';
import { createFileSpelling } from './package-names.ts';
import { createSpelling } from './spell-declarations.ts';

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
  /** `at` is its place in the order of paths. */
  give(at: number, document: Uint8Array): void;
};

/** Types after which a checker is replaced: it holds more than a large program by then. */
const typesPerChecker = 120_000;

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
      }
      const made = makeDocument(wanted[at] as string, job, program, world, spent);
      ({ program, world } = made);
      if (made.note !== undefined) notes.push(made.note);
      if (made.bytes === undefined) continue;
      documents += 1;
      give(at, made.bytes);
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

function createWorld(
  project: Project,
  { root, isDocumented }: TsgoJob,
  spent: { requests: number; ms: number },
): DocumentWorld {
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
    isDocumented,
  };
}
