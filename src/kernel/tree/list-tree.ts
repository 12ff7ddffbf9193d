/**
 * The paths of a work tree, asked again and again by a long-lived reader (code-plane.md §1.1, §1.3).
 * Invariant F1: this listing is the only predicate; the bulk reconcile and a single event both take their verdict from it. What git
 * tracks is asked again only when the signature of git's index changed; what it does not track is asked every time, because a new
 * untracked file changes nothing that could be watched. An unchanged tree gives the very same object, so a caller can tell at once.
 */

import { lstatSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import { compareCodeUnits } from '../base/json.ts';
import { decodeLenient, singleLine, truncate } from '../base/text.ts';
import type { Exec, ExecOutcome } from '../exec/exec.ts';
import { redactString } from '../secrets/redact-string.ts';
import { headSignature, plainIndexPath, signatureOf, splitNul } from './git-facts.ts';
import type { IgnoreRule } from './path-patterns.ts';
import { createDirectoryGuard, inspect } from './safe-read.ts';
import { judgeScope } from './scope-layers.ts';
import { findStandIn, type Gap, gapAt } from './shown-names.ts';
import { unsavedTexts } from './unsaved-texts.ts';
import { listReincluded, readIgnoreFiles, walkTreePaths } from './walk-paths.ts';

export type TreeEntry = {
  readonly path: string;
  readonly tracked: boolean;
  /** Tracked and left out of the work tree on purpose (sparse checkout): not on disk, and not deleted. */
  readonly absent: boolean;
  /** The index holds several versions of it: an unfinished merge. */
  readonly conflicted: boolean;
  /**
   * The path only stands for the file: its name is not UTF-8, or holds a secret that is written nowhere. It can be counted as
   * something that was not looked at, and never be opened.
   */
  readonly unnamed?: true;
};

export type TreeListing = {
  /** Sorted by path, each once. */
  readonly entries: readonly TreeEntry[];
  readonly byPath: ReadonlyMap<string, TreeEntry>;
  /** A commit, `unborn`, or `none` where there is no git. */
  readonly head: string;
  readonly gitIndexSignature: string | null;
  /** Changes with every `.cplignore` rule and with the set of such files. */
  readonly ignoreEpoch: string;
  readonly gaps: readonly Gap[];
  /**
   * Git is there and could not say everything: why. Such a listing may lack what git tracks (F4), so that nothing follows from what it
   * does not name.
   */
  readonly problem: string | null;
};

export interface TreeLister {
  list(): Promise<TreeListing>;
}

type Tracked = {
  readonly signature: string;
  readonly entries: readonly TreeEntry[];
  readonly gaps: readonly Gap[];
  readonly ignoreFiles: readonly string[];
};

type Failed = { readonly problem: string };
type Head = { readonly commit: string; readonly problem: string | null };

/**
 * `git` is asked for anew at each listing: a hardened git knows the configuration of the moment it was made in. Where git cannot list,
 * the tree is walked and the listing says why; where it was cancelled, `list` rejects, because a walk is another listing.
 */
export function createTreeLister(root: string, git: (() => Exec['git']) | undefined): TreeLister {
  let tracked: Tracked | undefined;
  let head: { readonly signature: string; readonly commit: string } | undefined;
  let indexPath: Promise<string | undefined> | undefined;
  let last: { readonly key: string; readonly listing: TreeListing } | undefined;

  const listTracked = async (run: Exec['git']): Promise<Tracked | Failed> => {
    indexPath ??= findIndexPath(root, run);
    const file = await indexPath;
    if (file === undefined) indexPath = undefined;
    const signature = file === undefined ? 'none' : signatureOf(file);
    if (tracked?.signature === signature) return tracked;
    const listed = await run(['ls-files', '-z', '-t', '--stage'], { timeoutS: 120, maxStdoutBytes: 1 << 30 });
    const problem = problemOf('ls-files --stage', listed);
    if (problem !== undefined || listed.kind !== 'exited') return { problem: problem ?? listed.kind };
    // Written while it was read: the next listing asks again.
    const settled = file !== undefined && signatureOf(file) === signature;
    const parsed = parseStage(listed.stdout);
    const ignoreFiles = parsed.entries.map((entry) => entry.path).filter(isCplIgnore);
    tracked = { signature: settled ? signature : 'moving', ignoreFiles, ...parsed };
    return tracked;
  };

  const findHead = async (run: Exec['git']): Promise<Head> => {
    const signature = headSignature(root);
    if (head?.signature === signature) return { commit: head.commit, problem: null };
    const asked = await run(['rev-parse', '--verify', '-q', 'HEAD'], { timeoutS: 30 });
    // Only this code says that there is no commit; any other failure says nothing, and is asked again.
    const isUnborn = asked.kind === 'exited' && asked.code === 1;
    const problem = isUnborn ? undefined : problemOf('rev-parse HEAD', asked);
    if (problem !== undefined || asked.kind !== 'exited') return { commit: 'none', problem: problem ?? asked.kind };
    const commit = isUnborn ? 'unborn' : asked.stdout.toString('utf8').trim();
    head = { signature, commit };
    return { commit, problem: null };
  };

  const listWithGit = async (run: Exec['git']): Promise<TreeListing | (Failed & { readonly head: string })> => {
    const asked = Promise.all([
      run(['ls-files', '-z', '--others', '--exclude-standard'], { timeoutS: 120, maxStdoutBytes: 1 << 30 }),
      findHead(run),
    ]);
    asked.catch(() => {});
    const known = await listTracked(run);
    const [others, { commit, problem: headProblem }] = await asked;
    if ('problem' in known) return { ...known, head: commit };
    const failed = problemOf('ls-files --others', others);
    if (failed !== undefined || others.kind !== 'exited') return { problem: failed ?? others.kind, head: commit };
    const untracked = splitNul(others.stdout);
    const guard = createDirectoryGuard(root);
    const cplPaths = [...known.ignoreFiles, ...untracked.records.filter(isCplIgnore)];
    const cplRules = readIgnoreFiles(root, cplPaths, '.cplignore', guard);
    let problem = headProblem;
    const reincluded = await listReincluded(root, run, cplRules, guard, (outcome) => {
      problem = problemOf('ls-files --ignored', outcome) ?? problem;
    });
    const ignoreEpoch = sha256Hex(JSON.stringify(cplRules)).slice(0, 32);
    const gitIndexSignature = known.signature;
    const key = sha256Hex(
      JSON.stringify([
        gitIndexSignature,
        commit,
        ignoreEpoch,
        untracked.records,
        untracked.invalid,
        reincluded,
        problem,
      ]),
    );
    if (last?.key === key && gitIndexSignature !== 'moving') return last.listing;
    const entries = judgeAll(known.entries, untracked.records, reincluded, cplRules);
    const gaps = [...known.gaps, ...untracked.invalid.map((name) => gapAt(name, 'name_not_utf8', true))];
    const listing = settle(entries, gaps, { head: commit, gitIndexSignature, ignoreEpoch, problem });
    last = { key, listing };
    return listing;
  };

  return {
    async list() {
      const asked = git === undefined ? noGit : await listWithGit(orCancelled(git()));
      if ('entries' in asked) return asked;
      // Where there is nothing that git could read, a walk is the whole answer.
      const problem = git === undefined || inspect(`${root}/.git`) === undefined ? null : asked.problem;
      const head = problem === null ? 'none' : asked.head;
      const walked = walkTreePaths(root, createDirectoryGuard(root));
      const paths = walked.files.map((file) => file.path).sort(compareCodeUnits);
      const epoch = sha256Hex(JSON.stringify([paths, walked.gaps]));
      const key = sha256Hex(JSON.stringify([epoch, head, problem]));
      if (last?.key === key) return last.listing;
      const entries = paths.map((path) => ({ path, tracked: false, absent: false, conflicted: false }));
      const fresh = settle(entries, walked.gaps, {
        head,
        gitIndexSignature: null,
        ignoreEpoch: epoch.slice(0, 32),
        problem,
      });
      last = { key, listing: fresh };
      return fresh;
    },
  };
}

const noGit = { problem: null, head: 'none' };

/** One line on what went wrong with a question to git; undefined for a whole answer. */
function problemOf(question: string, outcome: ExecOutcome): string | undefined {
  // Git names the files that it stumbles over.
  const say = (what: string) =>
    truncate(singleLine(redactString(`git ${question}: ${what}`, { entropy: false }).text), 300);
  if (outcome.kind === 'exited') {
    if (outcome.code === 0) return outcome.truncated.stdout ? say('the answer is too long') : undefined;
    const [said = ''] = decodeLenient(outcome.stderr).split('\n');
    return say(`exit code ${outcome.code}${said === '' ? '' : `: ${said}`}`);
  }
  switch (outcome.kind) {
    case 'signalled':
      return say(`ended by ${outcome.signal}`);
    case 'timed_out':
      return say(outcome.stderrTail === '' ? 'timed out' : `timed out: ${outcome.stderrTail.split('\n', 1)[0]}`);
    case 'tool_missing':
      return say('git is not installed');
    default:
      return say(outcome.kind);
  }
}

/** The same git; a cancelled answer throws, so that no caller takes it for an empty listing. */
function orCancelled(git: Exec['git']): Exec['git'] {
  return async (args, options) => {
    const outcome = await git(args, options);
    if (outcome.kind === 'cancelled') throw new Error('the listing was cancelled');
    return outcome;
  };
}

function settle(
  entries: readonly TreeEntry[],
  gaps: readonly Gap[],
  facts: Pick<TreeListing, 'head' | 'gitIndexSignature' | 'ignoreEpoch' | 'problem'>,
): TreeListing {
  const byPath = new Map<string, TreeEntry>();
  const unnamed = gaps.filter(({ reason }) => reason === 'name_not_utf8').map(({ path }) => path);
  for (const entry of entries) {
    const standIn = findStandIn(entry.path);
    if (standIn === undefined) byPath.set(entry.path, entry);
    else unnamed.push(standIn);
  }
  if (unnamed.length === 0) return { entries, byPath, gaps, ...facts };
  for (const path of unnamed) {
    // A file may be called what another one is shown as.
    let standIn = path;
    while (byPath.has(standIn) && byPath.get(standIn)?.unnamed !== true) standIn = `?${standIn}`;
    byPath.set(standIn, { path: standIn, tracked: false, absent: false, conflicted: false, unnamed: true });
  }
  const named = [...byPath.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
  return { entries: named, byPath, gaps, ...facts };
}

function judgeAll(
  tracked: readonly TreeEntry[],
  untracked: readonly string[],
  reincluded: readonly string[],
  cplRules: readonly IgnoreRule[],
): readonly TreeEntry[] {
  const known = new Set<string>();
  const entries: TreeEntry[] = [];
  const consider = (entry: TreeEntry, gitIgnored: boolean) => {
    if (known.has(entry.path)) return;
    known.add(entry.path);
    if (judgeScope({ path: entry.path, tracked: entry.tracked, gitIgnored, cplRules }).in) entries.push(entry);
  };
  const loose = (path: string): TreeEntry => ({ path, tracked: false, absent: false, conflicted: false });
  for (const entry of tracked) consider(entry, false);
  // A trailing slash marks a nested repository: a boundary that is not entered.
  for (const path of untracked) if (!path.endsWith('/')) consider(loose(path), false);
  for (const path of reincluded) consider(loose(path), true);
  return entries.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** `<tag> <mode> <object> <stage>\t<path>`; the tag `S` is skip-worktree, a stage other than 0 an unfinished merge. */
export function parseStage(output: Buffer): { readonly entries: readonly TreeEntry[]; readonly gaps: readonly Gap[] } {
  const { records, invalid } = splitNul(output);
  const entries: TreeEntry[] = [];
  for (const record of records) {
    const tab = record.indexOf('\t');
    if (record.startsWith('160000', 2)) continue;
    const path = record.slice(tab + 1);
    const conflicted = record[tab - 1] !== '0';
    if (conflicted && entries.at(-1)?.path === path) continue;
    entries.push({ path, tracked: true, absent: record[0] === 'S', conflicted });
  }
  const gaps = invalid.map((record) => gapAt(record.slice(record.indexOf('\t') + 1), 'name_not_utf8', true));
  return { entries, gaps };
}

function isCplIgnore(path: string): boolean {
  return path.endsWith('.cplignore') && (path.length === 10 || path[path.length - 11] === '/');
}

async function findIndexPath(root: string, run: Exec['git']): Promise<string | undefined> {
  const plain = plainIndexPath(root);
  if (plain !== undefined) return plain;
  const found = await run(['rev-parse', '--git-path', 'index'], { timeoutS: 30 });
  if (found.kind !== 'exited' || found.code !== 0) return undefined;
  const text = found.stdout.toString('utf8').replace(/\n$/, '');
  return text.startsWith('/') ? text : `${root}/${text}`;
}

/** The listing with files that only a buffer has. One that is on disk and not listed is out of scope, whatever its buffer says. */
export function listingUnsaved(root: string, lister: TreeLister): TreeLister {
  let last: { readonly of: TreeListing; readonly key: string; readonly listing: TreeListing } | undefined;
  return {
    async list() {
      const of = await lister.list();
      const added = [...unsavedTexts(root).keys()].filter(
        (path) => !of.byPath.has(path) && !isThere(`${root}/${path}`),
      );
      if (added.length === 0) return of;
      const key = added.join('\0');
      // The same answer is the same object, by which a caller knows that nothing came or went.
      if (last?.of === of && last.key === key) return last.listing;
      const byPath = new Map<string, TreeEntry>(of.byPath);
      for (const path of added) byPath.set(path, { path, tracked: false, absent: false, conflicted: false });
      const entries = [...byPath.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
      last = { of, key, listing: { ...of, entries, byPath } };
      return last.listing;
    },
  };
}

function isThere(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Below something that is no directory: no file, and none can be made.
    return true;
  }
}
