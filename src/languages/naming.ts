/**
 * What a language demands of names (mutation.md §2.7): is the new name an identifier, is it reserved for a declaration of that
 * kind, is it another name than the old one, who could use it, and must its file be called like it. The word alone answers; who
 * else has the name is asked elsewhere. Total for any two texts; an unknown language is held to the common shape of identifiers.
 */

import { basename } from 'node:path/posix';
import { normaliseIdentifier } from './identifiers.ts';

export type NameProblem = {
  readonly reason: 'invalid_name' | 'reserved_name' | 'same_name' | 'case_clash' | 'file_name_coupled';
  readonly detail: string;
};

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

/** The letters of names. Formatting characters, which some languages ignore, are never accepted, because they are invisible. */
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

/**
 * Words that a language does not accept as names. A word that is legal somewhere but reads as syntax where a declaration of that
 * kind is used counts as reserved for it.
 */
type ReservedWords = {
  /** For every name that is not reached through its owner. */
  readonly always: ReadonlySet<string>;
  /** For members: what `owner.name` cannot be. */
  readonly members: ReadonlySet<string>;
  /** Besides, for names of types. */
  readonly types: ReadonlySet<string>;
  /** Besides, for functions and methods. */
  readonly functions: ReadonlySet<string>;
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

const none: ReadonlySet<string> = new Set();

const ecmaScriptKeywords = `break case catch class const continue debugger default delete do else enum export extends false finally for
  function if import in instanceof new null return super switch this throw true try typeof var void while with yield await`;
const ecmaScript = `${ecmaScriptKeywords} implements interface let package private protected public static eval arguments undefined`;

/** Words that JavaScript uses as syntax, in every mode or in the modes that modules have. */
export const javaScriptKeywords = words(ecmaScriptKeywords);

const typeScript: ReservedWords = {
  always: words(ecmaScript),
  // A class member of that name is its constructor; in an object literal the other sets the prototype.
  members: words('constructor __proto__'),
  types: words(
    'any unknown never string number boolean symbol object bigint keyof infer unique readonly asserts intrinsic globalThis',
  ),
  functions: none,
};

const python = `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield __debug__`;
const go = `break case chan const continue default defer else fallthrough for func go goto if import interface map package range return
  select struct switch type var _`;
const rust = `as break const continue crate else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self
  static struct super trait true type unsafe use where while async await dyn abstract become box do final macro override priv typeof
  unsized virtual yield try gen _`;
const java = `abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally
  float for goto if implements import instanceof int interface long native new package private protected public return short static
  strictfp super switch synchronized this throw throws transient try void volatile while true false null _`;
const c = `alignas alignof auto bool break case char const constexpr continue default do double else enum extern false float for goto if
  inline int long nullptr register restrict return short signed sizeof static static_assert struct switch thread_local true typedef
  typeof typeof_unqual union unsigned void volatile while _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32
  _Decimal64 _Generic _Imaginary _Noreturn _Static_assert _Thread_local`;
const cpp = `alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept
  const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast
  else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
  operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static static_assert
  static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void
  volatile wchar_t while xor xor_eq`;
const csharp = `abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else
  enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace
  new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc
  static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while await`;
const ruby = `BEGIN END alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue
  retry return self super then true undef unless until when while yield __FILE__ __LINE__ __ENCODING__`;
const php = `__halt_compiler abstract and array as break callable case catch class clone const continue declare default die do echo else
  elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global
  goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected
  public readonly require require_once return static switch throw trait try unset use var while xor yield __class__ __dir__ __file__
  __function__ __line__ __method__ __namespace__ __trait__`;

export const reservedWords: Readonly<Record<string, ReservedWords>> = {
  typescript: typeScript,
  javascript: { ...typeScript, types: none },
  python: {
    // Soft keywords are names too, but a lexical use can stand where the statement of that name begins.
    always: words(`${python} match case type _`),
    members: words(python),
    types: none,
    functions: none,
  },
  go: { always: words(go), members: words(go), types: words('init'), functions: words('init') },
  rust: { always: words(rust), members: words(rust), types: none, functions: none },
  java: {
    always: words(java),
    members: words(java),
    types: words('var yield record sealed permits'),
    functions: words('yield'),
  },
  c: { always: words(c), members: words(c), types: none, functions: none },
  cpp: { always: words(cpp), members: words(cpp), types: none, functions: none },
  csharp: {
    always: words(csharp),
    members: words(csharp),
    types: words('var dynamic record file required scoped nint nuint notnull unmanaged where partial'),
    functions: words('nameof'),
  },
  ruby: { always: words(ruby), members: none, types: none, functions: none },
  php: {
    always: words(php),
    members: words('class'),
    types: words('self parent int float bool string true false null void iterable object mixed never'),
    functions: none,
  },
};
