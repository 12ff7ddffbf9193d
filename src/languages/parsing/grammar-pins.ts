/**
 * The grammars that code outside the index was written against: package version and hash of the wasm file. Another file would give other
 * trees, so a report of what a grammar saw says which one it was, and refuses one that is not the pinned one.
 * After an upgrade the test beside this file names the new hashes.
 */

import { assert } from '../../kernel/base/assert.ts';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { readCarried } from '../../kernel/base/package-files.ts';
import type { Grammar, Language } from '../language.ts';
import { grammarOf } from '../languages.ts';
import { languages } from '../registry.gen.ts';
import { oxcWasm } from './oxc-parser.ts';

type PinnedIn<T> = T extends unknown
  ? { [Name in keyof T]: T[Name] extends { pin: object } ? Name : never }[keyof T]
  : never;

/** The grammars with a pin. */
export type PinnedGrammar = PinnedIn<(typeof languages)[number]['grammars']>;

export type GrammarPin = { readonly wasm: string; readonly version: string; readonly blake3: string };

export type GrammarCheck = {
  readonly name: PinnedGrammar;
  /** `<package version>+blake3:<16 hex of the pinned file>`, and the same of oxc where it reads files of the grammar first. */
  readonly version: string;
  readonly state: 'pinned' | 'other' | 'missing';
};

/** The pinned grammar for a path, by its extension. Loads no parser. */
export function findGrammar(path: string): PinnedGrammar | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const language = byExtension.get(extension);
  const grammar = language === undefined ? undefined : grammarOf(language, `.${extension}`);
  return grammar !== undefined && pins.has(grammar) ? (grammar as PinnedGrammar) : undefined;
}

export function listPins(): ReadonlyMap<string, GrammarPin> {
  return pins;
}

export function checkGrammars(
  names: readonly PinnedGrammar[],
  readWasm: (name: string) => Uint8Array = readCarried,
): readonly GrammarCheck[] {
  return names.map((name) => {
    const pin = pins.get(name);
    assert(pin !== undefined, `${name} has a pin`);
    const used = readByOxc.has(name) ? [pin, oxcPin] : [pin];
    return {
      name,
      version: used.map(({ version, blake3 }) => `${version}+blake3:${blake3.slice(0, 16)}`).join('+oxc-'),
      state: used.map((each) => stateOf(each, readWasm)).find((state) => state !== 'pinned') ?? 'pinned',
    };
  });
}

/** The parser that reads TypeScript and JavaScript first. */
export const oxcPin: GrammarPin = {
  wasm: oxcWasm,
  version: '0.155.0',
  blake3: '6443545ab25ba7ffb73e7f7e53f5b28aab005d2f00abf31ceb67e63bb9807ae2',
};
const readByOxc: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx']);

const byExtension: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((language: Language) =>
    language.extensions.map((extension): [string, Language] => [extension, language]),
  ),
);

const pins: ReadonlyMap<string, GrammarPin> = new Map(
  languages.flatMap(({ grammars }) =>
    Object.entries<Grammar>(grammars).flatMap(([name, { wasm, pin }]): [string, GrammarPin][] =>
      pin === undefined ? [] : [[name, { wasm, ...pin }]],
    ),
  ),
);

function stateOf(pin: GrammarPin, readWasm: (name: string) => Uint8Array): GrammarCheck['state'] {
  let bytes: Uint8Array;
  try {
    bytes = readWasm(pin.wasm);
  } catch {
    return 'missing';
  }
  return blake3Hex(bytes) === pin.blake3 ? 'pinned' : 'other';
}
