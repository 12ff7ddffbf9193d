/**
 * Makes the store equal to the disk (code-plane.md §2). The heart of the code plane: every change, however it was noticed, comes
 * through here, and nothing but bytes decides.
 *
 *   listing + stat screen ─▶ gone: delete ─────────────────────────┐
 *                         ─▶ link, secret, absent: a row by name ──┼─▶ imports that waited for a path or a name that came or went
 *                         ─▶ maybe changed: read, hash, describe ──┘   are resolved again ─▶ repo_state
 *
 * Invariants:
 * R1  the result depends on disk alone, not on what was told;
 * R2  a file's facts and its hash are written in one transaction;
 * R4  a deletion reaches the store;  R5  a new file is offered to every import that would have preferred it;
 * R6  one reconcile at a time (`store-turns.ts` sees to it).
 * While something is under way that concerns other files (paths or names that come and go, configuration, attributes), the stored
 * configuration epoch is `pending`: a process that dies in between leaves that mark, and the next one works everything out again.
 * When `reconcile` rejects, the table may be ahead of the store: the reconciler is done for, and a new one is made from the store.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { filesBelow } from '../../kernel/tree/file-scope.ts';
import type { TreeEntry, TreeLister, TreeListing } from '../../kernel/tree/list-tree.ts';
import { findUnsaved } from '../../kernel/tree/unsaved-texts.ts';
import { isConfigFile } from '../../languages/resolving/config-files.ts';
import type { ImportRequest, ResolveWorld } from '../../languages/resolving/resolution.ts';
import { createResolver } from '../../languages/resolving/resolvers.ts';
import type { WritableFacts } from '../store/facts-file.ts';
import type { FileRecord, ResolvedImport, StatSignature } from '../store/file-rows.ts';
import { findRepoState } from '../store/stored-files.ts';
import { allProvides, listImportersWaitingFor, loadImportRequests } from '../store/stored-imports.ts';
import { compilerOptionsName } from '../text/file-record.ts';
import { finishInterface } from '../text/interface-hash.ts';
import { type ConfigEpoch, hashConfigs, parseEpoch, pendingConfigs, renderEpoch } from './config-epoch.ts';
import {
  type FileState,
  type FileTable,
  isFileNow,
  loadFileTable,
  type Seen,
  screenFiles,
  stateOf,
  withStat,
} from './file-table.ts';
import { findAliasEnd, keepRows } from './find-differences.ts';
import {
  absentRecord,
  aliasRecord,
  createFileIdentifier,
  type FileIdentifier,
  secretRecord,
  unreadableRecord,
} from './identify-files.ts';
import type { IndexPool } from './index-pool.ts';
import type { DescribeRequest } from './index-worker.ts';
import { unpackRecord } from './pack-record.ts';
import { createNameProviders, createTreeWorld } from './tree-world.ts';

export type IndexProgress = {
  readonly step: 'listing' | 'describing' | 'resolving';
  readonly done: number;
  readonly total: number;
};

export type ReconcileOutcome = {
  /** Files in scope. */
  readonly listed: number;
  readonly written: number;
  readonly deleted: number;
  readonly resolvedAgain: number;
  readonly generation: number;
  /** Why the set of files may be incomplete; see `TreeListing.problem`. */
  readonly scopeProblem: string | null;
};

/** `all`: every file is looked at. Otherwise these paths (files or directories), and whatever the listing says came or went. */
export type ReconcileAsk = 'all' | ReadonlySet<string>;

export type ReconcileSettings = {
  readonly root: string;
  readonly lister: TreeLister;
  readonly pool: IndexPool;
  /** Of the keyed hashes in the place of secrets. */
  readonly key: Uint8Array;
  readonly facts: Pick<WritableFacts, 'writer' | 'read'>;
  /** Into a new, unpublished database: larger batches. */
  readonly bulk: boolean;
  readonly extraExtensions: ReadonlyMap<string, string>;
  /** Names that the volume takes for one have one key. */
  readonly pathKey: (path: string) => string;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly watch: () => 'ok' | 'degraded' | 'off';
  readonly onProgress: (progress: IndexProgress) => void;
  /** See `SessionSettings`. */
  readonly onReading?: (() => void) | undefined;
};

export interface Reconciler {
  reconcile(ask: ReconcileAsk): Promise<ReconcileOutcome>;
  readonly table: FileTable;
  /** Of the last reconcile. */
  readonly listing: TreeListing | undefined;
}

/** Some 50 ms of writing: other processes read and wait meanwhile. */
const filesPerTransaction = 64;
const filesPerBulkTransaction = 1_000;

/** More of them are not described much later than they could be resolved. */
const expectedFiles = 16;

/** Asked for by name, so that a file is found wherever it lies: their imports wait until every name is known. */
const languagesByName: ReadonlySet<string> = new Set(['java', 'csharp', 'php', 'ruby']);

/** Stands in the table for a file that is about to be described. */
const expected: FileState = {
  kind: 'file',
  presence: 'present',
  contentHash: null,
  size: -1,
  mtimeUs: -1,
  ctimeUs: -1,
  ino: -1,
  hashedUs: -1,
  skipReason: null,
  conflicted: false,
  canonicalPath: null,
  language: null,
};

export function createReconciler(settings: ReconcileSettings): Reconciler {
  const { root, facts, signal } = settings;
  const { writer } = facts;
  const stored = facts.read((session) => ({
    table: loadFileTable(session),
    provides: allProvides(session),
    epoch: parseEpoch(findRepoState(session)?.configEpoch),
  }));
  const { table } = stored;
  const providers = createNameProviders(stored.provides);
  let epoch = stored.epoch;
  /** Is that what the store says? Then `epoch` is what it said before, unless it was found so. */
  let isPending = epoch?.configs === pendingConfigs;
  let listing: TreeListing | undefined;
  /** As the lister gave it. */
  let given: TreeListing | undefined;
  /** Entries of the listing without a row; undefined when rows have come or gone since. */
  let missing: readonly string[] | undefined;
  let world: { readonly world: ResolveWorld; readonly resolve: ReturnType<typeof createResolver> } | undefined;
  const batchSize = settings.bulk ? filesPerBulkTransaction : filesPerTransaction;

  return {
    table,
    get listing() {
      return listing;
    },
    async reconcile(ask) {
      settings.onProgress({ step: 'listing', done: 0, total: 0 });
      const isFirst = epoch === undefined;
      const wasLeft = epoch?.configs === pendingConfigs;
      const plan = planFrom(await survey(ask));
      const changed = new Changes(isConfig);
      const came = plan.read.filter(({ identity }) => !table.has(identity.path)).map(({ identity }) => identity.path);
      if (epoch !== undefined) announce(plan, came.length, epoch.attributes);
      remove(plan.gone, changed);
      // From here on the world is the one that will be: files that are described now are resolved in it.
      for (const path of came) table.set(path, expected);
      for (const path of came) changed.addPath(path);
      if (changed.size > 0) world = undefined;
      write(plan.records, changed);
      const described = await describe(plan.read, changed);
      remove(described.gone, changed);
      if (changed.size > 0 || changed.configs) world = undefined;
      const next = nextEpoch(plan.attributes, changed);
      const isNewWorld = wasLeft || next.configs !== epoch?.configs;
      const again = resolveAgain(isFirst ? 'none' : isNewWorld ? 'all' : changed.tokens(), described);
      if (changed.any) missing = undefined;
      finish(next, plan.listing, changed.any || again > 0 || isFirst);
      return {
        listed: plan.listing.entries.length,
        written: described.written.size + plan.records.length,
        deleted: plan.gone.length + described.gone.length,
        resolvedAgain: again,
        generation: writer.generation,
        scopeProblem: plan.listing.problem,
      };
    },
  };

  function isConfig(path: string): boolean {
    return isConfigFile(path) || providers.provides(path, compilerOptionsName);
  }

  // --- what differs ---------------------------------------------------------------------------------------------------------

  type Survey = {
    readonly now: TreeListing;
    readonly seen: ReadonlyMap<string, Seen>;
    /** Entries that can differ from the table; the others were looked at and are as they were, or were not asked about. */
    readonly suspects: readonly TreeEntry[];
    /** Rows without an entry. */
    readonly strays: readonly string[];
  };

  async function survey(ask: ReconcileAsk): Promise<Survey> {
    const previous = listing;
    const seen = new Map<string, Seen>();
    const note = (path: string, found: Seen) => void seen.set(path, found);
    const look = (paths: Iterable<string>) => screenFiles(root, paths, (path) => table.get(path), note, signal);
    const isKnown = ask !== 'all' && previous !== undefined && !needsListing(ask, previous);
    // Git needs as long as we do: what is in the table is looked at while it lists.
    const pending = isKnown ? undefined : settings.lister.list();
    pending?.catch(() => {});
    if (ask === 'all') await look(table.keys());
    // What differs is most likely read, and a thread needs longer to start than git to list.
    if (pending !== undefined && mayRead(seen)) settings.pool.warm();
    const fresh = await pending;
    const now =
      fresh === undefined || (fresh === given && previous !== undefined)
        ? (previous as TreeListing)
        : keepRows(fresh, table);
    given = fresh ?? given;
    listing = now;
    const isNew = now !== previous;
    const chosen = ask === 'all' ? new Set<string>() : listChosen(ask, now);
    // Also where the listing is the same: a tracked file that was deleted has an entry, and may be back.
    if (isNew) missing = undefined;
    if (isNew || ask === 'all') {
      missing ??= now.entries.flatMap(({ path }) => (table.has(path) ? [] : [path]));
      for (const path of missing) chosen.add(path);
    }
    await look(chosen);
    // A conflict begins and ends in git's index, which makes another listing.
    const looked = isNew ? now.entries : [...seen.keys()].flatMap((path) => now.byPath.get(path) ?? []);
    const suspects = looked.filter((entry) => {
      const found = seen.get(entry.path);
      const state = table.get(entry.path);
      if (state !== undefined && state.conflicted !== entry.conflicted) return true;
      return found !== undefined && !isSettled(entry, found, state, now);
    });
    const strays = isNew ? [...table.keys()].filter((path) => !now.byPath.has(path)) : [];
    return { now, seen, suspects, strays };
  }

  /** Of a file that bears secrets only the name is known, so it always looks as if it differed. */
  function mayRead(seen: ReadonlyMap<string, Seen>): boolean {
    for (const [path, { kind }] of seen) if (kind === 'file' && table.get(path)?.skipReason !== 'secret') return true;
    return false;
  }

  /** Looked at, not plainly unchanged, and yet as the table has it: nothing follows from it. */
  function isSettled(entry: TreeEntry, found: Seen, state: FileState | undefined, now: TreeListing): boolean {
    if (entry.unnamed === true) return state?.skipReason === 'unreadable' || state?.skipReason === 'secret';
    switch (found.kind) {
      case 'unchanged':
        return true;
      case 'gone':
        return entry.absent ? state?.presence === 'absent' : state === undefined;
      case 'link': {
        const end = findAliasEnd(root, entry.path, (target) => now.byPath.has(target));
        return state?.kind === 'alias' && state.canonicalPath === end.canonicalPath && state.skipReason === end.reason;
      }
      case 'unknown':
        return state?.skipReason === 'unreadable';
      case 'file':
        // Its name is all that is known of it.
        return state?.kind === 'file' && state.skipReason === 'secret';
    }
  }

  /** A file that the last listing has, and that is still a file, needs no new one. */
  function needsListing(paths: ReadonlySet<string>, previous: TreeListing): boolean {
    // Git may be able to list again.
    if (previous.problem !== null) return true;
    for (const path of paths) {
      if (!previous.byPath.has(path) || table.get(path)?.kind !== 'file') return true;
      if (/(?:^|\/)\.(?:cpl|git)ignore$/.test(path) || !isFileNow(root, path)) return true;
    }
    return false;
  }

  /** The asked files, and for an asked directory what lies below it. */
  function listChosen(asked: ReadonlySet<string>, now: TreeListing): Set<string> {
    const chosen = new Set<string>();
    for (const path of asked) {
      if (now.byPath.has(path)) chosen.add(path);
      else for (const entry of filesBelow(now.entries, `${path}/`)) chosen.add(entry.path);
    }
    return chosen;
  }

  type Plan = {
    readonly listing: TreeListing;
    readonly gone: readonly string[];
    readonly read: readonly DescribeRequest[];
    /** Rows that need no reading. */
    readonly records: readonly FileRecord[];
    readonly attributes: string;
  };

  function planFrom({ now, seen, suspects, strays }: Survey): Plan {
    const attributes = epoch?.attributes ?? '';
    if (suspects.length === 0 && strays.length === 0 && !isPending)
      return { listing: now, gone: [], read: [], records: [], attributes };
    const paths = now.entries.map((entry) => entry.path);
    const naming = createFileIdentifier(root, paths, settings.extraExtensions, settings.pathKey);
    const gone = [...strays];
    const read: DescribeRequest[] = [];
    const records: FileRecord[] = [];
    const owners = new Map<string, string>();
    for (const entry of now.entries) {
      // F14: of names that the volume takes for one, one has the row.
      const key = settings.pathKey(entry.path);
      if (key !== entry.path && !owners.has(key)) owners.set(key, entry.path);
    }
    for (const entry of [...suspects, ...listRenamed(naming, now, suspects)]) {
      const found = seen.get(entry.path);
      const step = planEntry(entry, found, naming, now);
      const owner = owners.get(settings.pathKey(entry.path));
      if (step === 'gone' || (owner !== undefined && owner !== entry.path)) {
        if (table.has(entry.path)) gone.push(entry.path);
      } else if ('file' in step) records.push(step);
      else read.push(step);
    }
    return { listing: now, gone, read, records, attributes: naming.signature };
  }

  function planEntry(
    entry: TreeEntry,
    found: Seen | undefined,
    naming: FileIdentifier,
    now: TreeListing,
  ): DescribeRequest | FileRecord | 'gone' {
    const { path } = entry;
    const state = table.get(path);
    const identity = naming.identify(path, entry.conflicted);
    if (entry.unnamed === true) return naming.isSecret(path) ? secretRecord(identity) : unreadableRecord(identity);
    // It was not looked at: it is what it was, and only what is said of it by name is not.
    const isAbsent = found === undefined ? state?.presence === 'absent' : found.kind === 'gone';
    const isLink = found === undefined ? state?.kind === 'alias' : found.kind === 'link';
    if (isAbsent) return entry.absent ? absentRecord(identity) : 'gone';
    if (isLink) return aliasRecord(root, identity, (target) => now.byPath.has(target));
    if (naming.isSecret(path)) return secretRecord(identity);
    if (found?.kind === 'unknown') return unreadableRecord(identity);
    // Nothing but its bytes could be as they were: what is said of it by name is not.
    const renamed = found === undefined || (state !== undefined && state.conflicted !== entry.conflicted);
    const forced = renamed || isDescribedOtherwise(path, state, naming);
    const request = { identity, knownHash: forced ? null : (state?.contentHash ?? null), parse: 'full' } as const;
    const unsaved = findUnsaved(root, path);
    return unsaved === undefined ? request : { ...request, unsaved };
  }

  /** Untouched files whose row changes: a neighbour decides their language, or `.gitattributes` says something else. */
  function listRenamed(naming: FileIdentifier, now: TreeListing, suspects: readonly TreeEntry[]): readonly TreeEntry[] {
    if (epoch === undefined) return [];
    const known = new Set(suspects);
    const chosen = epoch.attributes === naming.signature ? naming.shared : now.entries.map((entry) => entry.path);
    return chosen.flatMap((path) => {
      const entry = now.byPath.get(path);
      const state = table.get(path);
      return entry === undefined || known.has(entry) || !isDescribedOtherwise(path, state, naming) ? [] : [entry];
    });
  }

  function isDescribedOtherwise(path: string, state: FileState | undefined, naming: FileIdentifier): boolean {
    if (state === undefined || epoch === undefined) return false;
    if (epoch.attributes !== naming.signature) return true;
    if (state.kind !== 'file') return false;
    return naming.isShared(path) && naming.identify(path, false).language !== state.language;
  }

  // --- writing --------------------------------------------------------------------------------------------------------------

  /** Before anything is written: what is known to concern other files is marked. */
  function announce(plan: Plan, came: number, described: string): void {
    const sameAttributes = plan.attributes === described;
    if (isPending && sameAttributes) return;
    if (sameAttributes && plan.gone.length + came + plan.records.length === 0) return;
    writer.transaction(() => putPending(sameAttributes ? described : pendingConfigs));
  }

  /** `attributes`: those that all rows were described with, if there are such. */
  function putPending(attributes: string): void {
    isPending = true;
    putState({ configs: pendingConfigs, attributes }, listing as TreeListing);
  }

  function remove(paths: readonly string[], changed: Changes): void {
    for (const some of slices(paths, batchSize)) {
      writer.transaction(() => {
        for (const path of some) writer.deleteFile(path);
      });
      for (const path of some) {
        table.delete(path);
        changed.addPath(path);
        changed.addNames(providers.replace(path, []));
      }
    }
  }

  function write(records: readonly FileRecord[], changed: Changes): void {
    for (const some of slices(records, batchSize)) {
      writer.transaction(() => {
        for (const record of some) put(record, changed);
        // With them, so that a reader of these rows also finds that others are not resolved yet.
        if (changed.concernsOthers && epoch !== undefined && !isPending) putPending(epoch.attributes);
      });
    }
  }

  function put(record: FileRecord, changed: Changes): void {
    const { file, facts: rows } = record;
    const before = table.get(file.path);
    // Before and after: a file that is no configuration any more was one.
    changed.note(file.path);
    changed.addNames(providers.replace(file.path, rows?.provides ?? []));
    changed.note(file.path);
    const requests = rows?.imports.map(requestOf) ?? [];
    const resolutions = resolve(file.path, file.language, requests);
    const synIface = file.ifaceCore === null ? null : finishInterface(file.ifaceCore, requests, resolutions);
    const complete: FileRecord = { ...record, file: { ...file, synIface } };
    writer.putFile(complete, resolutions);
    const state = stateOf(complete.file);
    table.set(file.path, state);
    if (before !== expected && answers(before) !== answers(state)) changed.addPath(file.path);
  }

  type Described = {
    readonly written: ReadonlySet<string>;
    readonly late: readonly string[];
    readonly gone: readonly string[];
  };

  async function describe(requests: readonly DescribeRequest[], changed: Changes): Promise<Described> {
    const written = new Set<string>();
    const late: string[] = [];
    const gone: string[] = [];
    let records: FileRecord[] = [];
    let touched: { readonly path: string; readonly stat: StatSignature; readonly hashedUs: number }[] = [];
    let done = 0;
    const flush = () => {
      write(records, changed);
      touch(touched);
      records = [];
      touched = [];
    };
    const running = settings.pool.run({ root, key: settings.key }, requests, (request, answer) => {
      const { path } = request.identity;
      if (answer.kind === 'gone') gone.push(path);
      else if (answer.kind === 'same') touched.push({ path, stat: answer.stat, hashedUs: answer.hashedUs });
      else {
        const record = unpackRecord(answer.packed);
        if (record.file.language !== null && languagesByName.has(record.file.language)) late.push(path);
        records.push(record);
        written.add(path);
      }
      if (records.length + touched.length >= batchSize) flush();
      done += 1;
      if (done % 64 === 0 || done === requests.length) {
        settings.onProgress({ step: 'describing', done, total: requests.length });
      }
    });
    running.catch(() => {});
    // What fails there fails again where it counts, and threads are at work until then.
    if (requests.length > 0) await whileReading(requests).catch(() => {});
    await running;
    flush();
    return { written, late, gone };
  }

  /**
   * A thread that has to start first needs a while. What a file imports is nearly always what it imported before: how that is resolved is
   * worked out meanwhile, and known when the file is.
   */
  async function whileReading(requests: readonly DescribeRequest[]): Promise<void> {
    // First the thread is started.
    await new Promise((resolve) => setImmediate(resolve));
    settings.onReading?.();
    if (settings.bulk) return;
    facts.read((session) => {
      for (const { identity } of requests.slice(0, expectedFiles)) {
        const before = loadImportRequests(session, identity.path);
        if (before !== undefined) resolve(identity.path, identity.language, before.requests);
      }
    });
  }

  /** The bytes are the same and the stat is not: remembered, so that they are not read again next time. */
  function touch(
    files: readonly { readonly path: string; readonly stat: StatSignature; readonly hashedUs: number }[],
  ): void {
    if (files.length === 0) return;
    writer.remember(() => {
      for (const { path, stat, hashedUs } of files) writer.touchStat(path, stat, hashedUs);
    });
    for (const { path, stat, hashedUs } of files) {
      table.set(path, withStat(table.get(path) as FileState, stat, hashedUs));
    }
  }

  // --- imports --------------------------------------------------------------------------------------------------------------

  function resolve(path: string, language: string | null, requests: readonly ImportRequest[]): ResolvedImport[] {
    if (requests.length === 0) return [];
    if (world === undefined) {
      const fresh = createTreeWorld(root, table, providers.filesProviding);
      world = { world: fresh, resolve: createResolver(fresh) };
    }
    const ask = world.resolve;
    return requests.map((request) => {
      const resolution = ask(language, path, request);
      return { ...resolution, targets: resolution.targets.map((target) => table.get(target)?.canonicalPath ?? target) };
    });
  }

  /** Imports that a path or a name that came or went could change, and those described before every name was known. */
  function resolveAgain(changed: 'none' | 'all' | ReadonlySet<string>, described: Described): number {
    const paths = new Set(described.late);
    if (changed === 'all') {
      for (const [path, state] of table) if (state.kind === 'file' && state.contentHash !== null) paths.add(path);
    } else if (changed !== 'none' && changed.size > 0) {
      for (const path of facts.read((session) => listImportersWaitingFor(session, changed))) paths.add(path);
    }
    let count = 0;
    let done = 0;
    for (const some of slices([...paths].sort(compareCodeUnits), filesPerBulkTransaction)) {
      signal.throwIfAborted();
      settings.onProgress({ step: 'resolving', done, total: paths.size });
      done += some.length;
      const updates = facts.read((session) =>
        some.flatMap((path) => {
          const known = loadImportRequests(session, path);
          if (known === undefined) return [];
          const resolutions = resolve(path, table.get(path)?.language ?? null, known.requests);
          const synIface =
            known.ifaceCore === null ? null : finishInterface(known.ifaceCore, known.requests, resolutions);
          const same = synIface === known.synIface && areEqual(resolutions, known.resolutions);
          return same ? [] : [{ path, resolutions, synIface }];
        }),
      );
      if (updates.length === 0) continue;
      writer.transaction(() => {
        for (const { path, resolutions, synIface } of updates) writer.setResolutions(path, resolutions, synIface);
      });
      count += updates.length;
    }
    return count;
  }

  function nextEpoch(attributes: string, changed: Changes): ConfigEpoch {
    const known = epoch !== undefined && epoch.configs !== pendingConfigs && !changed.configs;
    return { configs: known ? (epoch as ConfigEpoch).configs : hashConfigs(table, isConfig), attributes };
  }

  /** An unchanged tree writes nothing: the generation stays, and so does every answer that carries it. */
  function finish(next: ConfigEpoch, now: TreeListing, wrote: boolean): void {
    const state = facts.read((session) => findRepoState(session));
    const same =
      !wrote &&
      state !== undefined &&
      state.configEpoch === renderEpoch(next) &&
      state.head === now.head &&
      state.gitIndexSig === now.gitIndexSignature &&
      state.ignoreEpoch === now.ignoreEpoch &&
      state.watch === settings.watch();
    epoch = next;
    isPending = false;
    if (!same) writer.transaction(() => putState(next, now));
  }

  function putState(configEpoch: ConfigEpoch, now: TreeListing): void {
    writer.putRepoState({
      head: now.head,
      gitIndexSig: now.gitIndexSignature,
      ignoreEpoch: now.ignoreEpoch,
      configEpoch: renderEpoch(configEpoch),
      watch: settings.watch(),
      reconciledMs: settings.nowMs(),
    });
  }
}

/** What came, went or changed in one reconcile, and whom that concerns. */
class Changes {
  readonly #isConfig: (path: string) => boolean;
  readonly #paths = new Set<string>();
  readonly #names = new Set<string>();
  any = false;
  configs = false;

  constructor(isConfig: (path: string) => boolean) {
    this.#isConfig = isConfig;
  }

  get size(): number {
    return this.#paths.size + this.#names.size;
  }

  get concernsOthers(): boolean {
    return this.configs || this.size > 0;
  }

  /** Its bytes or its row changed. */
  note(path: string): void {
    this.any = true;
    if (this.#isConfig(path)) this.configs = true;
  }

  /** It came or went, or means another file now. */
  addPath(path: string): void {
    this.note(path);
    this.#paths.add(path);
  }

  addNames(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
  }

  /** Everything an import's candidate list can hold of this: the paths, the directories above them, the names. */
  tokens(): ReadonlySet<string> {
    const tokens = new Set(this.#names);
    for (const path of this.#paths) {
      tokens.add(path);
      for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
        const directory = path.slice(0, slash + 1);
        if (tokens.has(directory)) break;
        tokens.add(directory);
      }
      tokens.add('/');
    }
    return tokens;
  }
}

/** As whom a path answers to an import: as itself, as another file, or not at all. */
function answers(state: FileState | undefined): string | null {
  if (state === undefined || state.presence === 'absent') return null;
  return state.kind === 'file' ? '' : state.canonicalPath;
}

function requestOf(row: {
  readonly specifier: string;
  readonly kind: ImportRequest['kind'];
  readonly literal: boolean;
  readonly names: readonly { readonly name: string }[];
}): ImportRequest {
  return { specifier: row.specifier, kind: row.kind, literal: row.literal, names: row.names.map(({ name }) => name) };
}

function areEqual(a: readonly ResolvedImport[], b: readonly ResolvedImport[]): boolean {
  const flat = (rows: readonly ResolvedImport[]) =>
    JSON.stringify(rows.map((row) => [row.targets, row.reason, row.external, row.candidates]));
  return flat(a) === flat(b);
}

function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
