/**
 * A question cut down to what its answer needs (mutation.md §4): what is asked, the few facts it turns on, the closed list of answers, how
 * an answer is checked and when to give up. Five types. Places and at most five lines of code each, never files; every list is capped at
 * 20 and says so. The id of an output is the candidate to select if it is the answer.
 */

import { createQuestion, type Question } from '../../index/navigate/question.ts';
import { type FileFacts, withSourceTree } from '../../index/navigate/read-file-facts.ts';
import { listContexts, listContextsOfFile } from '../../index/store/stored-contexts.ts';
import { findSecretSpans, maskSpans } from '../../index/text/redact-secrets.ts';
import { singleLine, truncate } from '../../kernel/base/text.ts';
import { type FlatTree, firstChild, flattenTree } from '../../languages/parsing/flat-tree.ts';
import type { DefUseSlice } from '../../languages/scopes/def-use.ts';
import type { ScopeTree } from '../../languages/scopes/scope-tree.ts';
import type { DecisionCapsule } from '../answer.ts';
import { createLines, type Lines } from '../plans/anchors.ts';
import { candidateId } from '../plans/ids.ts';
import type { Item, Plan } from '../plans/plan.ts';
import { lineKey, unsaidLines } from '../plans/short-answers.ts';
import type { ItemKind, Loc } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';
import { maxListed } from './candidates.ts';

const codeLines = 5;
const lineChars = 200;

/** Kinds that are left out have no receiver, string, scope or import to look up: their candidates and the checklist say all there is. */
const capsuleOfKind: Partial<Record<ItemKind, DecisionCapsule['type']>> = {
  unaccounted_token: 'scope_resolution',
  multiple_definitions: 'scope_resolution',
  indexer_gap: 'scope_resolution',
  untyped_access: 'receiver_resolution',
  dynamic_access: 'receiver_resolution',
  untyped_boundary: 'receiver_resolution',
  untyped_exit: 'receiver_resolution',
  uncovered_file: 'context_membership',
  unresolved_reference: 'import_alias',
  dist_boundary: 'import_alias',
  string_reference: 'string_reference',
  text_reference: 'string_reference',
};

export async function buildCapsules(
  world: Pick<MutationWorld, 'view' | 'nowMs' | 'signal'>,
  plan: Plan,
  /** Where `plan` has only some of its questions. */
  whole: Plan = plan,
): Promise<readonly DecisionCapsule[]> {
  const question = createQuestion(world.view, world);
  const items = plan.items.slice(0, maxListed);
  const unsaid = unsaidLines(whole);
  const around = await surroundingsOf(
    question,
    items.filter(({ kind }) => looksAround.has(capsuleOfKind[kind])),
  );
  return items.flatMap((item) => {
    const type = capsuleOfKind[item.kind];
    return type === undefined ? [] : [makers[type](question, plan, item, { around: around.get(item), unsaid })];
  });
}

/** A file is parsed once for all that is asked about it. */
const looksAround: ReadonlySet<DecisionCapsule['type'] | undefined> = new Set([
  'scope_resolution',
  'receiver_resolution',
  'string_reference',
]);

type About = { readonly around: Surroundings | undefined; readonly unsaid: ReadonlySet<string> };
type Maker = (question: Question, plan: Plan, item: Item, about: About) => DecisionCapsule;
type Output = DecisionCapsule['outputs'][number];

const makers: Readonly<Record<DecisionCapsule['type'], Maker>> = {
  scope_resolution(question, plan, item, { around, unsaid }) {
    const [chain, isCut] = cap(around?.scopeChain ?? []);
    const visible = around?.visible ?? [];
    return capsule('scope_resolution', item, {
      inputs: {
        question: 'which definition is in scope here?',
        name: item.text,
        scope_chain: chain,
        ancestors: (around?.ancestors ?? []).slice(0, 3),
        code: codeAt(question, item, unsaid),
      },
      outputs: [
        ...visible.map((at) => answer(item, 'no', `another definition of this name, at ${at.file}:${at.line}`, [at])),
        answer(item, 'yes', `${plan.symbol.kind} ${plan.symbol.namePath}, the one that is renamed`, [
          plan.symbol.definedAt,
        ]),
        answer(item, 'no', 'none that is known', []),
      ],
      verify_by: 'the declaration named is the nearest one that encloses the token, or is imported under this name',
      stop_rule: 'if no enclosing scope and no import of the file has the name, it is none that is known',
      truncated: isCut,
    });
  },

  receiver_resolution(question, plan, item, { around, unsaid }) {
    const slice = around?.receiver ?? null;
    const [definitions, cutDefinitions] = cap(slice?.definitions ?? []);
    const [uses, cutUses] = cap(slice?.uses ?? []);
    const owner = plan.symbol.namePath.split('/').slice(0, -1).join('/');
    return capsule('receiver_resolution', item, {
      inputs: {
        question: receiverQuestions[item.kind] ?? 'what can this receiver be?',
        receiver: slice?.variable ?? null,
        // The one that is looked for now, and the one that would be.
        name: plan.symbol.name,
        new_name: plan.newName,
        definitions,
        uses,
        code: codeAt(question, item, unsaid),
      },
      outputs: [
        answer(item, 'yes', owner === '' ? 'the owner of the renamed member' : owner, [plan.symbol.definedAt]),
        answer(item, 'no', 'none of them', []),
      ],
      verify_by: 'a value of that type reaches the receiver through one of the definitions',
      stop_rule: 'if the values come from outside this file and nothing says what they are, ask its author',
      truncated: cutDefinitions || cutUses,
    });
  },

  context_membership(question, _, item) {
    const all = question.ask(listContexts);
    const members = new Set(question.ask((session) => listContextsOfFile(session, item.path)).map(({ key }) => key));
    const [contexts, isCut] = cap(all);
    return capsule('context_membership', item, {
      inputs: {
        question: 'which projects include this file?',
        file: item.path,
        configs: contexts.map(({ key, configPath, root }) => ({
          key,
          config: configPath,
          root,
          includes: members.has(key),
        })),
      },
      outputs: [
        ...contexts.map(({ key, configPath }) =>
          answer(item, 'yes', key, configPath === null ? [] : [{ file: configPath, line: 1, col: 1 }]),
        ),
        answer(item, 'no', 'none of them', []),
      ],
      verify_by: 'the patterns of the configuration match the path of the file',
      stop_rule: 'if no configuration names the file or a directory above it, it is none of them',
      truncated: isCut,
    });
  },

  import_alias(question, plan, item, { unsaid }) {
    const { name, definedAt } = plan.symbol;
    const [imports, isCut] = cap(question.imports(item.path));
    const reached = imports.map(({ specifier, names, targets, candidates, reason }) => ({
      specifier,
      names: names.slice(0, maxListed).map((one) => (one.alias === null ? one.name : `${one.name} as ${one.alias}`)),
      resolved: targets.slice(0, maxListed),
      candidates: candidates.slice(0, maxListed),
      reason,
      chain: targets.slice(0, 3).flatMap((target) => chainOf(question, target, name)),
    }));
    const paths = [...new Set(reached.flatMap(({ chain }) => chain.map(({ path }) => path)))];
    return capsule('import_alias', item, {
      inputs: {
        question: 'does this import reach the symbol?',
        name,
        imports: reached,
        code: codeAt(question, item, unsaid),
      },
      outputs: [
        ...(paths.length === 0 ? [definedAt.file] : paths)
          .slice(0, maxListed - 1)
          .map((path) =>
            answer(item, 'yes', `yes, by ${path}`, [
              path === definedAt.file ? definedAt : { file: path, line: 1, col: 1 },
            ]),
          ),
        answer(item, 'no', 'no', []),
      ],
      verify_by: 'each step of the chain exports the name, and the last one is the definition',
      stop_rule: 'if a step is outside the repository, it does not reach the symbol',
      truncated: isCut,
    });
  },

  string_reference(question, plan, item, { around, unsaid }) {
    return capsule('string_reference', item, {
      inputs: {
        question: 'does this string name the symbol?',
        string: item.text,
        name: plan.symbol.name,
        new_name: plan.newName,
        around: (around?.ancestors ?? []).slice(0, 3),
        consumer: unsaid.has(lineKey({ file: item.path, line: item.line })) ? null : (around?.consumer ?? null),
        code: codeAt(question, item, unsaid),
      },
      outputs: [
        answer(item, 'yes', item.kind === 'string_reference' ? 'rename' : 'it is called by this name', []),
        answer(item, 'no', item.kind === 'string_reference' ? 'leave' : 'it is not', []),
      ],
      verify_by: 'the consumer uses the string to reach a member, an export or a declaration by its name',
      stop_rule: 'if the consumer is outside the repository and undocumented, leave it and say so',
      truncated: false,
    });
  },
};

/** Where a value stands itself, and not something of it. */
const receiverQuestions: Partial<Record<ItemKind, string>> = {
  dynamic_access: 'can this be the name, and what it is looked up in the owner of it?',
  untyped_boundary: 'does what comes in here carry the name?',
  untyped_exit: 'does anything read the name from this value after it leaves here?',
};

type Parts = Omit<DecisionCapsule, 'type' | 'item'>;

function capsule(type: DecisionCapsule['type'], item: Item, { outputs, truncated, ...parts }: Parts): DecisionCapsule {
  const [kept, isCut] = cap(outputs);
  return { type, item: item.id, ...parts, outputs: kept, truncated: truncated || isCut };
}

/** `yes`: it is, or can be, the thing that is renamed. */
function answer(item: Item, means: 'yes' | 'no', value: string, evidence: readonly Loc[]): Output {
  const wanted = means === 'yes' ? ['rename', 'edit', 'stop'] : ['leave', 'accept', 'keep_alias'];
  const has = new Set(item.options.map(({ id }) => id));
  const option = wanted.find((id) => has.has(id)) ?? item.options[0]?.id ?? '';
  return { id: candidateId(item.id, option), value: truncate(singleLine(value), lineChars), evidence };
}

const maskedLines = new WeakMap<object, Lines>();

function codeAt(
  question: Question,
  item: Item,
  unsaid: ReadonlySet<string>,
): readonly { readonly line: number; readonly text: string }[] {
  const source = question.source(item.path);
  if (source === undefined) return [];
  const lines =
    maskedLines.get(source) ?? createLines(maskSpans(source.text, findSecretSpans(source.text, source.bytes)));
  maskedLines.set(source, lines);
  const first = Math.max(0, item.line - 1 - Math.floor(codeLines / 2));
  return Array.from({ length: codeLines }, (_, at) => first + at).flatMap((index) => {
    const text = lines.line(index);
    const isSaid = !unsaid.has(lineKey({ file: item.path, line: index + 1 }));
    return text === undefined || !isSaid ? [] : [{ line: index + 1, text: truncate(singleLine(text), lineChars) }];
  });
}

/** From a file through its re-exports to where the name is declared, a few steps at most. */
function chainOf(
  question: Question,
  path: string,
  name: string,
): readonly { readonly path: string; readonly exports: string }[] {
  const chain: { path: string; exports: string }[] = [];
  let at: string | undefined = path;
  while (at !== undefined && chain.length < codeLines && !chain.some((step) => step.path === at)) {
    const here: string = at;
    const found = question.exports(here).find(({ publicName, star }) => publicName === name || star);
    if (found === undefined) break;
    chain.push({ path: here, exports: found.star ? '*' : found.publicName });
    const { specifier } = found;
    at = specifier === null ? undefined : question.imports(here).find((one) => one.specifier === specifier)?.targets[0];
  }
  return chain;
}

function cap<T>(list: readonly T[]): readonly [kept: readonly T[], isCut: boolean] {
  return [list.slice(0, maxListed), list.length > maxListed];
}

// What the syntax says around a place that is asked about: for a reader, never an input of an edit.

type Surroundings = {
  /** From the inside out. */
  readonly scopeChain: readonly { readonly kind: string; readonly line: number }[];
  /** Declarations of the name in these scopes. */
  readonly visible: readonly Loc[];
  /** Kinds of the nodes around it, from the inside out. */
  readonly ancestors: readonly string[];
  /** The call or property that a string is given to. */
  readonly consumer: string | null;
  /** Of what stands left of the dot. */
  readonly receiver: {
    readonly variable: string;
    readonly definitions: readonly (Loc & { readonly kind: string })[];
    readonly uses: readonly Loc[];
  } | null;
};

const consumerChars = 120;

/** None where the file is not parsed. */
async function surroundingsOf(question: Question, items: readonly Item[]): Promise<ReadonlyMap<Item, Surroundings>> {
  const found = new Map<Item, Surroundings>();
  for (const [path, own] of Map.groupBy(items, (item) => item.path)) {
    const facts = await question.facts(path);
    if (facts === undefined) continue;
    const { sliceDefUse } = await import('../../languages/scopes/def-use.ts');
    const { language, source, scopes } = facts;
    const lines = createLines(source.text);
    const parts = await withSourceTree(path, language, source.text, (tree) => {
      const flat = flattenTree(tree);
      return own.map((item) => {
        const offset = lines.offsetOf(item.line - 1, item.col - 1) ?? 0;
        const nodes = nodesAround(flat, offset);
        const receiver = receiverEnd(source.text, offset);
        const before = receiver === undefined ? null : sliceDefUse(tree, language, receiver, scopes);
        // Where nothing stands before it, or no variable does, it is about the value itself.
        const isItself = before === null && item.kind in receiverQuestions;
        return {
          offset,
          slice: isItself ? sliceDefUse(tree, language, offset + item.text.length, scopes) : before,
          ancestors: nodes.slice(1).map((node) => flat.type[node] ?? ''),
          consumer: consumerOf(flat, nodes),
        };
      });
    });
    own.forEach((item, at) => {
      const part = parts[at];
      if (part !== undefined) found.set(item, describeAround(facts, lines, item, part));
    });
  }
  return found;
}

type Part = {
  readonly offset: number;
  readonly slice: DefUseSlice | null;
  readonly ancestors: readonly string[];
  readonly consumer: string | null;
};

function describeAround(
  { path, scopes }: FileFacts,
  lines: ReturnType<typeof createLines>,
  item: Item,
  { offset, slice, ancestors, consumer }: Part,
): Surroundings {
  const placed = (at: { readonly start: number }): Loc => locOf(path, lines, at.start);
  const chain = scopesAround(scopes, offset);
  const inChain = new Set(chain);
  return {
    scopeChain: chain.map((scope) => ({
      kind: scopes.scopes[scope]?.kind ?? 'module',
      line: lines.lineOf(scopes.scopes[scope]?.start ?? 0) + 1,
    })),
    visible: scopes.bindings
      .filter(({ name, scope }) => name === item.text && inChain.has(scope))
      .flatMap(({ declarations: [first] }) => (first === undefined ? [] : [placed(first)])),
    ancestors,
    consumer,
    receiver:
      slice === null
        ? null
        : {
            variable: slice.variable,
            definitions: slice.definitions.map((one) => ({ ...placed(one), kind: one.kind })),
            uses: slice.uses.map(placed),
          },
  };
}

/** From the smallest node outwards. */
function nodesAround(tree: FlatTree, offset: number): readonly number[] {
  const path: number[] = [];
  for (let node = 0; node >= 0; ) {
    path.push(node);
    let inner = -1;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      if ((tree.start[child] ?? 0) <= offset && offset < (tree.end[child] ?? 0)) inner = child;
    }
    node = inner;
  }
  return path.reverse();
}

function consumerOf(tree: FlatTree, nodes: readonly number[]): string | null {
  const found = nodes.find((node) =>
    /call|new_expression|pair|attribute|decorator|subscript|keyword_argument/.test(tree.type[node] ?? ''),
  );
  if (found === undefined) return null;
  return truncate(singleLine(tree.text.slice(tree.start[found], tree.end[found])), consumerChars);
}

/** Where the name left of `.`, `?.`, `->`, `::` or `[` ends. */
function receiverEnd(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - 8), offset);
  const found = /(?:\?\.|\.|->|::|\[)\s*["'`]?$/.exec(before);
  return found === null ? undefined : offset - found[0].length;
}

function scopesAround({ scopes }: ScopeTree, offset: number): readonly number[] {
  let inner = -1;
  for (const [at, { start, end }] of scopes.entries()) if (start <= offset && offset < end) inner = at;
  const chain: number[] = [];
  for (let at = inner; at >= 0; at = scopes[at]?.parent ?? -1) chain.push(at);
  return chain;
}

function locOf(file: string, lines: Lines, start: number): Loc {
  const line = lines.lineOf(start);
  return { file, line: line + 1, col: start - (lines.offsetOf(line, 0) ?? start) + 1 };
}
