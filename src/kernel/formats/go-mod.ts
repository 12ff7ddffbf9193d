/**
 * go.mod, line by line: one directive per line, or a block of them in parentheses. Hand-written: the grammar is small.
 *
 * Directives that say nothing about dependencies are passed over; one that is not known at all is noted, since the format grows.
 */

import { limits as programLimits } from '../base/limits.ts';
import {
  linesOf,
  malformed,
  type ParseLimits,
  type ParseNote,
  type ParseOutcome,
  parsed,
  parseText,
} from './parse-outcome.ts';

export type GoMod = {
  readonly module: string | null;
  readonly go: string | null;
  readonly toolchain: string | null;
  readonly requires: readonly { readonly path: string; readonly version: string; readonly indirect: boolean }[];
  readonly replaces: readonly {
    readonly path: string;
    /** Null: every version of it. */
    readonly version: string | null;
    readonly target: string;
    /** Null: the target is a directory. */
    readonly targetVersion: string | null;
  }[];
};

export function parseGoMod(bytes: Uint8Array, limits: Pick<ParseLimits, 'maxBytes'>): ParseOutcome<GoMod> {
  const text = parseText(bytes, limits);
  if (!text.ok) return text;
  const draft: Draft = { module: null, go: null, toolchain: null, requires: [], replaces: [] };
  const notes: ParseNote[] = [];
  let block: { readonly name: string; readonly line: number } | null = null;
  for (const [line, number] of linesOf(text.value)) {
    const { words, comment } = splitLine(line);
    const [name, ...rest] = words;
    if (name === undefined) continue;
    if (block !== null && name === ')' && rest.length === 0) {
      block = null;
      continue;
    }
    const opensBlock: boolean = block === null && rest[0] === '(' && rest.length === 1;
    const read = directives.get(block?.name ?? name);
    if (read === undefined && block === null && notes.length < programLimits.diagnosticsPerProbe) {
      notes.push({ id: 'unknown_directive', line: number, detail: 'unknown directive' });
    }
    if (opensBlock) block = { name, line: number };
    else if (read?.(draft, block === null ? rest : words, comment) === false) {
      return malformed('go.mod: malformed directive', number);
    }
  }
  return block === null ? parsed(draft, notes) : malformed('go.mod: a block is not closed', block.line);
}

type Draft = {
  module: string | null;
  go: string | null;
  toolchain: string | null;
  requires: GoMod['requires'][number][];
  replaces: GoMod['replaces'][number][];
};

/** False when the words are not what the directive takes. */
type Directive = (draft: Draft, words: readonly string[], comment: string) => boolean;

const passedOver: Directive = () => true;

const directives: ReadonlyMap<string, Directive> = new Map<string, Directive>([
  [
    'module',
    (draft, [path, more]) => {
      draft.module = path ?? null;
      return path !== undefined && more === undefined;
    },
  ],
  [
    'go',
    (draft, [version, more]) => {
      draft.go = version ?? null;
      return version !== undefined && more === undefined;
    },
  ],
  [
    'toolchain',
    (draft, [name, more]) => {
      draft.toolchain = name ?? null;
      return name !== undefined && more === undefined;
    },
  ],
  [
    'require',
    (draft, [path, version, more], comment) => {
      if (path === undefined || version === undefined || more !== undefined) return false;
      draft.requires.push({ path, version, indirect: isIndirect(comment) });
      return true;
    },
  ],
  [
    'replace',
    (draft, words) => {
      const arrow = words.indexOf('=>');
      const [path, version = null] = words.slice(0, Math.max(arrow, 0));
      const [target, targetVersion = null] = words.slice(arrow + 1);
      if (path === undefined || target === undefined || arrow > 2 || words.length - arrow > 3) return false;
      draft.replaces.push({ path, version, target, targetVersion });
      return true;
    },
  ],
  ...['exclude', 'retract', 'tool', 'godebug', 'ignore'].map((name): [string, Directive] => [name, passedOver]),
]);

function isIndirect(comment: string): boolean {
  return comment === 'indirect' || comment.startsWith('indirect;');
}

/** Words by white space, quotes taken off; `//` begins a comment where a word could begin. */
function splitLine(line: string): { readonly words: readonly string[]; readonly comment: string } {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      at += 1;
    } else if (line.startsWith('//', at)) {
      return { words, comment: line.slice(at + 2).trim() };
    } else if (code === 0x22 || code === 0x60) {
      const close = line.indexOf(line[at] as string, at + 1);
      const end = close === -1 ? line.length : close;
      words.push(line.slice(at + 1, end));
      at = end + 1;
    } else if (code === 0x28 || code === 0x29) {
      words.push(line[at] as string);
      at += 1;
    } else {
      let end = at;
      while (end < line.length && !isWordEnd(line, end)) end += 1;
      words.push(line.slice(at, end));
      at = end;
    }
  }
  return { words, comment: '' };
}

function isWordEnd(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code === 0x20 || code === 0x09 || code === 0x28 || code === 0x29;
}
