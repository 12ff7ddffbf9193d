/**
 * Scopes of the languages whose local names need no more than a table: blocks, parameters, declarations that are visible from a place on.
 * One pass in document order with a stack of visible bindings per name, so lookup is constant and shadowing in one scope comes for free.
 * Honest beats complete: types, members, macros and everything a barrier might hide stay unbound.
 */

import { assert } from '../../kernel/base/assert.ts';
import type { SourceTree, TextSpan } from '../facts.ts';
import { normaliseIdentifier } from '../identifiers.ts';
import type { AnalyseScopes } from '../language.ts';
import { childByType, type FlatTree, firstChild, flattenTree, isNamed, spanAt, textOf } from '../parsing/flat-tree.ts';
import { addErrorNames, createScopeBuilder, listDoubtfulNames, meaning, type OpenBinding } from './scope-builder.ts';
import type { Access, BindingKind, ScopeKind, ScopeTree } from './scope-tree.ts';

const role = { read: 0, declare: 1, write: 2, readwrite: 3, member: 4, elsewhere: 5 } as const;

/** One open scope. `floor` is the depth below which nothing is visible; `late` the scope whose names need no order. */
type Frame = {
  readonly node: number;
  readonly scope: number;
  readonly floor: number;
  readonly late: number;
  readonly isLocal: boolean;
  readonly keepsWrites: boolean;
  readonly shown: string[];
};
/** A declaring node that is being walked: its rule, the frame its names go to, what it has declared so far. */
type Declaring = {
  readonly rule: DeclareRule;
  readonly owner: number;
  readonly depth: number;
  readonly made: Map<string, OpenBinding>;
};
type Visible = { readonly binding: OpenBinding; readonly depth: number };

export function byTable(table: ScopeTable): AnalyseScopes {
  return (source, language) => analyseByTable(source, language, table);
}

function analyseByTable(source: SourceTree, language: string, table: ScopeTable): ScopeTree {
  const tree = flattenTree(source);
  const builder = createScopeBuilder();
  const { addUnbound } = builder;
  const roleOf = new Uint8Array(tree.count);
  const isShorthand = new Uint8Array(tree.count);
  const declaringOf = new Int32Array(tree.count).fill(-1);
  const declarings: Declaring[] = [];
  const visible = new Map<string, Visible[]>();
  const waiting = new Map<number, Declaring[]>();
  const exits: { readonly at: number; readonly run: () => void }[] = [];
  const macros = listMacros();
  const memberPlaces = byParent(table.memberPlaces);
  const elsewhere = byParent(table.elsewhere);
  let dynamic = false;

  const fileScope = builder.openScope('module', 0, source.text.length, -1);
  const frames: Frame[] = [
    { node: 0, scope: fileScope, floor: 0, late: fileScope, isLocal: false, keepsWrites: false, shown: [] },
  ];

  for (let node = 0; node < tree.count; node++) {
    for (let exit = exits.at(-1); exit !== undefined && exit.at <= node; exit = exits.at(-1)) {
      exits.pop();
      exit.run();
    }
    if (visit(node, tree.type[node] ?? '')) node = (tree.after[node] ?? node + 1) - 1;
  }
  for (const exit of exits.reverse()) exit.run();

  return builder.finish({
    dynamic,
    isModule: table.isModule,
    hasErrors: source.hasErrors,
    doubtfulNames: source.hasErrors ? listDoubtfulNames(tree, language) : [],
  });

  /** True where nothing below the node has to be visited. */
  function visit(node: number, type: string): boolean {
    const parent = tree.parent[node] ?? -1;
    if (!isNamed(type)) return false;
    if (type === 'ERROR') {
      addErrorNames(tree, node, top().scope, language, builder);
      return true;
    }
    if (parent >= 0 && roleOf[parent] === role.elsewhere) roleOf[node] = role.elsewhere;
    if (table.opaque.has(type)) roleOf[node] = role.elsewhere;
    if (table.dynamicTypes?.has(type) === true) dynamic = true;
    if (waiting.size > 0) reveal(parent, node, type);
    if (table.closers?.has(type) === true && top().node === parent) closeFrame(top());

    if (table.elsewhereFields?.has(tree.field[node] ?? '') === true) roleOf[node] = role.elsewhere;
    if (table.names.has(type) || table.members.has(type) || table.types.has(type)) {
      visitName(node, type);
      return true;
    }
    const source =
      table.takesOver !== undefined && Object.hasOwn(table.takesOver, type) ? table.takesOver[type] : undefined;
    if (source !== undefined) {
      takeOver(node, source);
      return true;
    }
    const outerDepth = frames.length - 1;
    const scopeRule = Object.hasOwn(table.scopes, type) ? table.scopes[type] : undefined;
    if (scopeRule !== undefined && scopeRule.unless?.(tree, node) !== true) openFrame(node, scopeRule);
    if (Object.hasOwn(table.through, type) && roleOf[node] !== role.read) {
      for (const place of table.through[type] ?? []) for (const child of select(node, place)) pass(node, child);
    }
    const write = Object.hasOwn(table.writes, type) ? table.writes[type] : undefined;
    if (write !== undefined) {
      const how =
        write.access === 'write' || (write.access === 'by_sign' && !hasCompoundSign(tree, node))
          ? role.write
          : role.readwrite;
      for (const child of select(node, write.child)) if (roleOf[child] === role.read) roleOf[child] = how;
    }
    for (const rule of (Object.hasOwn(table.declares, type) ? table.declares[type] : undefined) ?? [])
      if (rule.when?.(tree, node) !== false)
        startDeclaring(node, rule, rule.into === 'outer' ? outerDepth : frames.length - 1);
    for (const place of memberPlaces.get(type) ?? [])
      for (const child of select(node, place)) roleOf[child] = role.member;
    for (const place of elsewhere.get(type) ?? [])
      for (const child of select(node, place)) roleOf[child] = role.elsewhere;
    if (table.shorthands?.has(type) === true) for (const child of select(node, '*')) isShorthand[child] = 1;
    return false;
  }

  // ---- names

  function visitName(node: number, type: string): void {
    const span = spanOf(node);
    if (span.start === span.end) return;
    const name = nameOf(node);
    if (table.dynamicNames?.has(name) === true && roleOf[node] !== role.declare) dynamic = true;
    const fixed = table.roleAt?.(tree, node);
    const isMember = fixed === 'member' || (table.members.has(type) && roleOf[node] !== role.declare);
    if (fixed === 'elsewhere' || (table.types.has(type) && roleOf[node] !== role.member)) {
      addUnbound(top().scope, name, span, table.types.has(type) ? 'type' : 'read', false);
      return;
    }
    if (isShorthand[node] === 1 || table.shorthands?.has(tree.type[node] ?? '') === true)
      addUnbound(top().scope, name, span, 'read', true);
    const how = roleOf[node];
    if (isMember || how === role.member) {
      addUnbound(top().scope, name, span, 'read', true);
    } else if (how === role.elsewhere || macros.has(name) || table.reserved?.has(name) === true || name === '_') {
      if (name !== '_') addUnbound(top().scope, name, span, 'read', false);
    } else if (how === role.declare) {
      const declaring = declarings[declaringOf[node] ?? -1];
      if (declaring !== undefined && table.declaresName?.(name) !== false) declareName(name, span, declaring);
      else use(name, span, 'read');
    } else if (how === role.write || how === role.readwrite)
      assign(name, span, how === role.write ? 'write' : 'readwrite');
    else use(name, span, 'read');
  }

  /** `use ($x)`: the name inside is the name outside. */
  function takeOver(node: number, from: 'outer' | 'file'): void {
    const target = from === 'file' ? fileScope : (frames.at(-2)?.late ?? fileScope);
    for (let part = node + 1; part < (tree.after[node] ?? 0); part++) {
      if (!table.names.has(tree.type[part] ?? '')) continue;
      const name = nameOf(part);
      if (target !== top().late) {
        const binding = builder.find(target, name) ?? builder.declare(target, name, 'variable', meaning.value);
        builder.alias(top().late, name, binding);
      }
      builder.refer(target, name, spanOf(part), 'read', meaning.value);
      part = (tree.after[part] ?? part + 1) - 1;
    }
  }

  function use(name: string, span: TextSpan, access: Access): void {
    const binding = lookUp(name);
    const { scope, late } = top();
    if (binding !== undefined) binding.references.push({ name, ...span, access, scope, isMember: false });
    else if (table.late !== undefined) builder.refer(late, name, span, access, meaning.value);
    else addUnbound(scope, name, span, access, false);
  }

  function assign(name: string, span: TextSpan, access: 'write' | 'readwrite'): void {
    const frame = top();
    if (table.writesDeclare !== true) use(name, span, access);
    else if (table.late === 'function') declareLate(name, span, frame.late, 'variable', access);
    else if (lookUp(name) !== undefined && !frame.keepsWrites) use(name, span, access);
    else show(builder.addBinding(frame.scope, name, 'variable', span), frames.length - 1);
  }

  function declareName(name: string, span: TextSpan, declaring: Declaring): void {
    const { rule, owner, depth, made } = declaring;
    const frame = frames[depth] ?? top();
    if (rule.isMemberToo === true) addUnbound(frame.scope, name, span, 'declare', true);
    const again = made.get(name);
    if (again !== undefined) {
      again.declarations.push(span);
      return;
    }
    if (table.localOnly === true && !frame.isLocal) {
      addUnbound(frame.scope, name, span, 'declare', false);
      return;
    }
    if (table.late === 'function' || (table.late === 'file' && frame.scope === fileScope)) {
      const binding = declareLate(name, span, frame.late, rule.kind, null);
      if (frame.scope === fileScope && table.isFileLocal?.(tree, owner) !== true) binding.exportedAs.add(name);
      return;
    }
    const known = visible.get(name)?.at(-1);
    const isHere = known !== undefined && known.depth === depth && known.binding.scope === frame.scope;
    if (isHere && rule.reuses === true) {
      known.binding.references.push({ name, ...span, access: 'write', scope: frame.scope, isMember: false });
      return;
    }
    if (isHere && table.shadows !== true) {
      known.binding.declarations.push(span);
      return;
    }
    const binding = builder.addBinding(frame.scope, name, rule.kind, span);
    made.set(name, binding);
    if (rule.visible === undefined) show(binding, depth);
  }

  /** The first place that gives a name a value declares it; the others write it. */
  function declareLate(
    name: string,
    span: TextSpan,
    scope: number,
    kind: DeclareRule['kind'],
    access: 'write' | 'readwrite' | null,
  ): OpenBinding {
    const known = builder.find(scope, name);
    if (access !== null && known !== undefined && known.declarations.length > 0) {
      known.references.push({ name, ...span, access, scope: top().scope, isMember: false });
      return known;
    }
    const binding = builder.declare(known?.scope ?? scope, name, kind, meaning.value, span);
    if (table.late === 'function' && binding.scope === fileScope) binding.exportedAs.add(name);
    return binding;
  }

  function lookUp(name: string): OpenBinding | undefined {
    const found = visible.get(name)?.at(-1);
    return found !== undefined && found.depth >= top().floor ? found.binding : undefined;
  }

  function show(binding: OpenBinding, depth: number): void {
    const stack = visible.get(binding.name);
    if (stack === undefined) visible.set(binding.name, [{ binding, depth }]);
    else stack.push({ binding, depth });
    frames[depth]?.shown.push(binding.name);
  }

  // ---- scopes and declarations

  function openFrame(node: number, rule: ScopeRule): void {
    const outer = top();
    const isBarrier = rule.barrier === true;
    const scope = builder.openScope(
      rule.kind,
      tree.start[node] ?? 0,
      tree.end[node] ?? 0,
      isBarrier && table.late === 'function' ? -1 : outer.scope,
    );
    const frame: Frame = {
      node,
      scope,
      floor: isBarrier ? frames.length : outer.floor,
      late: table.late === 'function' ? scope : outer.late,
      isLocal: rule.kind === 'function' || (outer.isLocal && rule.kind !== 'class'),
      keepsWrites: rule.keepsWrites === true,
      shown: [],
    };
    frames.push(frame);
    exits.push({ at: tree.after[node] ?? node + 1, run: () => closeFrame(frame) });
  }

  function closeFrame(frame: Frame): void {
    if (top() !== frame) return;
    frames.pop();
    for (const name of frame.shown) visible.get(name)?.pop();
  }

  function startDeclaring(owner: number, rule: DeclareRule, depth: number): void {
    const declaring: Declaring = { rule, owner, depth, made: new Map() };
    const index = declarings.push(declaring) - 1;
    let any = false;
    for (const child of select(owner, rule.child)) {
      if (roleOf[child] === role.elsewhere) continue;
      any = true;
      roleOf[child] = role.declare;
      declaringOf[child] = index;
    }
    if (!any || rule.visible === undefined) return;
    if (rule.visible === 'after') exits.push({ at: tree.after[owner] ?? owner + 1, run: () => showAll(declaring) });
    else waiting.set(owner, [...(waiting.get(owner) ?? []), declaring]);
  }

  function reveal(parent: number, node: number, type: string): void {
    const list = waiting.get(parent);
    if (list === undefined) return;
    const left = list.filter((declaring) => {
      const places = declaring.rule.visible;
      if (!Array.isArray(places) || !(places.includes(tree.field[node]) || places.includes(type))) return true;
      showAll(declaring);
      return false;
    });
    if (left.length === 0) waiting.delete(parent);
    else waiting.set(parent, left);
  }

  function showAll({ made, depth }: Declaring): void {
    for (const binding of made.values()) show(binding, depth);
  }

  function pass(from: number, to: number): void {
    if (roleOf[to] !== role.read) return;
    roleOf[to] = roleOf[from] ?? role.read;
    declaringOf[to] = declaringOf[from] ?? -1;
  }

  // ---- small things

  function top(): Frame {
    const frame = frames.at(-1);
    assert(frame !== undefined, 'the frame of the file is never closed');
    return frame;
  }

  function select(node: number, place: string): number[] {
    return selectChildren(tree, node, place);
  }

  function nameOf(node: number): string {
    return normaliseIdentifier(textOf(tree, bareName(node)), language);
  }

  function spanOf(node: number): TextSpan {
    return spanAt(tree, bareName(node));
  }

  /** The name without its sigil, where the grammar has a node for that. */
  function bareName(node: number): number {
    const child = table.nameChild === undefined ? -1 : childByType(tree, node, table.nameChild);
    return child >= 0 ? child : node;
  }

  function listMacros(): ReadonlySet<string> {
    const names = new Set<string>();
    if (table.macros === undefined) return names;
    for (let node = 0; node < tree.count; node++)
      if (table.macros.includes(tree.type[node] ?? ''))
        for (const child of select(node, 'name')) names.add(textOf(tree, child));
    return names;
  }
}

function hasCompoundSign(tree: FlatTree, node: number): boolean {
  for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
    const sign = textOf(tree, child);
    if (sign !== '=' && sign.endsWith('=') && sign.length <= 4) return true;
    if (sign === '=') return false;
  }
  return false;
}

function selectChildren(tree: FlatTree, node: number, place: string): number[] {
  const found: number[] = [];
  let unnamed = 0;
  for (let child = firstChild(tree, node); child >= 0; child = tree.next[child] ?? -1) {
    const type = tree.type[child] ?? '';
    const field = tree.field[child] ?? '';
    if (place.startsWith('<')) {
      if (`<${type}>` === place) found.push(child);
    } else if (place.startsWith('*')) {
      if (isNamed(type) && field === '' && type !== 'comment' && unnamed++ >= Number(place.slice(1))) found.push(child);
    } else if (field === place) found.push(child);
  }
  return found;
}

/** `a.x`, `a.y` → a: x, y. */
function byParent(places: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const place of places) {
    const dot = place.indexOf('.');
    const type = place.slice(0, dot);
    map.set(type, [...(map.get(type) ?? []), place.slice(dot + 1)]);
  }
  return map;
}

// What a grammar must say for `analyseByTable` to find its local names. Node types are those of the grammar; a child is named by its field,
// by its type in angle brackets (`<identifier>`), or by `*` for every named child without a field, `*1` for those but the first.

type ScopeRule = {
  readonly kind: ScopeKind;
  /** Local names from outside cannot be seen inside, or something the file does not show may hide them there. */
  readonly barrier?: true;
  /** Assigning to a name inside makes a new one, even where an outer one is visible. */
  readonly keepsWrites?: true;
  readonly unless?: (tree: FlatTree, node: number) => boolean;
};

type DeclareRule = {
  readonly child: string;
  readonly kind: BindingKind;
  /** From the name on (the default), from the end of the node on, or from the first child with one of these fields or types on. */
  readonly visible?: 'after' | readonly string[];
  /** The name belongs to what surrounds the node, which opens a scope itself. */
  readonly into?: 'outer';
  /** A name that the same scope already has is assigned, not declared (`:=`). */
  readonly reuses?: true;
  /** The name is at the same time one of something else's: a keyword parameter, a promoted property. */
  readonly isMemberToo?: true;
  readonly when?: (tree: FlatTree, node: number) => boolean;
};

/** `by_sign`: a plain `=` writes, `+=` and the like read as well. */
type WriteRule = { readonly child: string; readonly access: 'write' | 'readwrite' | 'by_sign' };

export type ScopeTable = {
  /** Node types that are a name by themselves. */
  readonly names: ReadonlySet<string>;
  /** Node types that are always a name of something else's. */
  readonly members: ReadonlySet<string>;
  /** `type.child` places that hold a member's name. */
  readonly memberPlaces: readonly string[];
  /** Node types that name a type or anything else that is not looked up here. */
  readonly types: ReadonlySet<string>;
  /** `type.child` places whose names mean types, modules, labels or anything else that is not looked up here. They stay unbound. */
  readonly elsewhere: readonly string[];
  /** Fields that mean the same under any parent. */
  readonly elsewhereFields?: ReadonlySet<string>;
  /** A last word on a name that its place alone does not tell. */
  readonly roleAt?: (tree: FlatTree, node: number) => 'member' | 'elsewhere' | undefined;
  /** Node types below which nothing is looked up. */
  readonly opaque: ReadonlySet<string>;
  readonly scopes: Readonly<Record<string, ScopeRule>>;
  readonly declares: Readonly<Record<string, readonly DeclareRule[]>>;
  /** Children to which declaring and assigning pass: patterns and declarators. */
  readonly through: Readonly<Record<string, readonly string[]>>;
  readonly writes: Readonly<Record<string, WriteRule>>;
  /** Below these nodes names are taken over from the scope outside or from the file (`use ($x)`, `global $x`). */
  readonly takesOver?: Readonly<Record<string, 'outer' | 'file'>>;
  /** The child of a name that is its text without a sigil. */
  readonly nameChild?: string;
  /** A shorthand: the node is a read or a declaration and a member's name in one. */
  readonly shorthands?: ReadonlySet<string>;
  /** A scope that closes before its node ends: the child (`else`) does not see what the parent declared. */
  readonly closers?: ReadonlySet<string>;
  /** Names of the whole file (or of a whole function) are visible before they are declared. */
  readonly late?: 'file' | 'function';
  /** Assigning to an unknown name declares it. */
  readonly writesDeclare?: true;
  /** Names are declared inside functions only; what is outside may be hidden by members and overloads. */
  readonly localOnly?: true;
  /** In the same scope, a second declaration of a name is a new name that hides the first. */
  readonly shadows?: true;
  /** Whether a name in a pattern declares one. */
  readonly declaresName?: (name: string) => boolean;
  /** Names that mean the same everywhere. */
  readonly reserved?: ReadonlySet<string>;
  /** Where a macro of this file gets its name; a name that is also a macro is never bound. */
  readonly macros?: readonly string[];
  readonly dynamicTypes?: ReadonlySet<string>;
  readonly dynamicNames?: ReadonlySet<string>;
  /** A late name that other files cannot reach. */
  readonly isFileLocal?: (tree: FlatTree, owner: number) => boolean;
  readonly isModule: boolean;
};
