/**
 * What states are computed from, and nothing else: which files were indexed in which live contexts, what they depended on, and how
 * each dependency compares with what it was. By columns, because a graph of half a million edges is walked at every question.
 *
 * A node is a file in one live context of which it is a member. A dependency points at the node of the same context, else at one of
 * another live context, else (files that no live context covers, files that are gone) at none.
 */

import { compared as columnCompared } from '../store/queries/load-state-columns.ts';

/** What a node's own facts say, before any dependency is looked at. */
export const own = {
  /** Indexed at its present bytes with the context's configuration and tool. */
  settled: 0,
  dirty: 1,
  unindexed: 2,
} as const;

/** Why a node is pending whatever it depends on. */
export const doubt = {
  none: 0,
  /** Something may have been added to what its files declare, by one that has not been indexed. */
  augmented: 1,
  /** The configuration of its context may have changed, and nobody has read it since. */
  configuration: 2,
} as const;

/** A dependency's interface now against the one at index time: the store's answers, and of `sem` that it is known now and was not then. */
export const compared = { ...columnCompared, unrecorded: 3 } as const;
export type Compared = (typeof compared)[keyof typeof compared];

export type StateGraph = {
  readonly nodeCount: number;
  /** `own` of each node. */
  readonly own: Uint8Array;
  /** 1: the interface of the node's file is closed (§3.3). */
  readonly closed: Uint8Array;
  /** 1: an import of the node's file now leads elsewhere than when it was indexed. */
  readonly elsewhere: Uint8Array;
  /** `doubt` of each node. */
  readonly doubtful: Uint8Array;
  /** Edges of node n are `firstEdge[n]` up to `firstEdge[n + 1]`. */
  readonly firstEdge: Int32Array;
  /** Node of the dependency; -1: no live context covers it. */
  readonly target: Int32Array;
  /** `snapshotOf` of each edge. */
  readonly snapshot: Uint8Array;
};

/** An edge's comparisons in one number. */
export function snapshotOf(edge: { readonly gone: boolean; readonly syn: Compared; readonly sem: Compared }): number {
  return (edge.gone ? 1 : 0) | (edge.syn << 1) | (edge.sem << 3);
}

export const isGone = (snapshot: number): boolean => (snapshot & 1) === 1;
export const synOf = (snapshot: number): number => (snapshot >> 1) & 3;
export const semOf = (snapshot: number): number => (snapshot >> 3) & 3;
