/**
 * Words a language does not let be names, as data: `always` for every use, the others for the uses they stand for. A word that is
 * legal somewhere but reads as syntax where a declaration of that kind is used counts as reserved for it (mutation.md §2.7).
 */

export type ReservedWords = {
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

const ecmaScript = `break case catch class const continue debugger default delete do else enum export extends false finally for function
  if import in instanceof new null return super switch this throw true try typeof var void while with
  implements interface let package private protected public static yield await eval arguments undefined`;

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
