/**
 * Limits that several parts share, and those that the specification names, each with its unit in its name. A limit that one module
 * alone enforces is a constant of that module.
 */

const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  // Inputs: gather.md §3
  inputHashBytes: 50 * MiB,
  // Parsers: gather.md §6
  manifestBytes: 5 * MiB,
  lockfileBytes: 50 * MiB,
  toolOutputBytes: 256 * MiB,
  yamlBytes: 10 * MiB,
  yamlCatalogBytes: 1 * MiB,
  yamlSmallBytes: 64 * KiB,
  textBytes: 1 * MiB,
  versionFileBytes: 1 * KiB,
  lcovBytes: 50 * MiB,
  parseDepth: 64,
  parseDepthSmall: 8,
  yamlExpansionNodes: 100_000,
  userRegexMs: 250,
  // Exec: gather.md §5
  stdoutBytes: 8 * MiB,
  externalStdoutBytes: 64 * MiB,
  killGraceMs: 500,
  gitStallMs: 3_000,
  reapMs: 2_000,
  /** On a busy machine a program takes long to start; one that sleeps and says nothing is given up earlier. */
  toolVersionTimeoutS: 60,
  toolVersionStallMs: 5_000,
  // Indexers: code-plane.md §6.1, probes.md (artifact of scip_index)
  scipBytes: 512 * MiB,
  jobDirBytes: 8 * 1024 * MiB,
  // Coordinator: gather.md §2
  abandonAfterMs: 2_000,
  diagnosticsPerProbe: 50,
  diagnosticDetailChars: 200,
  evidencePerProbe: 1_000,
  // Hash memo: trusted only if the file is older than this when hashed
  racyWindowMs: 2_000,
} as const;

/** How much of a file is looked at (code-plane.md, constants). */
export const textLimits = {
  /** Larger files are not parsed. */
  parseBytes: 1024 * 1024,
  /** Larger files are not searched. */
  textBytes: 4 * 1024 * 1024,
  /** Larger sources are not even hashed. Those up to here are part of programs that others belong to, which change with them. */
  hashedBytes: 64 * 1024 * 1024,
} as const;
