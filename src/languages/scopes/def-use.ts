/**
 * Where one variable gets its values and where they go (mutation.md §11): definitions, uses, and which definition reaches which use.
 * For reading, never an input of a mutation. The flow is a may-flow: a pair too many is possible (closures run at unknown times), a pair
 * too few is not. M34: equal bytes give equal slices, and a slice that was cut off says so.
 */

import type { SourceTree, TextSpan } from '../facts.ts';
import { findLanguage } from '../languages.ts';
import { type FlatTree, firstChild, flattenTree, spanAt, textOf } from '../parsing/flat-tree.ts';
import { analyseScopes, getReader } from '../readers.ts';
import { createFlow, createFlowWalk, type FlowEvent } from './flow-graph.ts';
import { type Binding, findBinding, type Reference, type ScopeTree } from './scope-tree.ts';

type DefinitionKind = 'declaration' | 'parameter' | 'import' | 'assignment' | 'update';
/** `captured`: seen by a function that runs at another time; `by_reference`: its address was taken; `exported`, `aliased`: other names for it. */
type EscapeKind = 'captured' | 'by_reference' | 'exported' | 'aliased';

export type DefUseSlice = {
  readonly variable: string;
  /** The scope that owns the variable. */
  readonly scope: TextSpan;
  readonly definitions: readonly (TextSpan & { readonly kind: DefinitionKind })[];
  readonly uses: readonly TextSpan[];
  /** Positions in `definitions` and `uses`. */
  readonly flow: readonly (readonly [definition: number, use: number])[];
  readonly escapes: readonly (TextSpan & { readonly kind: EscapeKind })[];
  readonly truncated: boolean;
  /** False where `flow` says nothing: the language has no flow model here, or the source nests too deep. */
  readonly flowKnown: boolean;
};

const maxPlaces = 5_000;
const maxPairs = 20_000;
const maxSteps = 5_000_000;

/** The variable whose name is at (or ends at) `offset`; `null` where no binding of this file is named there. */
export function sliceDefUse(
  source: SourceTree,
  language: string,
  offset: number,
  scopes = analyseScopes(source, language),
): DefUseSlice | null {
  const binding = findBinding(scopes, offset);
  if (binding === undefined || binding.kind === 'label') return null;
  const tree = flattenTree(source);
  const places = listPlaces(binding);
  const scope = scopes.scopes[binding.scope];
  const base = {
    variable: binding.name,
    scope: { start: scope?.start ?? 0, end: scope?.end ?? source.text.length },
    definitions: places.definitions,
    uses: places.uses,
  };
  const fixed = [...listExports(binding), ...listAliases(scopes, binding), ...listByReference(tree, binding, language)];
  const model = getReader(language).flow;
  const isTooLarge = places.definitions.length + places.uses.length > maxPlaces;
  if (model === undefined || binding.space === 'type' || isTooLarge) {
    const escapes = sortSpans([...fixed, ...listCaptured(scopes, binding)]);
    return { ...base, flow: [], escapes, truncated: isTooLarge, flowKnown: false };
  }

  const flow = createFlow();
  const owner = findOwner(tree, scope ?? { start: 0, end: source.text.length }, model.owners);
  const walk = createFlowWalk(tree, flow, owner, places.eventsByStart, model.jumps);
  for (const event of places.atEntry) flow.place(event);
  model.walk(walk);
  if (walk.tooDeep()) {
    const escapes = sortSpans([...fixed, ...listCaptured(scopes, binding)]);
    return { ...base, flow: [], escapes, truncated: false, flowKnown: false };
  }
  // What the walk did not meet is inside functions that run at times of their own: any definition may reach any use there.
  const entered = new Set(places.atEntry);
  const elsewhere = places.all.filter(({ event }) => !walk.placed.has(event) && !entered.has(event));
  const found = flow.findFlow(maxSteps);
  const pairs = new Map<number, readonly [number, number]>();
  const add = (definition: number, use: number): void => {
    if (pairs.size <= maxPairs) pairs.set(definition * (places.uses.length + 1) + use, [definition, use]);
  };
  for (const [definition, use] of found.pairs) add(definition, use);
  for (const { event } of elsewhere) {
    if (event.definition !== null) for (let use = 0; use < places.uses.length; use++) add(event.definition, use);
    if (event.use !== null)
      for (let definition = 0; definition < places.definitions.length; definition++) add(definition, event.use);
  }
  const captured = elsewhere.map(({ span }) => ({ ...span, kind: 'captured' as const }));
  return {
    ...base,
    flow: [...pairs.values()].slice(0, maxPairs).sort((a, b) => a[0] - b[0] || a[1] - b[1]),
    escapes: sortSpans([...fixed, ...captured]),
    truncated: found.cut || pairs.size > maxPairs,
    flowKnown: !found.cut,
  };
}

type Place = { readonly span: TextSpan; readonly event: FlowEvent };

function listPlaces(binding: Binding) {
  const kind: DefinitionKind =
    binding.kind === 'parameter' ? 'parameter' : binding.kind === 'import' ? 'import' : 'declaration';
  const spans: { span: TextSpan; kind: DefinitionKind | null; isUse: boolean }[] = [
    ...binding.declarations.map((span) => ({ span, kind, isUse: false })),
    ...binding.references
      .filter(({ access }) => access !== 'type' || binding.space === 'type')
      .map((reference) => ({ span: spanOf(reference), kind: definitionKind(reference), isUse: isUse(reference) })),
  ].sort((a, b) => a.span.start - b.span.start);
  const definitions: (TextSpan & { kind: DefinitionKind })[] = [];
  const uses: TextSpan[] = [];
  const all: Place[] = [];
  const eventsByStart = new Map<number, { end: number; events: FlowEvent[] }>();
  for (const { span, kind, isUse } of spans) {
    const events: FlowEvent[] = [];
    if (isUse) events.push({ definition: null, use: uses.push(span) - 1 });
    if (kind !== null) events.push({ definition: definitions.push({ ...span, kind }) - 1, use: null });
    for (const event of events) all.push({ span, event });
    eventsByStart.set(span.start, { end: span.end, events });
  }
  // What is imported, and `arguments`, is there before anything runs.
  const isEarly = binding.kind === 'import' || binding.kind === 'arguments';
  const atEntry = isEarly ? all.filter(({ event }) => event.definition !== null).map(({ event }) => event) : [];
  return { definitions, uses, all, eventsByStart, atEntry };
}

function isUse({ access }: Reference): boolean {
  return access !== 'write';
}

function definitionKind({ access }: Reference): DefinitionKind | null {
  return access === 'write' ? 'assignment' : access === 'readwrite' ? 'update' : null;
}

function listExports({ references }: Binding): (TextSpan & { kind: EscapeKind })[] {
  return references
    .filter(({ access }) => access === 'export')
    .map((reference) => ({ ...spanOf(reference), kind: 'exported' as const }));
}

/** In sloppy JavaScript `arguments[0]` is another name for the first parameter. */
function listAliases({ bindings }: ScopeTree, binding: Binding): (TextSpan & { kind: EscapeKind })[] {
  if (binding.kind !== 'parameter') return [];
  return bindings
    .filter(({ kind, scope }) => kind === 'arguments' && scope === binding.scope)
    .flatMap(({ references }) => references.map((reference) => ({ ...spanOf(reference), kind: 'aliased' as const })));
}

/** References from another function than the one that owns the variable. */
function listCaptured({ scopes }: ScopeTree, binding: Binding): (TextSpan & { kind: EscapeKind })[] {
  const functionOf = new Int32Array(scopes.length);
  scopes.forEach(({ kind, parent }, scope) => {
    functionOf[scope] = kind === 'function' || parent < 0 ? scope : (functionOf[parent] ?? 0);
  });
  return binding.references
    .filter(({ scope }) => functionOf[scope] !== functionOf[binding.scope])
    .map((reference) => ({ ...spanOf(reference), kind: 'captured' as const }));
}

/** The smallest function, class or file around a scope. */
function findOwner(tree: FlatTree, scope: TextSpan, owners: RegExp): number {
  let owner = 0;
  for (let node = 0; node < tree.count; node++) {
    const start = tree.start[node] ?? 0;
    if (start > scope.start) break;
    if ((tree.end[node] ?? 0) >= scope.end && owners.test(tree.type[node] ?? '')) owner = node;
  }
  return owner;
}

function sortSpans<T extends TextSpan>(spans: T[]): T[] {
  return spans.sort((a, b) => a.start - b.start || a.end - b.end);
}

function spanOf({ start, end }: TextSpan): TextSpan {
  return { start, end };
}

/** Places where a language hands out the variable itself instead of its value. */
function listByReference(
  tree: FlatTree,
  { declarations, references }: Binding,
  language: string,
): (TextSpan & { kind: 'by_reference' })[] {
  const forms = findLanguage(language)?.byReference;
  if (forms === undefined) return [];
  const places = new Set([...declarations, ...references].map(({ start }) => start));
  const found: (TextSpan & { kind: 'by_reference' })[] = [];
  for (let node = 0; node < tree.count; node++) {
    const type = tree.type[node] ?? '';
    const sign = Object.hasOwn(forms, type) ? forms[type] : undefined;
    const first = firstChild(tree, node);
    if (sign === undefined || first < 0 || !sign.test(textOf(tree, first))) continue;
    for (let child = tree.next[first] ?? -1; child >= 0; child = tree.next[child] ?? -1) {
      const name = language === 'php' && tree.type[child] === 'variable_name' ? child + 1 : child;
      const span = spanAt(tree, name);
      const bare = language === 'php' ? child + 2 : name;
      const start = tree.start[bare] ?? span.start;
      if (places.has(start)) found.push({ start, end: tree.end[bare] ?? span.end, kind: 'by_reference' });
    }
  }
  return found;
}
