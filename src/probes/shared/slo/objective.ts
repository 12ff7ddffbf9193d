/** One service level objective, whatever format declared it. */

export type Objective = {
  readonly service: string | null;
  readonly name: string;
  /** In percent. */
  readonly target: number | null;
  readonly window: string | null;
  readonly indicator: string | null;
};

/** What a reader makes of one document: its objectives, or undefined when it is of another format. */
export type ObjectivesOf = readonly Objective[] | undefined;

/** 0.999 → 99.9, without the digits that binary fractions leave behind. */
export function percentOfRatio(ratio: number): number {
  return Number((ratio * 100).toFixed(6));
}
