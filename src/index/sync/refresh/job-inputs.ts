/**
 * What a job would read now, and whether that has been done: the members its scope is widened to, everything they reach, the
 * fingerprint over it, and the last jobs that had the same.
 */

import type { IndexerAdapter, IndexerContext, IndexerProbe } from '../../semantic/indexers/adapter.ts';
import type { RefreshScope } from '../../semantic/scope.ts';
import type { ReadSession } from '../../store/facts-handle.ts';
import type { Job } from '../../store/jobs.ts';
import { listAugmentingAmong } from '../../store/queries/list-augmenting-files.ts';
import { listMembers, listTried, type StoredContext } from '../../store/queries/list-contexts.ts';
import { listDependencies, listDependents, listPatched } from '../../store/queries/list-file-facts.ts';
import { findLastCompleted, findTerminalFailure } from '../../store/queries/list-jobs.ts';
import { listSettledReferences } from '../../store/queries/list-settled-references.ts';
import { loadSyntacticInterfaces } from '../../store/queries/load-interfaces.ts';
import { loadStateColumns } from '../../store/queries/load-state-columns.ts';
import type { FileTable } from '../file-table.ts';
import { type FactsOfContext, findFactsOfContexts } from './facts-of-contexts.ts';
import { collectDependencies, computeFingerprint } from './fingerprint.ts';
import { findOutdatedGlobals } from './program-roots.ts';
import { refreshLimits } from './refresh-limits.ts';
import { isWithin, type WidenedScope, widenScope } from './widen-scope.ts';

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
    const interfaces = interfacesNow(session);
    const hashOf = (read: string): string | null => {
      const contentHash = table.get(read)?.contentHash ?? null;
      return read === path ? contentHash : (interfaces.get(read) ?? contentHash);
    };
    return computeFingerprint({ context, members: [path], dependencies: paths.slice(1), hashOf });
  };
  let interfaces: { readonly generation: number; readonly byPath: ReadonlyMap<string, string> } | undefined;
  const interfacesNow = (session: ReadSession): ReadonlyMap<string, string> => {
    if (interfaces?.generation !== session.generation) {
      interfaces = { generation: session.generation, byPath: loadSyntacticInterfaces(session) };
    }
    return interfaces.byPath;
  };

  /** Once for each: a tool may not say them. */
  const asked = new Map<number, string>();
  let outdated:
    | { readonly generation: number; readonly contextId: number; readonly globals: string | undefined }
    | undefined;
  const outdatedGlobals = (session: ReadSession, context: StoredContext): string | undefined => {
    const { generation } = session;
    if (outdated?.generation !== generation || outdated.contextId !== context.id) {
      outdated = { generation, contextId: context.id, globals: findOutdatedGlobals(session, context) };
    }
    return outdated.globals;
  };

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
        byContext: findFactsOfContexts(loadStateColumns(session)),
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
