/**
 * The control flow of one function as far as one variable can tell: a graph whose nodes are its definitions and uses, and the joins between
 * them. A language module walks its statements and calls these verbs in the order of execution; where it does not know, it calls more.
 * Reaching definitions are a search from each definition to the uses it reaches before another definition.
 */

import { type FlatTree, firstChild } from '../parsing/flat-tree.ts';

/** A place where the variable is defined, used, or (`x += 1`) used and then defined. */
export type FlowEvent = { readonly definition: number | null; readonly use: number | null };

type Target = { readonly node: number; readonly guards: number };
type Breakable = {
  readonly labels: ReadonlySet<string>;
  readonly onBreak: Target;
  readonly onContinue: Target | null;
  readonly isUnlabelled: boolean;
};
/** A `finally` in whose reach the walk is: jumps go through it first. */
type Guard = { readonly entry: number; readonly onward: Target[] };

type LoopParts = {
  readonly before?: () => void;
  readonly test?: () => void;
  readonly body: () => void;
  readonly update?: () => void;
  /** Runs when the loop ends without `break` (Python's `else`). */
  readonly otherwise?: () => void;
  /** The test can fail. */
  readonly canEnd: boolean;
  readonly testsFirst: boolean;
  readonly labels: ReadonlySet<string>;
};

type Flow = ReturnType<typeof createFlow>;

export function createFlow() {
  const successors: number[][] = [];
  const events: (FlowEvent | null)[] = [];
  const handlers: number[] = [];
  const guards: Guard[] = [];
  const breakables: Breakable[] = [];
  const exit = addNode(null);
  let at = addNode(null);

  return { place, choose, cases, loop, breakable, jumpBreak, jumpContinue, jumpReturn, jumpThrow, guarded, findFlow };

  function addNode(event: FlowEvent | null): number {
    successors.push([]);
    events.push(event);
    return events.length - 1;
  }

  function connect(from: number, to: number): void {
    successors[from]?.push(to);
  }

  function place(event: FlowEvent): void {
    const node = addNode(event);
    connect(at, node);
    at = node;
    // Anything after a definition may throw; the state before the block is connected where the block begins.
    const handler = handlers.at(-1);
    if (event.definition !== null && handler !== undefined) connect(node, handler);
  }

  /** One of several ways; with `canSkip` also none of them. */
  function choose(ways: readonly (() => void)[], canSkip: boolean): void {
    const start = at;
    const end = addNode(null);
    for (const way of ways) {
      at = addNode(null);
      connect(start, at);
      way();
      connect(at, end);
    }
    if (canSkip) connect(start, end);
    at = end;
  }

  /** A `switch`: tests in order, each may lead to its body, a body runs on into the next. */
  function cases(list: readonly { test: () => void; body: () => void }[], hasDefault: boolean): void {
    const end = addNode(null);
    let testing = at;
    let running = addNode(null);
    const starts = list.map(({ test }) => {
      at = testing;
      test();
      testing = at;
      const start = addNode(null);
      connect(testing, start);
      return start;
    });
    list.forEach(({ body }, index) => {
      const start = starts[index] ?? end;
      connect(running, start);
      at = start;
      body();
      running = at;
    });
    connect(running, end);
    if (!hasDefault) connect(testing, end);
    at = end;
  }

  function loop({ before, test, body, update, otherwise, canEnd, testsFirst, labels }: LoopParts): void {
    before?.();
    const head = addNode(null);
    const again = addNode(null);
    const end = addNode(null);
    if (testsFirst) connect(at, head);
    const bodyStart = addNode(null);
    if (!testsFirst) connect(at, bodyStart);
    at = head;
    test?.();
    connect(at, bodyStart);
    const failed = at;
    at = bodyStart;
    breakables.push({
      labels,
      onBreak: { node: end, guards: guards.length },
      onContinue: { node: again, guards: guards.length },
      isUnlabelled: true,
    });
    body();
    breakables.pop();
    connect(at, again);
    at = again;
    update?.();
    connect(at, head);
    at = addNode(null);
    if (canEnd) connect(failed, at);
    otherwise?.();
    connect(at, end);
    at = end;
  }

  /** A statement that `break` can leave: a labelled block, a `switch`. */
  function breakable(labels: ReadonlySet<string>, isUnlabelled: boolean, body: () => void): void {
    const end = addNode(null);
    breakables.push({ labels, onBreak: { node: end, guards: guards.length }, onContinue: null, isUnlabelled });
    body();
    breakables.pop();
    connect(at, end);
    at = end;
  }

  function jumpBreak(label: string | null): void {
    const target = breakables.findLast(({ labels, isUnlabelled }) =>
      label === null ? isUnlabelled : labels.has(label),
    );
    jump(target?.onBreak ?? { node: exit, guards: 0 });
  }

  function jumpContinue(label: string | null): void {
    const target = breakables.findLast(
      ({ labels, onContinue }) => onContinue !== null && (label === null || labels.has(label)),
    );
    jump(target?.onContinue ?? { node: exit, guards: 0 });
  }

  function jumpReturn(): void {
    jump({ node: exit, guards: 0 });
  }

  function jumpThrow(): void {
    connect(at, handlers.at(-1) ?? exit);
    at = addNode(null);
  }

  function jump(target: Target): void {
    route(at, target, guards.length);
    at = addNode(null);
  }

  function route(from: number, target: Target, depth: number): void {
    const guard = depth > target.guards ? guards[depth - 1] : undefined;
    if (guard === undefined) connect(from, target.node);
    else {
      connect(from, guard.entry);
      guard.onward.push(target);
    }
  }

  /** `try`: the body may leave for the handlers at any point, and every way out leads through `last`. */
  function guarded(
    body: () => void,
    handle: readonly (() => void)[],
    otherwise: (() => void) | null,
    last: (() => void) | null,
  ): void {
    const end = addNode(null);
    const guard: Guard | null = last === null ? null : { entry: addNode(null), onward: [] };
    const outerHandler = handlers.at(-1) ?? exit;
    const onThrow = guard?.entry ?? outerHandler;
    const caught = handle.length === 0 ? onThrow : addNode(null);
    if (guard !== null) guards.push(guard);

    connect(at, caught);
    handlers.push(caught);
    body();
    handlers.pop();
    handlers.push(onThrow);
    otherwise?.();
    connect(at, guard?.entry ?? end);
    for (const way of handle) {
      at = addNode(null);
      connect(caught, at);
      connect(at, onThrow);
      way();
      connect(at, guard?.entry ?? end);
    }
    handlers.pop();

    if (guard !== null && last !== null) {
      guards.pop();
      at = guard.entry;
      last();
      connect(at, end);
      connect(at, outerHandler);
      for (const target of guard.onward) route(at, target, guards.length);
    }
    at = end;
  }

  /** Pairs (definition, use), and whether the search was cut off after `maxSteps`. */
  function findFlow(maxSteps: number): { readonly pairs: [number, number][]; readonly cut: boolean } {
    const pairs: [number, number][] = [];
    const seen = new Int32Array(events.length).fill(-1);
    let steps = 0;
    for (let start = 0; start < events.length; start++) {
      const definition = events[start]?.definition ?? null;
      if (definition === null) continue;
      const stack = [...(successors[start] ?? [])];
      for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
        if (seen[node] === start) continue;
        seen[node] = start;
        steps += 1;
        if (steps > maxSteps) return { pairs, cut: true };
        const event = events[node] ?? null;
        if (event !== null && event.use !== null) pairs.push([definition, event.use]);
        if (event === null || event.definition === null) for (const next of successors[node] ?? []) stack.push(next);
      }
    }
    return { pairs, cut: false };
  }
}

/** The order in which a language executes, for those that know it. */
export type FlowModel = {
  readonly walk: (walk: FlowWalk) => void;
  readonly jumps: ReadonlySet<string>;
  /** Node types that own variables: their spans are those of scopes. */
  readonly owners: RegExp;
};

/** What the flow of every language shares: finding the variable's places in the tree, and leaving out what cannot matter. */
export type FlowWalk = {
  readonly tree: FlatTree;
  readonly flow: Flow;
  /** The function (or file) that owns the variable. */
  readonly owner: number;
  /** Whether anything below the node matters: a place of the variable, or a jump. */
  readonly matters: (node: number) => boolean;
  readonly hasPlaces: (node: number) => boolean;
  /** Places the variable if the node is one of its places. */
  readonly placeAt: (node: number) => boolean;
  /** The same for `x += e`, which reads and writes at different times. */
  readonly placeUse: (node: number) => boolean;
  readonly placeDefinition: (node: number) => boolean;
  /** Counts a step down; false where the source nests too deep to follow. */
  readonly enter: () => boolean;
  readonly leave: () => void;
};

/** Deeper nesting is not followed: the answer then says that the flow is unknown. */
const maxDepth = 1_000;

export function createFlowWalk(
  tree: FlatTree,
  flow: Flow,
  owner: number,
  eventsByStart: ReadonlyMap<number, { readonly end: number; readonly events: readonly FlowEvent[] }>,
  jumpTypes: ReadonlySet<string>,
): FlowWalk & { readonly placed: ReadonlySet<FlowEvent>; readonly tooDeep: () => boolean } {
  const starts = Float64Array.from([...eventsByStart.keys()].sort((a, b) => a - b));
  const jumps = new Uint32Array(tree.count + 1);
  for (let node = 0; node < tree.count; node++)
    jumps[node + 1] = (jumps[node] ?? 0) + (jumpTypes.has(tree.type[node] ?? '') ? 1 : 0);
  const placed = new Set<FlowEvent>();
  let depth = 0;
  let exceeded = false;

  return {
    tree,
    flow,
    owner,
    hasPlaces,
    matters: (node) => hasPlaces(node) || (jumps[tree.after[node] ?? 0] ?? 0) > (jumps[node] ?? 0),
    placeAt: (node) => placeIf(node, () => true),
    placeUse: (node) => placeIf(node, ({ use }) => use !== null),
    placeDefinition: (node) => placeIf(node, ({ definition }) => definition !== null),
    enter() {
      depth += 1;
      if (depth > maxDepth) exceeded = true;
      return depth <= maxDepth;
    },
    leave() {
      depth -= 1;
    },
    placed,
    tooDeep: () => exceeded,
  };

  function hasPlaces(node: number): boolean {
    const from = tree.start[node] ?? 0;
    let low = 0;
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return low < starts.length && (starts[low] ?? 0) < (tree.end[node] ?? 0);
  }

  function placeIf(node: number, isWanted: (event: FlowEvent) => boolean): boolean {
    const found = eventsByStart.get(tree.start[node] ?? -1);
    if (found === undefined || found.end !== tree.end[node] || hasNamedChild(tree, node)) return false;
    for (const event of found.events) {
      if (placed.has(event) || !isWanted(event)) continue;
      placed.add(event);
      flow.place(event);
    }
    return true;
  }
}

function hasNamedChild(tree: FlatTree, node: number): boolean {
  const child = firstChild(tree, node);
  return child >= 0 && tree.type[child]?.startsWith("'") !== true;
}
