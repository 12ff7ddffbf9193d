/**
 * Scopes of Python: a name belongs to the function (class, module, comprehension) that binds it anywhere in its body, unless `global` or
 * `nonlocal` says otherwise; methods and comprehensions do not see the names of the class around them.
 *
 * The first place that binds a name is its declaration; later plain assignments are references with access `write`. `def`, `class` and
 * `import` are always declarations. Names of a module or class can be reached as members, so their `exportedAs` is never empty.
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
import { addErrorNames, createScopeBuilder, listDoubtfulNames, meaning } from '../scopes/scope-builder.ts';
import { type Access, type BindingKind, bindingKinds, type ScopeTree } from '../scopes/scope-tree.ts';

const role = { read: 0, bind: 1, update: 2, type: 3, member: 4, ignored: 5 } as const;

/** Reach local names by their text. */
const reflective = new Set(['eval', 'exec', 'globals', 'locals', 'vars']);

export default function analysePython(source: SourceTree, language: string): ScopeTree {
  const tree = flattenTree(source);
  const builder = createScopeBuilder();
  const { openScope, declare, refer, addUnbound } = builder;
  const scopeOf = new Int32Array(tree.count).fill(-1);
  const insideOf = new Int32Array(tree.count).fill(-1);
  const roleOf = new Uint8Array(tree.count);
  const kindOf = new Uint8Array(tree.count);
  /** Per scope: where names of nested functions are looked up, the class around it (for `__mangled` names), and its nonlocal names. */
  const lookupFrom: number[] = [];
  const classOf: number[] = [];
  const nonlocalNames = new Map<number, Set<string>>();
  /** The scope that the names below a parameter list (or one parameter) belong to. */
  const parameterScope = new Map<number, number>();
  let dynamic = false;

  const moduleScope = open('module', 0, -1);
  for (let node = 0; node < tree.count; node++) {
    const parent = tree.parent[node] ?? -1;
    if (scopeOf[node] === -1) scopeOf[node] = parent < 0 ? moduleScope : (insideOf[parent] ?? moduleScope);
    const done = visit(node, tree.type[node] ?? '', scopeOf[node] ?? moduleScope);
    if (insideOf[node] === -1) insideOf[node] = scopeOf[node] ?? moduleScope;
    if (done) node = (tree.after[node] ?? node + 1) - 1;
  }
  return withoutMangling(
    builder.finish({
      dynamic,
      isModule: true,
      hasErrors: source.hasErrors,
      doubtfulNames: source.hasErrors ? listDoubtfulNames(tree, language) : [],
    }),
  );

  function visit(node: number, type: string, scope: number): boolean {
    switch (type) {
      case 'identifier':
        visitIdentifier(node, scope);
        return true;
      case 'ERROR':
        addErrorNames(tree, node, scope, language, builder);
        return true;
      case 'function_definition':
      case 'lambda':
        visitFunction(node, scope);
        return false;
      case 'class_definition':
        visitClass(node, scope);
        return false;
      case 'parameters':
      case 'lambda_parameters':
        for (const child of listChildNodes(tree, node)) setParameter(child);
        return false;
      case 'default_parameter':
      case 'typed_default_parameter':
      case 'typed_parameter':
        visitParameter(node);
        return false;
      case 'list_comprehension':
      case 'set_comprehension':
      case 'dictionary_comprehension':
      case 'generator_expression': {
        insideOf[node] = open('comprehension', node, lookupFrom[scope] ?? moduleScope);
        // The first iterable is evaluated outside, in the scope that may be a class.
        const clause = childByType(tree, node, 'for_in_clause');
        const iterable = clause < 0 ? -1 : childByField(tree, clause, 'right');
        if (iterable >= 0) scopeOf[iterable] = scope;
        return false;
      }
      case 'assignment':
      case 'for_statement':
      case 'for_in_clause':
        setField(node, 'left', role.bind, 'variable');
        return false;
      case 'augmented_assignment':
        setField(node, 'left', role.update, 'variable');
        return false;
      case 'named_expression': {
        const name = childByField(tree, node, 'name');
        if (name >= 0) {
          set(name, role.bind, 'variable');
          let target = scope;
          while (builder.scopes[target]?.kind === 'comprehension') target = builder.scopes[target]?.parent ?? 0;
          scopeOf[name] = target;
        }
        return false;
      }
      case 'as_pattern_target':
        for (const child of listChildNodes(tree, node))
          set(child, role.bind, tree.type[enclosing(node, 2)] === 'except_clause' ? 'catch' : 'variable');
        return false;
      case 'delete_statement':
        for (const child of listChildNodes(tree, node)) set(child, role.bind, 'variable');
        return false;
      case 'pattern_list':
      case 'tuple_pattern':
      case 'list_pattern':
      case 'list_splat_pattern':
      case 'dictionary_splat_pattern':
      case 'tuple':
      case 'list':
      case 'expression_list':
      case 'parenthesized_expression':
        if (roleOf[node] !== role.read && roleOf[node] !== role.type)
          for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) pass(node, child);
        return false;
      case 'global_statement':
      case 'nonlocal_statement':
        visitScopeStatement(node, type, scope);
        return true;
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
        visitImport(node, scope);
        return true;
      case 'attribute':
        setField(node, 'attribute', role.member, 'variable');
        return false;
      case 'keyword_argument':
        setField(node, 'name', role.member, 'variable');
        return false;
      case 'call': {
        const callee = childByField(tree, node, 'function');
        if (callee >= 0 && tree.type[callee] === 'identifier' && reflective.has(textOf(tree, callee))) dynamic = true;
        return false;
      }
      case 'exec_statement':
        dynamic = true;
        return false;
      case 'type':
        for (const child of listChildNodes(tree, node)) if (roleOf[child] === role.read) roleOf[child] = role.type;
        return false;
      case 'dotted_name':
        visitDottedName(node);
        return false;
      case 'splat_pattern':
        for (const child of listChildNodes(tree, node)) set(child, role.bind, 'variable');
        return false;
      case 'keyword_pattern': {
        const [name] = listChildNodes(tree, node);
        if (name !== undefined) set(name, role.member, 'variable');
        return false;
      }
      case 'as_pattern': {
        // In `case pattern as name` the name is a plain identifier without a field.
        const last = listChildNodes(tree, node).at(-1);
        if (last !== undefined && tree.type[last] === 'identifier' && tree.field[last] === '')
          set(last, role.bind, 'variable');
        return false;
      }
      case 'type_alias_statement':
        visitTypeAlias(node, scope);
        return false;
      default:
        return false;
    }
  }

  function visitIdentifier(node: number, scope: number): void {
    if (tree.start[node] === tree.end[node]) return;
    const name = nameOf(node, scope);
    switch (roleOf[node]) {
      case role.bind:
        bindName(node, scope, 'write');
        return;
      case role.update:
        bindName(node, scope, 'readwrite');
        return;
      case role.member:
        addUnbound(scope, name, spanAt(tree, node), memberAccess(node), true);
        return;
      case role.ignored:
        return;
      default:
        refer(scope, name, spanAt(tree, node), roleOf[node] === role.type ? 'type' : 'read', meaning.value);
    }
  }

  function memberAccess(node: number): Access {
    const owner = tree.parent[node] ?? -1;
    if (tree.type[owner] !== 'attribute') return 'read';
    return roleOf[owner] === role.bind ? 'write' : roleOf[owner] === role.update ? 'readwrite' : 'read';
  }

  function bindName(node: number, scope: number, access: 'write' | 'readwrite'): void {
    const name = nameOf(node, scope);
    const span = spanAt(tree, node);
    const kind = bindingKinds[kindOf[node] ?? 0] ?? 'variable';
    if (nonlocalNames.get(scope)?.has(name) === true) {
      refer(scope, name, span, access, meaning.value);
      return;
    }
    const known = builder.find(scope, name);
    if (known !== undefined && known.declarations.length > 0 && (kind === 'variable' || kind === 'catch')) {
      known.references.push({ name, ...span, access, scope, isMember: false });
      return;
    }
    const binding =
      known === undefined
        ? declare(scope, name, kind, meaning.value, span)
        : declare(known.scope, name, kind, meaning.value, span);
    const owner = builder.scopes[binding.scope]?.kind;
    if (owner === 'module' || owner === 'class') binding.exportedAs.add(plain(name));
  }

  function visitFunction(node: number, scope: number): void {
    const name = childByField(tree, node, 'name');
    if (name >= 0) set(name, role.bind, 'function', scope);
    const outer = openTypeParameters(node, scope);
    const own = open('function', node, lookupFrom[outer] ?? moduleScope, scope);
    const parameters = childByField(tree, node, 'parameters');
    const body = childByField(tree, node, 'body');
    // Annotations and defaults belong to the surroundings; `visitParameter` moves only the names inside.
    insideOf[node] = outer;
    if (parameters >= 0) parameterScope.set(parameters, own);
    if (body >= 0) {
      scopeOf[body] = own;
      insideOf[body] = own;
    }
  }

  function visitClass(node: number, scope: number): void {
    const name = childByField(tree, node, 'name');
    if (name >= 0) set(name, role.bind, 'class', scope);
    const outer = openTypeParameters(node, scope);
    insideOf[node] = outer;
    const own = open('class', node, lookupFrom[outer] ?? moduleScope, scope);
    lookupFrom[own] = lookupFrom[outer] ?? moduleScope;
    classOf[own] = own;
    const body = childByField(tree, node, 'body');
    if (body >= 0) {
      scopeOf[body] = own;
      insideOf[body] = own;
    }
  }

  function visitTypeAlias(node: number, scope: number): void {
    const left = childByField(tree, node, 'left');
    if (left < 0) return;
    const [written] = listChildNodes(tree, left);
    if (written === undefined) return;
    if (tree.type[written] === 'identifier') {
      set(written, role.bind, 'type');
      return;
    }
    const [name] = listChildNodes(tree, written);
    if (tree.type[written] !== 'generic_type' || name === undefined) return;
    set(name, role.bind, 'type', scope);
    insideOf[node] = openTypeParameters(written, scope, childByType(tree, written, 'type_parameter'));
  }

  /** PEP 695: `def f[T: int]`. Without type parameters the scope stays what it is. */
  function openTypeParameters(
    node: number,
    scope: number,
    list: number = childByField(tree, node, 'type_parameters'),
  ): number {
    if (list < 0) return scope;
    const own = open('type', node, scope, scope);
    for (const parameter of listChildNodes(tree, list)) {
      if (!isNamed(tree.type[parameter] ?? '')) continue;
      // The name is the first identifier written: `T`, `T: int`, `*Ts`, `**P`, `T = int`.
      for (let part = parameter; part < (tree.after[parameter] ?? 0); part++) {
        if (tree.type[part] !== 'identifier') continue;
        set(part, role.bind, 'type_parameter', own);
        break;
      }
    }
    return own;
  }

  function setParameter(child: number): void {
    const own = parameterScope.get(tree.parent[child] ?? -1);
    if (own === undefined) return;
    const type = tree.type[child] ?? '';
    if (type === 'identifier' || type.endsWith('_pattern')) setDeep(child, own);
    else parameterScope.set(child, own);
  }

  function visitParameter(node: number): void {
    const own = parameterScope.get(node);
    if (own === undefined) return;
    const name = childByField(tree, node, 'name');
    const target = name >= 0 ? name : firstChild(tree, node);
    if (target >= 0) setDeep(target, own);
  }

  function setDeep(node: number, scope: number): void {
    set(node, role.bind, 'parameter', scope);
    insideOf[node] = scope;
  }

  function visitScopeStatement(node: number, type: string, scope: number): void {
    for (const child of listChildNodes(tree, node)) {
      if (tree.type[child] !== 'identifier') continue;
      const name = nameOf(child, scope);
      if (type === 'nonlocal_statement') {
        const names = nonlocalNames.get(scope) ?? new Set();
        nonlocalNames.set(scope, names.add(name));
      } else if (scope !== moduleScope && builder.find(scope, name) === undefined)
        builder.alias(scope, name, declare(moduleScope, name, 'variable', meaning.value));
      refer(scope, name, spanAt(tree, child), 'read', meaning.value);
    }
  }

  function visitImport(node: number, scope: number): void {
    const moduleName = childByField(tree, node, 'module_name');
    const specifier = moduleName < 0 ? null : textOf(tree, moduleName);
    for (const child of listChildNodes(tree, node)) {
      const type = tree.type[child];
      if (type === 'wildcard_import') dynamic = true;
      else if (type === 'ERROR') addErrorNames(tree, child, scope, language, builder);
      else if (tree.field[child] === 'name') {
        const isAliased = type === 'aliased_import';
        const dotted = isAliased ? childByField(tree, child, 'name') : child;
        const alias = isAliased ? childByField(tree, child, 'alias') : -1;
        if (dotted >= 0) importName(dotted, alias);
      }
    }

    function importName(dotted: number, alias: number): void {
      const parts = listChildNodes(tree, dotted).filter((part) => tree.type[part] === 'identifier');
      const local = alias >= 0 ? alias : parts[0];
      if (local === undefined) return;
      for (const part of parts)
        if (part !== local)
          addUnbound(scope, normaliseIdentifier(textOf(tree, part), language), spanAt(tree, part), 'read', true);
      set(local, role.bind, 'import');
      bindName(local, scope, 'write');
      const binding = builder.find(scope, nameOf(local, scope));
      if (binding === undefined) return;
      const from =
        specifier !== null
          ? { specifier, name: textOf(tree, dotted) }
          : { specifier: textOf(tree, alias >= 0 ? dotted : local), name: '*' };
      binding.importOf ??= { ...from, typeOnly: false };
    }
  }

  function visitDottedName(node: number): void {
    const parts = listChildNodes(tree, node).filter((part) => tree.type[part] === 'identifier');
    const isCapture = parts.length === 1 && tree.type[tree.parent[node] ?? -1] !== 'class_pattern' && isInPattern(node);
    parts.forEach((part, index) => {
      if (index > 0) set(part, role.member, 'variable');
      else if (isCapture) set(part, role.bind, 'variable');
    });
  }

  function isInPattern(node: number): boolean {
    const type = tree.type[tree.parent[node] ?? -1] ?? '';
    return type.endsWith('_pattern');
  }

  function enclosing(node: number, steps: number): number {
    let above = node;
    for (let step = 0; step < steps; step++) above = tree.parent[above] ?? -1;
    return above;
  }

  function open(
    kind: 'module' | 'function' | 'class' | 'comprehension' | 'type',
    node: number,
    parent: number,
    standsIn: number = parent,
  ): number {
    const whole = kind === 'module';
    const scope = openScope(
      kind,
      whole ? 0 : (tree.start[node] ?? 0),
      whole ? source.text.length : (tree.end[node] ?? 0),
      parent,
    );
    lookupFrom.push(scope);
    classOf.push(classOf[standsIn] ?? -1);
    return scope;
  }

  function set(node: number, how: number, kind: BindingKind, scope?: number): void {
    roleOf[node] = how;
    kindOf[node] = bindingKinds.indexOf(kind);
    if (scope !== undefined) scopeOf[node] = scope;
  }

  function setField(node: number, field: string, how: number, kind: BindingKind): void {
    const child = childByField(tree, node, field);
    if (child >= 0) set(child, how, kind);
  }

  function pass(from: number, to: number): void {
    roleOf[to] = roleOf[from] ?? role.read;
    kindOf[to] = kindOf[from] ?? 0;
  }

  /** Inside a class `__x` means another name than outside; the class is part of the key until the end. */
  function nameOf(node: number, scope: number): string {
    const name = normaliseIdentifier(textOf(tree, node), language);
    const owner = classOf[scope] ?? -1;
    return owner >= 0 && name.startsWith('__') && !name.endsWith('__') ? `${name}\0${owner}` : name;
  }
}

function plain(name: string): string {
  const mark = name.indexOf('\0');
  return mark < 0 ? name : name.slice(0, mark);
}

function withoutMangling(tree: ScopeTree): ScopeTree {
  return {
    ...tree,
    bindings: tree.bindings.map((binding) =>
      binding.name.includes('\0')
        ? {
            ...binding,
            name: plain(binding.name),
            references: binding.references.map((reference) => ({ ...reference, name: plain(reference.name) })),
          }
        : binding,
    ),
    unbound: tree.unbound.map((reference) =>
      reference.name.includes('\0') ? { ...reference, name: plain(reference.name) } : reference,
    ),
  };
}
