/**
 * The files of a scan: targets, copies and rules. A file that is named on the command line is scanned in spite of the repository's own
 * ignore files, and one that is not named is not: so that the files looked at are those in scope, no more and no fewer.
 *
 * Some files a scanner would not read as written: a single byte that is not UTF-8 keeps semgrep from matching an expression anywhere in a
 * file and ast-grep from reading it at all, and neither says so; a comment may ask a scanner to look away; an unknown name keeps it from
 * looking at all. They are copied; copies have the same lines, so that what is found in them is found in the file.
 *
 * Rule files of the user's own are copied into the workspace and run from there: what is run is what was hashed, and a home directory that
 * a sandbox hides need not be shown to the tool.
 */

import { Buffer, isUtf8 } from 'node:buffer';
import type { ConfigKey } from '../../gather/config.ts';
import type { ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodePlain } from '../../kernel/base/text.ts';
import { ensureParents, writeAtomically } from '../../kernel/base/write-file.ts';
import { languageOf } from '../../languages/file-language.ts';
import { relativeToConfigured } from './authored-files.ts';
import type { RuleFile } from './scanners.ts';

type ScanTargets = {
  /** Root-relative, sorted. */
  readonly paths: readonly string[];
  /** In scope and over the size that the scanner takes. */
  readonly tooLarge: readonly string[];
};

/** Files to be scanned together, by names relative to a directory. */
type ScanPlace = {
  readonly cwd: string;
  readonly names: readonly string[];
  /** The path in the repository of what is called so here. */
  readonly pathOf: (name: string) => string;
};

type Reading = {
  readonly maxBytes: number;
  /** Takes out of a text what would keep the scanner from looking. Lines must stay where they are. */
  readonly mend?: (text: string) => string;
  /** An ending by which the scanner knows the language of a file that it would not know by its name; empty where it does. */
  readonly endingFor?: (path: string, text: string) => string;
};

export type ConfiguredRule = RuleFile & { readonly id: string };

/** Linux takes 2 MiB of arguments and environment together, macOS one; what wraps a tool needs some of it too. */
const argumentBytes = 500_000;
/** bubblewrap refuses 9 000, those of the sandbox and of the tool itself included. */
const maxArguments = 8_000;
/** A pointer and the closing NUL. */
const perArgumentBytes = 9;

const minifiedBytes = 50_000;
const minifiedLineBytes = 400;
const headBytes = 32 * 1024;
/** Git's own test for binary content. */
export const binaryHeadBytes = 8 * 1024;

const hasExtension = /[^/]\.[^./]+$/;

const ruleName = /\.ya?ml$/;

/** Regular files of the repository; a link owns nothing, and an empty file has nothing to be found in. */
export function listScanTargets(repo: ProbeRepo, maxBytes: number): ScanTargets {
  const paths: string[] = [];
  const tooLarge: string[] = [];
  for (const id of repo.inputs.list()) {
    if (isForeign(id) || repo.inputs.fingerprint(id)?.kind !== 'file') continue;
    const size = repo.inputs.fingerprint(id)?.size ?? 0;
    if (size > maxBytes) tooLarge.push(pathOf(id));
    else if (size > 0) paths.push(pathOf(id));
  }
  return { paths, tooLarge };
}

/**
 * Bundles that a build made small: no person wrote them, no line of them says anything, and a parser spends its time on them.
 * Told by their first bytes; small files are not worth asking.
 */
export async function dropMinified(
  repo: ProbeRepo,
  targets: ScanTargets,
): Promise<ScanTargets & { readonly minified: readonly string[] }> {
  const minified = new Set<string>();
  for (const path of targets.paths) {
    if (!/\.[cm]?js$/.test(path) || (repo.inputs.fingerprint(inputOf(path))?.size ?? 0) < minifiedBytes) continue;
    const head = await repo.inputs.readHead(inputOf(path), headBytes);
    if (head.kind === 'read' && isMinified(head.bytes)) minified.add(path);
  }
  return { ...targets, paths: targets.paths.filter((path) => !minified.has(path)), minified: [...minified] };
}

/** Of files that are too large: texts, as far as their first bytes tell. A picture has no lines in which anything could be missed. */
export async function listUnreadTexts(repo: ProbeRepo, tooLarge: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const path of tooLarge) {
    const head = await repo.inputs.readHead(inputOf(path), binaryHeadBytes);
    if (head.kind !== 'read' || !head.bytes.includes(0)) texts.push(path);
  }
  return texts;
}

/** What was not looked at is not free of findings: a large file could hide a line. `tooLarge`: those that are code. */
export async function listLeftOut(
  repo: ProbeRepo,
  tooLarge: readonly string[],
  minified: readonly string[],
): Promise<{ readonly path: string; readonly detail: string }[]> {
  return [
    ...(await listUnreadTexts(repo, tooLarge)).map((path) => ({ path, detail: 'too large' })),
    ...minified.map((path) => ({ path, detail: 'minified' })),
  ];
}

/** Lines of hundreds of characters on average. */
export function isMinified(head: Uint8Array): boolean {
  let lines = 1;
  for (const byte of head) if (byte === 0x0a) lines += 1;
  return head.length / lines > minifiedLineBytes;
}

/** As arguments for the tool: `./` keeps a name such as `-` or `-x` from being anything but a file. The sandbox takes so many and no more. */
export function batchArguments(paths: readonly string[], maxBytes = argumentBytes): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const argument = `./${path}`;
    const bytes = Buffer.byteLength(argument) + perArgumentBytes;
    if (bytes > room || (batches.at(-1)?.length ?? maxArguments) >= maxArguments) {
      batches.push([]);
      room = maxBytes;
    }
    batches.at(-1)?.push(argument);
    room -= bytes;
  }
  return batches;
}

/** What a tool calls a file, as the repository calls it. */
export function reportedPath(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** The id under which a path of the repository is an input. */
export function inputOf(path: string): string {
  return isForeign(path) ? `./${path}` : path;
}

export async function separatePlainCopies(
  repo: ProbeRepo,
  workspace: string,
  paths: readonly string[],
  reading: Reading,
): Promise<ScanPlace[]> {
  const asWritten: string[] = [];
  const plain: string[] = [];
  const named: string[] = [];
  for (const path of paths) {
    const copy = await readPlain(repo, path, reading);
    if (copy === undefined) asWritten.push(path);
    else if (copy.ending === '') {
      writeScratch(workspace, `plain/${path}`, copy.text);
      plain.push(path);
    } else {
      writeScratch(workspace, `named/${path}${copy.ending}`, copy.text);
      named.push(`${path}${copy.ending}`);
    }
  }
  return [
    { cwd: repo.root, names: asWritten, pathOf: asIs },
    { cwd: `${workspace}/plain`, names: plain, pathOf: asIs },
    { cwd: `${workspace}/named`, names: named, pathOf: withoutEnding },
  ].filter((place) => place.names.length > 0);
}

/** Rule files below the paths of a key, or named by it, in the order of their names (`<position>/<path>`). */
export function listConfiguredRules(repo: ProbeRepo, key: ConfigKey, paths: readonly string[]): ConfiguredRule[] {
  return paths.flatMap((path, position) =>
    repo.inputs.list().flatMap((id) => {
      const below =
        id === `config:${key}:${position}` ? 'rules.yml' : relativeToConfigured(repo.root, id, { key, position, path });
      const fingerprint = repo.inputs.fingerprint(id);
      if (below === undefined || !ruleName.test(below) || fingerprint?.kind !== 'file') return [];
      return [{ id, name: `${position}/${below}`, hash: fingerprint.contentHash }];
    }),
  );
}

/** Rule files that could not be read are left out, and named. */
export async function copyRules(
  repo: ProbeRepo,
  rules: readonly ConfiguredRule[],
  place: { readonly workspace: string; readonly folder: string },
): Promise<{ readonly copied: readonly ConfiguredRule[]; readonly unreadable: readonly string[] }> {
  const copied: ConfiguredRule[] = [];
  const unreadable: string[] = [];
  for (const rule of rules) {
    const read = await repo.inputs.read(rule.id, limits.yamlCatalogBytes);
    if (read.kind !== 'read') {
      unreadable.push(rule.name);
      continue;
    }
    writeScratch(place.workspace, `${place.folder}/${rule.name}`, read.bytes);
    copied.push(rule);
  }
  return { copied, unreadable };
}

/** A file for a tool, in the probe's scratch directory: `path` is below the workspace; the absolute path of what was written. */
export function writeScratch(workspace: string, path: string, content: string | Uint8Array): string {
  const file = `${workspace}/${path}`;
  ensureParents(workspace, file);
  writeAtomically(file, content, { durable: false });
  return file;
}

function isForeign(id: string): boolean {
  return id.startsWith('config:') || id.startsWith('user:');
}

function pathOf(id: string): string {
  return id.startsWith('./') ? id.slice(2) : id;
}

const asIs = (name: string): string => name;
const withoutEnding = (name: string): string => name.slice(0, name.lastIndexOf('.'));

type PlainCopy = { readonly text: string; readonly ending: string };

/** Undefined where the file can be scanned as it is. */
async function readPlain(
  repo: ProbeRepo,
  path: string,
  { maxBytes, mend, endingFor }: Reading,
): Promise<PlainCopy | undefined> {
  const isKnown = languageOf(path) !== null;
  if (!isKnown && hasExtension.test(path)) return undefined;
  const read = await repo.inputs.read(inputOf(path), maxBytes);
  if (read.kind !== 'read') return undefined;
  // Without an extension it may be a script by its first line, or a program.
  if (!isKnown && read.bytes.subarray(0, binaryHeadBytes).includes(0)) return undefined;
  const text = decodePlain(read.bytes);
  const mended = mend?.(text) ?? text;
  const ending = endingFor?.(path, text) ?? '';
  return isUtf8(read.bytes) && mended === text && ending === '' ? undefined : { text: mended, ending };
}
