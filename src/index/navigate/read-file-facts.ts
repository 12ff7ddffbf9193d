/**
 * One file as navigation sees it: its bytes of now, every identifier in it, and what each means by lexical scope alone. Recomputed from
 * the bytes for the few files a question touches (code-plane.md §3.2), so a position is never one of an older text.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { textLimits } from '../../kernel/base/limits.ts';
import { createTextOffsets, type TextOffsets } from '../../kernel/tree/positions.ts';
import type { SourceTree } from '../../languages/facts.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import { findLanguage, grammarOf, hasSyntax } from '../../languages/languages.ts';
import type { Access, Binding, Reference, ScopeTree } from '../../languages/scopes/scope-tree.ts';
import type { Token } from '../../languages/tokens.ts';
import type { StoredFile } from '../store/stored-files.ts';
import type { SourceText } from '../view/code-view.ts';

type BoundPlace = {
  /** Position in `FileFacts.bindings`. */
  readonly binding: number;
  readonly role: Access | 'definition';
};

export type FileFacts = {
  readonly path: string;
  readonly language: string;
  readonly source: SourceText;
  readonly tokens: readonly Token[];
  readonly scopes: ScopeTree;
  /** Bindings, then labels. */
  readonly bindings: readonly Binding[];
  /** By where the token begins. */
  readonly boundAt: ReadonlyMap<number, BoundPlace>;
  /** Names of something else's; a shorthand is here and in `boundAt`. */
  readonly memberAt: ReadonlyMap<number, Reference>;
  readonly unboundAt: ReadonlyMap<number, Reference>;
  /** By where a bound name ends: what stands left of a dot. */
  readonly boundEnd: ReadonlyMap<number, number>;
  /** These are the bytes the index was made from: stored offsets mean something in them. */
  readonly isIndexed: boolean;
  toByte(index: number): number;
  toIndex(byte: number): number;
  /** 0-based. */
  toLineColumn(index: number): { readonly line: number; readonly column: number };
};

export type FactsOutcome =
  | { readonly kind: 'facts'; readonly facts: FileFacts }
  /** Text that is there and was not parsed. */
  | { readonly kind: 'text'; readonly source: SourceText; readonly isIndexed: boolean }
  | { readonly kind: 'absent' };

/** `file` is its row, if the index has one; without it the language decides. */
export async function readFileFacts(
  path: string,
  source: SourceText | undefined,
  file: StoredFile | undefined,
  language: string | null,
): Promise<FactsOutcome> {
  if (source === undefined) return { kind: 'absent' };
  const isIndexed = file !== undefined && blake3Hex(source.bytes) === file.contentHash;
  const mayParse = language !== null && hasSyntax(language) && source.bytes.length <= textLimits.parseBytes;
  // S6: what has crashed or outlived the parser once is not tried in this thread.
  if (!mayParse || (isIndexed && file.parse === 'failed')) return { kind: 'text', source, isIndexed };
  const parsed = await wholes.get(path, language, source.text);
  const offsets = createTextOffsets(source.text, source);
  return {
    kind: 'facts',
    facts: {
      path,
      language,
      source,
      ...parsed,
      isIndexed,
      toByte: offsets.toByte,
      toIndex: (byte) => indexOfByte(byte, source.text, offsets),
      toLineColumn: offsets.toLineColumn,
    },
  };
}

/** The language of a script that may be parsed in this thread (S6); undefined for everything else. */
export function scriptLanguageOf(file: StoredFile | undefined, { bytes }: SourceText): string | undefined {
  const { language = null, parse = null } = file ?? {};
  if (language === null || !isJavaScript(language) || parse === 'failed') return undefined;
  return bytes.length > textLimits.parseBytes ? undefined : language;
}

/** What scope says of the names of a file, and nothing else of it: half of the work. For bytes that the index was made from. */
export type ScopeFacts = Pick<FileFacts, 'path' | 'bindings' | 'boundAt' | 'memberAt' | 'isIndexed' | 'toByte'>;

export async function readScopeFacts(path: string, language: string, source: SourceText): Promise<ScopeFacts> {
  const { toByte } = createTextOffsets(source.text, source);
  const whole = wholes.find(path, language, source.text);
  const scopes = whole ?? (await scopesAlone.get(path, language, source.text));
  return { path, isIndexed: true, toByte, ...scopes };
}

type Places = Pick<FileFacts, 'bindings' | 'boundAt' | 'memberAt' | 'unboundAt' | 'boundEnd'>;
type Analysis = Places & Pick<FileFacts, 'tokens' | 'scopes'>;

async function analyseScopesAlone(path: string, language: string, text: string): Promise<Places> {
  const { analyseScopes } = await import('../../languages/readers.ts');
  return indexPlaces(await withSourceTree(path, language, text, (tree) => analyseScopes(tree, language)));
}

async function analyseWhole(path: string, language: string, text: string): Promise<Analysis> {
  const { listTokens } = await import('../../languages/tokens.ts');
  const { analyseScopes } = await import('../../languages/readers.ts');
  const { tokens, scopes } = await withSourceTree(path, language, text, (source) => ({
    tokens: listTokens(source, language),
    scopes: analyseScopes(source, language),
  }));
  return { tokens, scopes, ...indexPlaces(scopes) };
}

/** UTF-16 units of texts whose analysis is kept. A daemon is asked about the same files again and again, and parsing is most of an answer. */
const mostKept = 2_000_000;

/** A text says the same each time it is read: what was used last is not worked out again. */
function keepLast<T>(make: (path: string, language: string, text: string) => Promise<T>) {
  /** In order of their last use. */
  const kept = new Map<string, { readonly text: string; readonly made: T }>();
  let units = 0;
  const drop = (key: string) => {
    units -= kept.get(key)?.text.length ?? 0;
    kept.delete(key);
  };
  const find = (path: string, language: string, text: string): T | undefined => {
    const known = kept.get(`${language} ${path}`);
    return known?.text === text ? known.made : undefined;
  };
  return {
    find,
    async get(path: string, language: string, text: string): Promise<T> {
      const made = find(path, language, text) ?? (await make(path, language, text));
      const key = `${language} ${path}`;
      drop(key);
      kept.set(key, { text, made });
      units += text.length;
      for (const oldest of kept.keys()) {
        if (units <= mostKept) break;
        drop(oldest);
      }
      return made;
    },
  };
}

const wholes = keepLast(analyseWhole);
const scopesAlone = keepLast(analyseScopesAlone);

/** The tree lives as long as `use` runs. */
export async function withSourceTree<T>(
  path: string,
  language: string,
  text: string,
  use: (source: SourceTree) => T,
): Promise<T> {
  const { withParsedSource } = await import('../../languages/parsing/parse-source.ts');
  const declared = findLanguage(language);
  if (declared === undefined) throw new Error(`no grammar for ${language}`);
  return withParsedSource(grammarOf(declared, path), text, ({ root, hasErrors }) =>
    use({ root, text, path, hasErrors }),
  );
}

function indexPlaces(scopes: ScopeTree): Places {
  const bindings = [...scopes.bindings, ...scopes.labels];
  const boundAt = new Map<number, BoundPlace>();
  const boundEnd = new Map<number, number>();
  for (const [binding, { declarations, references }] of bindings.entries()) {
    for (const { start, end } of declarations) {
      boundAt.set(start, { binding, role: 'definition' });
      boundEnd.set(end, binding);
    }
    for (const { start, end, access } of references) {
      if (boundAt.has(start)) continue;
      boundAt.set(start, { binding, role: access });
      boundEnd.set(end, binding);
    }
  }
  const memberAt = new Map<number, Reference>();
  const unboundAt = new Map<number, Reference>();
  for (const reference of scopes.unbound) (reference.isMember ? memberAt : unboundAt).set(reference.start, reference);
  return { bindings, boundAt, boundEnd, memberAt, unboundAt };
}

export function indexOfByte(byte: number, text: string, { toByte }: Pick<TextOffsets, 'toByte'>): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (toByte(middle) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}
