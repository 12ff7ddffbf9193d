/**
 * Languages in which the spelling of a name says who may use it (mutation.md §2.7, last row): Go's capital, Python's underscores.
 * A change is refused as `bindings_change` only where a use needs the visibility that goes; the caller knows the uses.
 */

export type Visibility = 'exported' | 'package' | 'public' | 'internal' | 'mangled' | 'special';

export type VisibilityChange = {
  readonly from: Visibility;
  readonly to: Visibility;
  /** Which uses are in the way; null: the change itself moves bindings, whoever uses the name. */
  readonly breaks: 'other_packages' | 'outside_class' | 'star_imports' | null;
  readonly says: string;
};

/** What the new spelling changes, or undefined. `isMember`: declared in a class or struct. */
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
