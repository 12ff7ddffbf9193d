/**
 * Scopes of TypeScript and JavaScript, as the compiler's binder makes them. The heart of this room: one pass over the flat tree in which a
 * node tells its children, before they are visited, where they stand (`scopeOf`) and how a name there is meant (`roleOf`). Names are bound
 * after the pass, so hoisting needs nothing special.
 *
 * Promises: one binding per scope and name, with all its merging declarations; a name in type position never means a value and the other
 * way round; parameters do not see the body's names; a name inside an `ERROR` node is never bound.
 */

import type { SourceTree } from '../facts.ts';
import { normaliseIdentifier } from '../identifiers.ts';
import {
  childByField,
  childByType,
  firstChild,
  flattenTree,
  isNamed,
  listChildNodes,
  spanAt,
  textOf,
} from '../parsing/flat-tree.ts';
import {
  addErrorNames,
  createScopeBuilder,
  listDoubtfulNames,
  meaning,
  type OpenBinding,
} from '../scopes/scope-builder.ts';
import { type BindingKind, bindingKinds, type ScopeKind, type ScopeTree } from '../scopes/scope-tree.ts';
import {
  hasExportClause,
  hasModuleSyntax,
  isIntrinsic,
  kindNamed,
  meaningsOfKind,
  startsStrict,
} from './js-scope-forms.ts';

/** How a name is meant at a node. `read` is the default. */
const role = {
  read: 0,
  write: 1,
  readwrite: 2,
  declare: 3,
  /** A value named in a type: `typeof x`, `x is T`. */
  valueInType: 4,
  /** Left of a dot in a type or an import alias. */
  namespace: 5,
  /** In an export clause: whatever has that name. */
  exported: 6,
  /** A name on the far side of an import or export. */
  outside: 7,
  member: 8,
  ignored: 9,
} as const;

const exporting = { no: 0, named: 1, default: 2 } as const;

/** What a scope knows besides its names. Inherited from the parent unless said otherwise. */
type Surroundings = {
  /** Where `var` goes. */
  readonly varScope: number;
  /** The nearest function that has its own `arguments`, -1 outside. */
  readonly argumentsScope: number;
  /** The nearest class, where `#names` live. */
  readonly classScope: number;
  /** Where exported declarations of this block go: the names shared by all blocks of a namespace. -1: they stay here. */
  readonly exportScope: number;
  /** In ambient code without export clauses, declarations are exported without saying so. */
  readonly exportsAll: boolean;
  readonly ambient: boolean;
  readonly strict: boolean;
};

const declaringFunctions = new Set(['function_declaration', 'generator_function_declaration', 'function_signature']);
const namedExpressions = new Set(['function_expression', 'generator_function']);
const memberOwners = new Set([
  'pair',
  'method_definition',
  'method_signature',
  'abstract_method_signature',
  'property_signature',
  'public_field_definition',
  'field_definition',
]);

export default function analyseJavaScript(source: SourceTree, language: string): ScopeTree {
  const tree = flattenTree(source);
  const builder = createScopeBuilder();
  const { openScope, declare, refer, addUnbound } = builder;
  const isTypeScript = language === 'typescript';

  // Per node. -1 in `scopeOf` and `insideOf` means: as the parent says.
  const scopeOf = new Int32Array(tree.count).fill(-1);
  const insideOf = new Int32Array(tree.count).fill(-1);
  /** Where `infer X` declares X, plus one. */
  const inferOf = new Int32Array(tree.count);
  const roleOf = new Uint8Array(tree.count);
  const kindOf = new Uint8Array(tree.count);
  const exportOf = new Uint8Array(tree.count);
  const ambientOf = new Uint8Array(tree.count);
  const exportNames = new Map<number, string>();
  const surroundings: Surroundings[] = [];
  /** The names shared by the blocks of a namespace or enum, by its binding; of ambient modules, by their specifier. */
  const sharedScopes = new Map<OpenBinding | string, number>();
  /** The scope of the type parameters of an interface or class, and the first such scope of a declaration that merges with another. */
  const typeScopes = new Map<OpenBinding, number>();
  const twinOf = new Map<number, number>();
  let dynamic = false;

  const isDeclarationFile = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/.test(source.path);
  const isModule = /\.m[jt]s$/.test(source.path) || hasModuleSyntax(tree);
  const globalScope = open('global', 0, -1, {
    varScope: 0,
    argumentsScope: -1,
    classScope: -1,
    exportScope: -1,
    exportsAll: false,
    ambient: isDeclarationFile,
    strict: isTypeScript || isModule || startsStrict(tree, 0),
  });
  const fileScope = open('module', 0, globalScope, {
    varScope: 1,
    exportsAll: isDeclarationFile && isModule && !hasExportClause(tree, 0),
  });

  for (let node = 0; node < tree.count; node++) {
    const parent = tree.parent[node] ?? -1;
    if (scopeOf[node] === -1) scopeOf[node] = parent < 0 ? fileScope : (insideOf[parent] ?? fileScope);
    if (inferOf[node] === 0 && parent >= 0) inferOf[node] = inferOf[parent] ?? 0;
    const done = visit(node, tree.type[node] ?? '', scopeOf[node] ?? fileScope);
    if (insideOf[node] === -1) insideOf[node] = scopeOf[node] ?? fileScope;
    if (done) node = (tree.after[node] ?? node + 1) - 1;
  }

  return builder.finish({
    dynamic,
    isModule,
    hasErrors: source.hasErrors,
    doubtfulNames: source.hasErrors ? listDoubtfulNames(tree, language) : [],
  });

  /** True where nothing below the node has to be visited. */
  function visit(node: number, type: string, scope: number): boolean {
    switch (type) {
      case 'identifier':
      case 'undefined':
        visitIdentifier(node, scope);
        return true;
      case 'type_identifier':
        if (roleOf[node] === role.declare) declareAt(node, scope);
        else if (roleOf[node] !== role.ignored && tree.start[node] !== tree.end[node])
          refer(scope, nameOf(node), spanAt(tree, node), 'type', meaning.type);
        return true;
      case 'property_identifier':
        visitMemberName(node, scope);
        return true;
      case 'private_property_identifier':
        visitPrivateName(node, scope);
        return true;
      case 'shorthand_property_identifier':
      case 'shorthand_property_identifier_pattern':
        addUnbound(scope, nameOf(node), spanAt(tree, node), type.endsWith('_pattern') ? 'read' : 'declare', true);
        visitIdentifier(node, scope);
        return true;
      case 'statement_identifier':
        if (roleOf[node] === role.declare) declare(scope, nameOf(node), 'label', meaning.label, spanAt(tree, node));
        else refer(scope, nameOf(node), spanAt(tree, node), 'read', meaning.label);
        return true;
      case 'ERROR':
        addErrorNames(tree, node, scope, language, builder);
        return true;

      case 'function_declaration':
      case 'generator_function_declaration':
      case 'function_signature':
      case 'function_expression':
      case 'generator_function':
      case 'arrow_function':
      case 'method_definition':
      case 'method_signature':
      case 'abstract_method_signature':
      case 'function_type':
      case 'constructor_type':
      case 'call_signature':
      case 'construct_signature':
        visitFunction(node, type, scope);
        return false;
      case 'formal_parameters':
        for (const child of listChildNodes(tree, node)) {
          const childType = tree.type[child] ?? '';
          if (isNamed(childType) && !childType.endsWith('_parameter')) setDeclare(child, 'parameter');
        }
        return false;
      case 'required_parameter':
      case 'optional_parameter':
        visitParameter(node, scope);
        return false;
      case 'class_declaration':
      case 'abstract_class_declaration':
      case 'class':
        visitClass(node, type, scope);
        return false;
      case 'class_static_block': {
        const body = childByField(tree, node, 'body');
        if (body >= 0) insideOf[body] = openVarScope('function_body', node, scope);
        return false;
      }

      case 'statement_block':
        if (insideOf[node] === -1) insideOf[node] = openBlock(node, scope);
        return false;
      case 'switch_body':
        insideOf[node] = open('switch', node, scope);
        return false;
      case 'for_statement':
        insideOf[node] = open('for', node, scope);
        return false;
      case 'for_in_statement':
        visitForIn(node, scope);
        return false;
      case 'catch_clause': {
        insideOf[node] = open('catch', node, scope);
        const parameter = childByField(tree, node, 'parameter');
        if (parameter >= 0) setDeclare(parameter, 'catch');
        return false;
      }
      case 'labeled_statement': {
        insideOf[node] = open('label', node, scope);
        const label = childByField(tree, node, 'label');
        if (label >= 0) setDeclare(label, 'label');
        return false;
      }
      case 'with_statement':
        dynamic = true;
        return false;
      case 'call_expression': {
        const callee = childByField(tree, node, 'function');
        if (callee >= 0 && tree.type[callee] === 'identifier' && textOf(tree, callee) === 'eval') dynamic = true;
        return false;
      }

      case 'lexical_declaration':
      case 'variable_declaration': {
        const kind = declarationKind(node);
        for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1)
          if (tree.type[child] === 'variable_declarator') setDeclare(child, kind, exportOf[node]);
        return false;
      }
      case 'variable_declarator': {
        const name = childByField(tree, node, 'name');
        if (name >= 0) passRole(node, name);
        return false;
      }
      case 'assignment_expression': {
        const left = childByField(tree, node, 'left');
        if (left < 0) return false;
        if (childByType(tree, node, "'using'") >= 0) setDeclare(left, 'using');
        else roleOf[left] = role.write;
        return false;
      }
      case 'augmented_assignment_expression': {
        const left = childByField(tree, node, 'left');
        if (left >= 0) roleOf[left] = role.readwrite;
        return false;
      }
      case 'update_expression': {
        const argument = childByField(tree, node, 'argument');
        if (argument >= 0) roleOf[argument] = role.readwrite;
        return false;
      }

      case 'object_pattern':
      case 'array_pattern':
      case 'rest_pattern':
        for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) passRole(node, child);
        return false;
      case 'pair_pattern':
        passToField(node, 'value');
        return false;
      case 'assignment_pattern':
      case 'object_assignment_pattern':
        passToField(node, 'left');
        return false;
      case 'parenthesized_expression':
      case 'non_null_expression':
      case 'as_expression':
      case 'satisfies_expression': {
        const inner = listChildNodes(tree, node).find((child) => isNamed(tree.type[child] ?? ''));
        if (inner !== undefined) passRole(node, inner);
        return false;
      }
      case 'type_assertion': {
        const inner = listChildNodes(tree, node).at(-1);
        if (inner !== undefined) passRole(node, inner);
        return false;
      }

      case 'import_statement':
        visitImport(node, scope);
        return true;
      case 'import_alias':
        visitImportAlias(node);
        return false;
      case 'export_statement':
        visitExport(node);
        return false;
      case 'export_specifier':
        visitExportSpecifier(node);
        return false;
      case 'namespace_export':
        for (const child of listChildNodes(tree, node)) roleOf[child] = role.outside;
        return false;
      case 'ambient_declaration':
        visitAmbient(node, scope);
        return false;
      case 'internal_module':
      case 'module':
        visitNamespace(node, scope);
        return false;
      case 'enum_declaration':
        visitEnum(node, scope);
        return false;
      case 'enum_body':
        for (const child of listChildNodes(tree, node)) if (tree.field[child] === 'name') visitEnumMember(child, scope);
        return false;
      case 'enum_assignment': {
        const name = childByField(tree, node, 'name');
        if (name >= 0) visitEnumMember(name, scope);
        return false;
      }

      case 'type_alias_declaration':
      case 'interface_declaration':
        visitTypeDeclaration(node, scope, type === 'interface_declaration' ? 'interface' : 'type');
        return false;
      case 'type_parameter':
      case 'mapped_type_clause': {
        const name = childByField(tree, node, 'name');
        if (name >= 0) setDeclare(name, 'type_parameter');
        return false;
      }
      case 'index_signature': {
        insideOf[node] = open('type', node, scope);
        const name = childByField(tree, node, 'name');
        if (name >= 0) setDeclare(name, 'parameter');
        return false;
      }
      case 'conditional_type': {
        // What `infer` declares is visible where the condition holds, and only there.
        const inferred = open('type', node, scope);
        const extended = childByField(tree, node, 'right');
        const consequence = childByField(tree, node, 'consequence');
        if (extended >= 0) inferOf[extended] = inferred + 1;
        if (consequence >= 0) scopeOf[consequence] = inferred;
        return false;
      }
      case 'infer_type': {
        const name = childByType(tree, node, 'type_identifier');
        const inferred = (inferOf[node] ?? 0) - 1;
        if (name >= 0 && inferred >= 0) {
          setDeclare(name, 'type_parameter');
          scopeOf[name] = inferred;
        }
        return false;
      }
      case 'type_query':
        for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
          roleOf[child] = role.valueInType;
          // Type parameters do not see the parameters: `<T extends typeof k>(k: T)` means another `k`.
          if (isOfTypeParameter(node, scope)) scopeOf[child] = builder.scopes[scope]?.parent ?? scope;
        }
        return false;
      case 'type_predicate': {
        const name = childByField(tree, node, 'name');
        if (name >= 0) roleOf[name] = role.valueInType;
        return false;
      }
      case 'asserts': {
        const name = childByType(tree, node, 'identifier');
        if (name >= 0) roleOf[name] = role.valueInType;
        return false;
      }
      case 'instantiation_expression':
        if (roleOf[node] === role.valueInType) passToField(node, 'function');
        return false;
      case 'member_expression':
      case 'subscript_expression': {
        const how = roleOf[node];
        if (how === role.valueInType || how === role.namespace) passToField(node, 'object');
        else if (how === role.write || how === role.readwrite) passToField(node, 'property');
        return false;
      }
      case 'nested_identifier': {
        const object = childByField(tree, node, 'object');
        if (object >= 0 && roleOf[node] !== role.ignored) roleOf[object] = role.namespace;
        return false;
      }
      case 'nested_type_identifier': {
        const qualifier = childByField(tree, node, 'module');
        const name = childByField(tree, node, 'name');
        if (qualifier >= 0) roleOf[qualifier] = role.namespace;
        if (name >= 0) {
          roleOf[name] = role.ignored;
          addUnbound(scope, nameOf(name), spanAt(tree, name), 'type', true);
        }
        return false;
      }

      case 'jsx_opening_element':
      case 'jsx_closing_element':
      case 'jsx_self_closing_element': {
        const name = childByField(tree, node, 'name');
        if (name >= 0 && tree.type[name] === 'identifier' && isIntrinsic(textOf(tree, name)))
          roleOf[name] = role.member;
        return false;
      }
      case 'jsx_namespace_name':
        for (const child of listChildNodes(tree, node)) roleOf[child] = role.member;
        return false;
      default:
        return false;
    }
  }

  // ---- names

  function visitIdentifier(node: number, scope: number): void {
    const span = spanAt(tree, node);
    if (span.start === span.end) return;
    const name = nameOf(node);
    switch (roleOf[node]) {
      case role.declare:
        declareAt(node, scope);
        return;
      case role.write:
        refer(scope, name, span, 'write', meaning.value);
        return;
      case role.readwrite:
        refer(scope, name, span, 'readwrite', meaning.value);
        return;
      case role.valueInType:
        refer(scope, name, span, 'type', meaning.value);
        return;
      case role.namespace:
        refer(scope, name, span, 'type', meaning.namespace);
        return;
      case role.exported:
        refer(scope, name, span, 'export', meaning.any, exportNames.get(node) ?? null);
        return;
      case role.outside:
        addUnbound(scope, name, span, 'export', true);
        return;
      case role.member:
        addUnbound(scope, name, span, 'read', true);
        return;
      case role.ignored:
        return;
      default:
        if (name === 'arguments') {
          const owner = surroundings[scope]?.argumentsScope ?? -1;
          if (owner >= 0) declare(owner, name, 'arguments', meaning.value);
        }
        refer(scope, name, span, 'read', meaning.value);
    }
  }

  function visitMemberName(node: number, scope: number): void {
    if (roleOf[node] === role.ignored) return;
    if (roleOf[node] === role.declare) {
      declareAt(node, scope);
      return;
    }
    const defines = memberOwners.has(tree.type[tree.parent[node] ?? -1] ?? '');
    const access = roleOf[node] === role.write ? 'write' : roleOf[node] === role.readwrite ? 'readwrite' : 'read';
    addUnbound(scope, nameOf(node), spanAt(tree, node), defines ? 'declare' : access, true);
  }

  /** `#x` is a member that is found lexically: in the nearest class that declares it. */
  function visitPrivateName(node: number, scope: number): void {
    const owner = surroundings[scope]?.classScope ?? -1;
    if (memberOwners.has(tree.type[tree.parent[node] ?? -1] ?? '') && owner >= 0)
      declare(owner, nameOf(node), 'private_name', meaning.privateName, spanAt(tree, node));
    else
      refer(
        scope,
        nameOf(node),
        spanAt(tree, node),
        roleOf[node] === role.write ? 'write' : 'read',
        meaning.privateName,
      );
  }

  function declareAt(node: number, scope: number): void {
    const kind = bindingKinds[kindOf[node] ?? 0] ?? 'let';
    if (tree.start[node] === tree.end[node]) return;
    declareIn(node, scope, kind, exportOf[node] ?? exporting.no);
  }

  function declareIn(node: number, scope: number, kind: BindingKind, exported: number): OpenBinding {
    const name = nameOf(node);
    const twin = kind === 'type_parameter' ? builder.find(twinOf.get(scope) ?? -1, name) : undefined;
    if (twin !== undefined) {
      builder.alias(scope, name, twin);
      twin.declarations.push(spanAt(tree, node));
      return twin;
    }
    const binding = declare(
      targetScope(scope, name, kind, exported),
      name,
      kind,
      meaningsOfKind[kind],
      spanAt(tree, node),
    );
    const owner = surroundings[binding.scope];
    if (exported === exporting.default) binding.exportedAs.add('default');
    else if (exported === exporting.named || kind === 'enum_member' || sharesNames(scope, kind) === binding.scope)
      binding.exportedAs.add(name);
    else if (owner?.exportsAll === true && binding.scope === fileScope) binding.exportedAs.add(name);
    return binding;
  }

  function targetScope(scope: number, name: string, kind: BindingKind, exported: number): number {
    if (builder.scopes[scope]?.kind === 'name') return scope;
    const around = surroundings[scope];
    let target = scope;
    if (kind === 'var' || (kind === 'function' && around?.strict === false)) target = around?.varScope ?? scope;
    else while (builder.scopes[target]?.kind === 'label') target = builder.scopes[target]?.parent ?? 0;
    const shared = exported === exporting.no ? sharesNames(target, kind) : (surroundings[target]?.exportScope ?? -1);
    if (shared >= 0) return shared;
    // A `var` or function of the body that is named like a parameter is that parameter.
    const owner = builder.scopes[target];
    if ((kind === 'var' || kind === 'function') && owner?.kind === 'function_body') {
      const parameter = builder.find(owner.parent, name);
      if (parameter !== undefined && (parameter.meanings & meaning.value) !== 0) return owner.parent;
    }
    return target;
  }

  /** Where a declaration goes that says nothing about exporting, if its block exports everything; else -1. */
  function sharesNames(scope: number, kind: BindingKind): number {
    const around = surroundings[scope];
    if (around === undefined || !around.exportsAll || kind === 'import') return -1;
    return kind === 'parameter' || kind === 'type_parameter' ? -1 : around.exportScope;
  }

  // ---- functions and classes

  function visitFunction(node: number, type: string, scope: number): void {
    const name = childByField(tree, node, 'name');
    let outer = scope;
    if (name >= 0) {
      scopeOf[name] = scope;
      if (declaringFunctions.has(type)) setDeclare(name, 'function', exportOf[node]);
      else if (namedExpressions.has(type)) {
        if (isDefaultExport(node)) setDeclare(name, 'function', exporting.default);
        else {
          outer = open('name', node, scope);
          scopeOf[name] = outer;
          setDeclare(name, 'function');
        }
      }
    }
    const body = childByField(tree, node, 'body');
    const hasBlock = body >= 0 && tree.type[body] === 'statement_block';
    const strict = (surroundings[scope]?.strict ?? true) || (hasBlock && startsStrict(tree, body));
    const own = openVarScope('function', node, outer, {
      strict,
      exportsAll: false,
      ...(type === 'arrow_function' ? {} : { argumentsScope: builder.scopes.length }),
    });
    insideOf[node] = own;
    if (hasBlock) insideOf[body] = openVarScope('function_body', body, own);
    const parameter = childByField(tree, node, 'parameter');
    if (parameter >= 0) setDeclare(parameter, 'parameter');
    if (type === 'constructor_type') widenConstructorType(node, own);
  }

  /** Is this in the type parameters of the function whose scope this is? */
  function isOfTypeParameter(node: number, scope: number): boolean {
    if (builder.scopes[scope]?.kind !== 'function') return false;
    for (let at = tree.parent[node] ?? -1; at >= 0 && scopeOf[at] === scope; at = tree.parent[at] ?? -1)
      if (tree.type[at] === 'type_parameters') return true;
    return false;
  }

  function visitParameter(node: number, scope: number): void {
    const label = childByField(tree, node, 'name');
    if (label >= 0) {
      // A member of a labelled tuple type: `[first: A, ...rest: B[]]`.
      for (let part = label; part < (tree.after[label] ?? 0); part++) roleOf[part] = role.member;
      return;
    }
    const pattern = childByField(tree, node, 'pattern');
    if (pattern < 0) return;
    setDeclare(pattern, 'parameter');
    let isProperty = false;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      const type = tree.type[child];
      if (type === 'decorator') scopeOf[child] = builder.scopes[scope]?.parent ?? scope;
      else if (type === 'accessibility_modifier' || type === "'readonly'" || type === 'override_modifier')
        isProperty = true;
    }
    if (isProperty && tree.type[pattern] === 'identifier')
      addUnbound(scope, nameOf(pattern), spanAt(tree, pattern), 'declare', true);
  }

  function visitClass(node: number, type: string, scope: number): void {
    let outer = scope;
    const name = childByField(tree, node, 'name');
    const isDeclaration = type !== 'class' || isDefaultExport(node);
    if (name >= 0 && !isDeclaration) outer = open('name', node, scope);
    const own = open('class', node, outer, { classScope: builder.scopes.length, strict: true, exportsAll: false });
    insideOf[node] = own;
    if (name >= 0) {
      const exported = type === 'class' ? exporting.default : (exportOf[node] ?? exporting.no);
      declareWithTwins(name, outer, 'class', isDeclaration ? exported : exporting.no, own);
    }
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1)
      if (tree.type[child] === 'decorator') scopeOf[child] = scope;
  }

  function isDefaultExport(node: number): boolean {
    return tree.field[node] === 'value' && tree.type[tree.parent[node] ?? -1] === 'export_statement';
  }

  function visitTypeDeclaration(node: number, scope: number, kind: 'interface' | 'type'): void {
    const own = open('type', node, scope);
    insideOf[node] = own;
    const name = childByField(tree, node, 'name');
    if (name >= 0) declareWithTwins(name, scope, kind, exportOf[node] ?? exporting.no, own);
  }

  /** Interfaces and classes that merge have the same type parameters: those of a later one are those of the first. */
  function declareWithTwins(name: number, scope: number, kind: BindingKind, exported: number, own: number): void {
    roleOf[name] = role.ignored;
    if (tree.start[name] === tree.end[name]) return;
    const binding = declareIn(name, scope, kind, exported);
    const twin = typeScopes.get(binding);
    if (twin === undefined) typeScopes.set(binding, own);
    else twinOf.set(own, twin);
  }

  /** The grammar ends a constructor type before `&` and `|`, the language does not: what follows is still its result. */
  function widenConstructorType(node: number, own: number): void {
    let part = node;
    for (let above = tree.parent[part] ?? -1; above >= 0; above = tree.parent[part] ?? -1) {
      if (tree.type[above] !== 'intersection_type' && tree.type[above] !== 'union_type') return;
      for (let right = tree.next[part] ?? -1; right >= 0; right = tree.next[right] ?? -1) scopeOf[right] = own;
      part = above;
    }
  }

  // ---- statements

  function visitForIn(node: number, scope: number): void {
    insideOf[node] = open('for', node, scope);
    const left = childByField(tree, node, 'left');
    if (left < 0) return;
    const kind = childByField(tree, node, 'kind');
    if (kind < 0) roleOf[left] = role.write;
    else setDeclare(left, kindNamed(textOf(tree, kind)));
  }

  function declarationKind(node: number): BindingKind {
    const first = firstChild(tree, node);
    return first < 0 ? 'let' : kindNamed(textOf(tree, first));
  }

  function openBlock(node: number, scope: number): number {
    return open('block', node, scope, { exportsAll: false, exportScope: -1 });
  }

  // ---- modules

  function visitImport(node: number, scope: number): void {
    const from = lastStringIn(node);
    const specifier = from < 0 ? '' : stringValue(from);
    const wholeTypeOnly = childByType(tree, node, "'type'") >= 0 || childByType(tree, node, "'typeof'") >= 0;
    for (let part = node + 1; part < (tree.after[node] ?? 0); part++) {
      const above = tree.type[tree.parent[part] ?? -1];
      const type = tree.type[part];
      if (type === 'ERROR') {
        addErrorNames(tree, part, scope, language, builder);
        part = (tree.after[part] ?? part + 1) - 1;
      } else if (type === 'import_specifier') importSpecifier(part);
      else if (type === 'property_identifier') addUnbound(scope, nameOf(part), spanAt(tree, part), 'declare', true);
      else if (type === 'identifier' && above === 'import_clause') importName(part, 'default', wholeTypeOnly);
      else if (type === 'identifier' && above === 'namespace_import') importName(part, '*', wholeTypeOnly);
      else if (type === 'identifier' && above === 'import_require_clause') importName(part, '=', wholeTypeOnly);
    }

    function importSpecifier(part: number): void {
      const name = childByField(tree, part, 'name');
      const alias = childByField(tree, part, 'alias');
      if (name < 0) return;
      const typeOnly = wholeTypeOnly || childByType(tree, part, "'type'") >= 0;
      const imported = tree.type[name] === 'string' ? stringValue(name) : nameOf(name);
      if (alias >= 0 && tree.type[name] === 'identifier') addUnbound(scope, imported, spanAt(tree, name), 'read', true);
      importName(alias >= 0 ? alias : name, imported, typeOnly);
    }

    function importName(part: number, name: string, typeOnly: boolean): void {
      if (tree.type[part] !== 'identifier' || tree.start[part] === tree.end[part]) return;
      const binding = declareIn(part, scope, 'import', exportOf[node] ?? exporting.no);
      binding.importOf ??= { specifier, name, typeOnly };
    }
  }

  function visitImportAlias(node: number): void {
    const [alias, target] = listChildNodes(tree, node).filter((child) => isNamed(tree.type[child] ?? ''));
    if (alias !== undefined) setDeclare(alias, 'import', exportOf[node]);
    if (target !== undefined && tree.type[target] === 'identifier') roleOf[target] = role.exported;
  }

  function visitExport(node: number): void {
    const isDefault = childByType(tree, node, "'default'") >= 0;
    const isAssignment = childByType(tree, node, "'='") >= 0;
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      if (tree.field[child] === 'declaration') {
        exportOf[child] = isDefault ? exporting.default : exporting.named;
      } else if (tree.type[child] === 'identifier') {
        const publicName = tree.field[child] === 'value' ? 'default' : isAssignment ? '=' : null;
        roleOf[child] = publicName === null ? role.outside : role.exported;
        if (publicName !== null) exportNames.set(child, publicName);
      }
    }
  }

  function visitExportSpecifier(node: number): void {
    const statement = tree.parent[tree.parent[node] ?? -1] ?? -1;
    const fromElsewhere = statement >= 0 && childByField(tree, statement, 'source') >= 0;
    const name = childByField(tree, node, 'name');
    const alias = childByField(tree, node, 'alias');
    if (alias >= 0) roleOf[alias] = role.outside;
    if (name < 0) return;
    roleOf[name] = fromElsewhere ? role.outside : role.exported;
    const publicNode = alias >= 0 ? alias : name;
    exportNames.set(name, tree.type[publicNode] === 'string' ? stringValue(publicNode) : nameOf(publicNode));
  }

  function visitAmbient(node: number, scope: number): void {
    for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
      ambientOf[child] = 1;
      exportOf[child] = exportOf[node] ?? exporting.no;
      if (tree.type[child] === 'statement_block')
        insideOf[child] = openVarScope('namespace', child, scope, {
          exportScope: globalScope,
          exportsAll: true,
          ambient: true,
        });
    }
  }

  function visitNamespace(node: number, scope: number): void {
    const name = childByField(tree, node, 'name');
    const body = childByField(tree, node, 'body');
    if (name < 0) return;
    let shared = -1;
    if (tree.type[name] === 'string') shared = sharedScope(stringValue(name), node, scope);
    else {
      let exported = exportOf[node] ?? exporting.no;
      let within = scope;
      for (let part = name; part < (tree.after[name] ?? 0); part++) {
        const type = tree.type[part];
        if (type !== 'identifier' && type !== 'property_identifier') {
          roleOf[part] = role.ignored;
          continue;
        }
        roleOf[part] = role.ignored;
        const binding = declareIn(part, within, 'namespace', exported);
        shared = sharedScope(binding, node, within);
        within = shared;
        exported = exporting.named;
      }
    }
    if (body < 0 || shared < 0) return;
    const ambient = ambientOf[node] === 1 || surroundings[scope]?.ambient === true;
    insideOf[body] = openVarScope('namespace', body, shared, {
      exportScope: shared,
      exportsAll: ambient && !hasExportClause(tree, body),
      ambient,
    });
  }

  function sharedScope(key: OpenBinding | string, node: number, parent: number): number {
    let shared = sharedScopes.get(key);
    if (shared === undefined) {
      const kind = typeof key !== 'string' && key.kind === 'enum' ? 'enum' : 'namespace';
      shared = open(kind, node, parent, { exportsAll: false, exportScope: -1 });
      sharedScopes.set(key, shared);
    }
    return shared;
  }

  function visitEnum(node: number, scope: number): void {
    const name = childByField(tree, node, 'name');
    if (name < 0) return;
    roleOf[name] = role.ignored;
    insideOf[node] = sharedScope(declareIn(name, scope, 'enum', exportOf[node] ?? exporting.no), node, scope);
  }

  function visitEnumMember(name: number, scope: number): void {
    if (tree.type[name] === 'property_identifier') {
      roleOf[name] = role.ignored;
      declareIn(name, scope, 'enum_member', exporting.no);
      return;
    }
    const fragment = tree.type[name] === 'string' ? childByType(tree, name, 'string_fragment') : -1;
    if (fragment >= 0 && !textOf(tree, name).includes('\\')) declareIn(fragment, scope, 'enum_member', exporting.no);
  }

  // ---- small things

  function open(kind: ScopeKind, node: number, parent: number, changes: Partial<Surroundings> = {}): number {
    const inherited = surroundings[parent];
    const whole = kind === 'global' || kind === 'module';
    const scope = openScope(
      kind,
      whole ? 0 : (tree.start[node] ?? 0),
      whole ? source.text.length : (tree.end[node] ?? 0),
      parent,
    );
    const base: Surroundings = inherited ?? {
      varScope: scope,
      argumentsScope: -1,
      classScope: -1,
      exportScope: -1,
      exportsAll: false,
      ambient: false,
      strict: true,
    };
    const block = kind === 'namespace' || kind === 'module' ? {} : { exportScope: -1, exportsAll: false };
    surroundings.push({ ...base, ...block, ...changes });
    return scope;
  }

  function openVarScope(kind: ScopeKind, node: number, parent: number, changes: Partial<Surroundings> = {}): number {
    return open(kind, node, parent, { ...changes, varScope: builder.scopes.length });
  }

  function setDeclare(node: number, kind: BindingKind, exported: number = exporting.no): void {
    roleOf[node] = role.declare;
    kindOf[node] = bindingKinds.indexOf(kind);
    exportOf[node] = exported;
  }

  function passRole(from: number, to: number): void {
    roleOf[to] = roleOf[from] ?? role.read;
    kindOf[to] = kindOf[from] ?? 0;
    exportOf[to] = exportOf[from] ?? exporting.no;
  }

  function passToField(node: number, field: string): void {
    const child = childByField(tree, node, field);
    if (child >= 0) passRole(node, child);
  }

  function nameOf(node: number): string {
    return normaliseIdentifier(textOf(tree, node), language);
  }

  function stringValue(node: number): string {
    return source.text.slice(
      (tree.start[node] ?? 0) + 1,
      Math.max((tree.start[node] ?? 0) + 1, (tree.end[node] ?? 0) - 1),
    );
  }

  function lastStringIn(node: number): number {
    const direct = childByField(tree, node, 'source');
    if (direct >= 0) return direct;
    const clause = childByType(tree, node, 'import_require_clause');
    return clause < 0 ? childByType(tree, node, 'string') : childByField(tree, clause, 'source');
  }
}
