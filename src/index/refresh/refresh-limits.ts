/** The numbers of code-plane.md §7 that belong to no single rule. */
export const refreshLimits = {
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  maxParallel: 4,
  /** What one indexer is reckoned to need. */
  bytesPerContext: 3 * 1024 ** 3,
  /** Finished jobs that a context keeps. */
  keptJobs: 200,
  /** A longer list of files is the whole context. */
  maxListedFiles: 500,
  /** From how many files on that only use what changed, what changed does not wait for them. */
  manyUsers: 100,
  /** From this size on an output is imported in a thread of its own, where others wait for this one: some 0.3 s of importing. */
  importedApartBytes: 2 * 1024 ** 2,
  /** A job that begins so soon after every file was looked at for another one does not look again. */
  recentMs: 5_000,
  probeEveryMs: 60_000,
  /** After the store could not be used. */
  mendAfterMs: 5_000,
  /** From this priority on a job runs though the last one had the same inputs. */
  againPriority: 100,
} as const;
