/**
 * Collects scopes, declarations and references in any order and binds them at the end. Every name is looked up in constant time, however
 * deep scopes nest: scopes are walked depth first with one stack of visible bindings per name.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import type { TextSpan } from '../facts.ts';
import { listIdentifierRuns } from '../identifiers.ts';
import { type FlatTree, textOf } from '../parsing/flat-tree.ts';
import type {
  Access,
  Binding,
  BindingKind,
  ImportSource,
  Reference,
  Scope,
  ScopeKind,
  ScopeTree,
} from './scope-tree.ts';

/** What a name can stand for, as bits: a reference binds to the nearest binding that shares a bit with it. */
export const meaning = { value: 1, type: 2, namespace: 4, label: 8, privateName: 16, any: 7 } as const;
const meaningBits = [1, 2, 4, 8, 16] as const;

export type OpenBinding = {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: number;
  meanings: number;
  readonly declarations: TextSpan[];
  readonly references: Reference[];
  importOf?: ImportSource;
  readonly exportedAs: Set<string>;
};

type PendingReference = Reference & { readonly meanings: number; readonly exportAs: string | null };

type ScopeBuilder = ReturnType<typeof createScopeBuilder>;

export function createScopeBuilder() {
  const scopes: Scope[] = [];
  const names: Map<string, OpenBinding>[] = [];
  const pending: (PendingReference[] | undefined)[] = [];
  const bindings: OpenBinding[] = [];
  const unbound: Reference[] = [];

  return { scopes, openScope, find, declare, addBinding, alias, refer, addUnbound, finish };

  function openScope(kind: ScopeKind, start: number, end: number, parent: number): number {
    scopes.push({ kind, start, end, parent });
    names.push(new Map());
    pending.push(undefined);
    return scopes.length - 1;
  }

  function find(scope: number, name: string): OpenBinding | undefined {
    return names[scope]?.get(name);
  }

  /** One binding per scope and name: declaring again adds a declaration. Without a span the binding is one the language makes itself. */
  function declare(scope: number, name: string, kind: BindingKind, meanings: number, span?: TextSpan): OpenBinding {
    const known = names[scope]?.get(name);
    const binding: OpenBinding = known ?? {
      name,
      kind,
      scope,
      meanings: 0,
      declarations: [],
      references: [],
      exportedAs: new Set(),
    };
    if (known === undefined) {
      names[scope]?.set(name, binding);
      bindings.push(binding);
    }
    binding.meanings |= meanings;
    if (span !== undefined) binding.declarations.push(span);
    return binding;
  }

  /** A binding that no lookup here finds: for callers that bind references themselves. */
  function addBinding(scope: number, name: string, kind: BindingKind, span: TextSpan): OpenBinding {
    const declarations = [{ start: span.start, end: span.end }];
    const binding = {
      name,
      kind,
      scope,
      meanings: meaning.value,
      declarations,
      references: [],
      exportedAs: new Set<string>(),
    };
    bindings.push(binding);
    return binding;
  }

  /** Makes a name of this scope mean a binding of another one (`global x`). */
  function alias(scope: number, name: string, binding: OpenBinding): void {
    names[scope]?.set(name, binding);
  }

  function refer(
    scope: number,
    name: string,
    span: TextSpan,
    access: Access,
    meanings: number,
    exportAs: string | null = null,
  ): void {
    const reference = { name, start: span.start, end: span.end, access, scope, isMember: false, meanings, exportAs };
    const waiting = pending[scope];
    if (waiting === undefined) pending[scope] = [reference];
    else waiting.push(reference);
  }

  function addUnbound(scope: number, name: string, span: TextSpan, access: Access, isMember: boolean): void {
    unbound.push({ name, start: span.start, end: span.end, access, scope, isMember });
  }

  function bindReferences(): void {
    const visible = new Map(meaningBits.map((bit) => [bit, new Map<string, OpenBinding[]>()]));
    const children: number[][] = scopes.map(() => []);
    const roots: number[] = [];
    scopes.forEach(({ parent }, scope) => {
      (parent < 0 ? roots : (children[parent] ?? roots)).push(scope);
    });
    const depth = new Int32Array(scopes.length);
    // A scope is on the stack as itself while it has to be entered and as its complement while it has to be left.
    const stack = roots.reverse();
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (top < 0) {
        for (const binding of names[~top]?.values() ?? []) hide(binding);
        continue;
      }
      const scope = top;
      depth[scope] = 1 + (depth[scopes[scope]?.parent ?? -1] ?? 0);
      for (const binding of names[scope]?.values() ?? []) show(binding);
      for (const reference of pending[scope] ?? []) bind(reference);
      stack.push(~scope);
      for (const child of children[scope]?.reverse() ?? []) stack.push(child);
    }

    function show(binding: OpenBinding): void {
      for (const bit of meaningBits) {
        if ((binding.meanings & bit) === 0) continue;
        const shown = visible.get(bit)?.get(binding.name);
        if (shown === undefined) visible.get(bit)?.set(binding.name, [binding]);
        else shown.push(binding);
      }
    }

    function hide(binding: OpenBinding): void {
      for (const bit of meaningBits) if ((binding.meanings & bit) !== 0) visible.get(bit)?.get(binding.name)?.pop();
    }

    function bind({ meanings, exportAs, ...reference }: PendingReference): void {
      let nearest: OpenBinding | undefined;
      for (const bit of meaningBits) {
        if ((meanings & bit) === 0) continue;
        const candidate = visible.get(bit)?.get(reference.name)?.at(-1);
        if (candidate === undefined) continue;
        if (nearest === undefined || (depth[candidate.scope] ?? 0) > (depth[nearest.scope] ?? 0)) nearest = candidate;
      }
      if (nearest === undefined) {
        unbound.push(reference);
        return;
      }
      nearest.references.push(reference);
      if (exportAs !== null) nearest.exportedAs.add(exportAs);
    }
  }

  function finish(file: Pick<ScopeTree, 'dynamic' | 'isModule' | 'hasErrors' | 'doubtfulNames'>): ScopeTree {
    bindReferences();
    // Talked of but declared nowhere: `global x` of a name that another file makes.
    for (const { kind, declarations, references } of bindings)
      if (declarations.length === 0 && kind !== 'arguments')
        for (const reference of references) unbound.push(reference);
    const sealed = bindings
      .filter(({ kind, declarations, references }) =>
        kind === 'arguments' ? declarations.length + references.length > 0 : declarations.length > 0,
      )
      .map(sealBinding)
      .sort((a, b) => firstPlace(a) - firstPlace(b) || a.scope - b.scope || compareCodeUnits(a.name, b.name));
    return {
      scopes,
      bindings: sealed.filter(({ kind }) => kind !== 'label'),
      labels: sealed.filter(({ kind }) => kind === 'label'),
      unbound: unbound.sort(byPlace),
      ...file,
    };
  }
}

function sealBinding(binding: OpenBinding): Binding {
  const { name, kind, scope, importOf } = binding;
  return {
    name,
    kind,
    scope,
    space: spaceOf(binding),
    declarations: binding.declarations.sort(byPlace),
    references: binding.references.sort(byPlace),
    ...(importOf === undefined ? {} : { importOf }),
    exportedAs: [...binding.exportedAs].sort(compareCodeUnits),
  };
}

function spaceOf({ kind, meanings, importOf }: OpenBinding): Binding['space'] {
  if (importOf?.typeOnly === true) return 'type';
  if ((meanings & meaning.type) !== 0) return (meanings & meaning.value) !== 0 ? 'both' : 'type';
  return kind === 'namespace' ? 'namespace' : 'value';
}

function firstPlace({ declarations, references }: Binding): number {
  return declarations[0]?.start ?? references[0]?.start ?? 0;
}

function byPlace(a: TextSpan, b: TextSpan): number {
  return a.start - b.start || a.end - b.end;
}

/** Text the parser gave up on: what it says is unknown, but not which names occur in it. */
export function listDoubtfulNames(tree: FlatTree, language: string): string[] {
  const names = new Set<string>();
  for (let node = 0; node < tree.count; node++) {
    if (tree.type[node] !== 'ERROR') continue;
    for (const { name } of listIdentifierRuns(textOf(tree, node), language)) names.add(name);
    node = (tree.after[node] ?? node + 1) - 1;
  }
  return [...names].sort(compareCodeUnits);
}

/** Every name in an ERROR node, as a reference that nothing is known of. */
export function addErrorNames(
  tree: FlatTree,
  node: number,
  scope: number,
  language: string,
  { addUnbound }: ScopeBuilder,
): void {
  const offset = tree.start[node] ?? 0;
  for (const { name, start, end } of listIdentifierRuns(textOf(tree, node), language))
    addUnbound(scope, name, { start: offset + start, end: offset + end }, 'read', false);
}
