/**
 * The control flow of one function as far as one variable can tell: a graph whose nodes are its definitions and uses, and the joins between
 * them. A language module walks its statements and calls these verbs in the order of execution; where it does not know, it calls more.
 * Reaching definitions are a search from each definition to the uses it reaches before another definition.
 */

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

export type LoopParts = {
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

export type Flow = ReturnType<typeof createFlow>;

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
