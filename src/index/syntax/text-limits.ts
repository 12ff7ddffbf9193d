/** How much of a file is looked at (code-plane.md, constants). */

export const textLimits = {
  /** Larger files are not parsed. */
  parseBytes: 1024 * 1024,
  /** Larger files are not searched. */
  textBytes: 4 * 1024 * 1024,
  /** Larger sources are not even hashed. Those up to here are part of programs that others belong to, which change with them. */
  hashedBytes: 64 * 1024 * 1024,
  /** Errors beyond the first hundreds say nothing new about a file. */
  parseErrors: 200,
} as const;
