/**
 * Facts that follow a committed rename at once (mutation.md §8 "Facts patch", E9). The output that a context's facts came from is kept; it
 * is rewritten as the indexer would write it of the new tree, and imported like any other. No indexer runs.
 *
 * It begins from what is on disk and in the store, so it can be done again, also by another process: the edited files must be what the
 * change made of them, and the kept output one of exactly the tree before it. Where that is not so, or a form is not understood, nothing
 * of that context is written and its files wait for their indexer. Time, not truth.
 *
 * One context after the other, each in one transaction: whether a reference leads into another project is asked of what the store has
 * then. What a project offers to another may have changed by its name alone, so those that use it come along.
 */

import { statSync } from 'node:fs';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { OutputRefused } from '../../kernel/base/write-file.ts';
import { readScip } from '../../kernel/formats/read-scip.ts';
import type { ScipPart } from '../../kernel/formats/scip.ts';
import { createScipFile } from '../../kernel/formats/write-scip.ts';
import type { IndexerAdapter } from '../../languages/indexers/indexer-adapter.ts';
import { indexers } from '../../languages/indexers/indexers.gen.ts';
import { joinInRoot } from '../../languages/resolving/root-paths.ts';
import { createFileStates } from '../freshness/file-states.ts';
import { commitPatch } from '../semantic/commit-import.ts';
import { makeJobDir, removeJobDir } from '../semantic/indexers/job-dir.ts';
import { createOutputRenamer, type OutputRenamer, type OutputSource } from '../semantic/rename-output.ts';
import { type Renaming, takeBack, Unfit } from '../semantic/renaming.ts';
import { createSourceText, type SourceText } from '../semantic/source-text.ts';
import type { ReadSession } from '../store/read-session.ts';
import { isLive, listContexts, listMembers, type StoredContext } from '../store/stored-contexts.ts';
import { listDependents, listFactsOfFile, loadInterfaces } from '../store/stored-facts.ts';
import { findRepoState } from '../store/stored-files.ts';
import type { FileState, FileTable } from '../sync/file-table.ts';
import { noDifferences } from '../sync/find-differences.ts';
import type { IndexSession } from '../sync/index-session.ts';
import { createDiscoverySource } from './discovery-source.ts';
import { createReadBytes, prepareOutput } from './import-thread.ts';
import { createJobInputs } from './job-inputs.ts';
import { findNeeds, listUnblocked } from './job-queue.ts';
import { createKeptOutputs } from './kept-outputs.ts';

export type PatchSettings = {
  readonly session: IndexSession;
  readonly root: string;
  readonly stateDir: string;
  readonly cacheDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
};

export type PatchReport = {
  /** Keys of contexts whose facts are those of the new tree. */
  readonly patched: readonly string[];
  /** Those that wait for their indexer. */
  readonly skipped: readonly { readonly context: string; readonly why: string }[];
};

/** A larger output takes as long to import as its indexer takes to look at one file. */
const maxOutputBytes = 64 * 1024 ** 2;

type Place = { readonly context: StoredContext; readonly path: string; readonly source: OutputSource };

/** After the edited files have been reconciled. */
export async function patchContexts(renaming: Renaming, settings: PatchSettings): Promise<PatchReport> {
  const { session, root } = settings;
  const { facts } = session;
  const contexts = facts.read((moment) => listContexts(moment).filter(isLive));
  const concerned = new Set(facts.read((moment) => listConcerned(moment, renaming)));
  if (concerned.size === 0) return { patched: [], skipped: [] };
  const readBytes = createReadBytes(root);
  const patched: string[] = [];
  const skipped: { context: string; why: string }[] = [];
  const skip = (context: StoredContext, error: unknown): void => {
    // A disk that will not let us write, a machine without a place for temporary files.
    const isOurs = error instanceof Unfit || error instanceof OutputRefused || isErrno(error);
    if (!isOurs) throw error;
    skipped.push({ context: context.key, why: (error as Error).message });
  };
  try {
    const world = createWorld(renaming, settings, readBytes);
    const places = new Map<number, Place>();
    const find = (context: StoredContext): Place => {
      let place = places.get(context.id);
      if (place === undefined) {
        place = world.locate(context);
        places.set(context.id, place);
      }
      return place;
    };
    const renamer = createOutputRenamer(renaming, world.oldBytes);
    if (contexts.length > 1) facts.read((moment) => addDependents(moment, concerned));
    for (const context of contexts.filter(({ id }) => concerned.has(id))) {
      const { path, source } = find(context);
      readParts(path, (part) => renamer.learn(part, source));
    }
    renamer.settle();
    for (const context of orderContexts(contexts, concerned, settings, world.targetsOf)) {
      try {
        await world.patch(find(context), renamer);
        patched.push(context.key);
      } catch (error) {
        skip(context, error);
      }
    }
  } catch (error) {
    for (const context of contexts) if (concerned.has(context.id)) skip(context, error);
  }
  return { patched, skipped };
}

/** Contexts that know an edited file as it was, and then those with a file that uses one. */
function listConcerned(moment: ReadSession, { files }: Renaming): readonly number[] {
  const knowing = files.flatMap(({ path, oldHash }) =>
    listFactsOfFile(moment, path).flatMap((row) => (row.hashAtIndex === oldHash ? [row.contextId] : [])),
  );
  if (knowing.length === 0) return [];
  return [...knowing, ...files.flatMap(({ path }) => listDependents(moment, path).map(({ contextId }) => contextId))];
}

/** And contexts that use those, in any number of steps: an interface may hold those of others. A set that grows is walked to its end. */
function addDependents(moment: ReadSession, concerned: Set<number>): void {
  for (const id of concerned) {
    for (const path of listMembers(moment, id)) {
      for (const { contextId } of listDependents(moment, path)) concerned.add(contextId);
    }
  }
}

/** A context comes after those it uses. */
function* orderContexts(
  contexts: readonly StoredContext[],
  concerned: ReadonlySet<number>,
  { session }: PatchSettings,
  targetsOf: (path: string) => readonly string[],
): Generator<StoredContext> {
  const byId = new Map(contexts.map((context) => [context.id, context]));
  const members = contexts.map(({ id }) => ({ id, members: session.facts.read((moment) => listMembers(moment, id)) }));
  const needs = findNeeds(members, targetsOf);
  const done = new Set<number>();
  for (;;) {
    const due = [...concerned].filter((id) => byId.has(id) && !done.has(id)).sort((a, b) => a - b);
    const next = byId.get(listUnblocked(due, [], needs)[0] ?? due[0] ?? -1);
    if (next === undefined) return;
    done.add(next.id);
    yield next;
  }
}

function createWorld(renaming: Renaming, settings: PatchSettings, readBytes: (path: string) => Uint8Array | undefined) {
  const { session, root, environment, nowMs, signal } = settings;
  const { facts } = session;
  const oldBytes = readOldBytes(renaming, session.reconciler.table, readBytes);
  const discovery = createDiscoverySource(session, root);
  const kept = createKeptOutputs(settings);
  const about = {
    read: facts.read,
    ofFiles: facts.ofFiles,
    targetsOf: discovery.targetsOf,
    unsettledOf: () => [],
    root,
    maxFileMb: 1,
  };
  const now = createJobInputs({ ...about, table: () => session.reconciler.table });
  const before = createJobInputs({ ...about, table: () => tableBefore(session.reconciler.table, renaming) });
  const oldSources = new Map<string, SourceText | undefined>();
  const oldSource = (path: string): SourceText | undefined => {
    if (!oldSources.has(path)) {
      const bytes = oldBytes.get(path) ?? readBytes(path);
      oldSources.set(path, bytes === undefined ? undefined : createSourceText(bytes));
    }
    return oldSources.get(path);
  };
  const canonicalOf = (path: string): string => session.reconciler.table.get(path)?.canonicalPath ?? path;
  const baseOf = (adapter: IndexerAdapter, context: StoredContext, members: readonly string[]): string =>
    adapter.plan(
      { ...context, members },
      { repoRoot: root, jobDir: root, maxFileMb: 1, environment: {}, scope: null, roots: null },
    ).documentBase;

  return {
    oldBytes,
    targetsOf: discovery.targetsOf,
    /** The output that was made from exactly the tree before, by an indexer or by a patch. */
    locate(context: StoredContext): Place {
      const { fingerprint, allMembers } = before.read(context, null);
      const path = kept.find(context.key, fingerprint) ?? kept.find(context.key, `${patchedMark}${fingerprint}`);
      if (path === undefined) throw new Unfit('no output of the tree before is kept');
      if (statSync(path).size > maxOutputBytes) throw new Unfit('its output is too large');
      const adapter = indexers[context.indexer];
      const base = baseOf(adapter, context, allMembers);
      const source: OutputSource = {
        family: context.family,
        encoding: adapter.positionEncoding,
        pathOf({ relativePath }) {
          const named = joinInRoot(base, relativePath);
          return named === null ? null : canonicalOf(named);
        },
        oldSource,
      };
      return { context, path, source };
    },
    async patch({ context, path, source }: Place, renamer: OutputRenamer): Promise<void> {
      const jobDir = makeJobDir({ root, environment, job: `patch-${context.id}` });
      try {
        const outputPath = `${jobDir}/index.scip`;
        writeRenamed(path, outputPath, renamer, source);
        const { fingerprint, allMembers } = now.read(context, null);
        const adapter = indexers[context.indexer];
        const prepared = await prepareOutput(root, {
          outputPath,
          documentBase: baseOf(adapter, context, allMembers),
          context,
          members: new Set(allMembers),
          isPart: false,
          adapter,
          resolve: discovery.resolveWorld(),
          pre: facts.ofFiles('interfaces', loadInterfaces),
          canonicalOf,
          facts,
          signal,
        });
        if (prepared.kind !== 'prepared') throw new Unfit(prepared.detail);
        await session.hold.write(() => {
          const states = createFileStates({ read: facts.read, differences: noDifferences });
          const head = facts.read((moment) => findRepoState(moment)?.head ?? null);
          commitPatch(facts, prepared, { context, states, head, nowMs: nowMs() });
        });
        // Under a name that no job takes for an indexer's own: the job behind the patch is there to look.
        await kept.keep(context.key, `${patchedMark}${fingerprint}`, (to) => prepared.redactOutput(to));
      } finally {
        removeJobDir(jobDir);
      }
    },
  };
}

const patchedMark = 'patched-';

/** Each of the files as it was before. The edits are those that made it what it is, or this is no patch for it. */
function readOldBytes(
  { files }: Renaming,
  table: FileTable,
  readBytes: (path: string) => Uint8Array | undefined,
): ReadonlyMap<string, Uint8Array> {
  return new Map(
    files.map(({ path, oldHash, newHash, edits }) => {
      const bytes = table.get(path)?.contentHash === newHash ? readBytes(path) : undefined;
      if (bytes === undefined || blake3Hex(bytes) !== newHash) throw new Unfit(`${path} is not what was written`);
      const old = takeBack(bytes, edits);
      if (old === undefined || blake3Hex(old) !== oldHash) throw new Unfit(`the edits of ${path} are others`);
      return [path, old];
    }),
  );
}

function tableBefore(table: FileTable, { files }: Renaming): FileTable {
  const before = new Map(table);
  for (const { path, oldHash } of files) {
    const state = before.get(path);
    if (state !== undefined) before.set(path, { ...state, contentHash: oldHash } satisfies FileState);
  }
  return before;
}

function writeRenamed(from: string, to: string, renamer: OutputRenamer, source: OutputSource): void {
  const output = createScipFile(to);
  let isWhole = false;
  try {
    readParts(from, (part) => output.write(renamer.rewrite(part, source)));
    isWhole = true;
  } finally {
    if (!isWhole) output.discard();
  }
  output.close();
}

function readParts(path: string, take: (part: ScipPart) => void): void {
  const outcome = readScip(path, take);
  if (outcome.kind === 'failed') throw new Unfit(`the kept output cannot be read: ${outcome.detail}`);
}

function isErrno(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.code === 'string';
}
