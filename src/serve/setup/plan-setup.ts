/** What would be written to a client's file, shown before anything is; and what the file was before, so that it can be given back. */

import { lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { realPathIfThere } from '../../kernel/base/if-there.ts';
import { stripControls, truncate } from '../../kernel/base/text.ts';
import { ensureParents, writeAtomically } from '../../kernel/base/write-file.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { type Client, type ClientName, clients, type Machine, type ServerCommand } from './clients.ts';
import { type EditOutcome, jsonEditor, tomlEditor } from './edit-entry.ts';

export type SetupAsk = {
  readonly client: ClientName;
  readonly remove: boolean;
  readonly machine: Machine;
  readonly server: ServerCommand;
};

export type SetupPlan =
  | { readonly kind: 'refused'; readonly path: string; readonly why: string }
  | { readonly kind: 'nothing'; readonly path: string; readonly why: string }
  | {
      readonly kind: 'planned';
      readonly path: string;
      /** The file itself, where `path` is a link to it. */
      readonly target: string;
      readonly mode: number;
      /** Null: there is none. */
      readonly before: Buffer | null;
      readonly after: Buffer | null;
      readonly diff: string;
    };

const maxBytes = 64 * 1024 * 1024;

export async function planSetup(ask: SetupAsk): Promise<SetupPlan> {
  const client = clients[ask.client];
  const { path, base } = client.file(ask.machine);
  const refused = (why: string): SetupPlan => ({ kind: 'refused', path, why });
  const found = findTarget(path, base);
  if (found.kind === 'refused') return refused(found.why);
  const { path: target, mode } = found;
  const before = found.exists ? readFileSync(target) : null;
  if (before !== null && before.length > maxBytes) return refused('is too large to be edited');
  const planned = (after: Buffer | null): SetupPlan => {
    const diff = unifiedDiff(path, before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
    return { kind: 'planned', path, target, mode, before, after, diff };
  };

  const record = ask.remove ? readRecord(ask.machine.home, ask.client) : undefined;
  // Unchanged since: it becomes again what it was, also where it was not there.
  if (record !== undefined && before !== null && record.path === target && record.afterHash === hashOf(before))
    return planned(record.before);

  const text = decode(before ?? Buffer.alloc(0));
  if (text === undefined) return refused('is not UTF-8 text');
  const edited = await edit(ask, client, text.body);
  switch (edited.kind) {
    case 'refused':
      return refused(edited.why);
    case 'unchanged':
      return { kind: 'nothing', path, why: ask.remove ? 'there is no such entry' : 'it is set up already' };
    case 'edited':
      return planned(Buffer.from(`${text.mark}${edited.text}`));
  }
}

function edit({ remove, server }: SetupAsk, client: Client, text: string): Promise<EditOutcome> {
  const editor = client.format === 'json' ? jsonEditor : tomlEditor;
  return remove ? editor.remove(text, client.at) : editor.add(text, client.at, client.entry(server));
}

/** What there is to write by hand. */
export async function snippetOf(client: Client, server: ServerCommand): Promise<string> {
  const editor = client.format === 'json' ? jsonEditor : tomlEditor;
  const edited = await editor.add('', client.at, client.entry(server));
  return edited.kind === 'edited' ? edited.text : '';
}

const byteOrderMark = '\ufeff';

function decode(bytes: Buffer): { readonly mark: string; readonly body: string } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(byteOrderMark) ? { mark: byteOrderMark, body: text.slice(1) } : { mark: '', body: text };
  } catch {
    return undefined;
  }
}

type FoundTarget =
  | { readonly kind: 'target'; readonly path: string; readonly exists: boolean; readonly mode: number }
  | { readonly kind: 'refused'; readonly why: string };

/** Files of clients may hold keys: what is new is the user's alone. */
const newMode = 0o600;

/**
 * The file that is really written: links are followed within the directory the file belongs to, and never out of it.
 */
function findTarget(path: string, base: string): FoundTarget {
  const realBase = realPathIfThere(base);
  if (realBase === undefined) return { kind: 'refused', why: `lies in ${base}, which does not exist` };
  const real = realPathIfThere(path);
  if (real === undefined) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      return { kind: 'refused', why: 'is a link to nowhere' };
    const target = join(realAncestor(dirname(path)), basename(path));
    return isBelow(realBase, target)
      ? { kind: 'target', path: target, exists: false, mode: newMode }
      : leadsOut(target, base);
  }
  if (!isBelow(realBase, real)) return leadsOut(real, base);
  const stat = statSync(real);
  if (!stat.isFile()) return { kind: 'refused', why: 'is not a regular file' };
  return { kind: 'target', path: real, exists: true, mode: stat.mode & 0o777 };
}

function leadsOut(to: string, base: string): FoundTarget {
  return { kind: 'refused', why: `leads to ${to}, which is outside ${base}; edit that file by hand if it is meant` };
}

/** Of a directory that may not be there yet: where it will be. */
function realAncestor(directory: string): string {
  const real = realPathIfThere(directory);
  return real ?? join(realAncestor(dirname(directory)), basename(directory));
}

function isBelow(base: string, path: string): boolean {
  return path.startsWith(base.endsWith(sep) ? base : `${base}${sep}`);
}

export type SetupRecord = {
  readonly path: string;
  /** Null: there was no file. */
  readonly before: Buffer | null;
  readonly afterHash: string;
};

/**
 * What a file was before it was set up: its bytes and what was made of them, in `~/.codegenie/setup/`, for the user alone. While the file
 * is what was made of it, taking the entry out gives back exactly those bytes.
 */
export function readRecord(home: string, client: ClientName): SetupRecord | undefined {
  const files = filesOf(home, client);
  try {
    const { path, existed, after } = JSON.parse(readFileSync(files.record, 'utf8')) as Record<string, unknown>;
    if (typeof path !== 'string' || typeof after !== 'string') return undefined;
    return { path, before: existed === true ? readFileSync(files.backup) : null, afterHash: after };
  } catch {
    // Nothing that can be relied on: the entry is taken out by itself.
    return undefined;
  }
}

/** Where the copy lies; null where there was nothing to copy. */
export function writeRecord(home: string, client: ClientName, { path, before, afterHash }: SetupRecord): string | null {
  const files = filesOf(home, client);
  ensureParents(home, files.record);
  if (before !== null) writeAtomically(files.backup, before, { durable: true });
  const record = { path, existed: before !== null, after: afterHash };
  writeAtomically(files.record, `${JSON.stringify(record)}\n`, { durable: true });
  return before === null ? null : files.backup;
}

export function removeRecord(home: string, client: ClientName): void {
  const files = filesOf(home, client);
  for (const file of [files.record, files.backup]) rmSync(file, { force: true });
}

export function hashOf(bytes: Buffer | null): string {
  return bytes === null ? '' : sha256Hex(bytes);
}

function filesOf(home: string, client: ClientName) {
  const folder = join(home, '.codegenie', 'setup');
  return { record: join(folder, `${client}.json`), backup: join(folder, `${client}.before`) };
}

const contextLines = 3;
const lineChars = 240;

/**
 * Two versions of a file that differ in one place, as people read it. Secrets in the lines around are not shown (P8).
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < Math.min(old.length, now.length) - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const from = Math.max(0, start - contextLines);
  const behind = Math.min(same, contextLines);
  const [oldEnd, nowEnd] = [old.length - same, now.length - same];
  const hunk = [
    ...old.slice(from, start).map((line) => ` ${shownLine(line)}`),
    ...old.slice(start, oldEnd).map((line) => `-${shownLine(line)}`),
    ...now.slice(start, nowEnd).map((line) => `+${shownLine(line)}`),
    ...old.slice(oldEnd, oldEnd + behind).map((line) => ` ${shownLine(line)}`),
  ];
  const range = (first: number, count: number) => `${count === 0 ? first : first + 1},${count}`;
  const heads = [
    `--- ${before === '' ? '/dev/null' : path}`,
    `+++ ${after === '' ? '/dev/null' : path}`,
    `@@ -${range(from, oldEnd + behind - from)} +${range(from, nowEnd + behind - from)} @@`,
  ];
  return [...heads, ...hunk].join('\n');
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function shownLine(line: string): string {
  return truncate(stripControls(redactString(line, { entropy: true }).text).replace(/\r$/, ''), lineChars);
}
