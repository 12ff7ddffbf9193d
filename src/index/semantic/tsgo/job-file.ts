/** What the indexer is told: one JSON file in the job's directory. */

export type TsgoJob = {
  /** Realpath of the repository, without a trailing slash. */
  readonly root: string;
  /** The configuration to open, absolute. */
  readonly project: string;
  /** It was written for this job, and may be written again. */
  readonly isRendered: boolean;
  /** Where `@types` are looked for unless the configuration says so itself, absolute. */
  readonly typeRoots: readonly string[];
  /** Root-relative, sorted. */
  readonly members: readonly string[];
  /** Of the members those that a document is wanted of, sorted; null: all. */
  readonly scope: readonly string[] | null;
  /** Where to list the files besides the members that concern all of them; null: nowhere. */
  readonly globals: string | null;
  readonly output: string;
  readonly maxFileBytes: number;
  /** Memory matters more than time: one thread. */
  readonly isThrifty: boolean;
  /** Names may lead to pipes: each is looked at before it is read, which costs a quarter of the time that loading takes. */
  readonly isCareful: boolean;
  /** Whether a second thread takes part, where it is not for the job to decide. */
  readonly isShared?: boolean;
  /** Others than the code plane read it, too: what comments say of declarations goes along. */
  readonly isDocumented: boolean;
};
