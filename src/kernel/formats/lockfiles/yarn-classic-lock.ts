/**
 * yarn.lock of yarn 1. It knows packages and which range came to which version, and nothing of the manifests: there are no
 * importers, and what is needed for development only cannot be told.
 */

import { linesOf, malformed, type ParseLimits, type ParseOutcome, parsed, parseText } from '../parse-outcome.ts';
import {
  type LockEdge,
  mergePackages,
  type ResolvedLockfile,
  type ResolvedPackage,
  sourceOfRange,
  splitDescriptor,
} from './lockfile.ts';

export function parseYarnClassicLock(bytes: Uint8Array, limits: ParseLimits): ParseOutcome<ResolvedLockfile> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const blocks = readYarnClassic(text.value);
  if (!('length' in blocks)) return malformed(`yarn lock: ${blocks.detail}`, blocks.line);

  const identities = blocks.map(identify);
  const byDescriptor = new Map<string, Identity>();
  for (const [index, block] of blocks.entries()) {
    const identity = identities[index];
    if (identity) for (const pattern of block.patterns) byDescriptor.set(pattern, identity);
  }
  if (blocks.length > 0 && byDescriptor.size === 0) return malformed('yarn lock: no package has a version', 1);

  const edgesOf = (block: YarnClassicBlock, section: string, kind: LockEdge['kind']): LockEdge[] =>
    (block.sections.get(section) ?? []).map(([name, range]) => {
      const found = byDescriptor.get(`${name}@${range}`);
      const target = found === undefined ? null : ({ kind: 'package', id: found.id } as const);
      return { name, range, resolved: found?.version ?? null, kind, target };
    });

  const packages = blocks.flatMap((block, index): ResolvedPackage[] => {
    const identity = identities[index];
    if (!identity) return [];
    const integrity = block.fields.get('integrity') ?? null;
    return [
      {
        ...identity,
        integrity,
        fromRegistry: identity.source === 'registry',
        hasInstallScript: null,
        dependencies: [
          ...edgesOf(block, 'dependencies', 'prod'),
          ...edgesOf(block, 'optionalDependencies', 'optional'),
        ],
        optional: false,
        dev: false,
      },
    ];
  });
  return parsed({
    format: 'yarn-classic-1',
    packages: mergePackages(packages),
    importers: [],
    descriptors: new Map([...byDescriptor].map(([descriptor, { version }]) => [descriptor, version])),
    // Before 1.10 there was only the hash inside the address.
    hasIntegrity: packages.some((each) => each.integrity !== null),
  });
}

type Identity = Pick<ResolvedPackage, 'id' | 'name' | 'version' | 'source'>;

/** Null for a block without a version or a pattern with a name. */
function identify(block: YarnClassicBlock): Identity | null {
  const version = block.fields.get('version');
  const descriptor = splitDescriptor(block.patterns[0] ?? '');
  if (version === undefined || descriptor === null) return null;
  const alias = descriptor.range.startsWith('npm:') ? descriptor.range.slice('npm:'.length) : null;
  const name = alias === null ? descriptor.name : (splitDescriptor(alias)?.name ?? alias);
  return { id: `${name}@${version}`, name, version, source: sourceOfRange(descriptor.range) };
}

// The format of yarn.lock v1: blocks of `pattern, pattern:` with fields indented by two and lists of dependencies by four.
//
// A line state machine without regular expressions, hand-written for its speed and caps: `@yarnpkg/parsers` 3 took seven times as long for
// 5 MB, and any depth. A line that is none of these is malformed, with its number: half-merged
// lockfiles must not pass for small ones.

export type YarnClassicBlock = {
  readonly patterns: readonly string[];
  readonly fields: Map<string, string>;
  /** `dependencies`, `optionalDependencies`. */
  readonly sections: Map<string, [name: string, range: string][]>;
};

export type YarnClassicFault = { readonly line: number; readonly detail: string };

export function readYarnClassic(text: string): readonly YarnClassicBlock[] | YarnClassicFault {
  const blocks: YarnClassicBlock[] = [];
  let block: YarnClassicBlock | null = null;
  let section: [string, string][] | null = null;
  for (const [line, number] of linesOf(text)) {
    const indent = countSpaces(line);
    if (indent === line.length || line.charCodeAt(indent) === 0x23) continue;
    const words = readWords(line, indent);
    if (words === null) return { line: number, detail: 'malformed line' };
    if (indent === 0) {
      if (!words.endsInColon || words.words.length === 0)
        return { line: number, detail: 'expected a list of patterns' };
      block = { patterns: words.words, fields: new Map(), sections: new Map() };
      section = null;
      blocks.push(block);
    } else if (indent === 2 && block !== null) {
      const [key = '', value, more] = words.words;
      if (words.endsInColon && value === undefined) {
        section = [];
        block.sections.set(key, section);
      } else if (!words.endsInColon && value !== undefined && more === undefined && !key.endsWith(':')) {
        section = null;
        block.fields.set(key, value);
      } else {
        return { line: number, detail: 'expected a field' };
      }
    } else if (indent === 4 && section !== null) {
      const [name, range, more] = words.words;
      if (words.endsInColon || name === undefined || range === undefined || more !== undefined) {
        return { line: number, detail: 'expected a dependency' };
      }
      section.push([name, range]);
    } else {
      return { line: number, detail: 'unexpected indentation' };
    }
  }
  return blocks;
}

function countSpaces(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 0x20) at += 1;
  return at;
}

/** Bare or quoted words, by white space or commas; a colon may end the line. */
function readWords(line: string, from: number): { readonly words: string[]; readonly endsInColon: boolean } | null {
  const words: string[] = [];
  let at = from;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code === 0x20 || code === 0x2c) {
      at += 1;
    } else if (code === 0x3a) {
      return at === line.length - 1 ? { words, endsInColon: true } : null;
    } else if (code === 0x22) {
      const close = findQuote(line, at + 1);
      const word = close === -1 ? undefined : unquote(line.slice(at, close + 1));
      if (word === undefined) return null;
      words.push(word);
      at = close + 1;
    } else {
      let end = at;
      while (end < line.length && !isWordEnd(line.charCodeAt(end))) end += 1;
      // A colon inside a bare word belongs to it: only the one at the end of the line is punctuation.
      if (line.charCodeAt(end - 1) === 0x3a && end === line.length) end -= 1;
      words.push(line.slice(at, end));
      at = end;
    }
  }
  return { words, endsInColon: false };
}

function isWordEnd(code: number): boolean {
  return code === 0x20 || code === 0x2c || code === 0x22;
}

function findQuote(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at;
  }
  return -1;
}

/** The writer quotes with `JSON.stringify`. */
function unquote(quoted: string): string | undefined {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}
