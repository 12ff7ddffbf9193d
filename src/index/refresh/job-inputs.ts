/**
 * What a job would read now, and whether that has been done: the members its scope is widened to, everything they reach, the
 * fingerprint over it, the last jobs that had the same, and the files that a program of a few members must hold.
 */

import { sha256Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, compareCodeUnits, type Json } from '../../kernel/base/json.ts';
import type { IndexerAdapter, IndexerContext, ProgramRoots } from '../../languages/indexers/indexer-adapter.ts';
import type { Granularity } from '../../languages/projects/context-spec.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import { stateColumnsOf } from '../freshness/file-states.ts';
import type { IndexerProbe } from '../semantic/indexers/run-indexer.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { ReadSession } from '../store/read-session.ts';
import { compared, type StateColumns } from '../store/state-columns.ts';
import { findGlobals, listMembers, listTried, type StoredContext } from '../store/stored-contexts.ts';
import {
  listAugmentingAmong,
  listAugmentingMembers,
  listDependencies,
  listDependents,
  listPatched,
  loadSyntacticInterfaces,
} from '../store/stored-facts.ts';
import { listExternalImports } from '../store/stored-imports.ts';
import { listSettledReferences } from '../store/stored-items.ts';
import { findLastCompleted, findTerminalFailure, type Job, type RefreshScope } from '../store/stored-jobs.ts';
import type { FileTable } from '../sync/file-table.ts';
import { refreshLimits } from './refresh-limits.ts';

export type JobInputs = {
  readonly allMembers: readonly string[];
  readonly widened: WidenedScope;
  /** The widened members and all they reach. */
  readonly paths: readonly string[];
  /** By widened member: the files it uses. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  readonly fingerprint: string;
};

export interface JobInputsReader {
  read(context: StoredContext, scope: RefreshScope, isRetry?: boolean): JobInputs;
  widen(context: StoredContext, scope: RefreshScope, isRetry?: boolean): WidenedScope;
  /** Members of a context of single files that are not clean and that a run may settle, sorted. */
  listHopeful(context: StoredContext): readonly string[];
  /**
   * Which of these a run is to begin with. Where few changed and many use them, it is those that changed: the many take long, and are told
   * apart from those that need it by what the first run says.
   */
  listFirst(context: StoredContext, hopeful: readonly string[]): readonly string[];
  /** A run about these members has ended and nothing that it read has changed since: those of them that the same run would not settle. */
  findStuck(context: StoredContext, members: readonly string[]): ReadonlyMap<string, string>;
  /** The job after which there is nothing to do for these inputs. */
  findDone(context: StoredContext, inputs: JobInputs): Job | undefined;
  /** A job sets out because the last `findDone` found none: if it leaves everything as it is now, nothing more is gained that way. */
  begin(context: StoredContext): void;
  /** The failure that will not be tried again as long as the inputs are these. */
  findFailure(context: StoredContext, inputs: JobInputs): Job | undefined;
  /** What documents of an output are relative to, without running anything. */
  documentBase(adapter: IndexerAdapter, context: IndexerContext, probe: IndexerProbe): string;
}

export function createJobInputs(world: {
  readonly read: <T>(ask: (session: ReadSession) => T) => T;
  readonly ofFiles: WritableFacts['ofFiles'];
  readonly table: () => FileTable;
  /** By the text of a file, of all files. */
  readonly targetsOf: (path: string) => readonly string[];
  /** Members of a context that are not clean, or say of a reference what they would not say today. */
  readonly unsettledOf: (session: ReadSession, contextId: number) => readonly string[];
  readonly root: string;
  readonly maxFileMb: number;
}): JobInputsReader {
  const widenIn = (session: ReadSession, context: StoredContext, scope: RefreshScope, isRetry: boolean): WidenedScope =>
    widenScope(scope, {
      granularity: context.granularity,
      members: listMembers(session, context.id),
      dependentsOf: (path) =>
        listDependents(session, path).flatMap((found) => (found.contextId === context.id ? [found.path] : [])),
      unsettled: () => listHopeful(session, context),
      first: (unsettled) => listFirst(session, context, unsettled),
      unconfirmed: () => listPatched(session, context.id),
      isRetry,
    });

  /** What a run about these members reads in the repository. */
  const reach = (session: ReadSession, context: StoredContext, members: readonly string[]) => {
    const targets = new Map<string, readonly string[]>();
    for (const path of members) {
      // What the indexer found it to use, where the text alone does not say it.
      const used = listDependencies(session, path, context.id).map((found) => found.path);
      targets.set(path, [...world.targetsOf(path), ...used]);
    }
    const dependencies = collectDependencies(members, (path) => targets.get(path) ?? world.targetsOf(path));
    const table = world.table();
    const hashOf = (path: string) => table.get(path)?.contentHash ?? null;
    const fingerprint = computeFingerprint({ context, members, dependencies, hashOf });
    return { targets, paths: [...members, ...dependencies], fingerprint };
  };

  const readIn = (session: ReadSession, context: StoredContext, scope: RefreshScope, isRetry: boolean): JobInputs => {
    const widened = widenIn(session, context, scope, isRetry);
    return {
      allMembers: listMembers(session, context.id),
      widened,
      ...reach(session, context, widened.members),
    };
  };

  /** What decides whether a file can be settled: its bytes, and what others let it see of them. */
  const triedNow = (session: ReadSession, context: StoredContext, path: string): string => {
    const { paths } = reach(session, context, [path]);
    const table = world.table();
    const interfaces = world.ofFiles('syntactic interfaces', loadSyntacticInterfaces);
    const hashOf = (read: string): string | null => {
      const contentHash = table.get(read)?.contentHash ?? null;
      return read === path ? contentHash : (interfaces.get(read) ?? contentHash);
    };
    return computeFingerprint({ context, members: [path], dependencies: paths.slice(1), hashOf });
  };

  /** Once for each: a tool may not say them. */
  const asked = new Map<number, string>();
  const outdatedGlobals = (session: ReadSession, context: StoredContext): string | undefined =>
    findOutdatedGlobals(session, context, world.ofFiles);

  const listHopeful = (session: ReadSession, context: StoredContext): readonly string[] => {
    const found = listUnsettled(session, context);
    if (found.length > 0 || context.granularity !== 'file') return found;
    const globals = outdatedGlobals(session, context);
    // Any one will do: its run loads the whole program, and then it is known whether the others are concerned.
    if (globals === undefined || asked.get(context.id) === globals) return found;
    return listMembers(session, context.id).slice(0, 1);
  };

  const listUnsettled = (session: ReadSession, context: StoredContext): readonly string[] => {
    const unsettled = world.unsettledOf(session, context.id);
    const tried = unsettled.length === 0 ? new Map<string, string>() : listTried(session, context.id);
    return unsettled.filter((path) => {
      const before = tried.get(path);
      return before === undefined || before !== triedNow(session, context, path);
    });
  };

  /** If that job had these inputs, or more: the members it was about. */
  const findSame = (session: ReadSession, context: StoredContext, job: Job, inputs: JobInputs) => {
    if (job.fingerprint === inputs.fingerprint) return inputs.widened.members;
    const wider = readIn(session, context, job.scope, job.attempt > 1);
    const isSame = job.fingerprint === wider.fingerprint && isWithin(inputs.widened, wider.widened);
    return isSame ? wider.widened.members : undefined;
  };

  let loaded:
    | {
        readonly generation: number;
        readonly byContext: ReadonlyMap<number, FactsOfContext>;
        readonly references: ReadonlyMap<number, ReadonlySet<string>>;
      }
    | undefined;
  /** Once per generation: between two of them no fact changes. */
  const factsNow = (session: ReadSession) => {
    if (loaded?.generation !== session.generation) {
      const references = [...listSettledReferences(session)].map(([id, paths]) => [id, new Set(paths)] as const);
      loaded = {
        generation: session.generation,
        byContext: findFactsOfContexts(stateColumnsOf(session)),
        references: new Map(references),
      };
    }
    return loaded;
  };

  const listFirst = (session: ReadSession, context: StoredContext, hopeful: readonly string[]): readonly string[] => {
    if (context.granularity !== 'file' || hopeful.length <= refreshLimits.manyUsers) return hopeful;
    const current = factsNow(session).byContext.get(context.id)?.current;
    const changed = hopeful.filter((path) => current?.has(path) !== true);
    const users = hopeful.length - changed.length;
    const isWorthIt = changed.length > 0 && users >= refreshLimits.manyUsers && changed.length < users / 2;
    // Once it is settled, what adds to the declarations of others is known by those alone that were indexed with it.
    return isWorthIt && listAugmentingAmong(session, changed).length === 0 ? changed : hopeful;
  };

  /** By context: inputs and what is outdated, as the last question found them and as the last job did. */
  const found = new Map<number, string>();
  const begun = new Map<number, string>();

  return {
    read: (context, scope, isRetry = false) => world.read((session) => readIn(session, context, scope, isRetry)),
    widen: (context, scope, isRetry = false) => world.read((session) => widenIn(session, context, scope, isRetry)),
    listHopeful: (context) => world.read((session) => listHopeful(session, context)),
    listFirst: (context, hopeful) => world.read((session) => listFirst(session, context, hopeful)),
    findStuck: (context, members) =>
      world.read((session) => {
        const ran = new Set(members);
        const left = listHopeful(session, context);
        if (!left.some((path) => ran.has(path))) return new Map();
        // What has no document now will have none if the same is read again; the others wait for what was not part of the run, unless
        // there is nothing of that kind.
        const isEnd = left.length >= members.length && left.every((path) => ran.has(path));
        const current = factsNow(session).byContext.get(context.id)?.current;
        const stuck = left.filter((path) => ran.has(path) && (isEnd || current?.has(path) !== true));
        return new Map(stuck.map((path) => [path, triedNow(session, context, path)]));
      }),
    findDone: (context, inputs) =>
      world.read((session) => {
        // Of single files only those are asked for that need it.
        if (context.granularity === 'file' && inputs.widened.scope !== null) {
          return inputs.widened.members.length > 0 ? undefined : findLastCompleted(session, context.id);
        }
        // The very last one: what an earlier one wrote may have been replaced since.
        const last = findLastCompleted(session, context.id);
        found.delete(context.id);
        const members = last === undefined ? undefined : findSame(session, context, last, inputs);
        if (last === undefined || members === undefined) return undefined;
        const { byContext, references } = factsNow(session);
        const facts = byContext.get(context.id);
        // The facts of a file that was deleted went with it, and did not come back with its bytes.
        const known = members.reduce((count, path) => count + Number(facts?.current.has(path) === true), 0);
        if (known < (last.accepted ?? 0)) return undefined;
        const settled = references.get(context.id);
        const outdated = inputs.widened.members.filter(
          (path) => facts?.outdated.has(path) === true || settled?.has(path) === true,
        );
        const key = [inputs.fingerprint, ...outdated].join('\0');
        found.set(context.id, key);
        return outdated.length === 0 || begun.get(context.id) === key ? last : undefined;
      }),
    begin(context) {
      const globals =
        context.granularity === 'file' ? world.read((session) => outdatedGlobals(session, context)) : undefined;
      if (globals !== undefined) asked.set(context.id, globals);
      const key = found.get(context.id);
      if (key === undefined) begun.delete(context.id);
      else begun.set(context.id, key);
    },
    findFailure: (context, inputs) =>
      world.read((session) => {
        const failure = findTerminalFailure(session, context.id);
        if (failure === undefined) return undefined;
        // One that failed before it knew its inputs says nothing about them; a change asks again by itself.
        if (failure.fingerprint === null) return failure;
        return findSame(session, context, failure, inputs) === undefined ? undefined : failure;
      }),
    documentBase: (adapter, context, probe) =>
      adapter.plan(context, {
        repoRoot: world.root,
        jobDir: world.root,
        maxFileMb: world.maxFileMb,
        environment: probe.environment,
        scope: null,
        roots: null,
      }).documentBase,
  };
}

// ---- widening: what a job is really about, the asked scope widened to what its indexer can do at once (code-plane.md §7). R23: never
// narrower than asked. The job row keeps the asked scope; this is worked out anew at every claim.
//
// An indexer of single files is asked for all that are not clean when the job begins: what was asked for and is clean by then is done, and
// the users of what changed are not clean (§8), so that one run settles all of them. A file whose users see the same interface as before
// takes none of them along (early cutoff). Where many use what changed, what changed comes first, and the many are the next job.

export type WidenedScope = {
  readonly granularity: Granularity;
  /** `null` where all members are meant. */
  readonly scope: RefreshScope;
  /** The members whose facts the job is to replace, sorted. */
  readonly members: readonly string[];
};

export type WidenWorld = {
  readonly granularity: Granularity;
  /** Of the context, sorted. */
  readonly members: readonly string[];
  /** Files of this context that were indexed against one. */
  readonly dependentsOf: (path: string) => readonly string[];
  /** Members that are not clean and that a run may settle. */
  readonly unsettled: () => readonly string[];
  /** Those of them that one run is to begin with. */
  readonly first: (unsettled: readonly string[]) => readonly string[];
  /** Members that a patch after a rename made clean, which an indexer is to confirm where it is asked to. */
  readonly unconfirmed: () => readonly string[];
  /** A try after one that was too much: what is asked for, and no more. What is left is asked for when it has ended. */
  readonly isRetry?: boolean;
};

export function widenScope(scope: RefreshScope, world: WidenWorld): WidenedScope {
  const { granularity, members } = world;
  if (scope === null || granularity === 'project') return { granularity, scope: null, members };
  const chosen = granularity === 'file' ? chooseUnsettled(scope, world) : choosePackages(scope, world);
  if (chosen.length === members.length) return { granularity, scope: null, members };
  return { granularity, scope: { files: chosen, packages: [] }, members: chosen };
}

/** Is everything of `asked` in `given`? Both widened over the same members. */
export function isWithin(asked: WidenedScope, given: WidenedScope): boolean {
  if (given.scope === null) return true;
  const all = new Set(given.members);
  return asked.members.every((path) => all.has(path));
}

function chooseUnsettled(scope: NonNullable<RefreshScope>, world: WidenWorld): string[] {
  const all = new Set(world.members);
  const asked = new Set(scope.files);
  const unsettled = world.unsettled();
  const first = world.isRetry === true ? [] : world.first(unsettled);
  const named = [...unsettled, ...world.unconfirmed()].filter((path) => asked.has(path));
  const chosen = new Set([...first, ...named]);
  return [...chosen].filter((path) => all.has(path)).sort(compareCodeUnits);
}

function choosePackages(scope: NonNullable<RefreshScope>, { members, dependentsOf }: WidenWorld): readonly string[] {
  // What Go, Java and Python call a package is the directory.
  const packages = new Set(scope.packages);
  // A file that is no member names its dependents. A set that grows is walked to its end.
  const files = new Set(scope.files);
  for (const path of files) for (const dependent of dependentsOf(path)) files.add(dependent);
  for (const path of files) packages.add(directoryOf(path));
  return members.filter((path) => packages.has(directoryOf(path)));
}

// ---- fingerprint: what a job's result depends on, as one id (code-plane.md §7 "Identity"): the configuration, the tool, its environment,
// and the bytes of every file that can be read on the way. Equal fingerprints mean equal results; HEAD is no part of it (R25).

/** The first 32 hex digits of a SHA-256 over canonical JSON. */
export function idOf(value: Json): string {
  return sha256Hex(canonicalJson(value)).slice(0, 32);
}

type FingerprintInputs = {
  readonly context: Pick<StoredContext, 'configHash' | 'envHash' | 'toolId'>;
  /** Of the widened scope. */
  readonly members: readonly string[];
  /** Files that `members` can see, themselves aside. */
  readonly dependencies: Iterable<string>;
  /** `null` for a file without a hash, or none at all. */
  readonly hashOf: (path: string) => string | null;
};

export function computeFingerprint({ context, members, dependencies, hashOf }: FingerprintInputs): string {
  const describe = (paths: readonly string[]): Json => paths.map((path) => [path, hashOf(path)]);
  return idOf({
    config: context.configHash,
    environment: context.envHash,
    tool: context.toolId,
    members: describe(members),
    dependencies: describe([...dependencies].sort(compareCodeUnits)),
  });
}

/**
 * Everything in the repository that the members reach, by what their text imports and by what the last run found them to use.
 * All of it, not the next step alone: a re-export is read through.
 */
export function collectDependencies(
  members: readonly string[],
  targetsOf: (path: string) => readonly string[],
): ReadonlySet<string> {
  const own = new Set(members);
  const reached = new Set<string>();
  for (const path of own) for (const target of targetsOf(path)) if (!own.has(target)) reached.add(target);
  for (const path of reached) for (const target of targetsOf(path)) if (!own.has(target)) reached.add(target);
  return reached;
}

// ---- idle check: what of the stored facts decides whether a job with the fingerprint of the last one would change nothing, for all
// contexts in one pass over the columns, because every question asks it of every context that is not settled

type FactsOfContext = {
  /** Files with facts of their present bytes. */
  readonly current: ReadonlySet<string>;
  /**
   * Those of them whose dependencies were written down with interfaces that are not today's although no bytes changed since:
   * another context was indexed in between, or an import leads elsewhere. Importing the same output again makes them right.
   */
  readonly outdated: ReadonlySet<string>;
};

/** By context id; a context without facts of present bytes is not there. */
function findFactsOfContexts(columns: StateColumns): ReadonlyMap<number, FactsOfContext> {
  const { facts, edges, files, contexts } = columns;
  const found = new Map<number, { readonly current: Set<string>; readonly outdated: Set<string> }>();
  for (let row = 0; row < facts.count; row += 1) {
    if (facts.hashEqual[row] !== 1 || facts.configEqual[row] !== 1) continue;
    const id = contexts[facts.context[row] ?? -1]?.id ?? -1;
    const path = files.path[facts.file[row] ?? -1] ?? '';
    const known = found.get(id) ?? { current: new Set(), outdated: new Set() };
    found.set(id, known);
    known.current.add(path);
    const end = facts.edgeStart[row + 1] ?? edges.count;
    for (let edge = facts.edgeStart[row] ?? end; edge < end; edge += 1) {
      if (!isOutdated(columns, edge)) continue;
      known.outdated.add(path);
      break;
    }
  }
  return found;
}

function isOutdated({ edges, facts }: StateColumns, edge: number): boolean {
  if (edges.syn[edge] === compared.different) return true;
  const target = edges.targetFacts[edge] ?? -1;
  const isIndexed = target >= 0 && facts.hashEqual[target] === 1 && facts.configEqual[target] === 1;
  return isIndexed && edges.sem[edge] === compared.different;
}

// ---- program roots: what a program has to hold in which a few files mean what they do in the whole one: themselves, the members that may
// add to the declarations of others, and the files outside that do. What they import comes by itself. Loading all of a large project is
// most of the time that a run about one file takes.
//
// The files outside are what the last run of the whole program found. They follow from the configuration, what is installed, and which
// packages are imported at all: where one of these is different they are not known, and the whole program is loaded once more.

/** Null: all members. */
export function findRoots(
  facts: WritableFacts,
  context: StoredContext,
  scope: readonly string[],
  readText: (path: string) => string | undefined,
): ProgramRoots | null {
  return facts.read((session) => {
    const globals = findGlobals(session, context.id);
    if (globals?.madeOf !== madeOf(context, facts.ofFiles)) return null;
    const augmenting = listAugmentingMembers(session, context.id).map(({ path }) => path);
    // Found by their words; a few of them import half of the project, so it is worth a look at the text.
    const members = new Set([...scope, ...augmenting.filter((path) => mayAugment(path, readText(path)))]);
    return { members: [...members].sort(compareCodeUnits), others: globals.paths };
  });
}

/** They were known, and something that they follow from is different; what it is now. */
function findOutdatedGlobals(
  session: ReadSession,
  context: StoredContext,
  ofFiles: WritableFacts['ofFiles'],
): string | undefined {
  const globals = findGlobals(session, context.id);
  if (globals === undefined) return undefined;
  const now = madeOf(context, ofFiles);
  return globals.madeOf === now ? undefined : now;
}

function mayAugment(path: string, text: string | undefined): boolean {
  if (text === undefined || /\.d\.(?:\w+\.)?[cm]?ts$/.test(path)) return true;
  return augmentation.test(text) || !/^[ \t]*(?:import|export)\b/m.test(text);
}

/** With whatever may stand between two words. */
const augmentation = /\bdeclare(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n)+(?:global|module)\b/;

/**
 * After a run of the whole program. True: they are others than before, as when a package is imported for the first time that declares
 * globals, and every member may mean something else by that.
 */
export function keepGlobals(facts: WritableFacts, context: StoredContext, globals: readonly string[]): boolean {
  const { before, key } = facts.read((session) => ({
    before: findGlobals(session, context.id),
    key: madeOf(context, facts.ofFiles),
  }));
  const paths = [...globals].sort(compareCodeUnits);
  const isOther = before !== undefined && before.paths.join('\0') !== paths.join('\0');
  if (isOther || before?.madeOf !== key) {
    facts.writer.remember(() => facts.semantic.putGlobals(context.id, key, paths));
  }
  return isOther;
}

/** Every context asks after every run: what all files import is read, sorted and written down once. */
function madeOf({ configHash, envHash, toolId }: StoredContext, ofFiles: WritableFacts['ofFiles']): string {
  const imported = ofFiles('imported packages', (session) =>
    idOf([...listExternalImports(session)].sort(compareCodeUnits)),
  );
  return idOf({ configHash, envHash, toolId, imported });
}
