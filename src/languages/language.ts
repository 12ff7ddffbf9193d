/**
 * What a language says of itself in `<name>/<name>.ts`: plain data, so that asking which languages there are loads neither a parser nor
 * an extractor. What reads its files stands beside it, as default exports: `<name>-facts.ts`, `<name>-scopes.ts` and, where the order of
 * execution is known, `<name>-flow.ts`; and `<name>-resolve.ts`, from imports to files. A language that has none of these files borrows them (`readsLike`).
 * One that names indexers has `<name>-projects.ts`, which finds their projects, and `<name>-indexer.ts`, whose exports are named after
 * their ids. `npm run gen` finds the folders.
 */

import type { Extract, SourceTree } from './facts.ts';
import type { FlowModel } from './scopes/flow-graph.ts';
import type { ScopeTree } from './scopes/scope-tree.ts';

export type Language = {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Endings of file names in lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly grammars: Readonly<Record<string, Grammar>>;
  /** Which grammar reads a file; without it, the only one. */
  readonly grammarOf?: (path: string) => string;
  /** Name of the language whose readers serve this one too. */
  readonly readsLike?: string;
  /** Name of the language whose resolver of imports serves this one too; without it, the one above. */
  readonly resolvesLike?: string;
  readonly tokens: TokenTable;
  readonly names: NameSpelling;
  /** Node types that hand out a variable itself, with the sign or word that such a node begins with. */
  readonly byReference?: Readonly<Record<string, RegExp>>;
  /** Words that cannot be names, separated by white space. */
  readonly reserved: ReservedWords;
  /** The language that this one shares names with, because files of both import one another; without it, none. */
  readonly family?: string;
  /** Files of other languages that hold code of the family. It is found by text, and stays unbound. */
  readonly holders?: RegExp;
  /** Names of types are found through imports, which its scopes leave unbound. */
  readonly importsTypes?: true;
  /** Ids of the indexers that understand its family, the preferred one first; without it, none does. */
  readonly indexers?: readonly string[];
  /** Languages without a folder that those understand too. */
  readonly indexesToo?: readonly string[];
};

export type Grammar = {
  /** As Node resolves it. */
  readonly wasm: string;
  /** The file that the extractors of probes were written against. */
  readonly pin?: { readonly version: string; readonly blake3: string };
};

/** What the node types of a grammar say about the text below them. */
export type TokenTable = {
  /** Node types that are a name by themselves, with its role. */
  readonly names: Readonly<Record<string, TokenRole>>;
  /** Places (`parent.field`) where a plain name is that of a member. */
  readonly members?: ReadonlySet<string>;
  /** Words that the grammar calls `primitive_type` and that cannot be names. */
  readonly typeWords?: ReadonlySet<string>;
  readonly strings: ReadonlySet<string>;
  /** What a string is for, where its node or the node around it says so. */
  readonly stringRole?: (type: string, parent: string) => TokenRole | undefined;
  readonly comments: ReadonlySet<string>;
  readonly regexes?: ReadonlySet<string>;
  /** Code inside a string. */
  readonly insertions?: ReadonlySet<string>;
  /** Leaves the grammar does not look into although they are code: the body of a macro. */
  readonly rawCode?: ReadonlySet<string>;
};

const tokenRoles = ['name', 'property', 'private', 'type', 'label', 'shorthand', 'jsx', 'symbol', 'docstring'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** How names are written, and which spellings are one name. The steps are done in this order. */
export type NameSpelling = {
  /** What can be written as a name. Formatting characters, which some languages ignore, are never accepted: no reader sees them. */
  readonly shape: RegExp;
  /** Signs before and behind a name that are no part of it. */
  readonly prefix?: RegExp;
  readonly suffix?: RegExp;
  /** A name may hold unicode escapes. */
  readonly escapes?: true;
  /** Formatting characters do not count. */
  readonly ignoresFormatting?: true;
  /** The Unicode form in which names are compared. */
  readonly form?: 'NFC' | 'NFKC';
  /** `$` begins a variable and is no part of its name. */
  readonly sigils?: true;
};

/**
 * A word that is legal somewhere but reads as syntax where a declaration of that kind is used counts as reserved for it
 * (mutation.md §2.7).
 */
export type ReservedWords = {
  /** For every name that is not reached through its owner. */
  readonly always: string;
  /** For members: what `owner.name` cannot be. */
  readonly members?: string;
  /** Besides, for names of types. */
  readonly types?: string;
  /** Besides, for functions and methods. */
  readonly functions?: string;
};

/** What parses and analyses the files of a language. Total: no text makes any of them throw. */
export type Reader = {
  readonly facts: Extract;
  readonly scopes: AnalyseScopes;
  readonly flow?: FlowModel;
};

export type AnalyseScopes = (source: SourceTree, language: string) => ScopeTree;

/** Keeps the literal types of a declaration, from which the names of grammars follow. */
export function defineLanguage<const L extends Language>(language: L): L {
  return language;
}
