/**
 * Files, contexts and what was indexed, as plain objects with readable hashes; the states of code-plane.md §8 by its definitions, as
 * slowly and plainly as they can be written down; and the same world as a `StateGraph`, in any order of nodes.
 */

import {
  type Compared,
  compared,
  type Freshness,
  own,
  type StateGraph,
  snapshotOf,
} from '../../src/index/freshness/compute-states.ts';

export type WorldFile = { readonly bytes: string; readonly syn: string | null; readonly closed: boolean };
type Snapshot = { readonly path: string; readonly syn: string | null; readonly sem: string | null };
export type Indexed = {
  readonly bytes: string;
  /** Configuration and tool. */
  readonly by: string;
  readonly sem: string | null;
  readonly deps: readonly Snapshot[];
  /** An import leads to a file that was none of its dependencies. */
  readonly elsewhere?: boolean;
};
type WorldContext = {
  readonly key: string;
  readonly live: boolean;
  readonly by: string;
  readonly members: readonly string[];
  readonly indexed: Readonly<Record<string, Indexed>>;
};
export type World = {
  /** On disk. */
  readonly files: Readonly<Record<string, WorldFile>>;
  /** By key. */
  readonly contexts: readonly WorldContext[];
};

type Node = { readonly path: string; readonly context: WorldContext };
type Verdict = 'same' | 'unknown' | 'changed';

/** `path in context` of each node. */
export function referenceStates(world: World): Readonly<Record<string, Freshness>> {
  const { of, nodes } = createReference(world);
  return Object.fromEntries(nodes.map((node) => [nameOf(node), of(node)]));
}

const nameOf = ({ path, context }: Node): string => `${path} in ${context.key}`;

/** A member of a live context that is on disk. */
function listNodes(world: World): readonly Node[] {
  return world.contexts.flatMap((context) =>
    context.live ? context.members.flatMap((path) => (path in world.files ? [{ path, context }] : [])) : [],
  );
}

function createReference(world: World) {
  const nodes = listNodes(world);
  const states = new Map<Node, Freshness>();
  const verdicts = new Map<Node, Verdict>();

  const indexedOf = (node: Node): Indexed | undefined => node.context.indexed[node.path];
  const depsOf = (node: Node): readonly Snapshot[] =>
    (indexedOf(node)?.deps ?? []).filter(({ path }) => path !== node.path);

  /** In the same context; where it is no member, in the first live one that indexed it; else in the first that has it. */
  const targetOf = (node: Node, path: string): Node | undefined => {
    const there = nodes.filter((candidate) => candidate.path === path);
    return (
      there.find(({ context }) => context === node.context) ??
      there.find((candidate) => indexedOf(candidate) !== undefined) ??
      there[0]
    );
  };

  const ownState = (node: Node): 'indexed' | 'dirty' | 'unindexed' => {
    const indexed = indexedOf(node);
    if (indexed === undefined || indexed.by !== node.context.by) return 'unindexed';
    return indexed.bytes === world.files[node.path]?.bytes ? 'indexed' : 'dirty';
  };

  /** `open`: dirty with equal records that are not closed. */
  const judgeByOwnFacts = (dep: Snapshot, target: Node | undefined): Verdict | 'open' => {
    const file = world.files[dep.path];
    if (file === undefined) return 'changed';
    const bySyntax: Verdict =
      file.syn === null || dep.syn === null ? 'unknown' : file.syn === dep.syn ? 'same' : 'changed';
    if (target === undefined) return bySyntax;
    const state = ownState(target);
    const sem = indexedOf(target)?.sem ?? null;
    if (state === 'indexed') {
      if (sem !== null && dep.sem !== null) return sem === dep.sem ? 'same' : 'changed';
      return sem !== null && bySyntax === 'same' && !file.closed ? 'unknown' : bySyntax;
    }
    if (bySyntax !== 'same') return 'unknown';
    if (file.closed) return 'same';
    return state === 'dirty' && (sem === null || sem === dep.sem) ? 'open' : 'unknown';
  };

  const judge = (dep: Snapshot, target: Node | undefined): Verdict => {
    const judged = judgeByOwnFacts(dep, target);
    if (target === undefined || judged === 'changed' || judged === 'unknown') return judged as Verdict;
    if (judged === 'open') return verdictOf(target) === 'same' ? 'same' : 'unknown';
    const isUneasy = of(target) === 'stale' || of(target) === 'pending_check';
    return isUneasy && world.files[target.path]?.closed === false ? 'unknown' : 'same';
  };

  const reaches = (from: Node, to: Node): boolean => {
    const seen = new Set<Node>();
    const waiting = [from];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const dep of depsOf(node)) {
        const target = targetOf(node, dep.path);
        if (target === to) return true;
        if (target !== undefined && !seen.has(target)) {
          seen.add(target);
          waiting.push(target);
        }
      }
    }
    return false;
  };
  const componentOf = (node: Node): readonly Node[] =>
    nodes.filter((other) => other === node || (reaches(node, other) && reaches(other, node)));

  /** Edges out of the component in full, edges inside by own facts. */
  const firstVerdictOf = (node: Node, component: readonly Node[]): Verdict =>
    worst([
      indexedOf(node)?.elsewhere === true ? 'changed' : 'same',
      ...depsOf(node).map((dep): Verdict => {
        const target = targetOf(node, dep.path);
        if (target === undefined || !component.includes(target)) return judge(dep, target);
        const judged = judgeByOwnFacts(dep, target);
        return judged === 'open' ? 'same' : judged;
      }),
    ]);

  const isTroubled = (component: readonly Node[]): boolean =>
    component.some((member) => {
      const first = firstVerdictOf(member, component);
      if (ownState(member) === 'unindexed' || (ownState(member) === 'indexed' && first !== 'same')) return true;
      return component.some((other) =>
        depsOf(other).some((dep) => {
          if (targetOf(other, dep.path) !== member) return false;
          const judged = judgeByOwnFacts(dep, member);
          return judged === 'unknown' || (judged === 'open' && first !== 'same');
        }),
      );
    });

  function verdictOf(node: Node): Verdict {
    const known = verdicts.get(node);
    if (known !== undefined) return known;
    const component = componentOf(node);
    const first = firstVerdictOf(node, component);
    const verdict = component.length > 1 && isTroubled(component) ? worst([first, 'unknown']) : first;
    verdicts.set(node, verdict);
    return verdict;
  }

  function of(node: Node): Freshness {
    const known = states.get(node);
    if (known !== undefined) return known;
    const state = ownState(node);
    const settled = { same: 'clean', unknown: 'pending_check', changed: 'stale' } as const;
    const freshness = state === 'indexed' ? settled[verdictOf(node)] : state;
    states.set(node, freshness);
    return freshness;
  }

  return { nodes, of, targetOf, ownState };
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('changed')) return 'changed';
  return verdicts.includes('unknown') ? 'unknown' : 'same';
}

/** The same world in columns. `order` gives a node its number. */
export function graphOf(world: World, order: (names: readonly string[]) => readonly string[] = (names) => names) {
  const reference = createReference(world);
  const nodes = new Map(reference.nodes.map((node) => [nameOf(node), node]));
  const names = order([...nodes.keys()]);
  const numbers = new Map(names.map((name, number) => [name, number]));
  const firstEdge = [0];
  const target: number[] = [];
  const snapshot: number[] = [];
  const states: number[] = [];
  for (const name of names) {
    const node = nodes.get(name) as Node;
    const state = reference.ownState(node);
    states.push(state === 'indexed' ? own.settled : own[state]);
    for (const dep of node.context.indexed[node.path]?.deps ?? []) {
      const to = reference.targetOf(node, dep.path);
      const file = world.files[dep.path];
      const sem = to === undefined ? null : (to.context.indexed[to.path]?.sem ?? null);
      target.push(to === undefined ? -1 : (numbers.get(nameOf(to)) as number));
      snapshot.push(
        snapshotOf({
          gone: file === undefined,
          syn: compare(dep.syn, file?.syn ?? null),
          sem: dep.sem === null && sem !== null ? compared.unrecorded : compare(dep.sem, sem),
        }),
      );
    }
    firstEdge.push(target.length);
  }
  const flags = (is: (node: Node) => boolean): Uint8Array =>
    Uint8Array.from(names, (name) => Number(is(nodes.get(name) as Node)));
  const graph: StateGraph = {
    nodeCount: names.length,
    own: Uint8Array.from(states),
    closed: flags(({ path }) => world.files[path]?.closed === true),
    elsewhere: flags(({ path, context }) => context.indexed[path]?.elsewhere === true),
    doubtful: new Uint8Array(names.length),
    firstEdge: Int32Array.from(firstEdge),
    target: Int32Array.from(target),
    snapshot: Uint8Array.from(snapshot),
  };
  return { graph, names };
}

function compare(then: string | null, now: string | null): Compared {
  if (then === null || now === null) return compared.unknown;
  return then === now ? compared.same : compared.different;
}
