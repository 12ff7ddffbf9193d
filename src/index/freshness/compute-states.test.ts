import { describe, expect, test } from 'vitest';
import { arbitraryWorld } from '../../../test/support/arbitrary-world.ts';
import fc from '../../../test/support/properties.ts';
import {
  graphOf,
  type Indexed,
  referenceStates,
  type World,
  type WorldFile,
} from '../../../test/support/state-world.ts';
import {
  compared,
  computeStates,
  doubt,
  type Freshness,
  freshnessOf,
  own,
  type StateGraph,
  snapshotOf,
  updateStates,
} from './compute-states.ts';

/** One context `c`, indexed by `tool`, in which every file named is a member. */
function stateOf(path: string, files: Readonly<Record<string, WorldFile>>, indexed: Readonly<Record<string, Indexed>>) {
  return statesOf(worldOf(files, indexed))[`${path} in c`];
}

function worldOf(files: World['files'], indexed: Readonly<Record<string, Indexed>>): World {
  const members = [...new Set([...Object.keys(files), ...Object.keys(indexed)])];
  return { files, contexts: [{ key: 'c', live: true, by: 'tool', members, indexed }] };
}

function statesOf(world: World, order?: (names: readonly string[]) => readonly string[]): Record<string, Freshness> {
  const { graph, names } = graphOf(world, order);
  const { freshness } = computeStates(graph);
  return Object.fromEntries(names.map((name, node) => [name, freshnessOf(freshness[node] as number)]));
}

const file = (bytes: string, syn: string | null = 'i', closed = true): WorldFile => ({ bytes, syn, closed });
const openFile = (bytes: string, syn: string | null = 'i'): WorldFile => file(bytes, syn, false);
/** Indexed at these bytes with dependencies `path syn sem`; `-` is NULL. */
function at(bytes: string, sem: string | null, ...deps: readonly string[]): Indexed {
  const word = (text: string | undefined) => (text === '-' || text === undefined ? null : text);
  return {
    bytes,
    by: 'tool',
    sem,
    deps: deps.map((dep) => {
      const [path, syn, semThen] = dep.split(' ');
      return { path: path as string, syn: word(syn), sem: word(semThen) };
    }),
  };
}

/** Clean files whose interfaces are open: what is wrong with one is heard by all that lead to it. */
function settledGraph(targets: readonly (readonly number[])[]): StateGraph {
  const nodeCount = targets.length;
  const firstEdge = new Int32Array(nodeCount + 1);
  targets.forEach((list, node) => {
    firstEdge[node + 1] = (firstEdge[node] as number) + list.length;
  });
  const target = Int32Array.from(targets.flat());
  const same = snapshotOf({ gone: false, syn: compared.same, sem: compared.same });
  return {
    nodeCount,
    own: new Uint8Array(nodeCount).fill(own.settled),
    closed: new Uint8Array(nodeCount),
    elsewhere: new Uint8Array(nodeCount),
    doubtful: new Uint8Array(nodeCount),
    firstEdge,
    target,
    snapshot: new Uint8Array(target.length).fill(same),
  };
}

describe('freshness, row by row', () => {
  test('T7 a file without facts is unindexed', () => {
    expect(stateOf('a', { a: file('1') }, {})).toBe('unindexed');
  });
  test('T7 facts of another configuration or tool are unindexed, even of other bytes', () => {
    expect(stateOf('a', { a: file('1') }, { a: { ...at('1', 'm'), by: 'other' } })).toBe('unindexed');
    expect(stateOf('a', { a: file('2') }, { a: { ...at('1', 'm'), by: 'other' } })).toBe('unindexed');
  });
  test('T1 other bytes are dirty, whatever the dependencies', () => {
    expect(stateOf('a', { a: file('2') }, { a: at('1', 'm') })).toBe('dirty');
    expect(stateOf('a', { a: file('2') }, { a: at('1', 'm', 'gone i m') })).toBe('dirty');
  });
  test('a changed dependency makes stale, even beside an unknown one', () => {
    expect(stateOf('a', { a: file('1') }, { a: at('1', 'm', 'gone i m') })).toBe('stale');
    const files = { a: file('1'), b: file('1', null), c: file('1') };
    const indexed = { a: at('1', 'm', 'b - -', 'c i old'), b: at('1', 'm'), c: at('1', 'new') };
    expect(stateOf('a', files, indexed)).toBe('stale');
  });
  test('an unknown dependency makes pending', () => {
    expect(stateOf('a', { a: file('1'), b: file('1') }, { a: at('1', 'm', 'b - -'), b: at('1', 'm') })).toBe(
      'pending_check',
    );
  });
  test('otherwise clean', () => {
    expect(stateOf('a', { a: file('1'), b: file('1') }, { a: at('1', 'm', 'b i m'), b: at('1', 'm') })).toBe('clean');
    expect(stateOf('a', { a: file('1') }, { a: at('1', 'm') })).toBe('clean');
  });
});

describe('dependencies, row by row', () => {
  const dependent = (files: World['files'], indexed: Readonly<Record<string, Indexed>>, snapshot: string) =>
    stateOf('f', { f: file('1'), ...files }, { f: at('1', 'm', snapshot), ...indexed });

  test('T3 missing on disk: changed', () => {
    expect(dependent({}, {}, 'g i m')).toBe('stale');
    expect(dependent({}, { g: at('1', 'm') }, 'g - -')).toBe('stale');
  });
  test('the import now leads elsewhere: changed', () => {
    const indexed = { f: { ...at('1', 'm', 'g i m'), elsewhere: true }, g: at('1', 'm') };
    expect(stateOf('f', { f: file('1'), g: file('1') }, indexed)).toBe('stale');
  });
  test('T2 indexed at its bytes: the semantic interface decides, not the syntactic one', () => {
    const indexed = { g: at('1', 'm') };
    expect(dependent({ g: file('1', 'i') }, indexed, 'g i m')).toBe('clean');
    expect(dependent({ g: file('1', 'other') }, indexed, 'g i m')).toBe('clean');
    expect(dependent({ g: file('1', null) }, indexed, 'g i m')).toBe('clean');
    expect(dependent({ g: file('1', 'i') }, indexed, 'g i old')).toBe('stale');
  });
  test('indexed at its bytes without a semantic interface: the syntactic one decides', () => {
    expect(dependent({ g: openFile('1', 'i') }, { g: at('1', null) }, 'g i -')).toBe('clean');
    expect(dependent({ g: file('1', 'other') }, { g: at('1', null) }, 'g i -')).toBe('stale');
    expect(dependent({ g: openFile('1', 'i') }, { g: at('1', null) }, 'g i m')).toBe('clean');
  });
  test('a semantic interface that was not recorded: only closed records prove anything', () => {
    expect(dependent({ g: file('1', 'i') }, { g: at('1', 'm') }, 'g i -')).toBe('clean');
    expect(dependent({ g: openFile('1', 'i') }, { g: at('1', 'm') }, 'g i -')).toBe('pending_check');
    expect(dependent({ g: openFile('1', 'other') }, { g: at('1', 'm') }, 'g i -')).toBe('stale');
  });
  test('T4 dirty or unindexed with equal, closed records: same', () => {
    expect(dependent({ g: file('2', 'i') }, { g: at('1', 'm') }, 'g i m')).toBe('clean');
    expect(dependent({ g: file('2', 'i') }, {}, 'g i m')).toBe('clean');
    expect(dependent({ g: file('1', 'i') }, { g: { ...at('1', 'm'), by: 'other' } }, 'g i m')).toBe('clean');
  });
  test('dirty, equal records, not closed: same unless a dependency of it is changed or unknown', () => {
    const g = openFile('2', 'i');
    expect(dependent({ g, h: file('1') }, { g: at('1', 'm', 'h i m'), h: at('1', 'm') }, 'g i m')).toBe('clean');
    expect(dependent({ g, h: file('1') }, { g: at('1', 'm', 'h i m'), h: at('1', 'new') }, 'g i m')).toBe(
      'pending_check',
    );
    expect(dependent({ g }, { g: at('1', 'm', 'h i m') }, 'g i m')).toBe('pending_check');
    expect(dependent({ g, h: file('1') }, { g: at('1', 'm', 'h - -'), h: at('1', 'm') }, 'g i m')).toBe(
      'pending_check',
    );
    expect(dependent({ g }, { g: { ...at('1', 'm'), elsewhere: true } }, 'g i m')).toBe('pending_check');
  });
  test('T2 dirty, but indexed with another interface since the dependent was: unknown', () => {
    expect(dependent({ g: openFile('2', 'i') }, { g: at('1', 'new') }, 'g i m')).toBe('pending_check');
    expect(dependent({ g: openFile('2', 'i') }, { g: at('1', 'new') }, 'g i -')).toBe('pending_check');
    expect(dependent({ g: openFile('2', 'i') }, { g: at('1', null) }, 'g i -')).toBe('clean');
    expect(dependent({ g: file('2', 'i') }, { g: at('1', 'new') }, 'g i m')).toBe('clean');
  });
  test('any other dirty or unindexed: unknown', () => {
    expect(dependent({ g: file('2', 'other') }, { g: at('1', 'm') }, 'g i m')).toBe('pending_check');
    expect(dependent({ g: file('2', 'other') }, {}, 'g i m')).toBe('pending_check');
    expect(dependent({ g: openFile('2', 'i') }, {}, 'g i m')).toBe('pending_check');
  });
  test('R13 a snapshot of NULL: unknown', () => {
    expect(dependent({ g: file('1', 'i') }, { g: at('1', 'm') }, 'g - -')).toBe('pending_check');
    expect(dependent({ g: file('2', 'i') }, { g: at('1', 'm') }, 'g - -')).toBe('pending_check');
    expect(dependent({ g: file('1', 'i') }, { g: at('1', null) }, 'g - -')).toBe('pending_check');
  });
  test('no syntactic interface: unknown', () => {
    expect(dependent({ g: file('2', null) }, { g: at('1', 'm') }, 'g i m')).toBe('pending_check');
    expect(dependent({ g: file('1', null) }, { g: at('1', null) }, 'g i -')).toBe('pending_check');
  });
  test('T5 stale or pending and not closed: at least unknown', () => {
    const indexed = { g: at('1', 'm', 'gone i m') };
    expect(dependent({ g: openFile('1') }, indexed, 'g i m')).toBe('pending_check');
    expect(dependent({ g: file('1') }, indexed, 'g i m')).toBe('clean');
    expect(dependent({ g: openFile('1') }, indexed, 'g i old')).toBe('stale');
    const pending = { g: at('1', 'm', 'h - -'), h: at('1', 'm') };
    expect(dependent({ g: openFile('1'), h: file('1') }, pending, 'g i m')).toBe('pending_check');
  });
  test('outside of every live context: judged by the syntactic interface', () => {
    const judged = (syn: string | null, snapshot: string): string | undefined =>
      statesOf({
        files: { f: file('1'), g: openFile('1', syn) },
        contexts: [
          { key: 'c', live: true, by: 'tool', members: ['f'], indexed: { f: at('1', 'm', snapshot) } },
          { key: 'd', live: false, by: 'tool', members: ['g'], indexed: { g: at('1', 'm') } },
        ],
      })['f in c'];
    expect(judged('i', 'g i m')).toBe('clean');
    expect(judged('other', 'g i m')).toBe('stale');
    expect(judged(null, 'g i m')).toBe('pending_check');
    expect(judged('i', 'g - -')).toBe('pending_check');
  });
  test('T2 covered by another context only: judged by what that one says', () => {
    const judged = (sem: string, bytes: string): string | undefined =>
      statesOf({
        files: { f: file('1'), g: openFile('1') },
        contexts: [
          { key: 'c', live: true, by: 'tool', members: ['f'], indexed: { f: at('1', 'm', 'g i m') } },
          { key: 'd', live: true, by: 'tool', members: ['g'], indexed: { g: at(bytes, sem) } },
        ],
      })['f in c'];
    expect(judged('m', '1')).toBe('clean');
    expect(judged('new', '1')).toBe('stale');
    expect(judged('m', 'old')).toBe('clean');
  });
});

/** `a → b → …`, each a re-export of the next, and the last one changed. */
function chain(length: number, closedAt: number): Record<string, Freshness> {
  const files: Record<string, WorldFile> = {};
  const indexed: Record<string, Indexed> = {};
  for (let link = 0; link < length; link += 1) {
    files[`f${link}`] = link === closedAt ? file('1') : openFile('1');
    indexed[`f${link}`] = at(
      '1',
      link === length - 1 ? 'new' : 'm',
      ...(link === length - 1 ? [] : [`f${link + 1} i m`]),
    );
  }
  return statesOf(worldOf(files, indexed));
}

describe('chains and cycles', () => {
  test('T5 uncertainty crosses any number of re-exports and stops at a closed interface', () => {
    const open = chain(500, -1);
    expect(open['f499 in c']).toBe('clean');
    expect(open['f498 in c']).toBe('stale');
    expect(new Set(Object.values(open).slice(0, 498))).toEqual(new Set(['pending_check']));
    const stopped = chain(500, 200);
    expect(stopped['f201 in c']).toBe('pending_check');
    expect(stopped['f200 in c']).toBe('pending_check');
    expect(stopped['f199 in c']).toBe('clean');
    expect(stopped['f0 in c']).toBe('clean');
  });

  const ring = (changes: { readonly files?: World['files']; readonly indexed?: Record<string, Indexed> }) =>
    statesOf(
      worldOf(
        { a: openFile('1'), b: openFile('1'), c: openFile('1'), user: file('1'), ...changes.files },
        {
          a: at('1', 'm', 'b i m'),
          b: at('1', 'm', 'c i m'),
          c: at('1', 'm', 'a i m'),
          user: at('1', 'm', 'a i m'),
          ...changes.indexed,
        },
      ),
    );
  test('T6 a cycle of which every file is as it was is clean', () => {
    expect(new Set(Object.values(ring({})))).toEqual(new Set(['clean']));
  });
  test('T6 one stale member makes the others pending, and all that depend on them', () => {
    const states = ring({
      files: { x: file('1') },
      indexed: { c: at('1', 'm', 'a i m', 'x i old'), x: at('1', 'new') },
    });
    expect(states).toMatchObject({ 'a in c': 'pending_check', 'b in c': 'pending_check', 'c in c': 'stale' });
    expect(states['user in c']).toBe('pending_check');
  });
  test('T6 so does an unindexed one, and one whose records changed', () => {
    expect(ring({ indexed: { b: { ...at('1', 'm', 'c i m'), by: 'other' } } })).toMatchObject({
      'a in c': 'pending_check',
      'b in c': 'unindexed',
      'c in c': 'pending_check',
    });
    expect(ring({ files: { b: openFile('2', 'other') } })).toMatchObject({
      'a in c': 'pending_check',
      'b in c': 'dirty',
      'c in c': 'pending_check',
    });
  });
  test('T4 a dirty member with equal records leaves the others clean', () => {
    expect(ring({ files: { b: openFile('2') } })).toMatchObject({
      'a in c': 'clean',
      'b in c': 'dirty',
      'c in c': 'clean',
      'user in c': 'clean',
    });
  });
  test('T6 a dirty member with equal records and a changed dependency is unknown to the others', () => {
    const states = ring({
      files: { b: openFile('2'), x: file('1') },
      indexed: { b: at('1', 'm', 'c i m', 'x i old'), x: at('1', 'new') },
    });
    expect(states).toMatchObject({ 'a in c': 'pending_check', 'b in c': 'dirty', 'c in c': 'pending_check' });
  });
  test('T5 uncertainty of a cycle crosses a dirty member with equal records', () => {
    const states = ring({
      files: { a: openFile('2'), x: file('1') },
      indexed: { c: at('1', 'm', 'a i m', 'x i old'), x: at('1', 'new') },
    });
    expect(states).toMatchObject({ 'a in c': 'dirty', 'b in c': 'pending_check', 'c in c': 'stale' });
    expect(states['user in c']).toBe('pending_check');
  });
  test('T4 unless it is closed', () => {
    const states = ring({
      files: { b: file('2'), x: file('1') },
      indexed: { b: at('1', 'm', 'c i m', 'x i old'), x: at('1', 'new') },
    });
    expect(states).toMatchObject({ 'a in c': 'clean', 'b in c': 'dirty', 'c in c': 'clean' });
  });
  test('a file that names itself is no cycle', () => {
    expect(stateOf('a', { a: openFile('1') }, { a: at('1', 'm', 'a i old') })).toBe('clean');
  });
});

describe('every graph', () => {
  test('T1 T2 T3 T4 T5 T7: states are those of the definitions', () => {
    fc.assert(
      fc.property(arbitraryWorld, (world) => {
        expect(statesOf(world)).toEqual(referenceStates(world));
      }),
      { numRuns: 3000 },
    );
  });

  test('T6 states do not depend on the order of nodes', () => {
    fc.assert(
      fc.property(arbitraryWorld, fc.infiniteStream(fc.nat()), (world, numbers) => {
        const shuffle = (names: readonly string[]): readonly string[] => {
          const keyed = names.map((name) => ({ name, key: numbers.next().value as number }));
          return keyed.sort((a, b) => a.key - b.key).map(({ name }) => name);
        };
        expect(statesOf(world, shuffle)).toEqual(statesOf(world));
      }),
      { numRuns: 1000 },
    );
  });

  test('T6 a file has the same state if only what it depends on is looked at', () => {
    fc.assert(
      fc.property(arbitraryWorld, fc.nat(), (world, pick) => {
        const { graph } = graphOf(world);
        fc.pre(graph.nodeCount > 0);
        const asked = pick % graph.nodeCount;
        const { part, kept } = closureOf(graph, asked);
        const whole = computeStates(graph).freshness;
        const alone = computeStates(part).freshness;
        expect([...alone]).toEqual(kept.map((node) => whole[node]));
      }),
      { numRuns: 1000 },
    );
  });

  test('P5 T6 states of what an edit reaches, and all others as they were, are those of the whole', () => {
    const snapshots = [compared.same, compared.same, compared.different, compared.unknown].map((syn) =>
      snapshotOf({ gone: false, syn, sem: compared.same }),
    );
    const changeNode = fc.record({
      node: fc.nat(),
      own: fc.constantFrom(...Object.values(own)),
      closed: fc.nat(1),
      elsewhere: fc.constantFrom(0, 0, 0, 1),
      doubtful: fc.constantFrom(doubt.none, doubt.none, doubt.augmented),
    });
    const changeEdge = fc.record({ edge: fc.nat(), snapshot: fc.constantFrom(...snapshots) });
    const step = fc.record({
      nodes: fc.array(changeNode, { maxLength: 2 }),
      edges: fc.array(changeEdge, { maxLength: 2 }),
    });
    const targets = fc.array(fc.array(fc.integer({ min: -1, max: 9 }), { maxLength: 3 }), {
      minLength: 10,
      maxLength: 10,
    });
    fc.assert(
      fc.property(targets, fc.array(step, { minLength: 1, maxLength: 5 }), (lists, steps) => {
        let graph = settledGraph(lists);
        let states = computeStates(graph);
        for (const { nodes, edges } of steps) {
          const touched = new Set<number>();
          const next = structuredClone({ ...graph, target: undefined, firstEdge: undefined });
          const changed = { ...next, target: graph.target, firstEdge: graph.firstEdge };
          for (const { node, ...columns } of nodes) {
            const at = node % graph.nodeCount;
            touched.add(at);
            for (const [name, value] of Object.entries(columns)) changed[name as keyof typeof columns][at] = value;
          }
          for (const { edge, snapshot } of edges) {
            if (graph.target.length === 0) continue;
            const at = edge % graph.target.length;
            touched.add(graph.firstEdge.findLastIndex((first) => first <= at));
            changed.snapshot[at] = snapshot;
          }
          const before = structuredClone(states);
          const updated = updateStates(changed, states, touched);
          expect(states).toEqual(before);
          expect({ ...updated, steps: 0 }).toEqual({ ...computeStates(changed), steps: 0 });
          [graph, states] = [changed, updated];
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('T12 an edit costs steps for what it reaches', () => {
    const graph = settledGraph(Array.from({ length: 10_000 }, (_, node) => (node % 10 === 0 ? [] : [node - 1])));
    const states = computeStates(graph);
    const changed = { ...graph, own: graph.own.with(5_000, own.dirty) };
    expect(updateStates(changed, states, new Set([5_000])).steps).toBeLessThan(50);
  });

  test('T12 fifty thousand files and half a million edges take steps in proportion, and no recursion', () => {
    const small = computeStates(syntheticGraph(5_000, 10)).steps;
    const large = computeStates(syntheticGraph(50_000, 10)).steps;
    expect(large / small).toBeLessThan(10.5);
    expect(large).toBeLessThan(5 * (50_000 + 500_000));
    // One component of everything, and one chain through everything.
    for (const shape of ['ring', 'chain'] as const) {
      const { steps, freshness } = computeStates(syntheticGraph(50_000, 10, shape));
      expect(steps).toBeLessThan(5 * (50_000 + 500_000));
      expect(freshness).toHaveLength(50_000);
    }
  });
});

/** The node and all it reaches, renumbered. */
function closureOf(graph: StateGraph, asked: number): { readonly part: StateGraph; readonly kept: readonly number[] } {
  const kept = [asked];
  for (const node of kept) {
    for (let edge = graph.firstEdge[node] as number; edge < (graph.firstEdge[node + 1] as number); edge += 1) {
      const to = graph.target[edge] as number;
      if (to >= 0 && !kept.includes(to)) kept.push(to);
    }
  }
  const firstEdge = [0];
  const edges = kept.flatMap((node) => {
    const list: number[] = [];
    for (let edge = graph.firstEdge[node] as number; edge < (graph.firstEdge[node + 1] as number); edge += 1)
      list.push(edge);
    firstEdge.push((firstEdge.at(-1) as number) + list.length);
    return list;
  });
  const pick = (from: Uint8Array): Uint8Array => Uint8Array.from(kept, (node) => from[node] as number);
  const part: StateGraph = {
    nodeCount: kept.length,
    own: pick(graph.own),
    closed: pick(graph.closed),
    elsewhere: pick(graph.elsewhere),
    doubtful: pick(graph.doubtful),
    firstEdge: Int32Array.from(firstEdge),
    target: Int32Array.from(edges, (edge) => kept.indexOf(graph.target[edge] as number)),
    snapshot: Uint8Array.from(edges, (edge) => graph.snapshot[edge] as number),
  };
  return { part, kept };
}

/** `degree` edges from each node: to nodes spread over all, or to the next ones. */
function syntheticGraph(nodeCount: number, degree: number, shape: 'spread' | 'ring' | 'chain' = 'spread'): StateGraph {
  const firstEdge = new Int32Array(nodeCount + 1);
  const target = new Int32Array(nodeCount * degree);
  for (let node = 0; node < nodeCount; node += 1) {
    firstEdge[node + 1] = (node + 1) * degree;
    for (let edge = 0; edge < degree; edge += 1) {
      const next = node + edge + 1;
      const near = shape === 'chain' && next >= nodeCount ? -1 : next % nodeCount;
      target[node * degree + edge] = shape === 'spread' ? (node * 31 + edge * 7919) % nodeCount : near;
    }
  }
  return {
    nodeCount,
    own: new Uint8Array(nodeCount),
    closed: new Uint8Array(nodeCount),
    elsewhere: new Uint8Array(nodeCount),
    doubtful: new Uint8Array(nodeCount),
    firstEdge,
    target,
    snapshot: new Uint8Array(nodeCount * degree).fill(snapshotSame),
  };
}
const snapshotSame = 0b01010;
