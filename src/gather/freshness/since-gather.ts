/**
 * What has changed since a gather, probe by probe, and which sections that touches (gather.md §10). Nothing is run and nothing is written.
 *
 * G42  What a document says of a section is told as current only where a gather now would find it under the same key: the key is made
 *      again, by the same functions, from the disk, the configuration, the tools and the rules of now. A section whose upstream does not
 *      pass is not told as current either.
 */

import { isJsonObject, type Json, type JsonObject } from '../../kernel/base/json.ts';
import { singleLine } from '../../kernel/base/text.ts';
import { cacheKey, keyParts } from '../cache/cache-key.ts';
import type { Probe, RepoSnapshot, SkipReason, Slice, Upstream } from '../contract.ts';
import { splitSectionPath } from '../publish/envelope.ts';
import { redactText } from '../publish/redact.ts';
import { at, listAt, numberAt, textAt } from '../report/loose-json.ts';
import { digestUpstream, project } from '../run/coordinate.ts';
import { changedSinceRecorded, digestInputs, emptySnapshot, type Input, type Snapshot } from '../run/input-snapshot.ts';
import type { GatherWorld } from '../run/open-world.ts';
import { createProbeContext, deriveAll } from '../run/probe-context.ts';
import { resolveTokens } from '../run/run-probe.ts';
import { filterProbe, PRELUDE, requirementName } from '../run/select-probes.ts';
import type { Since, Touch } from './since.ts';

type Cause = 'files' | 'edited_meanwhile' | 'applies' | 'settings' | 'program' | 'outside' | 'unreadable' | 'upstream';
type Change = { readonly touch: Touch; readonly cause: Cause; readonly files: readonly string[] };

export type Compared = {
  /** By probe; without an entry nothing differs. */
  readonly changes: ReadonlyMap<string, Change>;
  /** The inputs of now, of every probe whose inputs were recorded. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
};

const says: Readonly<Record<Exclude<Cause, 'files' | 'upstream'>, string>> = {
  edited_meanwhile: 'files were edited while they were gathered',
  applies: 'there is something to look at that was not there, or the other way round',
  settings: 'configuration, tools, rules or the date are others',
  program: 'another version of codegenie gathered it',
  outside: 'what it was built on outside the repository is another',
  unreadable: 'inputs cannot be compared',
};

export async function compareWithDisk(world: GatherWorld, envelope: JsonObject, cliVersion: string): Promise<Compared> {
  const counts = at(envelope, 'language_stack', 'counts');
  const recorded: Recorded = {
    envelope,
    sameProgram: textAt(envelope, 'task_context', 'cli_version') === cliVersion,
    repo: Object.freeze({ ...world.repo, detectedLanguages: isJsonObject(counts) ? counts : {} }) as RepoSnapshot,
    languagesKnown: isJsonObject(counts),
    sinceMs: Date.parse(textAt(envelope, 'gathered_at') ?? ''),
    image: recordedImage(world, envelope),
  };
  const changes = new Map<string, Change>();
  const snapshots = new Map<string, Snapshot>();
  for (const probe of world.probes) {
    const { change, snapshot } = await compareProbe(world, recorded, probe);
    if (change !== null) changes.set(probe.name, change);
    if (snapshot !== null) snapshots.set(probe.name, snapshot);
  }
  spread(
    world.probes.filter((probe) => probe.final || restsOnOthers(at(envelope, 'probes', probe.name))),
    changes,
  );
  return { changes, snapshots };
}

/** A probe that was not asked, for a reason of its own, has nothing from others. */
function restsOnOthers(record: unknown): boolean {
  const skip = textAt(record, 'skip', 'reason');
  return textAt(record, 'inputs', 'digest') !== null || skip === 'upstream_unavailable' || skip === 'language_mismatch';
}

/** What rests on something that changed may have changed: an upstream's projection is known only when the upstream has run. */
function spread(probes: readonly Probe[], changes: Map<string, Change>): void {
  const upstream: Change = { touch: 'perhaps', cause: 'upstream', files: [] };
  for (let more = true; more; ) {
    more = false;
    for (const probe of probes) {
      if (changes.has(probe.name)) continue;
      const rests = probe.final
        ? probes.some(({ name, index }) => index !== undefined && changes.has(name))
        : upstreamNames(probe).some((name) => changes.has(name));
      if (!rests) continue;
      changes.set(probe.name, upstream);
      more = true;
    }
  }
}

/** Whether a probe is bound to languages is the prelude's to say. */
function upstreamNames({ requires, appliesToLanguages }: Probe): readonly string[] {
  const named = requires.map(requirementName);
  return appliesToLanguages.includes('*') ? named : [PRELUDE, ...named];
}

type Recorded = {
  readonly envelope: JsonObject;
  readonly sameProgram: boolean;
  readonly repo: RepoSnapshot;
  readonly languagesKnown: boolean;
  readonly sinceMs: number;
  readonly image: string | null;
};

/** No section, and no statement that there is nothing: there is nothing that could be out of date. */
const toldNothing: ReadonlySet<string> = new Set([
  'not_selected',
  'disabled',
  'task_mismatch',
  'cancelled',
] satisfies SkipReason[]);

async function compareProbe(
  world: GatherWorld,
  recorded: Recorded,
  probe: Probe,
): Promise<{ readonly change: Change | null; readonly snapshot: Snapshot | null }> {
  const record = at(recorded.envelope, 'probes', probe.name);
  const skip = textAt(record, 'skip', 'reason');
  const digest = textAt(record, 'inputs', 'digest');
  const changed = (cause: Cause, files: readonly string[] = []): Change => ({ touch: 'changed', cause, files });
  if (!isJsonObject(record)) return { change: changed('program'), snapshot: null };
  if (skip !== null && toldNothing.has(skip)) return { change: null, snapshot: null };
  const refusal = refusalNow(world, recorded, probe);
  if (digest === null) {
    const wasRefused = skip !== null && skip !== 'upstream_unavailable';
    const differs = wasRefused && refusal !== skip;
    const change = differs ? changed('applies') : recorded.sameProgram ? null : changed('program');
    return { change, snapshot: null };
  }
  let snapshot = emptySnapshot;
  const upstream = upstreamOf(recorded.envelope, probe);
  const context = createProbeContext({
    world,
    repo: recorded.repo,
    probe,
    snapshot: () => snapshot,
    signal: world.signal,
    upstream: upstream.values,
    builtImage: () => recorded.image,
  });
  try {
    snapshot = world.snapshots.take(probe.declaredInputs);
    await deriveAll(
      probe,
      context,
      world.snapshots,
      () => snapshot,
      (next) => {
        snapshot = next;
      },
    );
    const key = textAt(record, 'cache', 'key');
    const inputsDigest = digestInputs(snapshot.inputs.values());
    const young = tooLargeAndYounger(snapshot, recorded.sinceMs);
    const files = () => (young.length > 0 ? young : filesSince(world, recorded, key, snapshot));
    const judge = async (): Promise<Change | null> => {
      if (inputsDigest !== digest || young.length > 0) return changed('files', files());
      const moving = listAt(record, 'diagnostics').filter((note) => textAt(note, 'id') === 'input.changed');
      if (moving.length > 0)
        return changed(
          'edited_meanwhile',
          moving.flatMap((note) => textAt(note, 'path') ?? []),
        );
      if (refusal !== null) return changed('applies');
      if (!recorded.sameProgram) return changed('program');
      if (key !== null) {
        const parts = keyParts({
          probe,
          inputsDigest,
          config: context.ctx.config as unknown as Record<string, Json>,
          task: world.task,
          tools: await Promise.all(probe.tools.map((name) => world.toolVersion(name))),
          catalogHashes: world.catalogHashes,
          tokens: await resolveTokens(snapshot.tokens, recorded.repo, context),
          upstream: upstream.digests,
          platform: `${process.platform}-${process.arch}`,
        });
        if (cacheKey(parts) !== key) return changed('settings');
      }
      const slice = sliceIn(recorded.envelope, probe.name);
      const moved = slice === null ? [] : ((await probe.movedOutside?.(slice, context.ctx)) ?? []);
      return moved.length === 0 ? null : changed('outside', moved);
    };
    return { change: await judge(), snapshot };
  } catch (error) {
    world.signal.throwIfAborted();
    world.logger.event('index_health.observation_failed', { probe: probe.name, type: (error as Error).name });
    return { change: changed('unreadable'), snapshot };
  } finally {
    context.dispose();
  }
}

/** Would it be asked now? A filter that throws is a probe that failed, then as now. */
function refusalNow(world: GatherWorld, { repo, languagesKnown }: Recorded, probe: Probe): SkipReason | 'threw' | null {
  const everything = { only: [probe.name], skip: [], disabled: [] };
  const { task, taskClass } = world;
  const selected = new Set([probe.name]);
  try {
    return (
      filterProbe(probe, { repo, task, taskClass, selection: everything, selected, languagesKnown })?.reason ?? null
    );
  } catch {
    return 'threw';
  }
}

/** As the document has it: what the probe was given then, and what its key held of it. */
function upstreamOf(
  envelope: JsonObject,
  probe: Probe,
): { readonly values: Upstream; readonly digests: readonly (readonly [string, string])[] } {
  const values: Record<string, { value: Json; artifacts: Record<string, Uint8Array> } | null> = {};
  const digests: (readonly [string, string])[] = [];
  for (const requirement of probe.requires) {
    const name = requirementName(requirement);
    const slice = sliceIn(envelope, name);
    const artifacts = listAt(envelope, 'raw_artifacts').flatMap((artifact) => {
      const [file, blake3] = [textAt(artifact, 'name'), textAt(artifact, 'blake3')];
      return textAt(artifact, 'probe') === name && file !== null && blake3 !== null ? [{ name: file, blake3 }] : [];
    });
    values[name] = slice === null ? null : { value: project(requirement, slice), artifacts: {} };
    digests.push([name, digestUpstream(requirement, slice === null ? null : { slice, artifacts })]);
  }
  return { values, digests };
}

function sliceIn(envelope: JsonObject, probe: string): Slice | null {
  const sections = listAt(envelope, 'probes', probe, 'sections').map(String);
  if (sections.length === 0) return null;
  return Object.fromEntries(sections.map((path) => [path, sectionIn(envelope, path) ?? null]));
}

export function sectionIn(envelope: JsonObject, path: string): Json | undefined {
  const [top, leaf] = splitSectionPath(path);
  return (leaf === undefined ? at(envelope, top) : at(envelope, top, leaf)) as Json | undefined;
}

/** The image of the gather that was published. */
export function recordedImage(world: GatherWorld, envelope: JsonObject): string | null {
  for (const { imageDigest, name } of world.probes) {
    if (imageDigest === undefined) continue;
    const slice = sliceIn(envelope, name);
    return slice === null ? null : imageDigest(slice);
  }
  return null;
}

/** Of what is too large to be hashed the key holds nothing: a time after the gather is all that can be seen. */
function tooLargeAndYounger({ inputs }: Snapshot, sinceMs: number): readonly string[] {
  const found: string[] = [];
  for (const { id, contentHash, stat } of inputs.values())
    if (contentHash === '<oversize>' && isYounger(stat, sinceMs)) found.push(id);
  return found;
}

function isYounger(stat: Input['stat'], sinceMs: number): boolean {
  return stat === null || !(Number(stat.ctimeNs) / 1e6 < sinceMs);
}

/** By the list that was recorded; where that is gone, by the times of the files and by git. */
function filesSince(
  world: GatherWorld,
  { sinceMs }: Recorded,
  key: string | null,
  { inputs }: Snapshot,
): readonly string[] {
  const list = key === null ? undefined : world.cache.readInputs(key);
  if (list !== undefined) return changedSinceRecorded(list, inputs.values());
  const younger = [...inputs.values()].filter(({ stat }) => stat !== null && isYounger(stat, sinceMs));
  const dirty = world.dirtyFiles.filter((path) => inputs.has(path));
  return [...new Set([...younger.map(({ id }) => id), ...dirty])].sort();
}

const filesListed = 10;

/** Null where nothing differs. */
export function tellSince(
  world: Pick<GatherWorld, 'repo' | 'probes' | 'dirtyFiles'>,
  envelope: JsonObject,
  { changes }: Compared,
): Since | null {
  const touched = (wanted: Touch) =>
    world.probes.flatMap(({ name, sections }) => (changes.get(name)?.touch === wanted ? Object.keys(sections) : []));
  const isElsewhere =
    textAt(envelope, 'repo', 'git_commit') !== world.repo.gitCommit ||
    textAt(envelope, 'repo', 'branch') !== shownOrNull(world.repo.branch) ||
    (numberAt(envelope, 'repo', 'dirty_files') ?? world.dirtyFiles.length) !== world.dirtyFiles.length;
  if (changes.size === 0 && !isElsewhere) return null;
  const files = [...new Set([...changes.values()].flatMap((change) => change.files))].sort().map(shownName);
  const causes = new Set([...changes.values()].map(({ cause }) => cause));
  const words = [
    ...(files.length === 0 ? [] : [`${tellFiles(files)} changed`]),
    ...(causes.has('files') && files.length === 0 ? ['files changed'] : []),
    ...Object.entries(says).flatMap(([cause, text]) => (causes.has(cause as Cause) ? [text] : [])),
    ...(changes.size === 0 ? ['another commit, branch or set of uncommitted files is checked out'] : []),
  ];
  return {
    says: words.join('; '),
    files: files.slice(0, filesListed),
    count: files.length,
    sections: [...(isElsewhere ? ['repo'] : []), ...touched('changed')],
    perhaps: touched('perhaps'),
  };
}

function tellFiles(files: readonly string[]): string {
  const [first = '', second, third] = files;
  if (files.length <= 3) return [first, second, third].filter((name) => name !== undefined).join(', ');
  return `${first}, ${second} and ${files.length - 2} other files`;
}

function shownName(path: string): string {
  return singleLine(redactText(path));
}

function shownOrNull(text: string | null): string | null {
  return text === null ? null : redactText(singleLine(text));
}
