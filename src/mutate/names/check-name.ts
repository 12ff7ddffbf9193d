/**
 * Can this be the new name at all (mutation.md §2.7)? What the word itself answers: is it an identifier of the language, is it
 * reserved for a declaration of that kind, is it another name than the old one. Who else has the name is asked elsewhere. Total for
 * any two texts; a language that is not known here is held to the common shape of identifiers.
 */

import { normaliseIdentifier } from '../../languages/identifiers.ts';
import type { RefusedReason } from '../vocabulary.ts';
import { reservedWords } from './reserved-words.ts';

export type NameProblem = { readonly reason: RefusedReason; readonly detail: string };

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
export function isMemberKind(kind: string): boolean {
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

/** The letters of names. Formatting characters, which some languages ignore, are never accepted: nobody sees them. */
const shapes: Readonly<Record<string, RegExp>> = {
  typescript: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u,
  javascript: /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u,
  python: /^[\p{XID_Start}_]\p{XID_Continue}*$/u,
  go: /^[\p{L}_][\p{L}\p{Nd}_]*$/u,
  rust: /^(?:r#)?[\p{XID_Start}_]\p{XID_Continue}*$/u,
  java: /^[\p{L}\p{Nl}\p{Sc}\p{Pc}][\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}]*$/u,
  c: /^[\p{XID_Start}_]\p{XID_Continue}*$/u,
  cpp: /^[\p{XID_Start}_]\p{XID_Continue}*$/u,
  csharp: /^@?[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u,
  ruby: /^(?:@@?|\$)?[a-zA-Z_\u{80}-\u{10ffff}][a-zA-Z0-9_\u{80}-\u{10ffff}]*[?!=]?$/u,
  php: /^\$?[a-zA-Z_\u{80}-\u{10ffff}][a-zA-Z0-9_\u{80}-\u{10ffff}]*$/u,
};
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
  if (!(shapes[language] ?? commonShape).test(name))
    return invalid(`\`${newName}\` is not an identifier of ${titles[language] ?? language}.`);
  if (language === 'python' && !(shapes['python'] ?? commonShape).test(name.normalize('NFKC')))
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
  const lists = reservedWords[language];
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
  if (general.has(word)) return reserved(`\`${newName}\` is reserved in ${titles[language] ?? language}.`);
  if (typeKinds.has(about.kind) && lists.types.has(word))
    return reserved(`\`${newName}\` cannot be the name of a type in ${titles[language] ?? language}.`);
  if ((about.kind === 'function' || about.kind === 'method') && lists.functions.has(word))
    return reserved(`\`${newName}\` cannot be the name of a function in ${titles[language] ?? language}.`);
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
        : `\`${newName}\` and \`${oldName}\` are one name in ${titles[language] ?? language}.`;
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

const titles: Readonly<Record<string, string>> = {
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  ruby: 'Ruby',
  php: 'PHP',
};
