/** Text in files, found by the index and verified against the disk: what a scan of the same files would give now (T13). */

import { renderMatch } from '../../index/search/index-query.ts';
import {
  createSearchReader,
  type IndexQuery,
  indexQueryOf,
  type SearchAnswer,
  type SearchAsk,
  type SearchCandidate,
  type SearchSource,
  searchDefaults,
  searchText,
} from '../../index/search/search-text.ts';
import { textMemoryOf } from '../../index/search/text-memory.ts';
import type { ReadSession } from '../../index/store/read-session.ts';
import { listLanguages } from '../../index/store/store-counts.ts';
import { findFile, listAllPaths, listSearchableFiles, listUnsearchableFiles } from '../../index/store/stored-files.ts';
import { listFilesMatchingText, listFilesWithNames, listRedactedFiles } from '../../index/store/stored-text.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { isNotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { strictInput, z } from '../../kernel/base/schema.ts';
import { isSecretBearing } from '../../kernel/tree/content-kind.ts';
import { languageOf } from '../../languages/file-language.ts';
import { hasSyntax } from '../../languages/languages.ts';
import { countOf, plural, quotedPath, renderMore, shown, tallies, whyMore, whyUnverified } from './answer-words.ts';
import { compilePathFilter, Limit, readLanguages, readPathGlobs } from './input.ts';
import { Count, defineOperation } from './operation.ts';

const Hit = z.object({
  line: z.number().int(),
  col: z.number().int(),
  /** The column after the last character. */
  end_col: z.number().int(),
  /** The line, cut around the match, without control characters and with secrets replaced. */
  text: z.string(),
});

const input = strictInput({
  query: z.string(),
  /** JavaScript's regular expressions, line by line. */
  regex: z.boolean().optional(),
  ignore_case: z.boolean().optional(),
  word: z.boolean().optional(),
  path: z.array(z.string()).optional(),
  lang: z.array(z.string()).optional(),
  limit: Limit.optional(),
  continue: z.string().optional(),
});

export default defineOperation({
  name: 'search',
  says: 'Full-text search in the files in scope, verified against the disk',
  input,
  output: z.object({
    files: z.array(z.object({ path: z.string(), hits: z.array(Hit) })),
    count: Count,
    truncated: z.boolean(),
    timed_out: z.boolean(),
    continue: z.string().nullable(),
    /** Files in question that were not searched, by reason. */
    not_searched: z.record(z.string(), z.number().int()),
  }),
  async run(view, given) {
    const languages = given.lang === undefined ? [] : readLanguages(given.lang, view.read(listLanguages));
    if (isNotAnswered(languages)) return languages;
    const ask: SearchAsk = {
      query: given.query,
      kind: given.regex === true ? 'regex' : 'literal',
      ignoreCase: given.ignore_case ?? false,
      wholeWord: given.word ?? false,
      pathGlobs: readPathGlobs(given.path ?? []),
      languages,
      limit: given.limit ?? searchDefaults.limit,
      continueToken: given.continue ?? null,
      deadlineMs: searchDefaults.deadlineMs,
    };
    if (given.path !== undefined && !view.read((session) => anyMatches(session, ask.pathGlobs, view))) {
      return notAnswered(
        'not_found',
        `path: no file in scope matches ${given.path.map((glob) => shown(glob, 80)).join(', ')}`,
      );
    }
    const found = await searchText(ask, openSource(view, ask), { now: () => performance.now() });
    switch (found.kind) {
      case 'invalid_query':
        return notAnswered('invalid', `query: ${shown(found.detail)}`);
      case 'stale_continue':
        return notAnswered(
          'invalid',
          'continue: the token is of another question or an older index; ask again without it',
        );
      case 'answer':
        return {
          files: found.files.map(({ path, hits }) => ({
            path,
            hits: hits.map((hit) => ({ line: hit.line, col: hit.column, end_col: hit.endColumn, text: hit.lineText })),
          })),
          count: countHits(view, ask, found),
          truncated: found.truncated,
          timed_out: found.timedOut,
          continue: found.continue,
          not_searched: { ...found.notSearched },
        };
    }
  },
  render({ files, count, not_searched, ...answer }) {
    const head = `${countOf(count, 'hit')} in ${answer.truncated ? '≥ ' : ''}${plural(files.length, 'file')}`;
    const lines = files.flatMap(({ path, hits }) => [
      quotedPath(path),
      ...hits.map((hit) => `  ${hit.line}:${hit.col}: ${shown(hit.text).trimStart()}`),
    ]);
    const left = Object.keys(not_searched).length === 0 ? [] : [`not searched: ${tallies(not_searched)}`];
    return [...lines, head, ...whyMore(count), ...left, ...renderMore(answer.continue)].join('\n');
  },
});

/** Everything that is asked of the store, in one read, so that the answer is of one generation. */
function openSource(view: CodeView, ask: SearchAsk): SearchSource {
  const { changed, added, gone } = view.differences;
  const differs = (path: string) => changed.has(path) || gone.has(path);
  const query = indexQueryOf(ask);
  return view.read((session): SearchSource => {
    const memory = textMemoryOf(session.keeper);
    const redacted = listRedactedFiles(session);
    const known = redacted.filter(({ path }) => !differs(path));
    const isOnlySuspected = new Set([...redacted.map(({ path }) => path), ...changed, ...gone]);
    const candidates = listCandidates(session, query).filter(({ path }) => !isOnlySuspected.has(path));
    const suspects = [
      ...known.filter((file) => memory.mayHold(file, query)),
      ...[...changed].map((path) => ({ path, language: findFile(session, path)?.language ?? languageOf(path) })),
      ...[...added].map((path) => ({ path, language: languageOf(path) })),
    ];
    const unsearched = listUnsearchableFiles(session).filter(({ path }) => !differs(path));
    const read = createSearchReader(view.root, { reuse: ask.kind === 'literal', look: view.look });
    const remember = memory.open();
    const byPath = new Map(known.map((file) => [file.path, file]));
    return {
      generation: session.generation,
      swept: whyUnverified(view) === null,
      listCandidates: () => candidates,
      listSuspects: () => suspects,
      listUnsearched: () => unsearched,
      readFile(path) {
        // F10: also of a file that the index does not know yet, secrets by name are never opened.
        if ((added.has(path) || changed.has(path)) && isSecretBearing(path, hasSyntax(languageOf(path) ?? '')))
          return { kind: 'skipped', reason: 'secret' };
        const found = read(path);
        const file = byPath.get(path);
        if (found.kind === 'read' && file !== undefined) remember(file, found.bytes);
        return found;
      },
      secretsOf: (path, bytes) => memory.secretsOf(path, bytes),
    };
  });
}

function listCandidates(session: ReadSession, { trigrams, names, isOneName }: IndexQuery): readonly SearchCandidate[] {
  const match = trigrams === null || isOneName ? null : renderMatch(trigrams);
  if (names.length > 0) return listFilesWithNames(session, names, match);
  return match === null ? listSearchableFiles(session) : listFilesMatchingText(session, match);
}

/** A filter that no file passes is a mistake, and not an answer of none. */
function anyMatches(session: ReadSession, globs: readonly string[], view: CodeView): boolean {
  const accepts = compilePathFilter(globs);
  return listAllPaths(session).some(accepts) || [...view.differences.added].some(accepts);
}

function countHits(view: CodeView, ask: SearchAsk, found: SearchAnswer): Count {
  const { value, relation, unresolved } = found.count;
  if (relation === 'eq') return { value, relation, unresolved: [] };
  const unverified = whyUnverified(view);
  return {
    value,
    relation,
    unresolved: [
      ...(found.timedOut ? [`the search ended after ${ask.deadlineMs / 1000} s`] : []),
      ...(found.truncated && !found.timedOut ? [`the list ends at ${plural(ask.limit, 'hit')}`] : []),
      ...(ask.continueToken === null ? [] : ['hits of the pages before were counted earlier']),
      ...(unresolved === 0 ? [] : [`${plural(unresolved, 'file')} could not be searched (${tallies(found.hidden)})`]),
      ...(unverified === null ? [] : [unverified]),
    ],
  };
}
