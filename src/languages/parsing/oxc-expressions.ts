/** Functions, classes, names, patterns, expressions, literals and elements, as `oxc-tree.ts` tells them. */

import type { OxcNode } from './oxc-parser.ts';
import {
  child,
  get,
  list,
  optional,
  optionalNode,
  type Part,
  type Shape,
  type Signs,
  type Tools,
  wordEnd,
} from './oxc-parts.ts';

const operators: Signs = Object.fromEntries(
  '+ - * / % ** < <= > >= == != === !== << >> >>> & | ^ && || ?? in instanceof ! ~ typeof void delete ++ -- += -= *= /= %= ^= &= |= >>= >>>= <<= **= &&= ||= ??='
    .split(' ')
    .map((sign) => [`'${sign}'`, 'operator']),
);
const escapeSequence =
  /\\(?:[^xu0-7\r\n]|[0-7]{1,3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|\r?[\n\u2028\u2029])/y;
/** White space that says nothing: ends of lines and what follows them. */
const indentation = /^\n\s*$/;
const characterReference = /&(?:#(?:[xX][\da-fA-F]{1,6}|\d{1,5})|[A-Za-z]{1,30});/g;

export function createExpressions(tools: Tools, shape: Shape) {
  const { text, isUntyped, none, part, leaf, skip, behind, behindList, unknown } = tools;
  const memberField = isUntyped ? 'member' : '';

  return {
    classPart,
    methodSignature,
    modifiers,
    decorator,
    expression,
    functionParts,
    functionValue,
    identifier,
    memberName,
    parameters,
    pattern,
    propertyName,
    signature,
    string,
    target,
    templateParts,
  };

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
    const parts: Part[] = [...shape.typeParameters(node), parameters(node, generic?.end ?? from)];
    const returned = child(node, 'returnType');
    if (returned !== undefined) parts.push(shape.typeAnnotation(returned, 'return_type'));
    parts.push(...optional(child(node, 'body'), 'body', shape.statementBlock));
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
        ...shape.annotation(bound),
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
      const parts: Part[] = [...shape.typeParameters(node)];
      let at = generic?.end ?? node.start;
      if (generic === undefined && node['async'] === true) at = skip(node.start + 'async'.length);
      if (only !== undefined && params.length === 1 && text.charCodeAt(skip(at)) !== 40)
        parts.push(identifier(only, 'parameter'));
      else parts.push(parameters(node, at));
      const returned = child(node, 'returnType');
      if (returned !== undefined) parts.push(shape.typeAnnotation(returned, 'return_type'));
      parts.push(body.type === 'BlockStatement' ? shape.statementBlock(body, 'body') : expression(body, 'body'));
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
        ...shape.typeParameters(node),
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
          ...optional(generic, 'type_arguments', shape.typeArguments),
        ]),
      );
      at = skip(end);
    }
    const last = implemented.at(-1);
    if (last !== undefined)
      parts.push(
        part('implements_clause', '', at, last.end, () => implemented.map((each) => shape.heritageType(each, ''))),
      );
    if (parts.length === 0) return [];
    return [part('class_heritage', '', parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0, () => parts)];
  }

  function classMember(node: OxcNode): Part[] {
    switch (node.type) {
      case 'StaticBlock': {
        const open = skip(node.start + 'static'.length);
        return [
          part('class_static_block', memberField, node.start, node.end, () => [
            part('statement_block', 'body', open, node.end, () => shape.statements(node, 'body', '')),
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
        return [shape.indexSignature(node, '')];
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
      ...(typed === undefined ? [] : [shape.typeAnnotation(typed, 'type')]),
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
          ...optional(child(node, 'typeArguments'), 'type_arguments', shape.typeArguments),
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
          ...(isConst ? [] : [shape.type(asserted, '')]),
        ]);
      }
      case 'TSTypeAssertion': {
        const asserted = get(node, 'typeAnnotation');
        const close = behind('>', asserted.end);
        return whole('type_assertion', () => [
          part('type_arguments', '', start, close, () => [shape.type(asserted, '')]),
          expression(get(node, 'expression'), ''),
        ]);
      }
      case 'TSNonNullExpression':
        return whole('non_null_expression', () => [expression(get(node, 'expression'), '')]);
      case 'TSInstantiationExpression':
        return whole('instantiation_expression', () => [
          expression(get(node, 'expression'), ''),
          shape.typeArguments(get(node, 'typeArguments'), 'type_arguments'),
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
    const parts = [expression(callee, field), ...optional(generic, 'type_arguments', shape.typeArguments)];
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
      ...optional(child(node, 'typeArguments'), 'type_arguments', shape.typeArguments),
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
}
