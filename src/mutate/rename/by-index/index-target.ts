/**
 * What a rename at a token is about, without the compiler (mutation.md §2.1, §2.4 "reach"): a binding that the language confines to its file,
 * another name that an import gives to something, a parameter that callers may name, or a symbol of an indexer; and which files it rests
 * on, which have to be fresh (§2.5), and whether it can have the new name (§2.7).
 */

import { type FileState, neverIndexed } from '../../../index/freshness/file-states.ts';
import { isConfinedBinding } from '../../../index/navigate/name-family.ts';
import type { Question } from '../../../index/navigate/question.ts';
import type { FileFacts } from '../../../index/navigate/read-file-facts.ts';
import { listSaidOf, type Said } from '../../../index/navigate/semantic-layer.ts';
import type { Subject } from '../../../index/navigate/subject.ts';
import { findContext } from '../../../index/store/stored-contexts.ts';
import { findQueuedJob, findRunningJob, listJobs } from '../../../index/store/stored-jobs.ts';
import { listDefinitionsOf } from '../../../index/store/stored-occurrences.ts';
import { compareCodeUnits } from '../../../kernel/base/json.ts';
import { quotedPath } from '../../../kernel/base/text.ts';
import { isJavaScript } from '../../../languages/language-family.ts';
import { hasSyntax } from '../../../languages/languages.ts';
import { checkName, findCoupledFileName, type NameProblem } from '../../../languages/naming.ts';
import { childByField, childByType, type FlatTree } from '../../../languages/parsing/flat-tree.ts';
import type { Binding } from '../../../languages/scopes/scope-tree.ts';
import { type CodeSpan, type Refusal, type RenameFindings, refuse } from '../../compiler/session/messages.ts';

type NotClean = {
  readonly path: string;
  readonly state: string;
  readonly why: string;
  /** Of the context that would have to look; null where the file is in none. */
  readonly context: string | null;
  /** What a refresh of that context has to look at. */
  readonly scope: string;
};

export type IndexBlocked = {
  readonly kind: 'blocked';
  readonly reason: 'not_fresh' | 'truncated';
  readonly detail: string;
  readonly files: readonly NotClean[];
};

export type IndexUnsupported = {
  readonly kind: 'unsupported';
  readonly reason: 'language' | 'missing_tool';
  readonly detail: string;
};

export type Target = {
  readonly facts: FileFacts;
  readonly oldName: string;
  /** Position in `facts.bindings`; the whole binding is meant. */
  readonly binding: number | null;
  /** What indexers say stands there. */
  readonly said: readonly Said[];
  /** `parameter`: one that a caller may name, so other files hold uses of it, as names of arguments. */
  readonly kind: 'confined' | 'alias' | 'parameter' | 'symbol';
};

type NoTarget = Refusal | IndexBlocked | IndexUnsupported;

/** Languages in which every way of naming something in another file is known here. */
const wholeLanguages: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'go']);

/** Callers may name a parameter, and the callers are not known here. */
export const namesArguments: ReadonlySet<string> = new Set(['csharp', 'php', 'ruby']);

export async function findTarget(question: Question, subject: Subject): Promise<Target | NoTarget> {
  const { facts, token } = subject;
  const { language, path } = facts;
  if (!hasSyntax(language))
    return { kind: 'unsupported', reason: 'language', detail: `${language} has no scope model` };
  if (token.class !== 'code') return refuse('not_renamable', `a name in a ${token.class} means no symbol`);
  if (question.file(path)?.vendored === true) return refuse('vendored', `${quotedPath(path)} is vendored`);
  const oldName = token.text;
  const special = whySpecial(language, oldName);
  if (special !== undefined) return refuse('not_renamable', special);
  const bound = facts.boundAt.get(token.start)?.binding ?? (subject.kind === 'binding' ? subject.binding : undefined);
  const binding = bound === undefined ? undefined : facts.bindings[bound];
  const said = listSaidOf(question.semantic().said(path)?.at, facts, token).filter(({ form }) => form !== 'module');
  const base = { facts, oldName, said };
  if (bound !== undefined && binding !== undefined && facts.boundAt.has(token.start)) {
    const isProperty = isPropertyToo(facts, binding);
    if (isModuleName(facts, binding))
      return refuse('not_renamable', `${oldName} is the name of a module or package: moving it is another refactoring`);
    if (isOwnAlias(facts, binding)) return { ...base, binding: bound, kind: 'alias' };
    const isNamedElsewhere = binding.kind === 'parameter' && namesArguments.has(language);
    const isOwn = binding.importOf === undefined && !isProperty && !isNamedElsewhere;
    if (isOwn && isConfinedBinding(question, facts, bound)) {
      const isNamed = language === 'python' && binding.kind === 'parameter' && (await mayBeNamed(facts, binding));
      return { ...base, binding: bound, kind: isNamed ? 'parameter' : 'confined' };
    }
  }
  if (!wholeLanguages.has(language))
    return {
      kind: 'unsupported',
      reason: 'language',
      detail: `names of ${language} that other files can mean are renamed by force_syntactic alone`,
    };
  return findSymbolTarget(question, { ...base, binding: bound ?? null, kind: 'symbol' });
}

function findSymbolTarget(question: Question, target: Target): Target | NoTarget {
  const { facts, said, oldName } = target;
  const state = question.semantic().states.of(facts.path);
  if (state.freshness === 'unsupported')
    return {
      kind: 'unsupported',
      reason: 'missing_tool',
      detail: `no indexer looks at ${quotedPath(facts.path)}${state.detail === null ? '' : `: ${state.detail}`}`,
    };
  if (state.freshness !== 'clean' || !facts.isIndexed)
    return {
      kind: 'blocked',
      reason: 'not_fresh',
      detail: `${quotedPath(facts.path)} is not clean`,
      files: describeNotClean(question, [facts.path]),
    };
  const named = said.filter(({ form }) => form === 'name' || form === 'string');
  if (named.length === 0) {
    if (said.some(({ form }) => form === 'keyword'))
      return refuse('not_renamable', `${oldName} is a word of the language`);
    return refuse('no_symbol', `no indexer says what ${oldName} is`);
  }
  if (named.some(({ key }) => key.endsWith('/') || /(?:^|[/`])__init__:$/.test(key)))
    return refuse('not_renamable', `${oldName} is the name of a module or package: moving it is another refactoring`);
  if (named.every(({ inRepo }) => !inRepo))
    return refuse('external_symbol', `${oldName} is declared outside the repository`);
  const differs = findDivergence(question, named);
  if (differs !== undefined) return refuse('divergence', differs);
  return { ...target, said: named };
}

/** Projects that read one token as different things. Locals are numbered by each project anew: what they are is where they are defined. */
function findDivergence(question: Question, said: readonly Said[]): string | undefined {
  const byContext = new Map<number, string[]>();
  for (const { contextId, symbolId, key } of said) {
    const names = byContext.get(contextId) ?? [];
    names.push(key.startsWith('local ') ? placesOf(symbolId) : key);
    byContext.set(contextId, names);
  }
  const views = [...byContext.values()].map((names) => [...new Set(names)].sort().join(', '));
  const [first] = views;
  const other = views.find((view) => view !== first);
  return other === undefined ? undefined : `projects disagree: ${first} or ${other}`;

  function placesOf(symbolId: number): string {
    const found = question.ask((session) => listDefinitionsOf(session, [symbolId]));
    return found.map(({ path, start }) => `${path}:${start}`).join(' ');
  }
}

/** Names the language gives a meaning of its own. */
function whySpecial(language: string, name: string): string | undefined {
  if (language === 'python' && /^__\w+__$/.test(name)) return `${name} is called by the language by that name`;
  if (language === 'python' && name === 'self') return undefined;
  if (language === 'go' && (name === 'main' || name === 'init' || name === '_'))
    return `${name} has a meaning of its own in Go`;
  if (isJavaScript(language) && (name === 'default' || name === 'constructor' || name === 'arguments'))
    return `${name} is a word of the language`;
  return undefined;
}

/** Is the declaration also a member of something: a parameter property? Patterns name a member and declare a name of their own. */
export function isPropertyToo(facts: FileFacts, { declarations }: Binding): boolean {
  const shorthands = new Set(facts.tokens.filter(({ role }) => role === 'shorthand').map(({ start }) => start));
  return declarations.some(({ start }) => facts.memberAt.has(start) && !shorthands.has(start));
}

/** `import { a as b }`, `import x.y as b`, `import d from`: a name that only this file gave. */
export function isOwnAlias({ language }: FileFacts, { name, importOf, kind }: Binding): boolean {
  // Go declares a name only where an import writes one.
  if (importOf === undefined) return language === 'go' && kind === 'import';
  if (importOf.name === '*') return isJavaScript(language) || importOf.specifier.split('.')[0] !== name;
  if (importOf.name === 'default' || importOf.name === '=') return true;
  return importOf.name !== name;
}

function isModuleName({ language }: FileFacts, { name, importOf }: Binding): boolean {
  return language === 'python' && importOf?.name === '*' && importOf.specifier.split('.')[0] === name;
}

/** Callers may write `f(a=1)`: not for `*a`, `**a`, what stands before `/`, and a method's first parameter. */
export async function mayBeNamed(facts: FileFacts, { declarations }: Binding): Promise<boolean> {
  const at = declarations[0]?.start ?? -1;
  const { withSourceTree } = await import('../../../index/navigate/read-file-facts.ts');
  const { flattenTree } = await import('../../../languages/parsing/flat-tree.ts');
  return withSourceTree(facts.path, facts.language, facts.source.text, (source) => isNameable(flattenTree(source), at));
}

function isNameable(tree: FlatTree, at: number): boolean {
  let node = -1;
  for (let one = 0; one < tree.count; one++) if (tree.start[one] === at && tree.type[one] === 'identifier') node = one;
  let parameter = node;
  let list = tree.parent[node] ?? -1;
  while (list >= 0 && tree.type[list] !== 'parameters' && tree.type[list] !== 'lambda_parameters') {
    if (/splat_pattern$/.test(tree.type[list] ?? '')) return false;
    parameter = list;
    list = tree.parent[list] ?? -1;
  }
  if (list < 0) return true;
  const slash = childByType(tree, list, 'positional_separator');
  if (slash > parameter) return false;
  const isFirst =
    childByType(tree, list, tree.type[parameter] ?? '') === parameter && (tree.start[list] ?? 0) + 1 === at;
  const owner = tree.parent[list] ?? -1;
  const block = tree.parent[owner] ?? -1;
  const outer = tree.type[block] === 'decorated_definition' ? (tree.parent[block] ?? -1) : block;
  const isMethod = tree.type[tree.parent[outer] ?? -1] === 'class_definition' && childByField(tree, owner, 'name') >= 0;
  const decorators =
    tree.type[block] === 'decorated_definition' ? tree.text.slice(tree.start[block], tree.start[owner]) : '';
  return !(isFirst && isMethod && !/@staticmethod\b/.test(decorators));
}

/** The target as a plan names it: name path, kind, where it is declared. */
export function describeTarget(
  question: Question,
  { facts, oldName, binding, said }: Target,
  definitions: readonly CodeSpan[],
): RenameFindings['symbol'] {
  const own = definitions.find(({ path }) => path === facts.path) ?? definitions[0];
  const at = own ?? { path: facts.path, start: 0, end: 0 };
  const source = question.source(at.path);
  const byte = source === undefined ? -1 : Buffer.byteLength(source.text.slice(0, at.start)) + (source.bom ? 3 : 0);
  const row = question.symbols(at.path).find(({ nameStart, name }) => nameStart === byte && name === oldName);
  const kind =
    row?.kind ??
    facts.bindings[binding ?? -1]?.kind ??
    (said.some(({ key }) => /#[^#]+$/.test(key)) ? 'member' : 'name');
  return {
    name: oldName,
    namePath: row?.namePath ?? oldName,
    kind,
    definedAt: { path: at.path, start: at.start, outside: false },
  };
}

// The freshness gate (mutation.md §2.5): which files a rename rests on, and which of them no indexer has seen as they are now. Files in
// no live context cannot become clean by waiting; what they hold is an item instead.

/** `uses`: files that define or use the family; what they import counts too. `holds`: files in reach with the name in code. */
export function listAffected(question: Question, uses: Iterable<string>, holds: Iterable<string>): readonly string[] {
  const affected = new Set(holds);
  for (const path of uses) {
    affected.add(path);
    for (const { targets } of question.imports(path)) for (const target of targets) affected.add(target);
  }
  return [...affected].sort(compareCodeUnits);
}

export function describeNotClean(question: Question, paths: Iterable<string>): readonly NotClean[] {
  const { states } = question.semantic();
  const found: NotClean[] = [];
  for (const path of paths) {
    const state = states.of(path);
    if (state.freshness === 'clean' || state.freshness === 'unsupported' || isHopeless(question, state)) continue;
    const unsettled = state.contexts.filter(({ freshness }) => freshness !== 'clean' && freshness !== 'unsupported');
    if (unsettled.length === 0)
      found.push({ path, state: state.freshness, why: state.reason ?? state.freshness, context: null, scope: path });
    for (const { key, freshness, why } of unsettled)
      found.push({ path, state: freshness, why: why ?? freshness, context: key, scope: path });
  }
  return found;
}

/**
 * The last run had the present inputs and gave no document for the file (another platform's build constraint): where no job waits, none
 * would help.
 */
function isHopeless(question: Question, { freshness, contexts }: FileState): boolean {
  const unsettled = contexts.filter((one) => one.freshness !== 'clean' && one.freshness !== 'unsupported');
  if (freshness !== 'unindexed' || unsettled.length === 0) return false;
  return unsettled.every(({ key, freshness: own, why }) => {
    if (own !== 'unindexed' || why !== neverIndexed) return false;
    return question.ask((session) => {
      const context = findContext(session, key);
      if (context === undefined) return false;
      const isWaiting =
        findQueuedJob(session, context.id) !== undefined || findRunningJob(session, context.id) !== undefined;
      return !isWaiting && listJobs(session, context.id, 1)[0]?.status === 'completed';
    });
  });
}

/** Can this symbol have that name? Asked once it is known what it is: a reserved word may name a member and not a variable (§2.7). */
export function checkSymbolName(
  question: Question,
  language: string,
  symbol: { readonly name: string; readonly kind: string; readonly definedAt: { readonly path: string } },
  newName: string,
): NameProblem | undefined {
  const { name, kind, definedAt } = symbol;
  return (
    checkName(language, name, newName, { kind, isPrivateName: name.startsWith('#'), isJsxComponent: false }) ??
    findCoupledFileName({
      language,
      path: definedAt.path,
      name,
      kind,
      hasFile: (path) => question.file(path)?.presence === 'present',
    })
  );
}
