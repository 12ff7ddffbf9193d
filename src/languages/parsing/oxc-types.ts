/** Types, as `oxc-tree.ts` tells them. */

import type { OxcNode } from './oxc-parser.ts';
import {
  child,
  ensure,
  get,
  list,
  optional,
  type Part,
  type Shape,
  type Signs,
  type Tools,
  wordEnd,
} from './oxc-parts.ts';

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

export function createTypes(tools: Tools, shape: Shape) {
  const { text, none, part, leaf, skip, behind, behindList, unknown } = tools;

  return {
    annotation,
    typeParameters,
    entityName,
    heritageType,
    indexSignature,
    type,
    typeAnnotation,
    typeArguments,
    typeMember,
  };

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
        return whole('literal_type', () => [shape.expression(inner, '')]);
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
      shape.templateParts(node, inserted, 'template_type', type),
    );
  }

  /** To the grammars `a | b | c` is `(a | b) | c`, and a sign before the first has nothing on its left. */
  function union(name: string, sign: number, node: OxcNode, field: string): Part {
    const members = list(node, 'types');
    const leads = text.charCodeAt(node.start) === sign;
    const build = (count: number, as: string, isOuter: boolean): Part => {
      const last = members[count - 1];
      ensure(last !== undefined, 'a union has members');
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
      shape.parameters(node, declared?.end ?? from),
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
          shape.memberName(node, key, 'name'),
          ...(typed === undefined ? [] : [typeAnnotation(typed, 'type')]),
        ]);
      }
      case 'TSMethodSignature': {
        const key = get(node, 'key');
        return part('method_signature', '', node.start, memberSignatureEnd(node, key), () => [
          shape.memberName(node, key, 'name'),
          ...shape.methodSignature(node, key, node),
        ]);
      }
      case 'TSCallSignatureDeclaration':
        return part('call_signature', '', node.start, memberSignatureEnd(node, undefined), () =>
          shape.signature(node, node.start),
        );
      case 'TSConstructSignatureDeclaration':
        return part('construct_signature', '', node.start, memberSignatureEnd(node, undefined), () => {
          const declared = child(node, 'typeParameters');
          const returned = child(node, 'returnType');
          return [
            ...typeParameters(node),
            shape.parameters(node, declared?.end ?? node.start + 'new'.length),
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
    ensure(parameter !== undefined, 'an index has a name');
    const indexed = get(get(parameter, 'typeAnnotation'), 'typeAnnotation');
    const end = typed?.end ?? behind(']', indexed.end);
    return part('index_signature', field, node.start, end, () => [
      ...shape.modifiers(node, node.start, parameter.start),
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
          shape.expression(source, ''),
          ...optional(options, '', shape.expression),
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
