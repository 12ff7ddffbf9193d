/**
 * Python. One walk that enters function bodies only where a word promises something: a nested definition, an import, a name reached
 * at run time, an attribute set on `self`.
 * Another file can see every name of a module, imported ones too, so each is a record; attributes that methods give to `self` are
 * part of their class. A type that is not written down follows from a value or a body, whose tokens then stand in for it (S3).
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { finishRecord, mayHidePublic, type RecordDraft, type RecordPart } from '../extraction/record-draft.ts';
import type { RawExport, RawFacts, RawImport, RawSymbol, SourceTree, SymbolKind, TextSpan } from '../facts.ts';
import type { Node } from '../parsing/syntax-node.ts';
import {
  type CursorVisitors,
  findMarks,
  listChildren,
  type Prunable,
  pruneAlways,
  spanOf,
  walkMarked,
} from '../parsing/walk-tree.ts';
import { readCall, readFromStatement, readImportStatement, readSubscript, stringLiteral } from './python-reach.ts';

const promising =
  /\b(?:def|class|import|import_module|__import__|getattr|setattr|hasattr|delattr|attrgetter|methodcaller|eval|exec|globals|locals|vars|__dict__)\b|\b(?:self|cls)\.\w+\s*(?:=(?!=)|:[ \t]*[^\s#]|,)/g;

const attributeTarget = /\b(?:self|cls)\.\w+\s*(?:=(?!=)|[,:)\]])/;

type Scope = {
  readonly kind: 'module' | 'class' | 'function';
  readonly symbol: number;
  /** Where members of a class are written down; none inside functions. */
  readonly record: RecordDraft | undefined;
  /** The class whose `self` is meant here. */
  readonly owner: ClassMembers | undefined;
  readonly bound: Set<string>;
  /** The body stands in its record already. */
  readonly bodyCounts: boolean;
};
type ClassMembers = {
  readonly symbol: number;
  readonly record: RecordDraft | undefined;
  readonly bound: Set<string>;
  readonly annotated: Set<string>;
  readonly isEnum: boolean;
};

export default function extractPython({ root, text, hasErrors }: SourceTree): RawFacts {
  const symbols: RawSymbol[] = [];
  const imports: RawImport[] = [];
  const moduleImports: RawImport[] = [];
  const dynamicSites: RawFacts['dynamicSites'][number][] = [];
  const records: RecordDraft[] = [];
  const all: AllList = { names: new Set(), literal: true, present: false };
  const scopes: Scope[] = [
    { kind: 'module', symbol: -1, record: undefined, owner: undefined, bound: new Set(), bodyCounts: false },
  ];
  const scope = (): Scope => scopes.at(-1) as Scope;
  let functions = 0;
  let typeOnlyEnd = -1;
  let decorated: Node | undefined;

  const visitors: CursorVisitors = {
    decorated_definition(cursor) {
      decorated = cursor.currentNode;
      return undefined;
    },
    class_definition: (cursor) => enterClass(cursor.currentNode),
    function_definition: (cursor) => enterFunction(cursor.currentNode),
    expression_statement(cursor) {
      const { kind, owner } = scope();
      if (kind === 'function' && (owner === undefined || !setsAttribute(cursor.startIndex))) return undefined;
      const { currentNode } = cursor;
      const assignment = readAssignment(currentNode, text);
      if (assignment !== undefined) bind(currentNode, assignment);
      else if (functions === 0 && text.startsWith('__all__', currentNode.startIndex)) callOnAll(all, currentNode, text);
      return undefined;
    },
    type_alias_statement({ currentNode: node }) {
      if (functions > 0) return undefined;
      const left = node.childForFieldName('left');
      const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(left === null ? '' : sliceOf(left))?.[0];
      if (left === null || name === undefined) return undefined;
      const end = left.startIndex + name.length;
      addSymbol({ name, start: left.startIndex, end, ofInstance: false }, 'type', node, scope().symbol);
      addRecord([name], node, [spanOf(node)]);
      return undefined;
    },
    if_statement(cursor) {
      if (functions > 0) return undefined;
      const { currentNode: node } = cursor;
      const condition = node.childForFieldName('condition');
      if (condition !== null && /^(?:typing\.|t\.)?TYPE_CHECKING$/.test(sliceOf(condition))) {
        typeOnlyEnd = node.childForFieldName('consequence')?.endIndex ?? -1;
      }
      return undefined;
    },
    import_statement({ currentNode: node }) {
      for (const found of readImportStatement(node, text, node.startIndex < typeOnlyEnd)) addImport(found);
      return 'skip';
    },
    import_from_statement: ({ currentNode }) => enterFrom(currentNode),
    future_import_statement: ({ currentNode }) => enterFrom(currentNode),
    call({ currentNode }) {
      const { site, load } = readCall(currentNode, text);
      if (site !== undefined) dynamicSites.push(site);
      if (load !== undefined) imports.push(load);
      return undefined;
    },
    subscript({ currentNode }) {
      const site = readSubscript(currentNode, text);
      if (site !== undefined) dynamicSites.push(site);
      return undefined;
    },
  };

  function enterClass(node: Node): (() => void) | undefined {
    const name = nameOf(node);
    const outer = takeDecorated(node);
    if (name === undefined) return undefined;
    const bases = node.childForFieldName('superclasses');
    const isEnum = bases !== null && /\b(?:Int|Str)?(?:Enum|Flag)\b/.test(sliceOf(bases));
    const symbol = addSymbol(name, isEnum ? 'enum' : 'class', outer, scope().symbol);
    const header = { start: outer.startIndex, end: headerEnd(node) };
    const record = addRecord([name.name], outer, [header, '{']);
    const owner = { symbol, record, bound: new Set<string>(), annotated: new Set<string>(), isEnum };
    scopes.push({ kind: 'class', symbol, record, owner, bound: owner.bound, bodyCounts: false });
    return () => {
      record?.parts.push('}');
      scopes.pop();
    };
  }

  function enterFunction(node: Node): (() => void) | undefined {
    const name = nameOf(node);
    const outer = takeDecorated(node);
    if (name === undefined) return undefined;
    const around = scope();
    const symbol = addSymbol(name, functionKind(name.name, around.kind, outer, node), outer, around.symbol);
    around.bound.add(name.name);
    const returns = node.childForFieldName('return_type');
    const bodyCounts = name.name !== '__init__' && returns === null;
    if (functions === 0) {
      const header = { start: outer.startIndex, end: returns?.endIndex ?? headerEnd(node) };
      addRecord([name.name], outer, bodyCounts ? [header, ':', spanOfBody(node)] : [header], bodyCounts);
    }
    if (/^__getattr(?:ibute)?__$/.test(name.name)) {
      dynamicSites.push({ start: name.start, end: name.end, kind: 'getattr', name: null });
    }
    functions += 1;
    const { owner } = around;
    scopes.push({
      kind: 'function',
      symbol,
      record: undefined,
      owner,
      bound: new Set(),
      bodyCounts: bodyCounts || around.bodyCounts,
    });
    return () => {
      functions -= 1;
      scopes.pop();
    };
  }

  function enterFrom(node: Node): 'skip' {
    const found = readFromStatement(node, text, node.startIndex < typeOnlyEnd);
    if (found === undefined) return 'skip';
    addImport(found);
    if (found.names[0]?.name !== '*') return 'skip';
    dynamicSites.push({ start: found.start, end: found.end, kind: 'star_import', name: null });
    return 'skip';
  }

  function addImport(found: RawImport): void {
    imports.push(found);
    if (scope().kind !== 'module' || found.specifier === '__future__') return;
    moduleImports.push(found);
    const whole = { startIndex: found.start, endIndex: found.end };
    for (const { name, alias, start } of found.names) {
      const isStar = name === '*' && alias === null;
      const source = found.kind === 'from' ? `from ${found.specifier} import ${name}` : `import ${found.specifier}`;
      const after = start + found.specifier.length;
      const isRenamed = found.kind === 'from' || /^[\s\\]+as\b/.test(text.slice(after, after + 20));
      const renamed = alias !== null && isRenamed ? ` as ${alias}` : '';
      addRecord(isStar ? [] : [alias ?? name], whole, [`${source}${renamed}`], isStar);
    }
  }

  function bind(statement: Node, assignment: Assignment): void {
    const around = scope();
    const { targets, value, augmented } = assignment;
    if (around.kind === 'function') {
      for (const target of targets) if (target.ofInstance) bindAttribute(target, statement, assignment);
      return;
    }
    const names = targets.filter((target) => !target.ofInstance);
    if (around.kind === 'module' && names[0]?.name === '__all__') {
      assignAll(all, value, augmented, text);
      return;
    }
    for (const target of names) {
      if (around.bound.has(target.name)) continue;
      around.bound.add(target.name);
      addSymbol(target, variableKind(target.name, around), statement, around.symbol);
    }
    if (names.length === 0) return;
    if (assignment.type !== null) for (const { name } of names) around.owner?.annotated.add(name);
    const { parts, inferred } = describeAssignment(statement, assignment);
    addRecord([...new Set(names.map((target) => target.name))], statement, parts, inferred);
  }

  function bindAttribute(target: AssignedTarget, statement: Node, { type, value }: Assignment): void {
    const around = scope();
    const { owner } = around;
    if (owner === undefined) return;
    if (!owner.bound.has(target.name)) {
      owner.bound.add(target.name);
      addSymbol(target, 'field', statement, owner.symbol);
    }
    if (owner.record === undefined || around.bodyCounts) return;
    if (type !== null) {
      owner.annotated.add(target.name);
      owner.record.parts.push(`;self.${target.name}:`, spanOf(type));
    } else if (value !== null && !owner.annotated.has(target.name)) {
      owner.record.parts.push(`;self.${target.name}=`, spanOf(value));
      owner.record.inferred = true;
    }
  }

  function addSymbol(
    { name, start, end }: AssignedTarget,
    kind: SymbolKind,
    whole: { readonly startIndex: number; readonly endIndex: number },
    parent: number,
  ): number {
    const span = { start: whole.startIndex, end: Math.max(whole.endIndex, end) };
    return symbols.push({ name, kind, parent, exported: false, nameStart: start, nameEnd: end, ...span }) - 1;
  }

  /** A member goes into the record of its class, anything else makes its own; what lies inside a function is hidden. */
  function addRecord(
    names: readonly string[],
    whole: { readonly startIndex: number; readonly endIndex: number },
    parts: readonly RecordPart[],
    inferred = false,
  ): RecordDraft | undefined {
    if (functions > 0) return undefined;
    const { record: around } = scope();
    if (around !== undefined) {
      around.parts.push(';', ...parts);
      around.inferred ||= inferred;
      return around;
    }
    const span = { start: whole.startIndex, end: whole.endIndex };
    const record = { names, isPublic: false, inferred, parts: [...parts], ...span };
    records.push(record);
    return record;
  }

  /** Inside a method most statements set nothing on `self`; looking at the text first spares making their nodes. */
  function setsAttribute(start: number): boolean {
    return text.startsWith('self.', start) || attributeTarget.test(text.slice(start, start + 120));
  }

  function takeDecorated(node: Node): Node {
    const outer = decorated?.endIndex === node.endIndex ? decorated : node;
    decorated = undefined;
    return outer;
  }

  function nameOf(node: Node): AssignedTarget | undefined {
    const name = node.childForFieldName('name');
    if (name === null || name.startIndex === name.endIndex) return undefined;
    return { name: sliceOf(name), start: name.startIndex, end: name.endIndex, ofInstance: false };
  }

  /** Docstrings are for people: a body is counted from the statement after it. */
  function spanOfBody(node: Node): { start: number; end: number } {
    const body = node.childForFieldName('body');
    if (body === null) return { start: node.endIndex, end: node.endIndex };
    const first = body.firstNamedChild;
    const isDocstring = first?.type === 'expression_statement' && first.firstNamedChild?.type === 'string';
    return {
      start: isDocstring ? (first.nextNamedSibling?.startIndex ?? body.endIndex) : body.startIndex,
      end: body.endIndex,
    };
  }

  function sliceOf(node: Node): string {
    return text.slice(node.startIndex, node.endIndex);
  }

  const inFunction = () => functions > 0;
  walkMarked(root, visitors, findMarks(text, promising), {
    ...Object.fromEntries(statements.map((type) => [type, inFunction])),
    ...alwaysPrunable,
  } satisfies Prunable);

  for (const record of records) {
    record.isPublic =
      record.names.length === 0 || record.names.some((name) => isPublicName(name, all) || isDunder(name));
  }
  const unknown = hasErrors && mayHidePublic(root, records);
  if (all.present) records.push(recordOfAll(all));
  return {
    symbols: withExported(symbols, all),
    imports,
    exports: listExports(symbols, moduleImports, all),
    dynamicSites,
    interfaceRecords: unknown
      ? null
      : records.map((record) => finishRecord(record, (span) => normalisePython(text, span))),
    canClose: true,
    provides: [],
  };
}

const statements = [
  'block',
  'if_statement',
  'elif_clause',
  'else_clause',
  'for_statement',
  'while_statement',
  'with_statement',
  'try_statement',
  'except_clause',
  'finally_clause',
  'match_statement',
  'case_clause',
  'return_statement',
  'raise_statement',
  'assert_statement',
  'delete_statement',
];

const alwaysPrunable = pruneAlways('expression_statement parameters argument_list type decorator return_statement');

function headerEnd(node: Node): number {
  const last =
    node.childForFieldName('parameters') ??
    node.childForFieldName('superclasses') ??
    node.childForFieldName('type_parameters') ??
    node.childForFieldName('name');
  return last?.endIndex ?? node.endIndex;
}

function functionKind(name: string, around: Scope['kind'], outer: Node, node: Node): SymbolKind {
  if (around !== 'class') return 'function';
  if (name === '__init__') return 'constructor';
  if (outer === node) return 'method';
  const decorators = outer.namedChildren.filter((child) => child.type === 'decorator').map((child) => child.text);
  if (decorators.some((written) => /\.setter$/.test(written))) return 'setter';
  return decorators.some((written) => /^@\s*(?:[\w.]*\.)?(?:cached_)?(?:property|getter)$/.test(written))
    ? 'getter'
    : 'method';
}

function variableKind(name: string, around: Scope): SymbolKind {
  if (around.kind === 'class') return around.owner?.isEnum === true && !name.startsWith('_') ? 'enum_member' : 'field';
  return /^_*[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable';
}

/** With a written type only the presence of a value counts, except where the type says to look at the value. */
function describeAssignment(
  statement: Node,
  { targets, type, value }: Assignment,
): { parts: RecordPart[]; inferred: boolean } {
  const [target] = targets;
  if (type === null || target === undefined || targets.length > 1)
    return { parts: [spanOf(statement)], inferred: true };
  const declared = `${target.name}:`;
  if (value === null) return { parts: [declared, spanOf(type)], inferred: false };
  const looksAtValue = value.type === 'call' || /(?:\bFinal|\bTypeAlias|\bClassVar)$/.test(type.text);
  return { parts: [declared, spanOf(type), '=', ...(looksAtValue ? [spanOf(value)] : [])], inferred: looksAtValue };
}

// What an assignment binds: every target of `a = b, *c = value` and `self.x: T = value`, with what follows from it.

type AssignedTarget = {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** `self.x` and `cls.x` belong to the class around; a plain name to the scope it stands in. */
  readonly ofInstance: boolean;
};

type Assignment = {
  readonly targets: readonly AssignedTarget[];
  readonly type: Node | null;
  /** What is assigned in the end, past all chained targets. */
  readonly value: Node | null;
  readonly augmented: boolean;
};

function readAssignment(statement: Node, text: string): Assignment | undefined {
  let at = statement.firstNamedChild;
  if (at?.type !== 'assignment' && at?.type !== 'augmented_assignment') return undefined;
  const augmented = at.type === 'augmented_assignment';
  const type = at.childForFieldName('type');
  const targets: AssignedTarget[] = [];
  for (;;) {
    collectTargets(at.childForFieldName('left'), text, targets);
    const value: Node | null = at.childForFieldName('right');
    if (value?.type !== 'assignment') return { targets, type, value, augmented };
    at = value;
  }
}

function collectTargets(left: Node | null, text: string, targets: AssignedTarget[]): void {
  const pending = left === null ? [] : [left];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { type, startIndex: start } = node;
    if (type === 'identifier') {
      const end = node.endIndex;
      if (end > start) targets.push({ name: text.slice(start, end), start, end, ofInstance: false });
    } else if (type === 'attribute') {
      const object = node.childForFieldName('object');
      const name = node.childForFieldName('attribute');
      if (object?.type !== 'identifier' || name === null || name.startIndex === name.endIndex) continue;
      const owner = text.slice(object.startIndex, object.endIndex);
      if (owner !== 'self' && owner !== 'cls') continue;
      const span = { start: name.startIndex, end: name.endIndex };
      targets.push({ name: text.slice(span.start, span.end), ...span, ofInstance: true });
    } else if (/pattern/.test(type)) {
      pending.push(...listChildren(node).reverse());
    }
  }
}

/** What of a module other modules are meant to see: the names of a literal `__all__`, else those without a leading underscore. */
function isPublicName(name: string, all: AllList): boolean {
  return all.present && all.literal ? all.names.has(name) : !name.startsWith('_');
}

function isDunder(name: string): boolean {
  return name.startsWith('__') && name.endsWith('__');
}

function recordOfAll({ names, literal }: AllList): RecordDraft {
  const parts = [`__all__=${[...names].sort(compareCodeUnits).join(',')}${literal ? '' : ',…'}`];
  return { names: [], isPublic: true, inferred: !literal, parts, start: 0, end: 0 };
}

/** Members count as exported with their class; nothing inside a function is. */
function withExported(symbols: readonly RawSymbol[], all: AllList): RawSymbol[] {
  const done: RawSymbol[] = [];
  for (const symbol of symbols) {
    const parent = done[symbol.parent];
    const exported =
      parent === undefined
        ? isPublicName(symbol.name, all)
        : parent.exported && /class|enum$/.test(parent.kind) && (!symbol.name.startsWith('_') || isDunder(symbol.name));
    done.push({ ...symbol, exported });
  }
  return done;
}

/** Names that come from elsewhere say from where; a star forwards whatever `__all__` does not find here. */
function listExports(symbols: readonly RawSymbol[], moduleImports: readonly RawImport[], all: AllList): RawExport[] {
  const found = new Map<string, RawExport>();
  const add = (publicName: string, localName: string | null, specifier: string | null, typeOnly = false) => {
    if (!found.has(publicName)) found.set(publicName, { publicName, localName, specifier, star: false, typeOnly });
  };
  for (const { name, parent } of symbols) if (parent === -1 && isPublicName(name, all)) add(name, name, null);
  for (const { kind, names, specifier, typeOnly } of moduleImports) {
    for (const { name, alias } of names) {
      const listed = all.present && all.literal && all.names.has(alias ?? name);
      if (name !== '*' ? isPublicName(alias ?? name, all) : listed && kind === 'import') {
        add(alias ?? name, name, specifier, typeOnly);
      }
    }
  }
  const missing = all.literal ? [...all.names].filter((name) => !found.has(name)) : [];
  const stars = all.present && all.literal && missing.length === 0 ? [] : moduleImports;
  const forwarded = stars
    .filter(({ kind, names }) => kind === 'from' && names[0]?.name === '*')
    .map(({ specifier, typeOnly }) => ({ publicName: '*', localName: null, specifier, star: true, typeOnly }));
  for (const name of forwarded.length > 0 ? [] : missing) add(name, name, null);
  return [...found.values(), ...forwarded];
}

// The names of `__all__`, built up over the statements of a module. It is unknown as soon as one of them is not plain strings.

type AllList = { names: Set<string>; literal: boolean; present: boolean };

/** `__all__ = [...]`, `__all__ += [...]`. */
function assignAll(all: AllList, value: Node | null, augmented: boolean, text: string): void {
  if (!augmented) all.names = new Set();
  all.literal = (augmented ? all.literal : true) && addNames(all, value, text);
  all.present = true;
}

/** `__all__.extend([...])`, `__all__.append("x")`; any other method makes it unknown. */
function callOnAll(all: AllList, statement: Node, text: string): void {
  const call = statement.firstNamedChild;
  const callee = call?.type === 'call' ? call.childForFieldName('function') : null;
  const method = callee?.childForFieldName('attribute') ?? null;
  const given = listChildren(call?.childForFieldName('arguments') ?? null);
  const name = method === null ? '' : text.slice(method.startIndex, method.endIndex);
  const [first] = given;
  const string = name === 'append' ? stringLiteral(first, text) : null;
  if (string !== null) all.names.add(string);
  else all.literal = name === 'extend' && first !== undefined && addNames(all, first, text) && all.literal;
}

function addNames(all: AllList, value: Node | null, text: string): boolean {
  if (value?.type !== 'list' && value?.type !== 'tuple') return false;
  return listChildren(value).every((item) => {
    const name = stringLiteral(item, text);
    if (name !== null) all.names.add(name);
    return name !== null;
  });
}

// Python source without comments and without the white space that means nothing. Indentation means something, so blocks keep marks
// (`»` and `«`, which no Python token contains) and lines that end a statement become `;`: two spans with equal tokens and equal
// nesting give the same string, whatever the width of their indentation.

const strings = [
  String.raw`"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""`,
  String.raw`'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''`,
  String.raw`"(?:[^"\\\n]|\\[\s\S])*"`,
  String.raw`'(?:[^'\\\n]|\\[\s\S])*'`,
].join('|');
const skipped = String.raw`#[^\n]*|\\\r?\n|[ \t\f\r]+`;
/** Groups: what counts for nothing, a line end with the indentation after it, a word. */
const token = new RegExp(String.raw`${strings}|(${skipped})|(\n[ \t\f]*)|([\p{L}\p{N}_]+)|[\s\S]`, 'gu');

function normalisePython(text: string, { start, end }: TextSpan): string {
  const levels = [indentBefore(text, start)];
  let out = '';
  let afterWord = false;
  let depth = 0;
  let pending: string | undefined;
  let last = '';
  for (const [found, skip, line, word] of text.slice(start, end).matchAll(token)) {
    if (skip !== undefined) continue;
    if (line !== undefined) {
      if (depth === 0) pending = line;
      continue;
    }
    if (pending !== undefined) {
      const marks = blockMarks(levels, widthOf(pending.slice(1)));
      if (marks !== ';' || (last !== '' && last !== ';')) out += marks;
      afterWord = false;
      pending = undefined;
    }
    // A gap is needed only between two words; `in"x"` and `in "x"` are the same tokens.
    out += word !== undefined && afterWord ? ` ${found}` : found;
    afterWord = word !== undefined;
    last = found;
    if (found === '(' || found === '[' || found === '{') depth += 1;
    else if (found === ')' || found === ']' || found === '}') depth = Math.max(0, depth - 1);
  }
  return last === ';' ? out.slice(0, -1) : out;
}

function blockMarks(levels: number[], width: number): string {
  if (width > (levels.at(-1) ?? 0)) {
    levels.push(width);
    return '»';
  }
  let marks = '';
  while (levels.length > 1 && width < (levels.at(-1) ?? 0)) {
    levels.pop();
    marks += '«';
  }
  return marks === '' ? ';' : marks;
}

/** The indentation of the line that a span begins on, if nothing else stands before it. */
function indentBefore(text: string, start: number): number {
  return widthOf(/^[ \t\f]*/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0] ?? '');
}

function widthOf(indent: string): number {
  let width = 0;
  for (const character of indent) width = character === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
  return width;
}
