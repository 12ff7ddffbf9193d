/**
 * What the parts inside the compiler job share: open programs, the name tokens of their files, and what the compiler binds each to.
 * Types only. Everything here lives in the job's process; what crosses to the session is in `session/messages.ts`.
 */

import type {
  Node,
  Project,
  SourceFile,
  Symbol as TsSymbol,
} from '../../../languages/typescript/compiler/typescript-api.ts';
import type { CompilerEdit, DeclarationPlace, FileMove, ProgramSpec, RenameQuestion } from '../session/messages.ts';

export type OpenProgram = {
  readonly key: string;
  readonly root: string;
  readonly project: Project;
  /** Root-relative files of the program inside the root and outside `node_modules` and other vendored directories, sorted. */
  readonly files: readonly string[];
  sourceFile(path: string): SourceFile | undefined;
  /** Where a link leads to a file: what the program calls it, which may be several names. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Files that it has under more than one name. */
  readonly doubles: ReadonlyMap<string, readonly string[]>;
};

export type Programs = {
  readonly root: string;
  readonly specs: readonly ProgramSpec[];
  readonly open: readonly OpenProgram[];
  /** Names that the compiler wanted to read so far and that are no regular files; absolute, sorted. To it they are not there. */
  listPipes(): readonly string[];
  /** Root-relative with `/`, or absolute and outside (also what lies in `node_modules` inside the root). */
  place(fileName: string): { readonly path: string; readonly outside: boolean };
  /**
   * The same programs with these texts instead of the disk's; null: the file is not there. Undefined entries fall back to disk. Programs
   * of loose files list those that move at their new paths. `checkJs`: JavaScript is judged, also where its configuration does not.
   */
  withTexts(texts: ReadonlyMap<string, string | null>, moves?: readonly FileMove[], checkJs?: boolean): Programs;
  /** The same with texts that every proof asks for; where the programs stay for other requests, so do these, and releasing them does nothing. */
  lift(texts: ReadonlyMap<string, string>, checkJs: boolean): Programs;
  /** What the compiler found out about them is forgotten. Those they come from stay. */
  release(): void;
  /** The same programs in a compiler of their own that has been asked nothing yet; close them apart. */
  reopen(): Programs;
  /**
   * Programs of the disk of now, for the next question: these, where all that the compiler has seen is as it was; where only sources have
   * other bytes, or other programs are asked for, what these have in common with them is not read again. Undefined: open anew.
   */
  renew(specs: readonly ProgramSpec[]): Programs | undefined;
  close(): void;
};

const tokenKinds = ['identifier', 'private', 'jsx', 'string', 'template', 'label', 'jsdoc'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** A name as it stands in a file. Of strings, the span is what is between the quotes. Of private names, it includes `#`. */
export type NameToken = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The name itself, escapes resolved. */
  readonly text: string;
  readonly kind: TokenKind;
  readonly node: Node;
};

/**
 * Why a token is tied to a declaration. `symbol`: what the checker says of the node. `alias`: what an import or export specifier's own
 * symbol immediately stands for (one step). `value`: the variable of a shorthand property. `contextual`: the property of the contextual
 * type of an object literal, or of the destructured type of a binding element without its own property name, each constituent of a
 * union apart. A symbol of a union or intersection is listed by its constituents' declarations.
 */
export type LinkRole = 'symbol' | 'alias' | 'value' | 'contextual';

export type Link = {
  readonly role: LinkRole;
  readonly symbol: TsSymbol;
  readonly places: readonly DeclarationPlace[];
};

export type Binding =
  | { readonly kind: 'bound'; readonly links: readonly Link[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly detail: string };

export type BoundToken = { readonly program: OpenProgram; readonly token: NameToken; readonly binding: Binding };

/** A rename under way, after its family is known. */
export type RenameWorld = {
  readonly programs: Programs;
  readonly question: RenameQuestion;
  readonly oldName: string;
  readonly target: BoundToken;
  readonly family: readonly DeclarationPlace[];
  /** `placeKey` of each. */
  readonly familyKeys: ReadonlySet<string>;
  readonly isMember: boolean;
  readonly reach: 'file' | 'repo';
  readonly occurrences: readonly (BoundToken & { readonly edit: CompilerEdit | null })[];
  /** Export specifiers whose public name stays (`public_names: keep`). */
  readonly kept: ReadonlySet<string>;
};

export function placeKey({ path, start }: DeclarationPlace): string {
  return `${path}\0${start}`;
}
