/**
 * The tree of the oxc parser, told in the words of the tree-sitter grammars: the same node types, fields, keywords, signs and comments at
 * the same places, so that everything that reads trees reads this one. Where both parsers accept a text the two trees are equal, but for
 * the cases that decision 0032 lists; the test beside this file and `npm run conformance -- parse` compare them.
 *
 * oxc's tree leaves out keywords, signs and comments. What lies between the parts of a node can be nothing else, so it is read from there.
 * A part says what it is and where; what it holds is asked when its turn comes. Nothing recurses with the nesting of the source.
 */

import { createExpressions } from './oxc-expressions.ts';
import type { OxcNode } from './oxc-parser.ts';
import {
  child,
  createTools,
  ensure,
  get,
  isSpace,
  list,
  optional,
  type Part,
  type Shape,
  type Signs,
  type Tools,
  wordEnd,
} from './oxc-parts.ts';
import { createTypes } from './oxc-types.ts';

/** The root of the tree. The grammar of JavaScript (`isUntyped`) has other words for some forms than that of TypeScript. */
export function shapeProgram(program: OxcNode, text: string, isUntyped: boolean): Part {
  const tools = createTools(text, isUntyped);
  // Each asks the others: the object is there before what it holds.
  const shape = {} as Shape;
  const statements = createStatements(tools, shape);
  const made: Shape = { ...statements, ...createExpressions(tools, shape), ...createTypes(tools, shape) };
  Object.assign(shape, made);
  return statements.program(program);
}

const kinds: Signs = { "'let'": 'kind', "'const'": 'kind', "'using'": 'kind' };
const headSigns: Signs = { ...kinds, "'var'": 'kind', "'of'": 'operator', "'in'": 'operator' };
const conditionEnd: Signs = { "';'": 'condition' };

function createStatements(tools: Tools, shape: Shape) {
  const { text, isUntyped, none, part, leaf, skip, behind, behindList, unknown } = tools;

  return { program, statementBlock, statements };

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
        return whole('expression_statement', () => [shape.expression(get(node, 'expression'), '')]);
      case 'BlockStatement':
        return whole('statement_block', () => statements(node, 'body', ''));
      case 'EmptyStatement':
        return whole('empty_statement', none);
      case 'DebuggerStatement':
        return whole('debugger_statement', none);
      case 'ReturnStatement':
        return whole('return_statement', () => optional(child(node, 'argument'), '', shape.expression));
      case 'ThrowStatement':
        return whole('throw_statement', () => [shape.expression(get(node, 'argument'), '')]);
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
        // To the grammars a `namespace` without `export` is an expression.
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
    return part('parenthesized_expression', field, skip(from), behind(')', inner.end), () => [
      shape.expression(inner, ''),
    ]);
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
      parts.push(shape.expression(init, 'initializer'), part("';'", '', semicolon, semicolon + 1, null));
      at = semicolon + 1;
    }
    if (test === undefined) {
      at = skip(at);
      parts.push(part('empty_statement', 'condition', at, at + 1, none));
    } else parts.push(shape.expression(test, 'condition'));
    if (update !== undefined) parts.push(shape.expression(update, 'increment'));
    parts.push(statement(get(node, 'body'), 'body'));
    return parts;
  }

  function forInParts(node: OxcNode): Part[] {
    const left = get(node, 'left');
    const parts: Part[] = [];
    if (left.type === 'VariableDeclaration') {
      const [declarator] = list(left, 'declarations');
      ensure(declarator !== undefined, 'a loop declares one variable');
      const id = get(declarator, 'id');
      parts.push(shape.pattern(id, 'left'), ...shape.annotation(id));
      parts.push(...optional(child(declarator, 'init'), 'value', shape.expression));
    } else
      parts.push(
        shape.target(
          left,
          'left',
          behind('(', node['await'] === true ? behind('await', node.start + 3) : node.start + 3),
        ),
      );
    parts.push(shape.expression(get(node, 'right'), 'right'), statement(get(node, 'body'), 'body'));
    return parts;
  }

  function switchCase(node: OxcNode): Part {
    const test = child(node, 'test');
    return part(test === undefined ? 'switch_default' : 'switch_case', '', node.start, node.end, () => [
      ...optional(test, 'value', shape.expression),
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
          const caught =
            parameter === undefined ? [] : [shape.pattern(parameter, 'parameter'), ...shape.annotation(parameter)];
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
        return whole(type, () => shape.functionParts(node, start));
      }
      case 'ClassDeclaration':
        return shape.classPart({ ...node, start }, field, true);
      case 'TSInterfaceDeclaration':
        return whole('interface_declaration', () => {
          const extended = list(node, 'extends');
          const name = get(node, 'id');
          const parameters = child(node, 'typeParameters');
          const parts = [leaf('type_identifier', 'name', name), ...shape.typeParameters(node)];
          const last = extended.at(-1);
          if (last !== undefined)
            parts.push(
              part('extends_type_clause', '', skip((parameters ?? name).end), last.end, () =>
                extended.map((each) => shape.heritageType(each, 'type')),
              ),
            );
          const body = get(node, 'body');
          parts.push(
            part('interface_body', 'body', body.start, body.end, () => list(body, 'body').map(shape.typeMember)),
          );
          return parts;
        });
      case 'TSTypeAliasDeclaration':
        return whole('type_alias_declaration', () => [
          leaf('type_identifier', 'name', get(node, 'id')),
          ...shape.typeParameters(node),
          shape.type(get(node, 'typeAnnotation'), 'value'),
        ]);
      case 'TSEnumDeclaration':
        return whole('enum_declaration', () => {
          const body = get(node, 'body');
          return [
            shape.identifier(get(node, 'id'), 'name'),
            part('enum_body', 'body', body.start, body.end, () => list(body, 'members').map(enumMember)),
          ];
        });
      case 'TSModuleDeclaration': {
        const isModule = text.startsWith('module', start);
        return whole(isModule ? 'module' : 'internal_module', () => {
          const id = get(node, 'id');
          const body = child(node, 'body');
          return [
            id.type === 'Literal' ? shape.string(id, 'name') : shape.entityName(id, 'name', 'namespace'),
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
          return [shape.pattern(id, 'left'), ...shape.annotation(id), shape.expression(get(declared, 'init'), 'right')];
        });
      return [isAwait ? part('await_expression', '', start, declared.end, () => [assignment()]) : assignment()];
    });
  }

  function declarator(node: OxcNode): Part {
    return part('variable_declarator', '', node.start, node.end, () => {
      const id = get(node, 'id');
      return [
        shape.pattern(id, 'name'),
        ...shape.annotation(id),
        ...optional(child(node, 'init'), 'value', shape.expression),
      ];
    });
  }

  function enumMember(node: OxcNode): Part {
    const id = get(node, 'id');
    const value = child(node, 'initializer');
    const name = node['computed'] === true ? enumComputed(node, id) : shape.propertyName(id, 'name');
    if (value === undefined) return name;
    return part('enum_assignment', '', node.start, node.end, () => [name, shape.expression(value, 'value')]);
  }

  function enumComputed(node: OxcNode, id: OxcNode): Part {
    return part('computed_property_name', 'name', node.start, behind(']', id.end), () => [shape.expression(id, '')]);
  }

  // -- imports and exports

  function importParts(node: OxcNode): Part[] {
    const specifiers = list(node, 'specifiers');
    const source = get(node, 'source');
    const parts: Part[] = [];
    const clause = importClause(node, specifiers, source);
    if (clause !== undefined) parts.push(clause);
    parts.push(shape.string(source, 'source'), ...attributes(node, source.end));
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
        parts.push(shape.identifier(get(each, 'local'), ''));
        at = each.end;
      } else if (each.type === 'ImportNamespaceSpecifier') {
        parts.push(
          part('namespace_import', '', each.start, each.end, () => [shape.identifier(get(each, 'local'), '')]),
        );
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
      if (local.start !== imported.start) parts.push(shape.identifier(local, 'alias'));
      return parts;
    });
  }

  function moduleName(node: OxcNode, field: string): Part {
    if (node.type === 'Literal') return shape.string(node, field);
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
              shape.propertyName(get(pair, 'key'), 'key'),
              shape.string(get(pair, 'value'), 'value'),
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
          shape.identifier(id, ''),
          shape.string(get(reference, 'expression'), 'source'),
        ]),
      ]);
    return part('import_alias', field, start, end, () => [
      shape.identifier(id, ''),
      shape.entityName(reference, '', 'namespace'),
    ]);
  }

  function exportStatement(node: OxcNode, field: string): Part {
    const inner = child(node, 'declaration');
    const decorated = inner === undefined ? [] : list(inner, 'decorators').filter(({ start }) => start < node.start);
    const start = decorated[0]?.start ?? node.start;
    return part('export_statement', field, start, node.end, () => [
      ...decorated.map((each) => shape.decorator(each, 'decorator')),
      ...exportParts(node, inner),
    ]);
  }

  function exportParts(node: OxcNode, inner: OxcNode | undefined): Part[] {
    switch (node.type) {
      case 'TSExportAssignment':
        return [shape.expression(get(node, 'expression'), '')];
      case 'TSNamespaceExportDeclaration':
        return [shape.identifier(get(node, 'id'), '')];
      case 'ExportAllDeclaration': {
        const exported = child(node, 'exported');
        const source = get(node, 'source');
        const parts: Part[] = [];
        if (exported !== undefined) {
          let star = skip(node.start + 'export'.length);
          if (node['exportKind'] === 'type') star = skip(star + 'type'.length);
          parts.push(
            part('namespace_export', '', star, exported.end, () => [
              exported.type === 'Literal' ? shape.string(exported, '') : shape.identifier(exported, ''),
            ]),
          );
        }
        parts.push(shape.string(source, 'source'), ...attributes(node, source.end));
        return parts;
      }
      case 'ExportDefaultDeclaration':
        ensure(inner !== undefined, 'something is the default');
        return [exportedDefault(inner)];
      default: {
        if (inner !== undefined) return [declaration(inner, 'declaration')];
        const specifiers = list(node, 'specifiers');
        const source = child(node, 'source');
        let open = skip(node.start + 'export'.length);
        if (node['exportKind'] === 'type') open = skip(open + 'type'.length);
        const end = behindList('}', specifiers.at(-1)?.end ?? open + 1);
        const parts = [part('export_clause', '', open, end, () => specifiers.map(exportSpecifier))];
        if (source !== undefined) parts.push(shape.string(source, 'source'), ...attributes(node, source.end));
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
        return isNamed ? declaration(node, 'declaration') : shape.functionValue(node, 'value');
      case 'TSDeclareFunction':
        return declaration(node, 'declaration');
      case 'ClassDeclaration':
        return isNamed || node['abstract'] === true
          ? declaration(node, 'declaration')
          : shape.classPart(node, 'value', false);
      case 'TSInterfaceDeclaration':
        return declaration(node, 'declaration');
      default:
        return shape.expression(node, 'value');
    }
  }
}
