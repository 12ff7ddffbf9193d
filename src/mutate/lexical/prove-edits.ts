/** The parse and scope proofs of a whole plan (mutation.md §3.2), file by file, from the texts the plan was made from. */

import type { Question } from '../../index/state/navigate/question.ts';
import { withSourceTree } from '../../index/state/navigate/read-file-facts.ts';
import { analyseScopes, hasScopeModel } from '../../index/syntax/scopes/analyse-scopes.ts';
import type { CompilerEdit, Refusal } from '../compiler/types.ts';
import { applyEdits } from './apply-edits.ts';
import { type BrokenPlace, compareLeaves, listLeaves, mayParse } from './parse-proof.ts';
import { compareScopes } from './scope-proof.ts';
import { type IndexFindings, refuse } from './types.ts';

export type ProvedEdits = { readonly kind: 'proved'; readonly proofs: IndexFindings['proofs'] } | Refusal;

export async function proveEdits(question: Question, edits: readonly CompilerEdit[]): Promise<ProvedEdits> {
  for (const [path, own] of Map.groupBy(edits, (edit) => edit.path)) {
    const source = question.source(path);
    const language = question.file(path)?.language ?? null;
    if (source === undefined) return refuse('parse_breaks', `${path} cannot be read`);
    const edited = applyEdits(source.text, own);
    if (edited.kind === 'unfit')
      return refuse('overlap', edited.why, [{ path, start: edited.start, end: edited.end, says: edited.why }]);
    if (!mayParse(language, source.text)) continue;
    const before = await read(path, language, source.text);
    const after = await read(path, language, edited.text);
    const parse = compareLeaves(path, before.leaves, after.leaves, { oldText: source.text, ...edited });
    if (parse.kind === 'breaks')
      return broken('parse_breaks', 'the edited file does not parse as before', parse.places);
    if (before.scopes === undefined || after.scopes === undefined) continue;
    const scope = compareScopes(path, before.scopes, after.scopes, edited);
    if (scope.kind === 'breaks')
      return broken('bindings_change', 'a name would mean something else than before', scope.places);
  }
  return { kind: 'proved', proofs: { parse: 'holds', scope: 'holds', places: [] } };
}

/** Each text is parsed once for both proofs. */
function read(path: string, language: string, text: string) {
  return withSourceTree(path, language, text, (source) => ({
    leaves: listLeaves(source),
    scopes: hasScopeModel(language) ? analyseScopes(source, language) : undefined,
  }));
}

function broken(reason: Refusal['reason'], detail: string, places: readonly BrokenPlace[]): Refusal {
  return refuse(reason, detail, places);
}
