/**
 * Files that a scanner would not read as written, as copies that it does read. A single byte that is not UTF-8 keeps semgrep from
 * matching an expression anywhere in a file and ast-grep from reading it at all, and neither says so; a comment may ask a scanner to
 * look away; a name that it does not know keeps it from looking at all. Copies have the same lines, so that what is found in them is
 * found in the file.
 */

import { isUtf8 } from 'node:buffer';
import type { ProbeRepo } from '../../../gather/contract.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { languageOf } from '../../../kernel/repo/language.ts';
import { binaryHeadBytes, inputOf } from './scan-targets.ts';
import { writeScratch } from './write-scratch.ts';

/** Files to be scanned together, by names relative to a directory. */
export type ScanPlace = {
  readonly cwd: string;
  readonly names: readonly string[];
  /** The path in the repository of what is called so here. */
  readonly pathOf: (name: string) => string;
};

const hasExtension = /[^/]\.[^./]+$/;

type Reading = {
  readonly maxBytes: number;
  /** Takes out of a text what would keep the scanner from looking. Lines must stay where they are. */
  readonly mend?: (text: string) => string;
  /** An ending by which the scanner knows the language of a file that it would not know by its name; empty where it does. */
  readonly endingFor?: (path: string, text: string) => string;
};

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

/** By the mark at its beginning, else UTF-8 with a sign in place of each byte that is none. */
export function decodePlain(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decodeLenient(bytes);
}
