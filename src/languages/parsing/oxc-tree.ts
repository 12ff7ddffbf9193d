/**
 * The tree of the oxc parser, told in the words of the tree-sitter grammars: the same node types, fields, keywords, signs and comments at
 * the same places, so that everything that reads trees reads this one. Where both parsers accept a text the two trees are equal, but for
 * the cases that decision 0032 lists; the test beside this file and `npm run conformance -- parse` compare them.
 *
 * oxc's tree leaves out keywords, signs and comments. What lies between the parts of a node can be nothing else, so it is read from there.
 * A part says what it is and where; what it holds is asked when its turn comes. Nothing recurses with the nesting of the source.
 */

import type { OxcNode } from './oxc-parser.ts';

/** The tree has a form that this file has no words for. Whoever asks of it goes to the other parser. */
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
type Signs = Readonly<Record<string, string>>;

/** The root of the tree. The grammar of JavaScript (`isUntyped`) has other words for some forms than that of TypeScript. */
export function shapeProgram(program: OxcNode, text: string, isUntyped: boolean): Part {
  return createShape(text, isUntyped).program(program);
}

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

function isSpace(unit: number): boolean {
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
function wordEnd(text: string, from: number): number {
  let at = from;
  for (; isWordUnit(text.charCodeAt(at)); at += 1)
    if (text.startsWith('\\u{', at)) at = Math.max(at, text.indexOf('}', at));
  return at;
}

// ---- the parts of each node.

const noSigns: Signs | undefined = undefined;
const operators: Signs = Object.fromEntries(
  '+ - * / % ** < <= > >= == != === !== << >> >>> & | ^ && || ?? in instanceof ! ~ typeof void delete ++ -- += -= *= /= %= ^= &= |= >>= >>>= <<= **= &&= ||= ??='
    .split(' ')
    .map((sign) => [`'${sign}'`, 'operator']),
);
const kinds: Signs = { "'let'": 'kind', "'const'": 'kind', "'using'": 'kind' };
const headSigns: Signs = { ...kinds, "'var'": 'kind', "'of'": 'operator', "'in'": 'operator' };
const conditionEnd: Signs = { "';'": 'condition' };
const mappedSigns: Signs = { "'-'": 'sign', "'+'": 'sign' };

const typeWords = new Set([
  'TSAnyKeyword',
  'TSBooleanKeyword',
  'TSNeverKeyword',
  'TSNumberKeyword',
  'TSObjectKeyword',
  'TSStringKeyword',
  'TSSymbolKeyword',
  'TSUnknownKeyword',
  'TSVoidKeyword',
]);

function createShape(text: string, isUntyped: boolean) {
  const none = (): readonly Part[] => [];
  const memberField = isUntyped ? 'member' : '';

  return { program };

  function part(
    type: string,
    field: string,
    start: number,
    end: number,
    open: Part['open'],
    signs: Signs | undefined = noSigns,
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
    expect(text.startsWith(sign, at), `${sign} is expected`);
    return at + sign.length;
  }

  /** Behind the bracket that closes a list whose last part ends at `from`. */
  function behindList(close: string, from: number): number {
    let at = skip(from);
    while (text.charCodeAt(at) === 44) at = skip(at + 1);
    return behind(close, at);
  }

  function program(node: OxcNode): Part {
    const hashbang = child(node, 'hashbang');
    const first = skipSpace(0);
    return part('program', '', first, Math.max(first, text.length), () => [
      ...(hashbang === undefined ? [] : [leaf('hash_bang_line', '', hashbang)]),
      ...statements(node, 'body', ''),
    ]);
  }

  function skipSpace(from: number): number {
    let at = from;
    while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
    return at;
  }

  // -- statements

  function statements(node: OxcNode, name: string, field: string): Part[] {
    return list(node, name).flatMap((each) => {
      // To the grammars the `;` of `declare module "x";` is a statement of its own.
      const isBare = each.type === 'TSModuleDeclaration' && child(each, 'body') === undefined;
      const end = isBare ? get(each, 'id').end : each.end;
      if (end === each.end) return statement(each, field);
      return [statement({ ...each, end }, field), part('empty_statement', field, each.end - 1, each.end, none)];
    });
  }

  function statement(node: OxcNode, field: string): Part {
    const { start, end } = node;
    const whole = (type: string, open: () => readonly Part[], signs?: Signs): Part =>
      part(type, field, start, end, open, signs);
    switch (node.type) {
      case 'ExpressionStatement':
        return whole('expression_statement', () => [expression(get(node, 'expression'), '')]);
      case 'BlockStatement':
        return whole('statement_block', () => statements(node, 'body', ''));
      case 'EmptyStatement':
        return whole('empty_statement', none);
      case 'DebuggerStatement':
        return whole('debugger_statement', none);
      case 'ReturnStatement':
        return whole('return_statement', () => optional(child(node, 'argument'), '', expression));
      case 'ThrowStatement':
        return whole('throw_statement', () => [expression(get(node, 'argument'), '')]);
      case 'BreakStatement':
      case 'ContinueStatement':
        return whole(node.type === 'BreakStatement' ? 'break_statement' : 'continue_statement', () =>
          optional(child(node, 'label'), 'label', (label, name) => leaf('statement_identifier', name, label)),
        );
      case 'LabeledStatement':
        return whole('labeled_statement', () => [
          leaf('statement_identifier', 'label', get(node, 'label')),
          statement(get(node, 'body'), 'body'),
        ]);
      case 'IfStatement':
        return whole('if_statement', () => {
          const consequence = get(node, 'consequent');
          const alternative = child(node, 'alternate');
          const parts = [inParentheses(node, 'test', 'condition', start + 2), statement(consequence, 'consequence')];
          if (alternative !== undefined)
            parts.push(
              part('else_clause', 'alternative', skip(consequence.end), alternative.end, () => [
                statement(alternative, ''),
              ]),
            );
          return parts;
        });
      case 'WhileStatement':
        return whole('while_statement', () => [
          inParentheses(node, 'test', 'condition', start + 5),
          statement(get(node, 'body'), 'body'),
        ]);
      case 'DoWhileStatement':
        return whole('do_statement', () => {
          const body = get(node, 'body');
          return [statement(body, 'body'), inParentheses(node, 'test', 'condition', behind('while', body.end))];
        });
      case 'WithStatement':
        return whole('with_statement', () => [
          inParentheses(node, 'object', 'object', start + 4),
          statement(get(node, 'body'), 'body'),
        ]);
      case 'ForStatement':
        return whole('for_statement', () => forParts(node), conditionEnd);
      case 'ForInStatement':
      case 'ForOfStatement':
        return whole('for_in_statement', () => forInParts(node), headSigns);
      case 'SwitchStatement':
        return whole('switch_statement', () => {
          const value = inParentheses(node, 'discriminant', 'value', start + 6);
          const body = part('switch_body', 'body', skip(value.end), end, () => list(node, 'cases').map(switchCase));
          return [value, body];
        });
      case 'TryStatement':
        return whole('try_statement', () => tryParts(node));
      case 'ImportDeclaration':
        return whole('import_statement', () => importParts(node));
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
      case 'TSExportAssignment':
      case 'TSNamespaceExportDeclaration':
        return exportStatement(node, field);
      case 'TSModuleDeclaration':
      case 'TSGlobalDeclaration':
        // To the grammars a `namespace` that nobody exports is an expression.
        if (node['declare'] !== true && node['kind'] === 'namespace')
          return part('expression_statement', field, start, end, () => [declaration(node, '')]);
        return declaration(node, field);
      default:
        return declaration(node, field);
    }
  }

  /** A part that stands in parentheses, which begin behind `from`. */
  function inParentheses(node: OxcNode, name: string, field: string, from: number): Part {
    const inner = get(node, name);
    return part('parenthesized_expression', field, skip(from), behind(')', inner.end), () => [expression(inner, '')]);
  }

  function forParts(node: OxcNode): Part[] {
    const init = child(node, 'init');
    const test = child(node, 'test');
    const update = child(node, 'update');
    const parts: Part[] = [];
    let at = behind('(', node['await'] === true ? behind('await', node.start + 3) : node.start + 3);
    if (init === undefined) {
      at = skip(at);
      parts.push(part('empty_statement', 'initializer', at, at + 1, none));
      at += 1;
    } else if (init.type === 'VariableDeclaration') {
      const end = behind(';', init.end);
      parts.push(variables({ ...init, end }, 'initializer'));
      at = end;
    } else {
      const semicolon = skip(init.end);
      parts.push(expression(init, 'initializer'), part("';'", '', semicolon, semicolon + 1, null));
      at = semicolon + 1;
    }
    if (test === undefined) {
      at = skip(at);
      parts.push(part('empty_statement', 'condition', at, at + 1, none));
    } else parts.push(expression(test, 'condition'));
    if (update !== undefined) parts.push(expression(update, 'increment'));
    parts.push(statement(get(node, 'body'), 'body'));
    return parts;
  }

  function forInParts(node: OxcNode): Part[] {
    const left = get(node, 'left');
    const parts: Part[] = [];
    if (left.type === 'VariableDeclaration') {
      const [declarator] = list(left, 'declarations');
      expect(declarator !== undefined, 'a loop declares one variable');
      const id = get(declarator, 'id');
      parts.push(pattern(id, 'left'), ...annotation(id));
      parts.push(...optional(child(declarator, 'init'), 'value', expression));
    } else
      parts.push(
        target(left, 'left', behind('(', node['await'] === true ? behind('await', node.start + 3) : node.start + 3)),
      );
    parts.push(expression(get(node, 'right'), 'right'), statement(get(node, 'body'), 'body'));
    return parts;
  }

  function switchCase(node: OxcNode): Part {
    const test = child(node, 'test');
    return part(test === undefined ? 'switch_default' : 'switch_case', '', node.start, node.end, () => [
      ...optional(test, 'value', expression),
      ...statements(node, 'consequent', 'body'),
    ]);
  }

  function tryParts(node: OxcNode): Part[] {
    const block = get(node, 'block');
    const handler = child(node, 'handler');
    const finalizer = child(node, 'finalizer');
    const parts = [statement(block, 'body')];
    if (handler !== undefined)
      parts.push(
        part('catch_clause', 'handler', handler.start, handler.end, () => {
          const parameter = child(handler, 'param');
          const caught = parameter === undefined ? [] : [pattern(parameter, 'parameter'), ...annotation(parameter)];
          return [...caught, statement(get(handler, 'body'), 'body')];
        }),
      );
    if (finalizer !== undefined) {
      const start = skip((handler ?? block).end);
      parts.push(part('finally_clause', 'finalizer', start, finalizer.end, () => [statement(finalizer, 'body')]));
    }
    return parts;
  }

  // -- declarations

  function declaration(node: OxcNode, field: string): Part {
    const { start } = node;
    if (node['declare'] === true || node.type === 'TSGlobalDeclaration' || node['kind'] === 'global')
      return ambient(node, field);
    return plainDeclaration(node, field, start);
  }

  /** `declare` and what it declares. */
  function ambient(node: OxcNode, field: string): Part {
    const inner = skip(node.start + 'declare'.length);
    return part('ambient_declaration', field, node.start, node.end, () => {
      if (node['kind'] === 'global' || node.type === 'TSGlobalDeclaration')
        return [statementBlock(get(node, 'body'), '')];
      return [plainDeclaration(node, '', inner)];
    });
  }

  /** Without the word `declare`, from `start` on. */
  function plainDeclaration(node: OxcNode, field: string, start: number): Part {
    const { end } = node;
    const whole = (type: string, open: () => readonly Part[], signs?: Signs): Part =>
      part(type, field, start, end, open, signs);
    switch (node.type) {
      case 'VariableDeclaration':
        return variables({ ...node, start }, field);
      case 'FunctionDeclaration':
      case 'TSDeclareFunction': {
        const isGenerator = node['generator'] === true;
        const type =
          child(node, 'body') === undefined
            ? 'function_signature'
            : isGenerator
              ? 'generator_function_declaration'
              : 'function_declaration';
        return whole(type, () => functionParts(node, start));
      }
      case 'ClassDeclaration':
        return classPart({ ...node, start }, field, true);
      case 'TSInterfaceDeclaration':
        return whole('interface_declaration', () => {
          const extended = list(node, 'extends');
          const name = get(node, 'id');
          const parameters = child(node, 'typeParameters');
          const parts = [leaf('type_identifier', 'name', name), ...typeParameters(node)];
          const last = extended.at(-1);
          if (last !== undefined)
            parts.push(
              part('extends_type_clause', '', skip((parameters ?? name).end), last.end, () =>
                extended.map((each) => heritageType(each, 'type')),
              ),
            );
          const body = get(node, 'body');
          parts.push(part('interface_body', 'body', body.start, body.end, () => list(body, 'body').map(typeMember)));
          return parts;
        });
      case 'TSTypeAliasDeclaration':
        return whole('type_alias_declaration', () => [
          leaf('type_identifier', 'name', get(node, 'id')),
          ...typeParameters(node),
          type(get(node, 'typeAnnotation'), 'value'),
        ]);
      case 'TSEnumDeclaration':
        return whole('enum_declaration', () => {
          const body = get(node, 'body');
          return [
            identifier(get(node, 'id'), 'name'),
            part('enum_body', 'body', body.start, body.end, () => list(body, 'members').map(enumMember)),
          ];
        });
      case 'TSModuleDeclaration': {
        const isModule = text.startsWith('module', start);
        return whole(isModule ? 'module' : 'internal_module', () => {
          const id = get(node, 'id');
          const body = child(node, 'body');
          return [
            id.type === 'Literal' ? string(id, 'name') : entityName(id, 'name', 'namespace'),
            ...(body === undefined ? [] : [statementBlock(body, 'body')]),
          ];
        });
      }
      case 'TSImportEqualsDeclaration':
        return importEquals(node, field);
      default:
        return unknown(node, field);
    }
  }

  /** The parser knows more forms than this file: then the file is read by the other parser. */
  function unknown(node: OxcNode, field: string): never {
    throw new UntoldTree(`${node.type} as ${field}`);
  }

  function statementBlock(node: OxcNode, field: string): Part {
    return part('statement_block', field, node.start, node.end, () => statements(node, 'body', ''));
  }

  function variables(node: OxcNode, field: string): Part {
    const { start, end } = node;
    const kind = String(node['kind']);
    const declarators = list(node, 'declarations');
    const [only] = declarators;
    if (kind.endsWith('using') && declarators.length === 1 && only !== undefined && child(only, 'init') !== undefined)
      return usingStatement(kind, only, field, start, end);
    return part(
      kind === 'var' ? 'variable_declaration' : 'lexical_declaration',
      field,
      start,
      end,
      () => declarators.map(declarator),
      kinds,
    );
  }

  /** To the grammars `using x = y` is an assignment. */
  function usingStatement(kind: string, declared: OxcNode, field: string, start: number, end: number): Part {
    return part('expression_statement', field, start, end, () => {
      const isAwait = kind.startsWith('await');
      const from = isAwait ? skip(start + 5) : start;
      const assignment = (): Part =>
        part('assignment_expression', '', from, declared.end, () => {
          const id = get(declared, 'id');
          return [pattern(id, 'left'), ...annotation(id), expression(get(declared, 'init'), 'right')];
        });
      return [isAwait ? part('await_expression', '', start, declared.end, () => [assignment()]) : assignment()];
    });
  }

  function declarator(node: OxcNode): Part {
    return part('variable_declarator', '', node.start, node.end, () => {
      const id = get(node, 'id');
      return [pattern(id, 'name'), ...annotation(id), ...optional(child(node, 'init'), 'value', expression)];
    });
  }

  function enumMember(node: OxcNode): Part {
    const id = get(node, 'id');
    const value = child(node, 'initializer');
    const name = node['computed'] === true ? enumComputed(node, id) : propertyName(id, 'name');
    if (value === undefined) return name;
    return part('enum_assignment', '', node.start, node.end, () => [name, expression(value, 'value')]);
  }

  function enumComputed(node: OxcNode, id: OxcNode): Part {
    return part('computed_property_name', 'name', node.start, behind(']', id.end), () => [expression(id, '')]);
  }

  // -- imports and exports

  function importParts(node: OxcNode): Part[] {
    const specifiers = list(node, 'specifiers');
    const source = get(node, 'source');
    const parts: Part[] = [];
    const clause = importClause(node, specifiers, source);
    if (clause !== undefined) parts.push(clause);
    parts.push(string(source, 'source'), ...attributes(node, source.end));
    return parts;
  }

  function importClause(node: OxcNode, specifiers: readonly OxcNode[], source: OxcNode): Part | undefined {
    let at = skip(node.start + 'import'.length);
    if (at === source.start) return undefined;
    if (node['importKind'] === 'type') at = skip(at + 'type'.length);
    if (typeof node['phase'] === 'string') at = skip(at + node['phase'].length);
    const start = at;
    const parts: Part[] = [];
    const named: OxcNode[] = [];
    for (const each of specifiers) {
      if (each.type === 'ImportDefaultSpecifier') {
        parts.push(identifier(get(each, 'local'), ''));
        at = each.end;
      } else if (each.type === 'ImportNamespaceSpecifier') {
        parts.push(part('namespace_import', '', each.start, each.end, () => [identifier(get(each, 'local'), '')]));
        at = each.end;
      } else named.push(each);
    }
    // The braces come last, and may be empty.
    let open = skip(at);
    if (text.charCodeAt(open) === 44) open = skip(open + 1);
    if (text.charCodeAt(open) === 123) {
      const end = behindList('}', named.at(-1)?.end ?? open + 1);
      parts.push(part('named_imports', '', open, end, () => named.map(importSpecifier)));
      at = end;
    }
    return part('import_clause', '', start, at, () => parts);
  }

  function importSpecifier(node: OxcNode): Part {
    return part('import_specifier', '', node.start, node.end, () => {
      const imported = get(node, 'imported');
      const local = get(node, 'local');
      const parts = [moduleName(imported, 'name')];
      if (local.start !== imported.start) parts.push(identifier(local, 'alias'));
      return parts;
    });
  }

  function moduleName(node: OxcNode, field: string): Part {
    if (node.type === 'Literal') return string(node, field);
    return leaf(isUntyped && node['name'] === 'default' ? "'default'" : 'identifier', field, node);
  }

  function attributes(node: OxcNode, from: number): Part[] {
    const start = skip(from);
    const word = wordEnd(text, start);
    if (!/^(?:with|assert)$/.test(text.slice(start, word))) return [];
    const open = skip(word);
    if (text.charCodeAt(open) !== 123) return [];
    const pairs = list(node, 'attributes');
    const end = behindList('}', pairs.at(-1)?.end ?? open + 1);
    return [
      part('import_attribute', '', start, end, () => [
        part('object', '', open, end, () =>
          pairs.map((pair) =>
            part('pair', '', pair.start, pair.end, () => [
              propertyName(get(pair, 'key'), 'key'),
              string(get(pair, 'value'), 'value'),
            ]),
          ),
        ),
      ]),
    ];
  }

  function importEquals(node: OxcNode, field: string): Part {
    const { start, end } = node;
    const reference = get(node, 'moduleReference');
    const id = get(node, 'id');
    if (reference.type === 'TSExternalModuleReference')
      return part('import_statement', field, start, end, () => [
        part('import_require_clause', '', id.start, reference.end, () => [
          identifier(id, ''),
          string(get(reference, 'expression'), 'source'),
        ]),
      ]);
    return part('import_alias', field, start, end, () => [identifier(id, ''), entityName(reference, '', 'namespace')]);
  }

  function exportStatement(node: OxcNode, field: string): Part {
    const inner = child(node, 'declaration');
    const decorated = inner === undefined ? [] : list(inner, 'decorators').filter(({ start }) => start < node.start);
    const start = decorated[0]?.start ?? node.start;
    return part('export_statement', field, start, node.end, () => [
      ...decorated.map((each) => decorator(each, 'decorator')),
      ...exportParts(node, inner),
    ]);
  }

  function exportParts(node: OxcNode, inner: OxcNode | undefined): Part[] {
    switch (node.type) {
      case 'TSExportAssignment':
        return [expression(get(node, 'expression'), '')];
      case 'TSNamespaceExportDeclaration':
        return [identifier(get(node, 'id'), '')];
      case 'ExportAllDeclaration': {
        const exported = child(node, 'exported');
        const source = get(node, 'source');
        const parts: Part[] = [];
        if (exported !== undefined) {
          let star = skip(node.start + 'export'.length);
          if (node['exportKind'] === 'type') star = skip(star + 'type'.length);
          parts.push(
            part('namespace_export', '', star, exported.end, () => [
              exported.type === 'Literal' ? string(exported, '') : identifier(exported, ''),
            ]),
          );
        }
        parts.push(string(source, 'source'), ...attributes(node, source.end));
        return parts;
      }
      case 'ExportDefaultDeclaration':
        expect(inner !== undefined, 'something is the default');
        return [exportedDefault(inner)];
      default: {
        if (inner !== undefined) return [declaration(inner, 'declaration')];
        const specifiers = list(node, 'specifiers');
        const source = child(node, 'source');
        let open = skip(node.start + 'export'.length);
        if (node['exportKind'] === 'type') open = skip(open + 'type'.length);
        const end = behindList('}', specifiers.at(-1)?.end ?? open + 1);
        const parts = [part('export_clause', '', open, end, () => specifiers.map(exportSpecifier))];
        if (source !== undefined) parts.push(string(source, 'source'), ...attributes(node, source.end));
        return parts;
      }
    }
  }

  function exportSpecifier(node: OxcNode): Part {
    return part('export_specifier', '', node.start, node.end, () => {
      const local = get(node, 'local');
      const exported = get(node, 'exported');
      const parts = [moduleName(local, 'name')];
      if (exported.start !== local.start) parts.push(moduleName(exported, 'alias'));
      return parts;
    });
  }

  function exportedDefault(node: OxcNode): Part {
    const isNamed = child(node, 'id') !== undefined;
    switch (node.type) {
      case 'FunctionDeclaration':
        return isNamed ? declaration(node, 'declaration') : functionValue(node, 'value');
      case 'TSDeclareFunction':
        return declaration(node, 'declaration');
      case 'ClassDeclaration':
        return isNamed || node['abstract'] === true
          ? declaration(node, 'declaration')
          : classPart(node, 'value', false);
      case 'TSInterfaceDeclaration':
        return declaration(node, 'declaration');
      default:
        return expression(node, 'value');
    }
  }

  // -- functions and classes

  /** Of a declaration or an expression: name, signature, body. */
  function functionParts(node: OxcNode, start: number): Part[] {
    const id = child(node, 'id');
    let at = id?.end;
    if (at === undefined) {
      at = node['async'] === true ? behind('function', start + 'async'.length) : start + 'function'.length;
      if (node['generator'] === true) at = behind('*', at);
    }
    return [...optional(id, 'name', identifier), ...signature(node, at)];
  }

  /** Type parameters, parameters, return type and body; the first of them begins behind `from`. */
  function signature(node: OxcNode, from: number): Part[] {
    const generic = child(node, 'typeParameters');
    const parts: Part[] = [...typeParameters(node), parameters(node, generic?.end ?? from)];
    const returned = child(node, 'returnType');
    if (returned !== undefined) parts.push(typeAnnotation(returned, 'return_type'));
    parts.push(...optional(child(node, 'body'), 'body', statementBlock));
    return parts;
  }

  function parameters(node: OxcNode, from: number): Part {
    const params = list(node, 'params');
    const start = skip(from);
    const end = behindList(')', params.at(-1)?.end ?? start + 1);
    return part('formal_parameters', 'parameters', start, end, () => params.flatMap(parameter));
  }

  function parameter(node: OxcNode): Part[] {
    const outer = node.type === 'TSParameterProperty' ? node : undefined;
    const inner = outer === undefined ? node : get(outer, 'parameter');
    const decorators = [...(outer === undefined ? [] : list(outer, 'decorators')), ...list(inner, 'decorators')];
    const start = Math.min(decorators[0]?.start ?? node.start, node.start);
    if (isUntyped) return [...decorators.map((each) => decorator(each, '')), pattern(inner, '')];
    const named = inner.type === 'AssignmentPattern' ? get(inner, 'left') : inner;
    // To oxc a name begins with its decorators.
    const behindDecorators = decorators.at(-1)?.end ?? 0;
    const bound = named.start < behindDecorators ? { ...named, start: skip(behindDecorators) } : named;
    const isOptional = bound['optional'] === true || inner['optional'] === true;
    return [
      part(isOptional ? 'optional_parameter' : 'required_parameter', '', start, node.end, () => [
        ...decorators.map((each) => decorator(each, 'decorator')),
        ...(outer === undefined ? [] : modifiers(outer, decorators.at(-1)?.end ?? start, bound.start)),
        pattern(bound, 'pattern'),
        ...annotation(bound),
        ...(inner === named ? [] : [expression(get(inner, 'right'), 'value')]),
      ]),
    ];
  }

  /** The words before a member or parameter that are nodes of their own. */
  function modifiers(node: OxcNode, from: number, to: number): Part[] {
    const parts: Part[] = [];
    for (let at = skip(from); at < to; ) {
      const end = wordEnd(text, at);
      if (end === at) break;
      const word = text.slice(at, end);
      if (word === node['accessibility']) parts.push(part('accessibility_modifier', '', at, end, none));
      else if (word === 'override' && node['override'] === true)
        parts.push(part('override_modifier', '', at, end, none));
      at = skip(end);
    }
    return parts;
  }

  function functionValue(node: OxcNode, field: string): Part {
    const type = node['generator'] === true ? 'generator_function' : 'function_expression';
    return part(type, field, node.start, node.end, () => functionParts(node, node.start));
  }

  function arrow(node: OxcNode, field: string): Part {
    return part('arrow_function', field, node.start, node.end, () => {
      const generic = child(node, 'typeParameters');
      const params = list(node, 'params');
      const [only] = params;
      const body = get(node, 'body');
      const parts: Part[] = [...typeParameters(node)];
      let at = generic?.end ?? node.start;
      if (generic === undefined && node['async'] === true) at = skip(node.start + 'async'.length);
      if (only !== undefined && params.length === 1 && text.charCodeAt(skip(at)) !== 40)
        parts.push(identifier(only, 'parameter'));
      else parts.push(parameters(node, at));
      const returned = child(node, 'returnType');
      if (returned !== undefined) parts.push(typeAnnotation(returned, 'return_type'));
      parts.push(body.type === 'BlockStatement' ? statementBlock(body, 'body') : expression(body, 'body'));
      return parts;
    });
  }

  function classPart(node: OxcNode, field: string, isDeclared: boolean): Part {
    const decorators = list(node, 'decorators').filter(({ start }) => start >= node.start);
    const isAbstract = node['abstract'] === true;
    const type = isDeclared ? (isAbstract ? 'abstract_class_declaration' : 'class_declaration') : 'class';
    return part(type, field, node.start, node.end, () => {
      const name = child(node, 'id');
      const body = get(node, 'body');
      const parts: Part[] = decorators.map((each) => decorator(each, 'decorator'));
      if (name !== undefined) parts.push(leaf(isUntyped ? 'identifier' : 'type_identifier', 'name', name));
      parts.push(
        ...typeParameters(node),
        ...heritage(node, child(node, 'typeParameters')?.end ?? name?.end ?? behindClass(node)),
      );
      parts.push(part('class_body', 'body', body.start, body.end, () => list(body, 'body').flatMap(classMember)));
      return parts;
    });
  }

  /** Behind the word `class`. */
  function behindClass(node: OxcNode): number {
    const decorators = list(node, 'decorators').filter(({ start }) => start >= node.start);
    const at = skip(decorators.at(-1)?.end ?? node.start);
    return behind('class', node['abstract'] === true ? behind('abstract', at) : at);
  }

  /** What a class extends and implements, from behind its name on. */
  function heritage(node: OxcNode, from: number): Part[] {
    const parent = child(node, 'superClass');
    const implemented = list(node, 'implements');
    const parts: Part[] = [];
    let at = skip(from);
    if (parent !== undefined) {
      const generic = child(node, 'superTypeArguments');
      const start = at;
      const end = generic?.end ?? parent.end;
      if (isUntyped) return [part('class_heritage', '', start, end, () => [expression(parent, '')])];
      parts.push(
        part('extends_clause', '', start, end, () => [
          expression(parent, 'value'),
          ...optional(generic, 'type_arguments', typeArguments),
        ]),
      );
      at = skip(end);
    }
    const last = implemented.at(-1);
    if (last !== undefined)
      parts.push(part('implements_clause', '', at, last.end, () => implemented.map((each) => heritageType(each, ''))));
    if (parts.length === 0) return [];
    return [part('class_heritage', '', parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0, () => parts)];
  }

  function classMember(node: OxcNode): Part[] {
    switch (node.type) {
      case 'StaticBlock': {
        const open = skip(node.start + 'static'.length);
        return [
          part('class_static_block', memberField, node.start, node.end, () => [
            part('statement_block', 'body', open, node.end, () => statements(node, 'body', '')),
          ]),
        ];
      }
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
        return method(node);
      case 'PropertyDefinition':
      case 'TSAbstractPropertyDefinition':
      case 'AccessorProperty':
      case 'TSAbstractAccessorProperty':
        return [classField(node)];
      case 'TSIndexSignature':
        return [indexSignature(node, '')];
      default:
        return unknown(node, '');
    }
  }

  function method(node: OxcNode): Part[] {
    const decorators = list(node, 'decorators');
    const key = get(node, 'key');
    const value = get(node, 'value');
    const start = skip(decorators.at(-1)?.end ?? node.start);
    const body = child(value, 'body');
    const isAbstract = node.type === 'TSAbstractMethodDefinition';
    const type =
      body !== undefined ? 'method_definition' : isAbstract ? 'abstract_method_signature' : 'method_signature';
    const decorated = decorators.map((each) => decorator(each, 'decorator'));
    return [
      ...(isUntyped ? [] : decorated),
      part(type, memberField, isUntyped ? (decorated[0]?.start ?? start) : start, signatureEnd(value), () => [
        ...(isUntyped ? decorated : []),
        ...modifiers(node, start, nameStart(node, key, start)),
        memberName(node, key, 'name', start),
        ...methodSignature(node, key, value),
      ]),
    ];
  }

  function methodSignature(node: OxcNode, key: OxcNode, value: OxcNode): Part[] {
    let at = node['computed'] === true ? behind(']', key.end) : key.end;
    if (node['optional'] === true) at = behind('?', at);
    return signature(value, at);
  }

  /** Where a function without a body ends, a separator behind it not counted. */
  function signatureEnd(value: OxcNode): number {
    const body = child(value, 'body') ?? child(value, 'returnType');
    if (body !== undefined) return body.end;
    const generic = child(value, 'typeParameters');
    return behindList(')', list(value, 'params').at(-1)?.end ?? behind('(', generic?.end ?? value.start));
  }

  /** Where the name of a member begins, whose modifiers begin behind `from`: its bracket, if it is computed. */
  function nameStart(node: OxcNode, key: OxcNode, from: number): number {
    if (node['computed'] !== true) return key.start;
    let at = skip(from);
    while (at < key.start && text.charCodeAt(at) !== 91) at = skip(Math.max(at + 1, wordEnd(text, at)));
    return at;
  }

  function memberName(node: OxcNode, key: OxcNode, field: string, from = node.start): Part {
    if (node['computed'] !== true) return propertyName(key, field);
    return part('computed_property_name', field, nameStart(node, key, from), behind(']', key.end), () => [
      expression(key, ''),
    ]);
  }

  function classField(node: OxcNode): Part {
    const decorators = list(node, 'decorators');
    const key = get(node, 'key');
    const value = child(node, 'value');
    const typed = child(node, 'typeAnnotation');
    const start = Math.min(decorators[0]?.start ?? node.start, node.start);
    const words = decorators.at(-1)?.end ?? start;
    let end = value?.end ?? typed?.end;
    if (end === undefined) {
      end = node['computed'] === true ? behind(']', key.end) : key.end;
      if (node['optional'] === true) end = behind('?', end);
      else if (node['definite'] === true) end = behind('!', end);
    }
    return part(isUntyped ? 'field_definition' : 'public_field_definition', memberField, start, end, () => [
      ...decorators.map((each) => decorator(each, 'decorator')),
      ...modifiers(node, words, nameStart(node, key, words)),
      memberName(node, key, isUntyped ? 'property' : 'name', words),
      ...(typed === undefined ? [] : [typeAnnotation(typed, 'type')]),
      ...optional(value, 'value', expression),
    ]);
  }

  function decorator(node: OxcNode, field: string): Part {
    return part('decorator', field, node.start, node.end, () => [expression(get(node, 'expression'), '')]);
  }

  // -- names

  /** A name that is declared or used, without the type that may stand behind it. */
  function identifier(node: OxcNode, field: string): Part {
    const end = node['typeAnnotation'] != null || node['optional'] === true ? wordEnd(text, node.start) : node.end;
    const type = node['name'] === 'undefined' ? 'undefined' : node['name'] === 'this' ? 'this' : 'identifier';
    return part(type, field, node.start, end, null);
  }

  /** A key that is written as it is: a name, a string, a number, `#private`. */
  function propertyName(node: OxcNode, field: string): Part {
    if (node.type === 'PrivateIdentifier') return leaf('private_property_identifier', field, node);
    if (node.type === 'Identifier') return leaf('property_identifier', field, node);
    return literal(node, field);
  }

  // -- patterns

  /** What binds names, without the type that may stand behind it. */
  function pattern(node: OxcNode, field: string): Part {
    switch (node.type) {
      case 'Identifier':
        return identifier(node, field);
      case 'ObjectPattern':
        return part('object_pattern', field, node.start, patternEnd(node, '}', 'properties'), () =>
          list(node, 'properties').map(patternProperty),
        );
      case 'ArrayPattern':
        return part('array_pattern', field, node.start, patternEnd(node, ']', 'elements'), () =>
          list(node, 'elements').map((each) => pattern(each, '')),
        );
      case 'AssignmentPattern':
        return part('assignment_pattern', field, node.start, node.end, () => [
          pattern(get(node, 'left'), 'left'),
          expression(get(node, 'right'), 'right'),
        ]);
      case 'RestElement': {
        const argument = get(node, 'argument');
        const inner = pattern(argument, '');
        return part('rest_pattern', field, node.start, inner.end, () => [inner]);
      }
      default:
        return expression(node, field);
    }
  }

  /** The end of a pattern in brackets: that of the node includes its type. */
  function patternEnd(node: OxcNode, close: string, parts: string): number {
    if (node['typeAnnotation'] == null && node['optional'] !== true) return node.end;
    return behindList(close, list(node, parts).at(-1)?.end ?? node.start + 1);
  }

  function patternProperty(node: OxcNode): Part {
    if (node.type === 'RestElement') return pattern(node, '');
    const key = get(node, 'key');
    const value = get(node, 'value');
    if (node['shorthand'] === true) {
      if (value.type !== 'AssignmentPattern') return leaf('shorthand_property_identifier_pattern', '', value);
      return part('object_assignment_pattern', '', node.start, node.end, () => [
        leaf('shorthand_property_identifier_pattern', 'left', get(value, 'left')),
        expression(get(value, 'right'), 'right'),
      ]);
    }
    return part('pair_pattern', '', node.start, node.end, () => [
      memberName(node, key, 'key'),
      pattern(value, 'value'),
    ]);
  }

  /** The left side of an assignment. oxc leaves out the parentheses around it, which begin at or behind `from`. */
  function target(node: OxcNode, field: string, from: number): Part {
    const open = skip(from);
    if (open < node.start && text.charCodeAt(open) === 40) {
      const end = closing(node, open);
      return part('parenthesized_expression', field, open, end, () => [target(node, '', open + 1)]);
    }
    return node.type.endsWith('Pattern') || node.type === 'RestElement'
      ? pattern(node, field)
      : expression(node, field);
  }

  /** Behind the parenthesis that closes the one at `open`, if there are only more of them up to the node. */
  function closing(node: OxcNode, open: number): number {
    let end = node.end;
    for (let at = open; at < node.start; at = skip(at + 1)) end = behind(')', end);
    return end;
  }

  // -- expressions

  function expression(node: OxcNode, field: string): Part {
    const { start, end } = node;
    const whole = (type: string, open: () => readonly Part[], signs?: Signs): Part =>
      part(type, field, start, end, open, signs);
    switch (node.type) {
      case 'Identifier':
        return identifier(node, field);
      case 'PrivateIdentifier':
        return leaf('private_property_identifier', field, node);
      case 'Literal':
        return literal(node, field);
      case 'ThisExpression':
        return leaf('this', field, node);
      case 'Super':
        return leaf('super', field, node);
      case 'TemplateLiteral':
        return template(node, field);
      case 'ParenthesizedExpression':
        return whole('parenthesized_expression', () => [expression(get(node, 'expression'), '')]);
      case 'SequenceExpression':
        return whole('sequence_expression', () => list(node, 'expressions').map((each) => expression(each, '')));
      case 'ArrayExpression':
        return whole('array', () => list(node, 'elements').map((each) => expression(each, '')));
      case 'ObjectExpression':
        return whole('object', () => list(node, 'properties').map(objectMember));
      case 'SpreadElement':
        return whole('spread_element', () => [expression(get(node, 'argument'), '')]);
      case 'FunctionExpression':
        return functionValue(node, field);
      case 'ArrowFunctionExpression':
        return arrow(node, field);
      case 'ClassExpression':
        return classPart(node, field, false);
      case 'UnaryExpression':
        return whole('unary_expression', () => [expression(get(node, 'argument'), 'argument')], operators);
      case 'UpdateExpression':
        return whole('update_expression', () => [expression(get(node, 'argument'), 'argument')], operators);
      case 'BinaryExpression':
      case 'LogicalExpression':
        return whole(
          'binary_expression',
          () => [expression(get(node, 'left'), 'left'), expression(get(node, 'right'), 'right')],
          operators,
        );
      case 'AssignmentExpression':
        return whole(
          node['operator'] === '=' ? 'assignment_expression' : 'augmented_assignment_expression',
          () => [target(get(node, 'left'), 'left', start), expression(get(node, 'right'), 'right')],
          operators,
        );
      case 'ConditionalExpression':
        return whole('ternary_expression', () => [
          expression(get(node, 'test'), 'condition'),
          expression(get(node, 'consequent'), 'consequence'),
          expression(get(node, 'alternate'), 'alternative'),
        ]);
      case 'ChainExpression':
        return expression(get(node, 'expression'), field);
      case 'MemberExpression':
        return member(node, field);
      case 'CallExpression':
        return whole('call_expression', () => callParts(node, 'function', get(node, 'callee')));
      case 'NewExpression':
        return whole('new_expression', () => callParts(node, 'constructor', get(node, 'callee')));
      case 'ImportExpression':
        return whole('call_expression', () => importCall(node));
      case 'TaggedTemplateExpression':
        return whole('call_expression', () => [
          expression(get(node, 'tag'), 'function'),
          ...optional(child(node, 'typeArguments'), 'type_arguments', typeArguments),
          template(get(node, 'quasi'), 'arguments'),
        ]);
      case 'AwaitExpression':
        return whole('await_expression', () => [expression(get(node, 'argument'), '')]);
      case 'YieldExpression':
        return whole('yield_expression', () => optional(child(node, 'argument'), '', expression));
      case 'MetaProperty':
        return whole('meta_property', none);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression': {
        const asserted = get(node, 'typeAnnotation');
        const isConst = asserted.type === 'TSTypeReference' && text.slice(asserted.start, asserted.end) === 'const';
        return whole(node.type === 'TSAsExpression' ? 'as_expression' : 'satisfies_expression', () => [
          expression(get(node, 'expression'), ''),
          ...(isConst ? [] : [type(asserted, '')]),
        ]);
      }
      case 'TSTypeAssertion': {
        const asserted = get(node, 'typeAnnotation');
        const close = behind('>', asserted.end);
        return whole('type_assertion', () => [
          part('type_arguments', '', start, close, () => [type(asserted, '')]),
          expression(get(node, 'expression'), ''),
        ]);
      }
      case 'TSNonNullExpression':
        return whole('non_null_expression', () => [expression(get(node, 'expression'), '')]);
      case 'TSInstantiationExpression':
        return whole('instantiation_expression', () => [
          expression(get(node, 'expression'), ''),
          typeArguments(get(node, 'typeArguments'), 'type_arguments'),
        ]);
      case 'JSXElement':
      case 'JSXFragment':
        return jsxElement(node, field);
      case 'JSXExpressionContainer':
      case 'JSXSpreadChild':
        return jsxExpression(node, field);
      default:
        return unknown(node, field);
    }
  }

  function objectMember(node: OxcNode): Part {
    if (node.type === 'SpreadElement') return expression(node, '');
    const key = get(node, 'key');
    const value = get(node, 'value');
    if (node['method'] === true || node['kind'] === 'get' || node['kind'] === 'set')
      return part('method_definition', '', node.start, node.end, () => [
        memberName(node, key, 'name'),
        ...methodSignature(node, key, value),
      ]);
    if (node['shorthand'] === true) return leaf('shorthand_property_identifier', '', node);
    return part('pair', '', node.start, node.end, () => [memberName(node, key, 'key'), expression(value, 'value')]);
  }

  function member(node: OxcNode, field: string): Part {
    const isComputed = node['computed'] === true;
    const type = isComputed ? 'subscript_expression' : 'member_expression';
    return part(type, field, node.start, node.end, () => {
      const object = get(node, 'object');
      const property = get(node, 'property');
      const parts = [expression(object, 'object')];
      if (node['optional'] === true) {
        parts.push(optionalChain(skip(object.end)));
      }
      parts.push(isComputed ? expression(property, 'index') : propertyName(property, 'property'));
      return parts;
    });
  }

  function optionalChain(at: number): Part {
    return part('optional_chain', 'optional_chain', at, at + 2, isUntyped ? null : none);
  }

  function callParts(node: OxcNode, field: string, callee: OxcNode): Part[] {
    const generic = child(node, 'typeArguments');
    const args = list(node, 'arguments');
    let at = generic?.end ?? callee.end;
    if (generic === undefined && node['optional'] === true) at = behind('?.', at);
    const open = skip(at);
    const parts = [expression(callee, field), ...optional(generic, 'type_arguments', typeArguments)];
    if (isUntyped && node['optional'] === true) parts.splice(1, 0, optionalChain(skip(callee.end)));
    if (open < node.end)
      parts.push(part('arguments', 'arguments', open, node.end, () => args.map((each) => expression(each, ''))));
    return parts;
  }

  function importCall(node: OxcNode): Part[] {
    const phase = node['phase'];
    let word = node.start + 'import'.length;
    if (typeof phase === 'string') word = behind(phase, behind('.', word));
    const open = skip(word);
    const args = [get(node, 'source'), ...optionalNode(child(node, 'options'))];
    return [
      part('import', 'function', node.start, word, none),
      part('arguments', 'arguments', open, node.end, () => args.map((each) => expression(each, ''))),
    ];
  }

  // -- literals

  function literal(node: OxcNode, field: string): Part {
    const unit = text.charCodeAt(node.start);
    if (unit === 34 || unit === 39) return string(node, field);
    if (unit === 47) return regex(node, field);
    if (unit === 110) return leaf('null', field, node);
    if (unit === 116) return leaf('true', field, node);
    if (unit === 102) return leaf('false', field, node);
    return node.type === 'TemplateLiteral' ? template(node, field) : leaf('number', field, node);
  }

  function string(node: OxcNode, field: string): Part {
    return part('string', field, node.start, node.end, () => stringParts(node.start + 1, node.end - 1));
  }

  /** What is written, and the escapes in it. */
  function stringParts(start: number, end: number): Part[] {
    const parts: Part[] = [];
    let from = start;
    for (let at = text.indexOf('\\', start); at >= 0 && at < end; at = text.indexOf('\\', from)) {
      if (at > from) parts.push(part('string_fragment', '', from, at, null));
      escapeSequence.lastIndex = at;
      from = Math.min(end, at + (escapeSequence.exec(text)?.[0].length ?? 2));
      parts.push(part('escape_sequence', '', at, from, null));
    }
    if (end > from) parts.push(part('string_fragment', '', from, end, null));
    return parts;
  }

  function regex(node: OxcNode, field: string): Part {
    return part('regex', field, node.start, node.end, () => {
      const close = text.lastIndexOf('/', node.end - 1);
      const parts = [part('regex_pattern', 'pattern', node.start + 1, close, null)];
      if (close + 1 < node.end) parts.push(part('regex_flags', 'flags', close + 1, node.end, null));
      return parts;
    });
  }

  function template(node: OxcNode, field: string): Part {
    return part('template_string', field, node.start, node.end, () =>
      templateParts(node, 'expressions', 'template_substitution', expression),
    );
  }

  function templateParts(
    node: OxcNode,
    inserted: string,
    type: string,
    shape: (node: OxcNode, field: string) => Part,
  ): Part[] {
    const parts: Part[] = [];
    let from = node.start + 1;
    for (const each of list(node, inserted)) {
      const open = insertionFrom(from);
      parts.push(...stringParts(from, open));
      from = behind('}', each.end);
      parts.push(part(type, '', open, from, () => [shape(each, '')]));
    }
    parts.push(...stringParts(from, node.end - 1));
    return parts;
  }

  /** The next `${` of a template; a backslash takes its meaning. */
  function insertionFrom(from: number): number {
    let at = from;
    while (at < text.length && !text.startsWith('${', at)) at += text.charCodeAt(at) === 92 ? 2 : 1;
    return at;
  }

  // -- elements

  function jsxElement(node: OxcNode, field: string): Part {
    const isFragment = node.type === 'JSXFragment';
    const opening = get(node, isFragment ? 'openingFragment' : 'openingElement');
    const closing = child(node, isFragment ? 'closingFragment' : 'closingElement');
    if (closing === undefined)
      return part('jsx_self_closing_element', field, node.start, node.end, () => jsxHead(opening));
    return part('jsx_element', field, node.start, node.end, () => [
      part('jsx_opening_element', 'open_tag', opening.start, opening.end, () => (isFragment ? [] : jsxHead(opening))),
      ...list(node, 'children').flatMap(jsxChild),
      part('jsx_closing_element', 'close_tag', closing.start, closing.end, () =>
        isFragment ? [] : [jsxName(get(closing, 'name'), 'name')],
      ),
    ]);
  }

  function jsxHead(node: OxcNode): Part[] {
    return [
      jsxName(get(node, 'name'), 'name'),
      ...optional(child(node, 'typeArguments'), 'type_arguments', typeArguments),
      ...list(node, 'attributes').map(jsxAttribute),
    ];
  }

  function jsxName(node: OxcNode, field: string): Part {
    switch (node.type) {
      case 'JSXNamespacedName':
        return part('jsx_namespace_name', field, node.start, node.end, () => [
          leaf('identifier', '', get(node, 'namespace')),
          leaf('identifier', '', get(node, 'name')),
        ]);
      case 'JSXMemberExpression':
        return part('member_expression', field, node.start, node.end, () => [
          jsxName(get(node, 'object'), 'object'),
          leaf('property_identifier', 'property', get(node, 'property')),
        ]);
      default:
        return leaf(node['name'] === 'this' ? 'this' : 'identifier', field, node);
    }
  }

  function jsxAttribute(node: OxcNode): Part {
    if (node.type === 'JSXSpreadAttribute')
      return part('jsx_expression', 'attribute', node.start, node.end, () => {
        const argument = get(node, 'argument');
        return [part('spread_element', '', skip(node.start + 1), argument.end, () => [expression(argument, '')])];
      });
    return part('jsx_attribute', 'attribute', node.start, node.end, () => {
      const name = get(node, 'name');
      const value = child(node, 'value');
      const named = name.type === 'JSXNamespacedName' ? jsxAttributeName(name) : leaf('property_identifier', '', name);
      if (value === undefined) return [named];
      return [named, value.type === 'Literal' ? jsxString(value) : expression(value, '')];
    });
  }

  function jsxAttributeName(node: OxcNode): Part {
    return part('jsx_namespace_name', '', node.start, node.end, () => [
      leaf('identifier', '', get(node, 'namespace')),
      leaf('identifier', '', get(node, 'name')),
    ]);
  }

  function jsxString(node: OxcNode): Part {
    return part('string', '', node.start, node.end, () =>
      jsxTextParts(node.start + 1, node.end - 1, 'string_fragment'),
    );
  }

  /** Text and the references to characters in it. */
  function jsxTextParts(start: number, end: number, type: string): Part[] {
    const parts: Part[] = [];
    let from = start;
    for (const found of text.slice(start, end).matchAll(characterReference)) {
      const at = start + found.index;
      if (at > from) parts.push(part(type, '', from, at, null));
      from = at + found[0].length;
      parts.push(part('html_character_reference', '', at, from, null));
    }
    if (end > from) parts.push(part(type, '', from, end, null));
    return parts;
  }

  function jsxChild(node: OxcNode): Part[] {
    if (node.type !== 'JSXText') return [expression(node, '')];
    return jsxTextParts(node.start, node.end, 'jsx_text').filter(
      ({ type: name, start, end }) => name !== 'jsx_text' || !indentation.test(text.slice(start, end)),
    );
  }

  function jsxExpression(node: OxcNode, field: string): Part {
    return part('jsx_expression', field, node.start, node.end, () => {
      const inner = get(node, 'expression');
      if (inner.type === 'JSXEmptyExpression') return [];
      if (node.type !== 'JSXSpreadChild') return [expression(inner, '')];
      return [part('spread_element', '', skip(node.start + 1), inner.end, () => [expression(inner, '')])];
    });
  }

  // -- types

  function annotation(node: OxcNode): Part[] {
    const typed = child(node, 'typeAnnotation');
    return typed === undefined ? [] : [typeAnnotation(typed, 'type')];
  }

  /** A type with the colon before it. */
  function typeAnnotation(node: OxcNode, field: string): Part {
    const inner = get(node, 'typeAnnotation');
    const { start } = node;
    if (inner.type === 'TSTypePredicate') {
      const type = inner['asserts'] === true ? 'asserts_annotation' : 'type_predicate_annotation';
      return part(type, field, start, inner.end, () => [predicate(inner, '')]);
    }
    return part('type_annotation', field, start, inner.end, () => [type(inner, '')]);
  }

  function predicate(node: OxcNode, field: string): Part {
    const name = get(node, 'parameterName');
    const typed = child(node, 'typeAnnotation');
    const named = (as: string): Part =>
      name.type === 'TSThisType' ? leaf('this', as, name) : leaf('identifier', as, name);
    const inner = (as: string): Part => {
      if (typed === undefined) return named('');
      return part('type_predicate', as, name.start, node.end, () => [
        named('name'),
        type(typed.type === 'TSTypeAnnotation' ? get(typed, 'typeAnnotation') : typed, 'type'),
      ]);
    };
    if (node['asserts'] !== true) return inner(field);
    return part('asserts', field, node.start, node.end, () => [inner('')]);
  }

  function typeParameters(node: OxcNode): Part[] {
    const declared = child(node, 'typeParameters');
    if (declared === undefined) return [];
    return [
      part('type_parameters', 'type_parameters', declared.start, declared.end, () =>
        list(declared, 'params').map(typeParameter),
      ),
    ];
  }

  function typeParameter(node: OxcNode): Part {
    return part('type_parameter', '', node.start, node.end, () => {
      const name = get(node, 'name');
      const bound = child(node, 'constraint');
      const standard = child(node, 'default');
      const parts = [leaf('type_identifier', 'name', name)];
      if (bound !== undefined)
        parts.push(part('constraint', 'constraint', skip(name.end), bound.end, () => [type(bound, '')]));
      if (standard !== undefined)
        parts.push(part('default_type', 'value', skip((bound ?? name).end), standard.end, () => [type(standard, '')]));
      return parts;
    });
  }

  function typeArguments(node: OxcNode, field: string): Part {
    return part('type_arguments', field, node.start, node.end, () =>
      list(node, 'params').map((each) => type(each, '')),
    );
  }

  /** What a class implements or an interface extends. */
  function heritageType(node: OxcNode, field: string): Part {
    const named = get(node, 'expression');
    return generic(named, child(node, 'typeArguments'), field, node.start, node.end);
  }

  function generic(name: OxcNode, args: OxcNode | undefined, field: string, start: number, end: number): Part {
    if (args === undefined) return entityName(name, field, 'type');
    return part('generic_type', field, start, end, () => [
      entityName(name, 'name', 'type'),
      typeArguments(args, 'type_arguments'),
    ]);
  }

  /** `a.b.c`, as a type, a namespace or a value. */
  function entityName(node: OxcNode, field: string, as: 'type' | 'namespace' | 'value'): Part {
    const isMember = node.type === 'MemberExpression';
    if (node.type !== 'TSQualifiedName' && !isMember) {
      if (node.type === 'ThisExpression' || node['name'] === 'this') return leaf('this', field, node);
      return leaf(as === 'type' ? 'type_identifier' : 'identifier', field, node);
    }
    const left = get(node, isMember ? 'object' : 'left');
    const right = get(node, isMember ? 'property' : 'right');
    if (as === 'type')
      return part('nested_type_identifier', field, node.start, node.end, () => [
        entityName(left, 'module', 'namespace'),
        leaf('type_identifier', 'name', right),
      ]);
    return part(as === 'value' ? 'member_expression' : 'nested_identifier', field, node.start, node.end, () => [
      // Only the outermost is called nested.
      entityName(left, 'object', 'value'),
      right.type === 'PrivateIdentifier'
        ? leaf('private_property_identifier', 'property', right)
        : leaf('property_identifier', 'property', right),
    ]);
  }

  function type(node: OxcNode, field: string): Part {
    const { start, end } = node;
    const whole = (name: string, open: () => readonly Part[], signs?: Signs): Part =>
      part(name, field, start, end, open, signs);
    if (typeWords.has(node.type)) return whole('predefined_type', none);
    switch (node.type) {
      case 'TSBigIntKeyword':
      case 'TSIntrinsicKeyword':
        return leaf('type_identifier', field, node);
      case 'TSUndefinedKeyword':
        return whole('literal_type', () => [leaf('undefined', '', node)]);
      case 'TSNullKeyword':
        return whole('literal_type', () => [leaf('null', '', node)]);
      case 'TSThisType':
        return leaf('this_type', field, node);
      case 'TSLiteralType': {
        const inner = get(node, 'literal');
        if (inner.type === 'TemplateLiteral') return templateType(inner, field);
        return whole('literal_type', () => [expression(inner, '')]);
      }
      case 'TSTemplateLiteralType':
        return templateType(node, field);
      case 'TSTypeReference':
        return generic(get(node, 'typeName'), child(node, 'typeArguments'), field, start, end);
      case 'TSArrayType':
        return whole('array_type', () => [type(get(node, 'elementType'), '')]);
      case 'TSIndexedAccessType':
        return whole('lookup_type', () => [type(get(node, 'objectType'), ''), type(get(node, 'indexType'), '')]);
      case 'TSTupleType':
        return whole('tuple_type', () => list(node, 'elementTypes').map(tupleElement));
      case 'TSOptionalType':
        return whole('optional_type', () => [type(get(node, 'typeAnnotation'), '')]);
      case 'TSRestType':
        return whole('rest_type', () => [type(get(node, 'typeAnnotation'), '')]);
      case 'TSUnionType':
        return union('union_type', 124, node, field);
      case 'TSIntersectionType':
        return union('intersection_type', 38, node, field);
      case 'TSParenthesizedType':
        return whole('parenthesized_type', () => [type(get(node, 'typeAnnotation'), '')]);
      case 'TSFunctionType':
        return whole('function_type', () => functionType(node, start, 'return_type'));
      case 'TSConstructorType':
        return whole('constructor_type', () =>
          functionType(node, behind('new', node['abstract'] === true ? start + 'abstract'.length : start), 'type'),
        );
      case 'TSTypeLiteral':
        return whole('object_type', () => list(node, 'members').map(typeMember));
      case 'TSMappedType':
        return mapped(node, field);
      case 'TSConditionalType':
        return whole('conditional_type', () => [
          type(get(node, 'checkType'), 'left'),
          type(get(node, 'extendsType'), 'right'),
          type(get(node, 'trueType'), 'consequence'),
          type(get(node, 'falseType'), 'alternative'),
        ]);
      case 'TSInferType':
        return whole('infer_type', () => {
          const parameter = get(node, 'typeParameter');
          return [
            leaf('type_identifier', '', get(parameter, 'name')),
            ...optional(child(parameter, 'constraint'), '', type),
          ];
        });
      case 'TSTypeOperator': {
        const operator = String(node['operator']);
        if (operator === 'unique') return whole('predefined_type', () => uniqueSymbol(node));
        return whole(operator === 'keyof' ? 'index_type_query' : 'readonly_type', () => [
          type(get(node, 'typeAnnotation'), ''),
        ]);
      }
      case 'TSTypeQuery':
        return whole('type_query', () => [queried(node)]);
      case 'TSImportType':
        return importType(node, field);
      case 'TSTypePredicate':
        return predicate(node, field);
      case 'TSNamedTupleMember':
        return tupleElement(node);
      case 'JSDocNullableType':
      case 'JSDocNonNullableType':
        return whole('flow_maybe_type', () => [type(get(node, 'typeAnnotation'), '')]);
      case 'JSDocUnknownType':
        return whole('existential_type', none);
      default:
        return unknown(node, field);
    }
  }

  function uniqueSymbol(node: OxcNode): Part[] {
    const second = get(node, 'typeAnnotation');
    return [part("'unique symbol'", '', second.start, second.end, null)];
  }

  function templateType(node: OxcNode, field: string): Part {
    const inserted = node.type === 'TemplateLiteral' ? 'expressions' : 'types';
    return part('template_literal_type', field, node.start, node.end, () =>
      templateParts(node, inserted, 'template_type', type),
    );
  }

  /** To the grammars `a | b | c` is `(a | b) | c`, and a sign before the first has nothing on its left. */
  function union(name: string, sign: number, node: OxcNode, field: string): Part {
    const members = list(node, 'types');
    const leads = text.charCodeAt(node.start) === sign;
    const build = (count: number, as: string, isOuter: boolean): Part => {
      const last = members[count - 1];
      expect(last !== undefined, 'a union has members');
      if (count === 1 && !leads) return type(last, as);
      const end = isOuter ? node.end : last.end;
      return part(name, as, node.start, end, () =>
        count === 1 ? [type(last, '')] : [build(count - 1, '', false), type(last, '')],
      );
    };
    return build(members.length, field, true);
  }

  function functionType(node: OxcNode, from: number, field: string): Part[] {
    const declared = child(node, 'typeParameters');
    const returned = get(get(node, 'returnType'), 'typeAnnotation');
    return [
      ...typeParameters(node),
      parameters(node, declared?.end ?? from),
      returned.type === 'TSTypePredicate' ? predicate(returned, field) : type(returned, field),
    ];
  }

  function tupleElement(node: OxcNode): Part {
    const isRest = node.type === 'TSRestType';
    const named = isRest ? get(node, 'typeAnnotation') : node;
    if (named.type !== 'TSNamedTupleMember') return type(node, '');
    const label = get(named, 'label');
    const element = get(named, 'elementType');
    const colon = skip(named['optional'] === true ? behind('?', label.end) : label.end);
    return part(
      named['optional'] === true ? 'optional_parameter' : 'required_parameter',
      '',
      node.start,
      node.end,
      () => [
        isRest
          ? part('rest_pattern', 'name', node.start, label.end, () => [leaf('identifier', '', label)])
          : leaf('identifier', 'name', label),
        part('type_annotation', 'type', colon, element.end, () => [type(element, '')]),
      ],
    );
  }

  function typeMember(node: OxcNode): Part {
    switch (node.type) {
      case 'TSPropertySignature': {
        const key = get(node, 'key');
        const typed = child(node, 'typeAnnotation');
        let end = typed?.end;
        if (end === undefined) {
          end = node['computed'] === true ? behind(']', key.end) : key.end;
          if (node['optional'] === true) end = behind('?', end);
        }
        return part('property_signature', '', node.start, end, () => [
          memberName(node, key, 'name'),
          ...(typed === undefined ? [] : [typeAnnotation(typed, 'type')]),
        ]);
      }
      case 'TSMethodSignature': {
        const key = get(node, 'key');
        return part('method_signature', '', node.start, memberSignatureEnd(node, key), () => [
          memberName(node, key, 'name'),
          ...methodSignature(node, key, node),
        ]);
      }
      case 'TSCallSignatureDeclaration':
        return part('call_signature', '', node.start, memberSignatureEnd(node, undefined), () =>
          signature(node, node.start),
        );
      case 'TSConstructSignatureDeclaration':
        return part('construct_signature', '', node.start, memberSignatureEnd(node, undefined), () => {
          const declared = child(node, 'typeParameters');
          const returned = child(node, 'returnType');
          return [
            ...typeParameters(node),
            parameters(node, declared?.end ?? node.start + 'new'.length),
            ...(returned === undefined ? [] : [typeAnnotation(returned, 'type')]),
          ];
        });
      case 'TSIndexSignature':
        return indexSignature(node, '');
      default:
        return unknown(node, '');
    }
  }

  function memberSignatureEnd(node: OxcNode, key: OxcNode | undefined): number {
    const returned = child(node, 'returnType');
    if (returned !== undefined) return returned.end;
    const last = list(node, 'params').at(-1);
    if (last !== undefined) return behindList(')', last.end);
    const declared = child(node, 'typeParameters');
    let at = declared?.end ?? key?.end ?? node.start;
    if (declared === undefined && key !== undefined) {
      if (node['computed'] === true) at = behind(']', at);
      if (node['optional'] === true) at = behind('?', at);
    } else if (declared === undefined && node.type === 'TSConstructSignatureDeclaration') at += 'new'.length;
    return behindList(')', behind('(', at));
  }

  function indexSignature(node: OxcNode, field: string): Part {
    const typed = child(node, 'typeAnnotation');
    const [parameter] = list(node, 'parameters');
    expect(parameter !== undefined, 'an index has a name');
    const indexed = get(get(parameter, 'typeAnnotation'), 'typeAnnotation');
    const end = typed?.end ?? behind(']', indexed.end);
    return part('index_signature', field, node.start, end, () => [
      ...modifiers(node, node.start, parameter.start),
      leafAt('identifier', 'name', parameter.start, wordEnd(text, parameter.start)),
      type(indexed, 'index_type'),
      ...(typed === undefined ? [] : [typeAnnotation(typed, 'type')]),
    ]);
  }

  function leafAt(name: string, field: string, start: number, end: number): Part {
    return part(name, field, start, end, null);
  }

  /** `{ readonly [K in T as U]?: V }`: an index signature in an object type. */
  function mapped(node: OxcNode, field: string): Part {
    return part('object_type', field, node.start, node.end, () => {
      const key = get(node, 'key');
      const bound = get(node, 'constraint');
      const alias = child(node, 'nameType');
      const typed = child(node, 'typeAnnotation');
      const close = behind(']', (alias ?? bound).end);
      const mark = node['optional'];
      const isMarked = mark === true || mark === '+' || mark === '-';
      const name =
        mark === '-' ? 'omitting_type_annotation' : mark === '+' ? 'adding_type_annotation' : 'opting_type_annotation';
      const start = skip(node.start + 1);
      const from = skip(close);
      return [
        part(
          'index_signature',
          '',
          start,
          typed?.end ?? close,
          () => [
            part('mapped_type_clause', '', key.start, (alias ?? bound).end, () => [
              leaf('type_identifier', 'name', key),
              type(bound, 'type'),
              ...optional(alias, 'alias', type),
            ]),
            ...(typed === undefined
              ? []
              : [part(isMarked ? name : 'type_annotation', 'type', from, typed.end, () => [type(typed, '')])]),
          ],
          mappedSigns,
        ),
      ];
    });
  }

  /** What `typeof` asks for. */
  function queried(node: OxcNode): Part {
    const name = get(node, 'exprName');
    const args = child(node, 'typeArguments');
    const value = (field: string): Part =>
      name.type === 'TSImportType' ? importType(name, field) : entityName(name, field, 'value');
    if (args === undefined) return value('');
    return part('instantiation_expression', '', name.start, node.end, () => [
      value('function'),
      typeArguments(args, 'type_arguments'),
    ]);
  }

  /** `import("x").a.b<T>`. */
  function importType(node: OxcNode, field: string): Part {
    const source = get(node, 'source');
    const options = child(node, 'options');
    const qualifier = child(node, 'qualifier');
    const args = child(node, 'typeArguments');
    const close = behindList(')', (options ?? source).end);
    const word = node.start + 'import'.length;
    const call = (as: string): Part =>
      part('call_expression', as, node.start, close, () => [
        part('import', 'function', node.start, word, none),
        part('arguments', 'arguments', skip(word), close, () => [
          expression(source, ''),
          ...optional(options, '', expression),
        ]),
      ]);
    const named = (qualified: OxcNode | undefined, as: string): Part => {
      if (qualified === undefined) return call(as);
      const isLong = child(qualified, 'left') !== undefined;
      const right = isLong ? get(qualified, 'right') : qualified;
      return part('member_expression', as, node.start, right.end, () => [
        named(isLong ? get(qualified, 'left') : undefined, 'object'),
        leaf('property_identifier', 'property', right),
      ]);
    };
    if (args === undefined) return named(qualifier, field);
    return part('generic_type', field, node.start, node.end, () => [
      named(qualifier, 'name'),
      typeArguments(args, 'type_arguments'),
    ]);
  }
}

const escapeSequence =
  /\\(?:[^xu0-7\r\n]|[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|\r?[\n\u2028\u2029])/y;
/** White space that says nothing: ends of lines and what follows them. */
const indentation = /^\n\s*$/;
const characterReference = /&(?:#(?:[xX][\da-fA-F]{1,6}|\d{1,5})|[A-Za-z]{1,30});/g;

// ---- reading oxc's nodes.

function child(node: OxcNode, name: string): OxcNode | undefined {
  const value = node[name];
  return value === null || value === undefined ? undefined : (value as OxcNode);
}

function get(node: OxcNode, name: string): OxcNode {
  const value = child(node, name);
  expect(value !== undefined, `${node.type} has ${name}`);
  return value;
}

/** Without the holes of an array. */
function list(node: OxcNode, name: string): OxcNode[] {
  const value = node[name];
  if (!Array.isArray(value)) return [];
  return value.includes(null) ? value.filter((each) => each !== null) : (value as OxcNode[]);
}

function optional(
  node: OxcNode | undefined,
  field: string,
  shape: (node: OxcNode, field: string) => Part,
): readonly Part[] {
  return node === undefined ? [] : [shape(node, field)];
}

function optionalNode(node: OxcNode | undefined): readonly OxcNode[] {
  return node === undefined ? [] : [node];
}

function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new UntoldTree(what);
}
