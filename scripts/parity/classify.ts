/**
 * Names for differences between the two indexers. A class says who is right: where scip-typescript is wrong, and where `tsgo` says more,
 * `examples.ts` has a small program that shows it. What fits no class is `other`, and is to be looked at.
 */

import type { Difference, Mark } from './compare-indexes.ts';

export type DifferenceClass = {
  readonly name: string;
  readonly side: Difference['side'];
  readonly found: readonly Difference[];
};

type LineOf = (path: string, line: number) => string;

/** What scip-typescript alone says, and should not. */
export const wrongThere = {
  accessors: 'a getter and a setter of a literal are two locals',
  bracketedKey: 'a key in brackets in a pattern means the variable beside it',
  deepLiteral: 'a member of a type literal deeper in a type is a local, in each document another one',
  exportsWord: '`module` and `exports` mean what is assigned to them',
  filledIn: 'what a literal of a union lacks is tied to any other literal that has it',
  importedShorthand: 'a shorthand of an import means the type of what is imported',
  localConstructor: 'a constructor of a local class is no symbol',
  overloaded: 'what overloads have each, a parameter or a type parameter, is one symbol',
  ownAlias: '`import a = N.b` is what it stands for',
  patternKey: 'a key of an assignment pattern is no property of its own',
  renamedBinding: 'a renamed binding is tied to a property of its new name',
  restBinding: 'a rest binding is tied to a property of its own name',
  staticTwin: 'a static member and one of instances, of one name, are one symbol',
  undefinedLocal: 'a local that nothing defines, in each document another one, has a symbol here',
} as const;

/** What it alone says, and is no fault. Nothing may be concluded from any of them: see the report. */
export const lost = {
  library: 'the library of another compiler version declares it elsewhere',
  notInferred: 'not inferred: of the types of JavaScript, version 7 knows less; the name has no occurrence',
  ownMember:
    'in scripts, a member that a class assigns and its base has: the one of the base; here its own, with a relationship to that',
  equalTypes: 'of equal types in a union, each compiler keeps another: a member of that name, and not the same one',
  otherType:
    'in scripts, a type in a comment that each compiler reads differently: a member of that name, and not the same one',
  numbered: 'numbered differently: that tool counts across files',
} as const;

/** What tsgo alone says. */
export const added = {
  modifier: 'a constructor behind a modifier',
  link: 'in a documentation comment, what a link leads to: `{@link a}`, `@see a`',
  comment: 'in a documentation comment of a script, a type: what it declares and names',
  key: 'a key of a literal is a property of its own, besides what is expected',
  expected: 'what is expected of a key, by some constituents of a union',
  shorthand: 'the variable a shorthand takes',
  pattern: 'the property that a key of an assignment pattern takes',
  bracketed: 'the property that a key in brackets in a pattern takes',
  expando: 'a property that an assignment gives to a function',
  assigned: 'in scripts, what an assignment declares: an export, a member of a class, a property of a function',
  instance: 'in scripts, what a function gives to its instances, where its file says `this` or `prototype`',
  required: 'in scripts, what a name leads to, and the variable it is',
  word: '`module` and `exports` are the file',
  library: lost.library,
  unnamed: 'a definition that has no occurrence there',
  unbound: 'a name without any occurrence there: what is assigned to a variable tells its type',
  merged: 'a declaration is also what it adds to: of another file, or of all',
  ...{ deep: 'a member of a type literal deeper in a type', single: 'a parameter or a type parameter of one overload' },
  ...{ alias: 'the name that `import a = N.b` declares', static: 'a static member beside one of instances' },
  localClass: 'the local class that is made, which has a constructor',
  numbered: lost.numbered,
} as const;

export function classifyDifferences(differences: readonly Difference[], lineOf: LineOf): readonly DifferenceClass[] {
  const classes = new Map<string, { name: string; side: Difference['side']; found: Difference[] }>();
  for (const difference of differences) {
    const name = difference.side === 'oracle' ? nameLoss(difference, lineOf) : nameGain(difference, lineOf);
    const key = `${difference.side} ${name}`;
    const known = classes.get(key) ?? { name, side: difference.side, found: [] };
    known.found.push(difference);
    classes.set(key, known);
  }
  return [...classes.values()].sort(
    (a, b) => a.side.localeCompare(b.side, 'en') * -1 || b.found.length - a.found.length,
  );
}

function nameLoss(difference: Difference, lineOf: LineOf): string {
  const fault = findFault(difference, lineOf);
  if (fault !== undefined) return `wrong there: ${wrongThere[fault]}`;
  const { mark, others, isTied } = difference;
  if (isScript(mark.path) && others.every(({ isDefinition }) => isDefinition)) return lost.notInferred;
  if (isScript(mark.path) && (isTied || (mark.places !== null && others.some(isMember)))) return lost.ownMember;
  if (isLibrary(mark.symbol)) return lost.library;
  if (others.some(({ symbol }) => symbol === mark.symbol)) return lost.numbered;
  if (!mark.isDefinition && others.some((other) => !other.isDefinition && isMember(other)))
    return isScript(mark.path) ? lost.otherType : lost.equalTypes;
  return 'other';
}

function findFault({ mark, others, isNamed }: Difference, lineOf: LineOf): keyof typeof wrongThere | undefined {
  const { before, text, after } = textAt(mark, lineOf);
  const isDefined = others.some(({ isDefinition }) => isDefinition);
  if (/^local .*`<constructor>`/.test(mark.raw)) return 'localConstructor';
  if (isBracketed(before, text) && mark.raw.startsWith('local ')) return 'bracketedKey';
  if (others.length === 0 || isLibrary(mark.symbol)) return undefined;
  if (isScript(mark.path) && /^(?:module|exports)$/.test(text)) return 'exportsWord';
  if (others.some(({ raw }) => raw.includes('<static>'))) return 'staticTwin';
  if (mark.raw.startsWith('local ') && others.some(isDeep)) return 'deepLiteral';
  if (/[)\]]$/.test(mark.raw) && others.some(({ raw }) => raw.startsWith('local '))) return 'overloaded';
  if (others.some((other) => isAlias(other, text)) && isAliased(mark, others, text)) return 'ownAlias';
  if (mark.isDefinition && isDefined && /\b[gs]et\s+$/.test(before)) return 'accessors';
  if (/\.\.\.$/.test(before) && isDefined) return 'restBinding';
  if (/:\s*$/.test(before) && isDefined) return 'renamedBinding';
  if (mark.isDefinition && isLiteralKey(mark.raw) && !isDefined) return 'patternKey';
  const isShorthand =
    /^\s*(?:[,}]|$)/.test(after) && others.some((other) => other.isDefinition && isLiteralKey(other.raw));
  if (isShorthand && !isScript(mark.path)) return 'importedShorthand';
  if (isNamed) return 'undefinedLocal';
  if (isLiteralKey(mark.raw) && others.some((other) => !other.isDefinition && isLiteralKey(other.raw)))
    return 'filledIn';
  return undefined;
}

function nameGain({ mark, others, own }: Difference, lineOf: LineOf): string {
  const { before, text, after } = textAt(mark, lineOf);
  const inScript = isScript(mark.path);
  if (isInComment(before) && isLinked(before)) return added.link;
  if (isInComment(before) && inScript) return added.comment;
  if (isLibrary(mark.symbol)) return added.library;
  if (inScript && isOfInstances(mark.raw)) return added.instance;
  if (mark.raw.includes('<static>')) return added.static;
  if (isDeep(mark) && others.some(({ raw }) => raw.startsWith('local '))) return added.deep;
  if (mark.raw.startsWith('local ') && others.some(({ raw }) => /[)\]]$/.test(raw))) return added.single;
  if (isAlias(mark, text) && others.some((other) => isAliased(other, others, text))) return added.alias;
  if (!mark.isDefinition && own.some((one) => one.isDefinition && isPart(one.raw, mark.raw))) return added.merged;
  const isKey = own.some(({ isDefinition, raw }) => isDefinition && (isLiteralKey(raw) || /^\s*\(/.test(after)));
  if (mark.isDefinition) {
    if (text === 'constructor' && !mark.raw.endsWith('constructor.')) return added.modifier;
    if (isLiteralKey(mark.raw)) return added.key;
    if (others.length === 0) return added.unnamed;
    return inScript && isAssigned(mark.raw) ? added.assigned : added.key;
  }
  if (isKey) {
    const isVariable = mark.raw.startsWith('local ') ? mark.places === null : !isMember(mark);
    const isTaken = isVariable && /^\s*(?:[,}]|$|\/\/|\/\*)/.test(after);
    return isTaken ? added.shorthand : added.expected;
  }
  if (others.some(({ isDefinition, raw }) => isDefinition && isLiteralKey(raw))) return added.pattern;
  if (inScript) {
    if (/^(?:module|exports)$/.test(text)) return added.word;
    return isAssigned(mark.raw) ? added.assigned : added.required;
  }
  if (others.length === 0) return added.unbound;
  if (others.some(({ raw }) => /^local .*`<constructor>`/.test(raw))) return added.localClass;
  if (isBracketed(before, text)) return added.bracketed;
  if (isExpando(mark.raw) && others.every(({ raw }) => raw.startsWith('local '))) return added.expando;
  return others.some(({ symbol }) => symbol === mark.symbol) ? added.numbered : 'other';
}

function isDeep({ raw }: Mark): boolean {
  return /typePart\d+:/.test(raw);
}

function isAlias({ raw }: Mark, text: string): boolean {
  return raw.endsWith(`/${text}.`);
}

/** Something that is declared under another name, and nothing else is there. */
function isAliased({ path, raw }: Mark, all: readonly Mark[], text: string): boolean {
  if (isScript(path) || all.some((one) => isLiteralKey(one.raw))) return false;
  return !raw.startsWith('local ') && !raw.includes(text);
}

/** Spelled alike below their files: `declare module './a' { interface B {} }`. */
function isPart(own: string, other: string): boolean {
  const tail = (raw: string) => /[^/]*$/.exec(raw.slice(0, -1))?.[0];
  return own !== other && tail(own) === tail(other);
}

function textAt({ path, range }: Mark, lineOf: LineOf) {
  const [line = 0, from = 0, to = 0] = range;
  const text = lineOf(path, line);
  return { before: text.slice(0, from), text: text.slice(from, to), after: text.slice(to) };
}

function isInComment(before: string): boolean {
  return /^\s*\*|\/\*(?!.*\*\/)/.test(before);
}

/** A type never stands there. */
function isLinked(before: string): boolean {
  return /(?:\{\s*@link(?:code|plain)?|@see)\s+\{?[\w$.#~]*$/.test(before);
}

function isBracketed(before: string, text: string): boolean {
  return /\[\s*$/.test(before) && /^['"`]/.test(text);
}

function isScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/** What a type or a literal declares, not a file; of locals it is unknown. */
function isMember({ raw }: Mark): boolean {
  return /[#:][^#:]+$|:$/.test(raw) || raw.startsWith('local ');
}

function isAssigned(raw: string): boolean {
  return /\/exports\/[^/]+\.$|#[^#]+\.$|\(\)\.[^.]+\.$/.test(raw);
}

/** `f().a.`, `f.a.` */
function isExpando(raw: string): boolean {
  return /[^`/#]\.[^./#]+\.$/.test(raw);
}

/** `F().prototype.a.` */
function isOfInstances(raw: string): boolean {
  return /\.prototype\.[^.]+\.$/.test(raw);
}

function isLiteralKey(raw: string): boolean {
  return /\d`?:$/.test(raw);
}

function isLibrary(symbol: string): boolean {
  return symbol.startsWith('scip-typescript npm typescript * ');
}
