/**
 * Python. One walk that enters function bodies only where a word promises something: a nested definition, an import, a name reached
 * at run time, an attribute set on `self`.
 * Another file can see every name of a module, imported ones too, so each is a record; attributes that methods give to `self` are
 * part of their class. A type that nobody wrote down follows from a value or a body, whose tokens then stand in for it (S3).
 */

import type { Node } from 'web-tree-sitter';
import type { RawFacts, RawImport, RawSymbol, SourceTree, SymbolKind } from '../facts.ts';
import { type AllList, assignAll, callOnAll } from './python/all-list.ts';
import { type AssignedTarget, type Assignment, readAssignment } from './python/assignment.ts';
import { readCall, readSubscript } from './python/dynamic.ts';
import { isDunder, isPublicName, listExports, recordOfAll, withExported } from './python/exports.ts';
import { readFromStatement, readImportStatement } from './python/imports.ts';
import { normalisePython } from './python/normalise-python.ts';
import { finishRecord, mayHidePublic, type RecordDraft, type RecordPart } from './shared/record-draft.ts';
import { type CursorVisitors, findMarks, type Prunable, walkMarked } from './shared/walk-marked.ts';

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

export function extractPython({ root, text, hasErrors }: SourceTree): RawFacts {
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

  /** A member goes into the record of its class, anything else makes its own; what lies inside a function is nobody's to see. */
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

const always = () => true;
const alwaysPrunable: Prunable = {
  expression_statement: always,
  parameters: always,
  argument_list: always,
  type: always,
  decorator: always,
  return_statement: always,
};

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

function spanOf(node: Node): { start: number; end: number } {
  return { start: node.startIndex, end: node.endIndex };
}
