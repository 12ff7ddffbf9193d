/**
 * What probes extracted from the bytes of single files, kept from one gather to the next: after an edit one file is parsed and not all of
 * them. A value is found by the hash of its bytes and the version of the code that made it, so it is what would be made again; a memo that is
 * missing, broken or of another version costs time, never truth.
 *
 * P8  Facts in which a secret may stand, by the rules of now, are not written: their files are parsed each time.
 * P9  A file of the memo counts only with its seal, as an entry of the cache does.
 */

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ensureOwnDirectory, lstatOwn, OutputRefused, writeAtomically } from '../../kernel/base/write-file.ts';
import { redactString } from '../../kernel/secrets/redact-string.ts';
import { redactionVersion } from './redaction-version.gen.ts';

export interface ExtractionMemo {
  /** `version`: of the code that extracts; `key`: what it was given. Undefined: not known. */
  find(name: string, version: string, key: string): unknown;
  /** A value that is not the same after it was written and read is not kept. */
  remember(name: string, version: string, key: string, value: unknown): void;
  /** What the probes of this gather will ask of most files: who has a file parsed has these extracted with it. Empty: nothing is kept. */
  readonly expected: ReadonlySet<string>;
  expect(names: Iterable<string>): void;
  /** Files that are being parsed; settles when there is something to find. Never rejects. */
  readonly underWay: Map<string, Promise<void>>;
  /** Writes what has come. Throws what writing throws. */
  save(): void;
}

export const noExtractions: ExtractionMemo = {
  find: () => undefined,
  remember: () => {},
  expected: new Set(),
  expect: () => {},
  underWay: new Map(),
  save: () => {},
};

const maxFileBytes = 256 * 1024 * 1024;
/** Values that no gather asked for this time stay as long as they are not more than those that were: a branch may come back. */
const spare = 200;

type Known = {
  readonly version: string;
  readonly lines: Map<string, string>;
  readonly used: Set<string>;
  isNew: boolean;
};

export function openExtractionMemo(directory: string, sealKey: Uint8Array): ExtractionMemo {
  const known = new Map<string, Known>();
  const expected = new Set<string>();
  const pathOf = (name: string) => `${directory}/${name}`;
  const sealOf = (name: string, version: string, body: string) =>
    createHmac('sha256', sealKey)
      .update(JSON.stringify(['extractions', redactionVersion, name, version]))
      .update(body)
      .digest('hex');
  const load = (name: string, version: string): Known => {
    const loaded = known.get(name);
    if (loaded?.version === version) return loaded;
    const lines = new Map<string, string>();
    const text = readText(pathOf(name));
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    if (end > 0 && text.slice(0, end) === sealOf(name, version, body)) {
      for (const line of body.split('\n')) if (line !== '') lines.set(line.slice(0, keyChars), line.slice(keyChars));
    }
    const found = { version, lines, used: new Set<string>(), isNew: false };
    known.set(name, found);
    return found;
  };
  return {
    expected,
    expect(names) {
      for (const name of names) expected.add(name);
    },
    underWay: new Map(),
    find(name, version, key) {
      const { lines, used } = load(name, version);
      const text = lines.get(key);
      if (text === undefined) return undefined;
      used.add(key);
      return JSON.parse(text) as unknown;
    },
    remember(name, version, key, value) {
      const text = JSON.stringify(value);
      if (key.length !== keyChars || text === undefined || !isDeepStrictEqual(JSON.parse(text), value)) return;
      if (redactString(text, { entropy: true }).text !== text) return;
      const into = load(name, version);
      into.lines.set(key, text);
      into.used.add(key);
      into.isNew = true;
    },
    save() {
      for (const [name, into] of known) {
        if (!into.isNew) continue;
        const { version, lines, used } = into;
        let unused = used.size + spare;
        let body = '';
        for (const [key, text] of lines) {
          if (!used.has(key) && unused-- <= 0) continue;
          body += `${key}${text}\n`;
        }
        ensureOwnDirectory(directory);
        writeAtomically(pathOf(name), `${sealOf(name, version, body)}\n${body}`, { durable: false });
        into.isNew = false;
      }
    },
  };
}

/** Of a BLAKE3. */
const keyChars = 64;

function readText(path: string): string {
  try {
    const found = lstatOwn(path);
    return found?.isFile() === true && found.size <= maxFileBytes ? readFileSync(path, 'utf8') : '';
  } catch (error) {
    if (error instanceof OutputRefused || (error as NodeJS.ErrnoException).code !== undefined) return '';
    throw error;
  }
}
