/** The tools that ask the code index: each renames fields of its call, asks one operation, and says what to do next. */

import { oneOf, strictInput, z } from '../../kernel/base/schema.ts';
import def from '../operations/def.ts';
import deps from '../operations/deps.ts';
import type { Semantics } from '../operations/describe-index.ts';
import implementations from '../operations/implementations.ts';
import { targetFields } from '../operations/input.ts';
import outline from '../operations/outline.ts';
import refs from '../operations/refs.ts';
import search from '../operations/search.ts';
import slice from '../operations/slice.ts';
import status from '../operations/status.ts';
import symbols from '../operations/symbols.ts';
import { askForTool } from './ask-for-tool.ts';
import { defineTool, fieldsOf, loose, readTarget, type ToolAnswer, type ToolInput, type ToolWorld } from './tool.ts';
import { dropNothing } from './tool-wording.ts';

const navigations = ['def', 'refs', 'implementations', 'deps'] as const;

type Ask = (input: ToolInput, token: unknown, world: ToolWorld) => Promise<ToolAnswer>;

const navigate: Readonly<Record<(typeof navigations)[number], Ask>> = {
  def: (input, token, world) => {
    const lists = ['definitions', 'chain', 'modules', 'outside'];
    return askForTool(def, { input, token, lists, next: () => 'Read the definition at path:line:col.' }, world);
  },
  refs: (input, token, world) => {
    const next = ({ unresolved, count }: { readonly unresolved: readonly unknown[]; readonly count: Counted }) =>
      unresolved.length > 0
        ? 'Places that could mean it may be uses too: read them. To rename, call plan_refactor.'
        : count.relation === 'gte'
          ? 'There may be more uses, for the reasons given. To rename, call plan_refactor instead of editing each.'
          : 'These are all uses. To rename, call plan_refactor instead of editing each.';
    return askForTool(refs, { input, token, lists: ['files[].hits', 'unresolved[].hits'], next }, world);
  },
  implementations: (input, token, world) => {
    const next = () => 'Read one at path:line:col.';
    return askForTool(implementations, { input, token, lists: ['implementations'], next }, world);
  },
  deps: ({ target, ...others }, token, world) => {
    const input = { ...others, path: target };
    const lists = ['imports', 'importers', 'also_uses', 'also_used_by'];
    const next = () => 'Ask deps of a file named here to go on; to move a file, call plan_refactor.';
    return askForTool(deps, { input, token, names: { path: 'target' }, lists, next }, world);
  },
};
type Counted = { readonly relation: 'eq' | 'gte' };

const depsFields = fieldsOf(deps, ['reverse', 'limit', 'continue']);

/** `navigate`: from a place or a name to where it is declared, used, implemented, or to what a file imports. */
export const navigateTool = defineTool({
  name: 'navigate',
  says: 'What grep cannot tell: where a name is declared (def), every use bound by scope, imports and types (refs), what implements it (implementations), what a file imports (deps; reverse: its importers). Use it before you change or delete anything. outcome ambiguous: call again with a candidate.',
  readsOnly: true,
  input: strictInput({
    op: oneOf(navigations),
    target: fieldsOf(def, ['target']).target.describe(
      'path:line:col, name path (Class/method), path#name; deps: a file',
    ),
    ...depsFields,
  }),
  run: ({ op, target, continue: token, ...input }, world) =>
    navigate[op as (typeof navigations)[number]]({ ...input, target: readTarget(target) }, token, world),
});

const searchFields = fieldsOf(search, ['query', 'regex', 'ignore_case', 'word', 'path', 'lang', 'limit', 'continue']);

/** `search`: text, found by the index and verified against the disk. */
export const searchTool = defineTool({
  name: 'search',
  says: 'Full-text search of the repository. Use it instead of grep for text, comments and config; for a declaration use symbols, for uses of a name navigate refs. outcome ok with count eq 0: it is nowhere.',
  readsOnly: true,
  input: strictInput({
    ...searchFields,
    regex: searchFields.regex.describe('query is a JavaScript regex'),
    path: searchFields.path.describe('globs; ! excludes'),
  }),
  run: ({ continue: token, ...input }, world) =>
    askForTool(
      search,
      {
        input,
        token,
        lists: ['files[].hits'],
        next: ({ count }) =>
          count.value > 0
            ? 'Read around a hit, or ask navigate with its path:line:col.'
            : count.relation === 'eq'
              ? 'It occurs nowhere in scope; try ignore_case, or another spelling.'
              : 'Nothing was found where it could be looked for, and not everything could.',
      },
      world,
    ),
});

const symbolOps = ['find', 'outline'] as const;
/** More than an answer has room for: what is not sent need not be described. */
const fittingSymbols = 50;
const symbolFields = fieldsOf(symbols, ['query', 'kind', 'path', 'exact', 'limit', 'continue']);

/** `symbols`: declarations by name, or those of one file. */
export const symbolsTool = defineTool({
  name: 'symbols',
  says: 'Declarations: op find by name or name path (Class/method), op outline those of one file. Use it instead of grepping for "class X" or reading a whole file. Its path:line:col is a target for navigate and plan_refactor.',
  readsOnly: true,
  input: strictInput({
    op: oneOf(symbolOps).optional().describe('default find'),
    ...symbolFields,
    query: loose(symbolFields.query),
    path: symbolFields.path.describe('globs, for find'),
    file: loose(targetFields.path).describe('for outline'),
  }),
  run: ({ op = 'find', continue: token, ...given }, world) => {
    if (op === 'find') {
      const next = ({ count }: { readonly count: { readonly value: number } }) =>
        count.value === 0
          ? 'No symbol has this name; try a part of it, or search for the text.'
          : 'Ask navigate or plan_refactor with the path:line:col of the one you mean.';
      return askForTool(
        symbols,
        { input: { limit: fittingSymbols, ...given }, token, lists: ['symbols'], next },
        world,
      );
    }
    const { path, file = onlyOf(path), ...others } = given;
    const input = { ...others, ...(file === undefined ? {} : { path: file }) };
    const next = () => 'Ask navigate with path:line:col of a symbol, or read from_line to to_line.';
    return askForTool(outline, { input, token, names: { path: 'file' }, lists: ['symbols'], next }, world);
  },
});

/** One path is the file that is meant. */
function onlyOf(paths: unknown): unknown {
  return Array.isArray(paths) && paths.length === 1 ? paths[0] : undefined;
}

/** `slice`: an extract for reading. */
export const sliceTool = defineTool({
  name: 'slice',
  says: 'Only the lines that matter, instead of whole files: where a variable gets and gives its values (def-use), a file’s imports, exports and top level (imports), what a definition leans on (dependency-chain).',
  readsOnly: true,
  input: strictInput({ ...fieldsOf(slice, ['kind', 'target']), continue: z.string().optional() }),
  run: ({ continue: token, target, ...others }, world) =>
    askForTool(
      slice,
      {
        input: { ...others, target: readTarget(target) },
        token,
        lists: ['definitions', 'uses', 'escapes', 'flow', 'imports', 'exports', 'locals', 'links'],
        next: ({ truncated }) =>
          truncated ? 'The slice reached its limits: slice from a nearer place.' : 'Read the places it names.',
      },
      world,
    ),
});

/** `status`: what the index knows, and whether compiler facts are there. */
export const statusTool = defineTool({
  name: 'status',
  says: 'Is the code index complete, fresh, backed by compiler facts? Call it when a count is gte or a plan is blocked.',
  readsOnly: true,
  input: strictInput({ continue: z.string().optional() }),
  run: ({ continue: token, ...input }, world) =>
    askForTool(
      status,
      {
        input,
        token,
        show: showStatus,
        lists: ['languages', 'semantic.contexts', 'semantic.problems', 'semantic.unsettled'],
        next: ({ semantic: { state, jobs, contexts }, writer }) => {
          if (state === 'clean' && contexts.every(({ probe }) => probe === 'ok'))
            return 'Everything is indexed: ask with symbols, navigate and search.';
          if (state === 'none') return 'No compiler facts are to be had here; everything syntactic is indexed: ask.';
          if (jobs.queued + jobs.running === 0)
            return 'Everything syntactic is indexed: ask. Why compiler facts are missing is in semantic.contexts.';
          return writer === null
            ? 'Syntax is indexed; for types run `codegenie index --semantic` in a shell, or plan with a longer wait_ms.'
            : 'Syntax is indexed: ask. Compiler facts are on their way without your doing.';
        },
      },
      world,
    ),
});

/** What is above every answer is not said twice, and files that a job will come to are not named one by one. */
function showStatus({ repo, freshness, root: _, head: __, generation: ___, ...fields }: ToolInput): ToolInput {
  const { semantic } = fields as { readonly semantic: Semantics };
  const { unsettled, jobs } = semantic;
  const isUnderWay = jobs.queued + jobs.running > 0;
  const named = unsettled.filter((file) => file.freshness !== 'unindexed' || !isUnderWay);
  const slim = dropNothing({ ...fields, semantic: { ...semantic, unsettled: named } });
  return { repo, freshness, ...(slim as ToolInput) };
}
