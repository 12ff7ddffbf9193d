/**
 * The pieces that a told tree is made of: parts, what lies between them, and how oxc's nodes are asked. `oxc-tree.ts` says what it is for.
 */

import type { OxcNode } from './oxc-parser.ts';

/** The tree has a form that there are no words for. The other parser reads the file then. */
export class UntoldTree extends Error {}

export type Part = {
  readonly type: string;
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** The parts inside, in order; `null` for what has none, not even signs. */
  readonly open: (() => readonly Part[]) | null;
  /** Fields of keywords and signs in it. */
  readonly signs: Signs | undefined;
};
export type Signs = Readonly<Record<string, string>>;

/** What the files of the told tree ask of one another: each makes the parts of its own forms. */
export type Shape = {
  annotation(node: OxcNode): Part[];
  methodSignature(node: OxcNode, key: OxcNode, value: OxcNode): Part[];
  modifiers(node: OxcNode, from: number, to: number): Part[];
  typeParameters(node: OxcNode): Part[];
  classPart(node: OxcNode, field: string, isDeclared: boolean): Part;
  decorator(node: OxcNode, field: string): Part;
  entityName(node: OxcNode, field: string, as: 'type' | 'namespace' | 'value'): Part;
  expression(node: OxcNode, field: string): Part;
  functionParts(node: OxcNode, start: number): Part[];
  functionValue(node: OxcNode, field: string): Part;
  heritageType(node: OxcNode, field: string): Part;
  identifier(node: OxcNode, field: string): Part;
  indexSignature(node: OxcNode, field: string): Part;
  memberName(node: OxcNode, key: OxcNode, field: string, from?: number): Part;
  parameters(node: OxcNode, from: number): Part;
  pattern(node: OxcNode, field: string): Part;
  propertyName(node: OxcNode, field: string): Part;
  signature(node: OxcNode, from: number): Part[];
  statementBlock(node: OxcNode, field: string): Part;
  statements(node: OxcNode, name: string, field: string): Part[];
  string(node: OxcNode, field: string): Part;
  target(node: OxcNode, field: string, from: number): Part;
  templateParts(node: OxcNode, inserted: string, type: string, shape: (node: OxcNode, field: string) => Part): Part[];
  type(node: OxcNode, field: string): Part;
  typeAnnotation(node: OxcNode, field: string): Part;
  typeArguments(node: OxcNode, field: string): Part;
  typeMember(node: OxcNode): Part;
};

/** The parts of a part with the keywords, signs and comments between them. */
export function listInside(part: Part, text: string): readonly Part[] {
  if (part.open === null) return [];
  const inside: Part[] = [];
  let at = part.start;
  for (const each of part.open()) {
    if (at < each.start) addBetween(inside, part.signs, text, at, each.start);
    inside.push(each);
    at = each.end;
  }
  if (at < part.end) addBetween(inside, part.signs, text, at, part.end);
  return inside;
}

function addBetween(inside: Part[], signs: Signs | undefined, text: string, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const unit = text.charCodeAt(at);
    if (isSpace(unit)) {
      at += 1;
      continue;
    }
    const behind = commentEnd(text, at);
    if (behind > at && behind <= to) {
      inside.push(sign(unit === 47 ? 'comment' : 'html_comment', '', at, behind));
      at = behind;
      continue;
    }
    const end = Math.min(at + signLength(text, at), to);
    const written = `'${text.slice(at, end)}'`;
    const field = signs !== undefined && Object.hasOwn(signs, written) ? (signs[written] ?? '') : '';
    inside.push(sign(signNames[written] ?? written, field, at, end));
    at = end;
  }
}

function sign(type: string, field: string, start: number, end: number): Part {
  return { type, field, start, end, open: null, signs: undefined };
}

/** What the grammars call otherwise than it is written. */
const signNames: Readonly<Record<string, string>> = { "'unique'": "'unique symbol'" };

const space = /\s/;

export function isSpace(unit: number): boolean {
  return unit <= 32 || unit === 0xfeff || (unit >= 0x80 && space.test(String.fromCharCode(unit)));
}

function isLineEnd(unit: number): boolean {
  return unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029;
}

/** Behind the comment that begins at `at`; `at` itself where none does. */
function commentEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  const isLine = (unit === 47 && second === 47) || (unit === 60 && text.startsWith('<!--', at));
  if (unit === 47 && second === 42) {
    const close = text.indexOf('*/', at + 2);
    return close < 0 ? text.length : close + 2;
  }
  if (!isLine && !(unit === 45 && text.startsWith('-->', at))) return at;
  let end = at;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end += 1;
  return end;
}

const longSigns =
  /(?:>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|[-+*/%&|^]=|<<|>>|\*\*|<\/|\/>|[-+]?\?:)/y;

function signLength(text: string, at: number): number {
  if (text.startsWith('${', at)) return 2;
  if (isWordUnit(text.charCodeAt(at))) return wordEnd(text, at) - at;
  longSigns.lastIndex = at;
  return longSigns.exec(text)?.[0].length ?? 1;
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 36 ||
    unit === 92 ||
    (unit >= 0x80 && !isSpace(unit))
  );
}

/** Behind a word, escapes (`\u{61}`) included. */
export function wordEnd(text: string, from: number): number {
  let at = from;
  for (; isWordUnit(text.charCodeAt(at)); at += 1)
    if (text.startsWith('\\u{', at)) at = Math.max(at, text.indexOf('}', at));
  return at;
}

/** What every form needs: a part, and where the next sign of the text is. */
export function createTools(text: string, isUntyped: boolean) {
  return { text, isUntyped, none: (): readonly Part[] => [], part, leaf, skip, behind, behindList, unknown };

  function part(
    type: string,
    field: string,
    start: number,
    end: number,
    open: Part['open'],
    signs: Signs | undefined = undefined,
  ): Part {
    return { type, field, start, end, open, signs };
  }

  function leaf(type: string, field: string, { start, end }: { readonly start: number; readonly end: number }): Part {
    return part(type, field, start, end, null);
  }

  /** The next place that is neither white space nor comment. */
  function skip(from: number): number {
    let at = from;
    for (;;) {
      while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
      const behind = commentEnd(text, at);
      if (behind === at) return at;
      at = behind;
    }
  }

  /** Behind the sign that comes next, which is this one. */
  function behind(sign: string, from: number): number {
    const at = skip(from);
    ensure(text.startsWith(sign, at), `${sign} is expected`);
    return at + sign.length;
  }

  /** Behind the bracket that closes a list whose last part ends at `from`. */
  function behindList(close: string, from: number): number {
    let at = skip(from);
    while (text.charCodeAt(at) === 44) at = skip(at + 1);
    return behind(close, at);
  }

  /** The parser knows more forms than are told: then the file is read by the other parser. */
  function unknown(node: OxcNode, field: string): never {
    throw new UntoldTree(`${node.type} as ${field}`);
  }
}

export type Tools = ReturnType<typeof createTools>;

// ---- reading oxc's nodes.

export function child(node: OxcNode, name: string): OxcNode | undefined {
  const value = node[name];
  return value === null || value === undefined ? undefined : (value as OxcNode);
}

export function get(node: OxcNode, name: string): OxcNode {
  const value = child(node, name);
  ensure(value !== undefined, `${node.type} has ${name}`);
  return value;
}

/** Without the holes of an array. */
export function list(node: OxcNode, name: string): OxcNode[] {
  const value = node[name];
  if (!Array.isArray(value)) return [];
  return value.includes(null) ? value.filter((each) => each !== null) : (value as OxcNode[]);
}

export function optional(
  node: OxcNode | undefined,
  field: string,
  shape: (node: OxcNode, field: string) => Part,
): readonly Part[] {
  return node === undefined ? [] : [shape(node, field)];
}

export function optionalNode(node: OxcNode | undefined): readonly OxcNode[] {
  return node === undefined ? [] : [node];
}

export function ensure(holds: boolean, what: string): asserts holds {
  if (!holds) throw new UntoldTree(what);
}
