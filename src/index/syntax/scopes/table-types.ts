/**
 * What a grammar must say for `analyseByTable` to find its local names. Node types are those of the grammar; a child is named by its field,
 * by its type in angle brackets (`<identifier>`), or by `*` for every named child without a field, `*1` for those but the first.
 */

import type { FlatTree } from '../flat-tree.ts';
import type { BindingKind, ScopeKind } from './scope-tree.ts';

export type ScopeRule = {
  readonly kind: ScopeKind;
  /** Local names from outside cannot be seen inside, or something the file does not show may hide them there. */
  readonly barrier?: true;
  /** Assigning to a name inside makes a new one, even where an outer one is visible. */
  readonly keepsWrites?: true;
  readonly unless?: (tree: FlatTree, node: number) => boolean;
};

export type DeclareRule = {
  readonly child: string;
  readonly kind: BindingKind;
  /** From the name on (the default), from the end of the node on, or from the first child with one of these fields or types on. */
  readonly visible?: 'after' | readonly string[];
  /** The name belongs to what surrounds the node, which opens a scope itself. */
  readonly into?: 'outer';
  /** A name that the same scope already has is assigned, not declared (`:=`). */
  readonly reuses?: true;
  /** The name is at the same time one of something else's: a keyword parameter, a promoted property. */
  readonly isMemberToo?: true;
  readonly when?: (tree: FlatTree, node: number) => boolean;
};

/** `by_sign`: a plain `=` writes, `+=` and the like read as well. */
export type WriteRule = { readonly child: string; readonly access: 'write' | 'readwrite' | 'by_sign' };

export type ScopeTable = {
  /** Node types that are a name by themselves. */
  readonly names: ReadonlySet<string>;
  /** Node types that are always a name of something else's. */
  readonly members: ReadonlySet<string>;
  /** `type.child` places that hold a member's name. */
  readonly memberPlaces: readonly string[];
  /** Node types that name a type or anything else that is not looked up here. */
  readonly types: ReadonlySet<string>;
  /** `type.child` places whose names mean types, modules, labels or anything else that is not looked up here. They stay unbound. */
  readonly elsewhere: readonly string[];
  /** Fields that mean the same under any parent. */
  readonly elsewhereFields?: ReadonlySet<string>;
  /** A last word on a name that its place alone does not tell. */
  readonly roleAt?: (tree: FlatTree, node: number) => 'member' | 'elsewhere' | undefined;
  /** Node types below which nothing is looked up. */
  readonly opaque: ReadonlySet<string>;
  readonly scopes: Readonly<Record<string, ScopeRule>>;
  readonly declares: Readonly<Record<string, readonly DeclareRule[]>>;
  /** Children to which declaring and assigning pass: patterns and declarators. */
  readonly through: Readonly<Record<string, readonly string[]>>;
  readonly writes: Readonly<Record<string, WriteRule>>;
  /** Below these nodes names are taken over from the scope outside or from the file (`use ($x)`, `global $x`). */
  readonly takesOver?: Readonly<Record<string, 'outer' | 'file'>>;
  /** The child of a name that is its text without a sigil. */
  readonly nameChild?: string;
  /** A shorthand: the node is a read or a declaration and a member's name in one. */
  readonly shorthands?: ReadonlySet<string>;
  /** A scope that closes before its node ends: the child (`else`) does not see what the parent declared. */
  readonly closers?: ReadonlySet<string>;
  /** Names of the whole file (or of a whole function) are visible before they are declared. */
  readonly late?: 'file' | 'function';
  /** Assigning to an unknown name declares it. */
  readonly writesDeclare?: true;
  /** Names are declared inside functions only; what is outside may be hidden by members and overloads. */
  readonly localOnly?: true;
  /** In the same scope, a second declaration of a name is a new name that hides the first. */
  readonly shadows?: true;
  /** Whether a name in a pattern declares one. */
  readonly declaresName?: (name: string) => boolean;
  /** Names that mean the same everywhere. */
  readonly reserved?: ReadonlySet<string>;
  /** Where a macro of this file gets its name; a name that is also a macro is never bound. */
  readonly macros?: readonly string[];
  readonly dynamicTypes?: ReadonlySet<string>;
  readonly dynamicNames?: ReadonlySet<string>;
  /** A late name that other files cannot reach. */
  readonly isFileLocal?: (tree: FlatTree, owner: number) => boolean;
  readonly isModule: boolean;
};
