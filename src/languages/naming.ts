/**
 * What a language demands of names (mutation.md §2.7): is the new name an identifier, is it reserved for a declaration of that
 * kind, is it another name than the old one, who could use it, and must its file be called like it. The word alone answers; who
 * else has the name is asked elsewhere. Total for any two texts; an unknown language is held to the common shape of identifiers.
 */

import { basename } from 'node:path/posix';
import { normaliseIdentifier } from './identifiers.ts';
import { javascriptKeywords } from './javascript/javascript.ts';
import type { ReservedWords } from './language.ts';
import { findLanguage } from './languages.ts';

export type NameProblem = {
  readonly reason: 'invalid_name' | 'reserved_name' | 'same_name' | 'case_clash' | 'file_name_coupled';
  readonly detail: string;
};

/** The words of `ReservedWords`. */
type WordLists = Readonly<Record<keyof ReservedWords, ReadonlySet<string>>>;

export type AboutName = {
  /** `#name` of JavaScript. */
  readonly isPrivateName: boolean;
  /** Used as a JSX tag. */
  readonly isJsxComponent: boolean;
  /** As the index and the compiler job name kinds. */
  readonly kind: string;
};

export function checkName(
  language: string,
  oldName: string,
  newName: string,
  about: AboutName,
): NameProblem | undefined {
  return (
    findBadShape(language, oldName, newName, about) ??
    findReserved(language, newName, about) ??
    findSameName(language, oldName, newName, about)
  );
}

/** Reached through an owner: `owner.name`. */
function isMemberKind(kind: string): boolean {
  return memberKinds.has(kind);
}

const memberKinds: ReadonlySet<string> = new Set([
  'property',
  'field',
  'method',
  'getter',
  'setter',
  'accessor',
  'enum_member',
  'event',
]);
const typeKinds: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'type',
  'type_parameter',
  'enum',
  'struct',
  'union',
  'trait',
  'record',
  'delegate',
]);

/** For languages without a declaration. */
const commonShape = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

function findBadShape(language: string, oldName: string, newName: string, about: AboutName): NameProblem | undefined {
  const invalid = (detail: string): NameProblem => ({ reason: 'invalid_name', detail });
  if (newName === '') return invalid('The new name is empty.');
  if (!newName.isWellFormed()) return invalid('The new name is no well-formed text.');
  if (isScript(language)) {
    if (about.isPrivateName && !newName.startsWith('#'))
      return invalid(`\`${oldName}\` is a private name: its new name must begin with \`#\` too.`);
    if (!about.isPrivateName && newName.startsWith('#'))
      return invalid(`\`${oldName}\` is no private name: its new name cannot begin with \`#\`.`);
  }
  const name = about.isPrivateName && isScript(language) ? newName.slice(1) : newName;
  if (!shapeOf(language).test(name)) return invalid(`\`${newName}\` is not an identifier of ${titleOf(language)}.`);
  if (language === 'python' && !shapeOf(language).test(name.normalize('NFKC')))
    return invalid(`\`${newName}\` is not an identifier of Python after normalisation.`);
  if (isScript(language) && about.isJsxComponent && !startsComponent(name))
    return invalid(`\`${oldName}\` is used as a JSX component: \`${newName}\` would be read as an HTML element.`);
  if (language === 'ruby') return findRubyShape(oldName, newName, about);
  if (language === 'php' && oldName.startsWith('$') !== newName.startsWith('$'))
    return invalid(`The \`$\` in front of \`${oldName}\` is part of what it is and cannot be added or dropped.`);
  return undefined;
}

/** JSX takes a tag that begins with a small ASCII letter for an element of the host; every other identifier is a component. */
export function startsComponent(name: string): boolean {
  return !/^[a-z]/.test(name);
}

/** The sigil says whose variable it is, the first letter whether it is a constant, `?`, `!`, `=` that it is a method. */
function findRubyShape(oldName: string, newName: string, about: AboutName): NameProblem | undefined {
  const sigil = (name: string): string => /^(?:@@?|\$)?/.exec(name)?.[0] ?? '';
  const isConstant = (name: string): boolean => /^\p{Lu}/u.test(name);
  const invalid = (detail: string): NameProblem => ({ reason: 'invalid_name', detail });
  if (sigil(oldName) !== sigil(newName))
    return invalid(`\`${oldName}\` and \`${newName}\` are different kinds of variable in Ruby.`);
  if (about.kind !== 'method' && about.kind !== 'function' && isConstant(oldName) !== isConstant(newName))
    return invalid('Ruby tells constants and variables apart by the first letter.');
  if (/[?!=]$/.test(newName) && about.kind !== 'method' && about.kind !== 'function')
    return invalid(`Only the name of a method may end like \`${newName}\`.`);
  return undefined;
}

function findReserved(language: string, newName: string, about: AboutName): NameProblem | undefined {
  const reserved = (detail: string): NameProblem => ({ reason: 'reserved_name', detail });
  const lists = reservedWordsOf(language);
  if (lists === undefined) return undefined;
  if (isScript(language) && about.isPrivateName)
    return newName === '#constructor' ? reserved('No private name can be `#constructor`.') : undefined;
  // `r#match` and `@class` are how these languages spell a name that is also a keyword.
  if (language === 'rust' && newName.startsWith('r#'))
    return /^r#(?:crate|self|super|Self|_)$/.test(newName)
      ? reserved(`\`${newName}\` cannot be a raw identifier.`)
      : undefined;
  if (language === 'csharp' && newName.startsWith('@')) return undefined;
  const name = normaliseIdentifier(newName, language);
  const word = language === 'php' ? name.toLowerCase() : name;
  if (language === 'php' && newName.startsWith('$'))
    return word === 'this' ? reserved('`$this` is the object itself.') : undefined;
  const general = isMemberKind(about.kind) ? lists.members : lists.always;
  if (general.has(word)) return reserved(`\`${newName}\` is reserved in ${titleOf(language)}.`);
  if (typeKinds.has(about.kind) && lists.types.has(word))
    return reserved(`\`${newName}\` cannot be the name of a type in ${titleOf(language)}.`);
  if ((about.kind === 'function' || about.kind === 'method') && lists.functions.has(word))
    return reserved(`\`${newName}\` cannot be the name of a function in ${titleOf(language)}.`);
  return undefined;
}

function findSameName(language: string, oldName: string, newName: string, about: AboutName): NameProblem | undefined {
  // Sigils and suffixes that tell names apart stay: only spellings the language itself takes for equal are one name.
  const normalise = (name: string): string => (language === 'ruby' ? name : normaliseIdentifier(name, language));
  const [before, after] = [normalise(oldName), normalise(newName)];
  if (before === after) {
    const detail =
      oldName === newName
        ? `The symbol is already called \`${newName}\`.`
        : `\`${newName}\` and \`${oldName}\` are one name in ${titleOf(language)}.`;
    return { reason: 'same_name', detail };
  }
  if (language === 'php' && foldsCase(oldName, about) && before.toLowerCase() === after.toLowerCase())
    return { reason: 'case_clash', detail: `PHP does not tell \`${oldName}\` and \`${newName}\` apart.` };
  return undefined;
}

/** Variables, properties and constants of PHP are told apart by case; functions, methods and types are not. */
function foldsCase(oldName: string, { kind }: AboutName): boolean {
  return !oldName.startsWith('$') && (kind === 'function' || kind === 'method' || typeKinds.has(kind));
}

function isScript(language: string): boolean {
  return language === 'typescript' || language === 'javascript';
}

function shapeOf(language: string): RegExp {
  return findLanguage(language)?.names.shape ?? commonShape;
}

function titleOf(language: string): string {
  return findLanguage(language)?.title ?? language;
}

type Visibility = 'exported' | 'package' | 'public' | 'internal' | 'mangled' | 'special';

type VisibilityChange = {
  readonly from: Visibility;
  readonly to: Visibility;
  /** Which uses are in the way; null: the change itself moves bindings, whatever uses the name. */
  readonly breaks: 'other_packages' | 'outside_class' | 'star_imports' | null;
  readonly says: string;
};

/**
 * What the new spelling changes in languages where spelling says who may use a name: Go's capital, Python's underscores. The
 * caller knows the uses, and refuses only where one needs the visibility that goes. `isMember`: declared in a class or struct.
 */
export function findVisibilityChange(
  language: string,
  oldName: string,
  newName: string,
  isMember: boolean,
): VisibilityChange | undefined {
  const visibilityOf = language === 'go' ? goVisibility : language === 'python' ? pythonVisibility : undefined;
  if (visibilityOf === undefined) return undefined;
  const from = visibilityOf(oldName, isMember);
  const to = visibilityOf(newName, isMember);
  if (from === to) return undefined;
  return { from, to, ...consequence(from, to) };
}

function consequence(from: Visibility, to: Visibility): Pick<VisibilityChange, 'breaks' | 'says'> {
  if (to === 'package') return { breaks: 'other_packages', says: 'no other package could use it any more' };
  if (from === 'package') return { breaks: null, says: 'other packages, interfaces and reflection would see it' };
  if (to === 'mangled') return { breaks: 'outside_class', says: 'the class name would become part of it' };
  if (from === 'mangled') return { breaks: null, says: 'subclasses could override it by accident' };
  if (to === 'special' || from === 'special') return { breaks: null, says: 'Python itself calls such names' };
  if (to === 'internal') return { breaks: 'star_imports', says: '`import *` would leave it out' };
  return { breaks: null, says: '`import *` would take it along' };
}

/** The specification of Go: exported iff the first character is of class Lu. */
function goVisibility(name: string): Visibility {
  return /^\p{Lu}/u.test(name) ? 'exported' : 'package';
}

function pythonVisibility(name: string, isMember: boolean): Visibility {
  if (/^__.+__$/u.test(name)) return 'special';
  if (isMember && /^__./u.test(name)) return 'mangled';
  return name.startsWith('_') ? 'internal' : 'public';
}

const javaTypes: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'record', 'type']);

/**
 * Java looks a type up by the name of its file, Rust a module by its file or directory. Renaming one without the other does not
 * compile, so it is refused.
 */
export function findCoupledFileName(about: {
  readonly language: string;
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  /** Is there a file of this path? */
  readonly hasFile: (path: string) => boolean;
}): NameProblem | undefined {
  const { language, path, name, kind } = about;
  const coupled = (file: string): NameProblem => ({
    reason: 'file_name_coupled',
    detail: `\`${name}\` has to be called as its file ${file} is`,
  });
  if (language === 'java' && javaTypes.has(kind) && basename(path) === `${name}.java`) return coupled(path);
  if (language === 'rust' && (kind === 'module' || kind === 'namespace')) {
    const directory = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
    // Beside `main.rs`, `lib.rs` and `mod.rs`; below a directory of the file's own name otherwise.
    const own = /^(?:main|lib|mod)$/.test(basename(path, '.rs')) ? directory : `${directory}${basename(path, '.rs')}/`;
    const file = [`${own}${name}.rs`, `${own}${name}/mod.rs`].find(about.hasFile);
    if (file !== undefined) return coupled(file);
  }
  return undefined;
}

const wordsByLanguage = new Map<string, WordLists>();

/** Undefined for a language without a declaration. */
export function reservedWordsOf(language: string): WordLists | undefined {
  const declared = findLanguage(language)?.reserved;
  if (declared === undefined) return undefined;
  let lists = wordsByLanguage.get(language);
  if (lists === undefined) {
    const { always, members = '', types = '', functions = '' } = declared;
    lists = { always: words(always), members: words(members), types: words(types), functions: words(functions) };
    wordsByLanguage.set(language, lists);
  }
  return lists;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Words that JavaScript uses as syntax, in every mode or in the modes that modules have. */
export const javaScriptKeywords: ReadonlySet<string> = words(javascriptKeywords);
