/**
 * What an expression of TypeScript or JavaScript can be as a path, as far as its own file tells: literals, sums, templates, `path.join` and
 * its like, constants of the file, `__dirname` and what stands for it. What is computed elsewhere is a hole, so a shape is never narrower
 * than the paths it can mean. Syntax alone; the disk is not looked at.
 */

import type { Node } from '../../languages/parsing/syntax-node.ts';
import { listChildren, walkTree } from '../../languages/parsing/walk-tree.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';

export type PathShape = {
  /** Where it begins: beside the file, in the working directory, as written, not known, or nowhere in the tree. */
  readonly base: 'home' | 'cwd' | 'plain' | 'unknown' | 'outside';
  /** With `/`; a `hole` for each part that is not known. */
  readonly text: string;
};

export const hole = '\0';
const unknownShape: PathShape = { base: 'unknown', text: hole };
const outside: PathShape = { base: 'outside', text: '' };
const home: PathShape = { base: 'home', text: '' };
const cwd: PathShape = { base: 'cwd', text: '' };

/** A shape with more holes is as good as unknown, and a match stays cheap. */
const mostHoles = 4;
const mostShapes = 12;
const deepest = 24;

export type Shapes = {
  /** All that it can be; one of them may be unknown. */
  of(node: Node): readonly PathShape[];
  /** The calls and operators that make paths of paths: what holds them is told apart from what uses them. */
  isPart(node: Node): boolean;
  /** Constants of the file by name: their values. */
  readonly constants: ReadonlyMap<string, readonly Node[]>;
};

/** `path`: of the file, for what it knows of its own place. */
export function readShapes(root: Node, path: string): Shapes {
  const { values, unknown, loops, functions } = listDeclared(root);
  /** Parameters under evaluation: one that leads to itself goes deeper below what it began with. */
  const open = new Map<string, boolean>();
  const isPathModule = /["'](?:node:)?path(?:\/posix)?["']|["'](?:pathe|upath)["']/.test(root.text);

  const of = (node: Node | null, depth = 0): readonly PathShape[] => {
    if (node === null || depth > deepest) return [unknownShape];
    const next = (other: Node | null) => of(other, depth + 1);
    switch (node.type) {
      case 'string': {
        const text = node.text.slice(1, -1);
        return [text.includes('\\') ? unknownShape : { base: 'plain', text }];
      }
      case 'template_string':
        return shapesOfTemplate(node, next);
      case 'binary_expression':
        return shapesOfOperator(node, next);
      case 'ternary_expression':
        return bounded([
          ...next(node.childForFieldName('consequence')),
          ...next(node.childForFieldName('alternative')),
        ]);
      case 'parenthesized_expression':
      case 'as_expression':
      case 'satisfies_expression':
      case 'non_null_expression':
      case 'await_expression':
        return next(listChildren(node)[0] ?? null);
      case 'identifier':
        return shapesOfName(node, depth);
      case 'member_expression':
        return shapesOfMember(node, next);
      case 'new_expression':
        return node.childForFieldName('constructor')?.text === 'URL' ? shapesOfUrl(node, next) : [unknownShape];
      case 'call_expression':
        return shapesOfCall(node, next);
      default:
        return [unknownShape];
    }
  };

  const shapesOfName = (node: Node, depth: number): readonly PathShape[] => {
    const name = node.text;
    const parameter = findParameter(node, functions);
    const own = values.get(name) ?? [];
    if (unknown.has(name)) return [unknownShape];
    const given = parameter === undefined ? [] : shapesOfParameter(parameter, depth);
    if (own.length === 0) {
      if (parameter !== undefined) return given;
      if (name === '__dirname') return [home];
      return [name === '__filename' ? { base: 'home', text: baseName(path) } : unknownShape];
    }
    return bounded([
      ...given,
      ...own.flatMap((value) => (loops.has(value.id) ? elementsOf(value, depth + 1) : of(value, depth + 1))),
    ]);
  };

  /** What it is called with, where every use of the function is a call in this file. */
  const shapesOfParameter = ({ of: owner, index, key }: Parameter, depth: number): readonly PathShape[] => {
    if (open.has(key)) {
      open.set(key, true);
      return [];
    }
    if (owner.elements !== null && index === 0) return elementsOf(owner.elements, depth + 1);
    if (owner.calls === null || owner.calls.length === 0) return [unknownShape];
    open.set(key, false);
    const found = owner.calls.flatMap((args) => of(args[index] ?? null, depth + 1));
    const isDeep = open.get(key) === true;
    open.delete(key);
    const deeper = isDeep ? found.map((shape) => joinTwo(shape, { base: 'plain', text: hole })) : [];
    return found.length === 0 ? [unknownShape] : bounded([...found, ...deeper]);
  };

  const elementsOf = (node: Node, depth: number): readonly PathShape[] => {
    if (depth > deepest) return [unknownShape];
    if (node.type === 'array') return listChildren(node).flatMap((one) => of(one, depth + 1));
    if (node.type === 'as_expression') return elementsOf(listChildren(node)[0] ?? node, depth + 1);
    const own = node.type === 'identifier' && !unknown.has(node.text) ? values.get(node.text) : undefined;
    return own?.length === 1 && own[0] !== undefined && !loops.has(own[0].id)
      ? elementsOf(own[0], depth + 1)
      : [unknownShape];
  };

  type Next = (node: Node | null) => readonly PathShape[];

  const shapesOfMember = (node: Node, next: Next): readonly PathShape[] => {
    const text = node.text.replaceAll(/\s/g, '');
    if (/^import\.meta\.(?:dirname|dir)$|^module\.path$/.test(text)) return [home];
    if (/^import\.meta\.(?:url|filename|file|path)$|^module\.(?:filename|id)$/.test(text))
      return [{ base: 'home', text: baseName(path) }];
    if (/^process\.env\.(?:PWD|INIT_CWD)$/.test(text)) return [cwd];
    if (/^process\.env\.(?:HOME|TMPDIR|TEMP|TMP)$|^process\.execPath$/.test(text)) return [outside];
    const property = node.childForFieldName('property')?.text ?? '';
    return /^(?:href|pathname)$/.test(property) ? next(node.childForFieldName('object')) : [unknownShape];
  };

  const shapesOfUrl = (node: Node, next: Next): readonly PathShape[] => {
    const [one = null, other] = listChildren(node.childForFieldName('arguments'));
    if (other === undefined) return next(one);
    return product(next(other).map(parentOf), next(one), joinTwo);
  };

  const shapesOfCall = (node: Node, next: Next): readonly PathShape[] => {
    const callee = node.childForFieldName('function');
    const args = listChildren(node.childForFieldName('arguments'));
    const kind = kindOfCallee(callee, args);
    switch (kind) {
      case 'join':
      case 'resolve':
        return combine(args, kind, next);
      case 'dirname':
        return next(args[0] ?? null).map(parentOf);
      case 'same':
        return next(args[0] ?? null);
      case 'of itself':
        return next(callee?.childForFieldName('object') ?? null);
      case 'cwd':
        return [cwd];
      case 'outside':
        return [outside];
      case 'array join': {
        const list = findArray(callee?.childForFieldName('object') ?? null);
        return list === undefined ? [unknownShape] : combine(listChildren(list), 'join', next);
      }
      default:
        return [unknownShape];
    }
  };

  const findArray = (node: Node | null): Node | undefined => {
    if (node?.type === 'array') return node;
    const own = node?.type === 'identifier' && !unknown.has(node.text) ? values.get(node.text) : undefined;
    return own?.length === 1 && own[0]?.type === 'array' ? own[0] : undefined;
  };

  const combine = (args: readonly Node[], kind: 'join' | 'resolve', next: Next): readonly PathShape[] => {
    if (args.some(({ type }) => type === 'spread_element')) return [unknownShape];
    let sum: readonly PathShape[] = [kind === 'resolve' ? cwd : { base: 'plain', text: '' }];
    for (const arg of args) sum = product(sum, next(arg), kind === 'resolve' ? resolveTwo : joinTwo);
    return sum;
  };

  const kindOfCallee = (callee: Node | null, args: readonly Node[]): CalleeKind | undefined => {
    const text = callee?.text.replaceAll(/\s/g, '') ?? '';
    const name = text.slice(text.lastIndexOf('.') + 1);
    const owner = text.slice(0, Math.max(0, text.length - name.length - 1));
    if (text === 'process.cwd') return 'cwd';
    // A module that is resolved by its literal is a specifier, which is written anew.
    if (/^(?:require|import\.meta)\.resolve$/.test(text)) return args[0]?.type === 'string' ? 'outside' : undefined;
    if (/^(?:tmpdir|homedir|mkdtemp|mkdtempSync)$/.test(name)) return 'outside';
    if (
      /^(?:fileURLToPath|pathToFileURL|realpathSync|native|normalize|String|decodeURIComponent|normalizePath|slash)$/.test(
        name,
      )
    )
      return 'same';
    if (/^(?:toString|trim)$/.test(name) && args.length === 0) return 'of itself';
    const isPath = owner === '' ? isPathModule : /(?:^|\.)(?:\w*path|posix|win32|p)$/i.test(owner);
    if (isPath && (name === 'join' || name === 'resolve' || name === 'dirname')) return name;
    if (isPath && name === 'normalize') return 'same';
    const isSlash = args.length === 1 && /^(?:(["'`])\/\1|(?:path\.)?sep)$/.test(args[0]?.text ?? '');
    return name === 'join' && owner !== '' && isSlash ? 'array join' : undefined;
  };

  const isPart = (node: Node): boolean => {
    if (/^(?:template_string|parenthesized_expression|as_expression|non_null_expression)$/.test(node.type)) return true;
    if (node.type === 'binary_expression')
      return /^(?:\+|\|\||\?\?)$/.test(node.childForFieldName('operator')?.text ?? '');
    if (node.type === 'new_expression') return node.childForFieldName('constructor')?.text === 'URL';
    if (node.type !== 'call_expression') return false;
    return (
      kindOfCallee(node.childForFieldName('function'), listChildren(node.childForFieldName('arguments'))) !== undefined
    );
  };

  return { of: (node) => of(node), isPart, constants: values };
}

type CalleeKind = 'join' | 'resolve' | 'dirname' | 'same' | 'of itself' | 'cwd' | 'outside' | 'array join';

type Declared = {
  readonly values: ReadonlyMap<string, readonly Node[]>;
  /** Parameters, parts of patterns, imports: anything may be in them. */
  readonly unknown: ReadonlySet<string>;
  readonly functions: ReadonlyMap<number, LocalFunction>;
  /** Ids of values of which the name is an element: `for (const a of list)`. */
  readonly loops: ReadonlySet<number>;
};

type LocalFunction = {
  readonly names: readonly (string | undefined)[];
  /** Arguments of every call; null where it is exported, or used as a value. */
  readonly calls: readonly (readonly Node[])[] | null;
  /** `list.map((one) => …)`: the list. */
  readonly elements: Node | null;
};

type Parameter = { readonly of: LocalFunction; readonly index: number; readonly key: string };

const functionTypes =
  /^(?:function_declaration|generator_function_declaration|function_expression|arrow_function|method_definition)$/;

/** The nearest function around the name that has it as a parameter. */
function findParameter(node: Node, functions: ReadonlyMap<number, LocalFunction>): Parameter | undefined {
  const name = node.text;
  for (let at = node.parent; at !== null; at = at.parent) {
    const own = functionTypes.test(at.type) ? functions.get(at.id) : undefined;
    const index = own?.names.indexOf(name) ?? -1;
    if (own !== undefined && index >= 0) return { of: own, index, key: `${at.id} ${index}` };
  }
  return undefined;
}

/** By name alone, whatever the scope: a name that is declared twice can be either. */
function listDeclared(root: Node): Declared {
  const values = new Map<string, Node[]>();
  const unknown = new Set<string>();
  const loops = new Set<number>();
  const owners: Node[] = [];
  const calls: (readonly [Node, readonly Node[]])[] = [];
  const add = (name: Node | null, value: Node | null) => {
    if (name?.type !== 'identifier') return;
    if (value === null) unknown.add(name.text);
    else values.set(name.text, [...(values.get(name.text) ?? []), value]);
  };
  const isUnknown = (node: Node) => void unknown.add(node.text);
  walkTree(root, {
    variable_declarator: (node) => {
      const value = node.childForFieldName('value');
      // `let a;` is given its value elsewhere, which is seen there.
      if (value !== null) add(node.childForFieldName('name'), value);
      return undefined;
    },
    assignment_expression: (node) => void add(node.childForFieldName('left'), node.childForFieldName('right')),
    augmented_assignment_expression: (node) => void add(node.childForFieldName('left'), null),
    for_in_statement: (node) => {
      const list = node.childForFieldName('right');
      const isOf = node.childForFieldName('operator')?.text === 'of';
      if (list !== null && isOf) loops.add(list.id);
      add(node.childForFieldName('left'), isOf ? list : null);
      return undefined;
    },
    formal_parameters: (node) => {
      // A parameter with a value of its own is of a type that has a pattern inside.
      if (node.parent !== null) owners.push(node.parent);
      return undefined;
    },
    arrow_function: (node) => {
      if (node.childForFieldName('parameter') !== null) owners.push(node);
      return undefined;
    },
    call_expression: (node) => {
      const callee = node.childForFieldName('function');
      if (callee?.type === 'identifier') calls.push([callee, listChildren(node.childForFieldName('arguments'))]);
      return undefined;
    },
    catch_clause: (node) => void add(node.childForFieldName('parameter'), null),
    import_specifier: (node) => void add(node.childForFieldName('alias') ?? node.childForFieldName('name'), null),
    import_clause: (node) => {
      for (const one of listChildren(node)) add(one, null);
      return undefined;
    },
    shorthand_property_identifier_pattern: isUnknown,
    array_pattern: (node) => {
      for (const one of listChildren(node)) add(one, null);
      return undefined;
    },
    pair_pattern: (node) => void add(node.childForFieldName('value'), null),
  });
  const functions = new Map(owners.map((owner) => [owner.id, readFunction(owner, calls, root)]));
  return { values, unknown, loops, functions };
}

const overElements = /^(?:map|forEach|flatMap|filter|some|every|find|findIndex)$/;

function readFunction(owner: Node, calls: readonly (readonly [Node, readonly Node[]])[], root: Node): LocalFunction {
  const only = owner.childForFieldName('parameter');
  const parameters = only === null ? listChildren(owner.childForFieldName('parameters')) : [only];
  const names = parameters.map((one) => {
    const pattern = one.childForFieldName('pattern') ?? one;
    return pattern.type === 'identifier' && one.childForFieldName('value') === null ? pattern.text : undefined;
  });
  const { parent } = owner;
  const call = parent?.type === 'arguments' ? parent.parent : null;
  const callee = call?.childForFieldName('function') ?? null;
  const isOver = overElements.test(callee?.childForFieldName('property')?.text ?? '');
  const declared = parent?.type === 'variable_declarator' ? parent : owner;
  const name = /^(?:variable_declarator|\w*function_declaration)$/.test(declared.type)
    ? declared.childForFieldName('name')?.text
    : undefined;
  const statement = declared === owner ? owner.parent : declared.parent?.parent;
  const own = calls.filter(([one]) => one.text === name).map(([, args]) => args);
  // One use is the declaration itself; a word in a comment counts as a use of which nothing is known.
  const isCalledOnly =
    name !== undefined &&
    own.length > 0 &&
    statement?.type !== 'export_statement' &&
    countWord(root, name) === own.length + 1;
  return {
    names,
    calls: isCalledOnly && own.every((args) => !args.some(({ type }) => type === 'spread_element')) ? own : null,
    elements: isOver ? (callee?.childForFieldName('object') ?? null) : null,
  };
}

function countWord(root: Node, word: string): number {
  return root.text.split(new RegExp(`(?<![\\w$])${quoted(word)}(?![\\w$])`)).length - 1;
}

function shapesOfTemplate(node: Node, next: (node: Node | null) => readonly PathShape[]): readonly PathShape[] {
  const { text } = node;
  if (text.includes('\\')) return [unknownShape];
  let sum: readonly PathShape[] = [{ base: 'plain', text: '' }];
  let at = 1;
  const addText = (end: number) => {
    const own = text.slice(at, end);
    if (own !== '') sum = product(sum, [{ base: 'plain', text: own }], concatTwo);
  };
  for (const child of node.namedChildren) {
    if (child.type !== 'template_substitution') continue;
    addText(child.startIndex - node.startIndex);
    sum = product(sum, next(listChildren(child)[0] ?? null), concatTwo);
    at = child.endIndex - node.startIndex;
  }
  addText(text.length - 1);
  return sum;
}

function shapesOfOperator(node: Node, next: (node: Node | null) => readonly PathShape[]): readonly PathShape[] {
  const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
  switch (node.childForFieldName('operator')?.text) {
    case '+':
      return product(next(left), next(right), concatTwo);
    case '||':
    case '??':
      return bounded([...next(left), ...next(right)]);
    default:
      return [unknownShape];
  }
}

function product(
  left: readonly PathShape[],
  right: readonly PathShape[],
  combine: (a: PathShape, b: PathShape) => PathShape,
): readonly PathShape[] {
  return bounded(left.flatMap((a) => right.map((b) => combine(a, b))));
}

function bounded(shapes: readonly PathShape[]): readonly PathShape[] {
  const known = new Map(shapes.map((shape) => [`${shape.base} ${shape.text}`, shape]));
  if (known.size > mostShapes) return [unknownShape];
  return [...known.values()].map((shape) =>
    shape.text.split(hole).length - 1 > mostHoles || shape.text.length > 1024 ? unknownShape : shape,
  );
}

function concatTwo(a: PathShape, b: PathShape): PathShape {
  if (a.base === 'plain' && /^(?:file:\/\/)?$/.test(a.text)) return b;
  if (b.base === 'plain' || b.base === 'unknown') return { base: a.base, text: a.text + b.text };
  return unknownShape;
}

function joinTwo(a: PathShape, b: PathShape): PathShape {
  if (a.base === 'plain' && a.text === '') return b;
  if (b.base === 'plain' || b.base === 'unknown')
    return { base: a.base, text: a.text === '' ? b.text : `${a.text}/${b.text}` };
  return unknownShape;
}

function resolveTwo(a: PathShape, b: PathShape): PathShape {
  if (b.base === 'home' || b.base === 'cwd' || b.base === 'outside') return b;
  if (b.base === 'plain' && b.text.startsWith('/')) return outside;
  return joinTwo(a, b);
}

function parentOf(shape: PathShape): PathShape {
  const at = shape.text.lastIndexOf('/');
  const last = shape.text.slice(at + 1);
  if (last.includes(hole)) return { base: shape.base, text: shape.text };
  if (last === '' || last === '..') return joinTwo(shape, { base: 'plain', text: '..' });
  return { base: shape.base, text: shape.text.slice(0, Math.max(0, at)) };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

// ---- from a shape to the paths of the tree that it can mean

/** Segments from the root; one that is `hole` alone stands for any number of them. Undefined: nothing in the tree. */
export function segmentsFrom(directory: string, text: string): readonly string[] | undefined {
  const segments = directory === '' ? [] : directory.split('/');
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') {
      segments.push(segment);
      continue;
    }
    const last = segments.pop();
    if (last === undefined) return undefined;
    if (last.includes(hole)) segments.push(hole);
  }
  return segments;
}

/** `directory`: what the shape begins in; null where that is not known. */
export function compileShape(text: string, directory: string | null): ((path: string) => boolean) | undefined {
  const segments = segmentsFrom(directory ?? hole, text);
  if (segments === undefined) return undefined;
  const source = segments
    .map((segment, index) => {
      const isLast = index === segments.length - 1;
      if (segment === hole) return isLast ? '.*' : '(?:.*/)?';
      return segment.split(hole).map(quoted).join('.*') + (isLast ? '' : '/');
    })
    .join('');
  const pattern = new RegExp(`^${source}$`, 's');
  return (path) => pattern.test(path);
}

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Where a shape may begin, as directories; null: not known. `directories`: what may be the working directory. */
export function beginningsOf(
  { base, text }: PathShape,
  path: string,
  directories: readonly string[],
): readonly (string | null)[] {
  switch (base) {
    case 'home':
      return [directoryOf(path)];
    case 'cwd':
      return directories;
    case 'plain':
      return text.startsWith('/') || /^[a-z][\w+.-]+:/i.test(text) ? [] : directories;
    case 'unknown':
      return [null];
    case 'outside':
      return [];
  }
}
