/** A search source without a store: texts in memory, indexed by their real trigrams and names. For tests of searching alone. */

import { renderMatch } from '../../src/index/search/index-query.ts';
import { noSecretsKnown } from '../../src/index/search/line-texts.ts';
import type { SearchCandidate, SearchRead, SearchSource } from '../../src/index/search/search-text.ts';
import { listIdentifiers } from '../../src/index/text/scan-text.ts';
import { encodeTrigrams } from '../../src/index/text/trigrams.ts';
import { decodeText } from '../../src/kernel/tree/content-kind.ts';
import { languageOf } from '../../src/languages/file-language.ts';

const key = Buffer.alloc(32, 7);

export type MemoryFiles = Readonly<Record<string, string | Buffer>>;

export function createMemorySource(
  files: MemoryFiles,
  options: {
    /** Paths whose index entry is not to be trusted. */
    readonly suspects?: readonly string[];
    readonly readFile?: (path: string) => SearchRead;
    readonly swept?: boolean;
    readonly generation?: number;
  } = {},
): SearchSource & { readonly reads: string[] } {
  const reads: string[] = [];
  const candidate = (path: string): SearchCandidate => ({ path, language: languageOf(path) });
  const bytesOf = (path: string) => Buffer.from(files[path] as string | Buffer);
  const decoded = new Map(Object.keys(files).map((path) => [path, decodeText(bytesOf(path))]));
  const paths = [...decoded]
    .filter(([, text]) => text.kind === 'text')
    .map(([path]) => path)
    .sort();
  const words = new Map(paths.map((path) => [path, new Set(encodeTrigrams(bytesOf(path)).split(' '))]));
  const names = new Map(
    [...decoded].flatMap(([path, text]) =>
      text.kind === 'text' ? [[path, new Set(listIdentifiers(bytesOf(path), text.text, languageOf(path), key))]] : [],
    ),
  );
  const suspects = options.suspects ?? [];
  return {
    reads,
    generation: options.generation ?? 1,
    swept: options.swept ?? true,
    listCandidates: ({ trigrams, names: required }) =>
      paths
        .filter((path) => !suspects.includes(path))
        .filter((path) => trigrams === null || matchesTrigrams(renderMatch(trigrams), words.get(path) as Set<string>))
        .filter((path) => required.every((name) => names.get(path)?.has(name)))
        .map(candidate),
    listSuspects: () => suspects.map(candidate),
    listUnsearched: () =>
      [...decoded].flatMap(([path, text]) =>
        text.kind === 'skip' ? [{ ...candidate(path), reason: text.reason }] : [],
      ),
    readFile(path) {
      reads.push(path);
      if (options.readFile !== undefined) return options.readFile(path);
      return path in files ? { kind: 'read', bytes: bytesOf(path) } : { kind: 'absent' };
    },
    secretsOf: noSecretsKnown,
  };
}

/** What FTS5 answers for an expression of words, AND, OR and brackets. */
export function matchesTrigrams(match: string, words: ReadonlySet<string>): boolean {
  const tokens = match.match(/\(|\)|AND|OR|[a-z2-7]+/g) ?? [];
  let at = 0;
  const choice = (): boolean => {
    let holds = sequence();
    while (tokens[at] === 'OR') {
      at += 1;
      holds = sequence() || holds;
    }
    return holds;
  };
  const sequence = (): boolean => {
    let holds = term();
    while (tokens[at] === 'AND') {
      at += 1;
      holds = term() && holds;
    }
    return holds;
  };
  const term = (): boolean => {
    const token = tokens[at++] ?? '';
    if (token !== '(') return words.has(token);
    const holds = choice();
    at += 1;
    return holds;
  };
  return choice();
}
