/**
 * The lexical scopes of one file: which names it declares, and which of its identifiers mean them (code-plane.md §3.2, recomputed).
 * Promise: a reference listed under a binding means that binding. One that cannot be bound for certain is in `unbound`; nothing is guessed.
 */

import type { TextSpan } from '../facts.ts';

const scopeKinds = [
  'global',
  'module',
  'namespace',
  'function',
  'function_body',
  'name',
  'class',
  'block',
  'for',
  'catch',
  'switch',
  'type',
  'enum',
  'comprehension',
  'label',
] as const;
export type ScopeKind = (typeof scopeKinds)[number];

export const bindingKinds = [
  'var',
  'let',
  'const',
  'using',
  'variable',
  'function',
  'class',
  'parameter',
  'catch',
  'import',
  'type',
  'interface',
  'enum',
  'enum_member',
  'namespace',
  'type_parameter',
  'private_name',
  'arguments',
  'label',
] as const;
export type BindingKind = (typeof bindingKinds)[number];

export type Scope = TextSpan & {
  readonly kind: ScopeKind;
  /** Where a name that is not declared here is looked up next, -1 for nowhere. In Python this leaves classes out. */
  readonly parent: number;
};

/**
 * `declare` is the definition of a member (a key, a method name); the declarations of a binding are in `Binding.declarations` instead.
 * `type` is a use that is gone at run time.
 */
export type Access = 'read' | 'write' | 'readwrite' | 'declare' | 'type' | 'export';

export type Reference = TextSpan & {
  /** As the language compares it; the text of the span may spell it with escapes. */
  readonly name: string;
  readonly access: Access;
  readonly scope: number;
  /** A name of something else's: member, key, JSX attribute, name on the far side of an import or export. Never bound lexically. */
  readonly isMember: boolean;
};

export type ImportSource = { readonly specifier: string; readonly name: string; readonly typeOnly: boolean };

export type Binding = {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: number;
  readonly space: 'value' | 'type' | 'both' | 'namespace';
  /** In document order; several where declarations merge (overloads, `var` twice, interfaces, namespaces, enums). */
  readonly declarations: readonly TextSpan[];
  /** In document order, without the declarations. */
  readonly references: readonly Reference[];
  readonly importOf?: ImportSource;
  /** Names under which code outside this scope can reach it without lexical scope: module exports, members of namespaces and enums. */
  readonly exportedAs: readonly string[];
};

export type ScopeTree = {
  /** A parent always comes before its children. */
  readonly scopes: readonly Scope[];
  readonly bindings: readonly Binding[];
  /** In document order. */
  readonly unbound: readonly Reference[];
  /** Statement labels: a name space of their own. */
  readonly labels: readonly Binding[];
  /** Something may reach names by their text at run time (`eval`, `with`, star import): absence of a reference proves nothing. */
  readonly dynamic: boolean;
  /** False where top-level names are visible to other files without an import. */
  readonly isModule: boolean;
  readonly hasErrors: boolean;
  /** Names that occur in text the parser gave up on. Such text might declare or use them. */
  readonly doubtfulNames: readonly string[];
};

/** The binding that a position names: anywhere in the name, or just behind it where no other name begins. */
export function findBinding({ bindings, labels }: ScopeTree, offset: number): Binding | undefined {
  const find = (isAt: (span: TextSpan) => boolean): Binding | undefined =>
    [...bindings, ...labels].find(({ declarations, references }) => declarations.some(isAt) || references.some(isAt));
  return (
    find(({ start, end }) => start <= offset && offset < end) ??
    find(({ start, end }) => start <= offset && offset <= end)
  );
}
