/** What a request may cost before it is understood. */

export const httpLimits = {
  bodyBytes: 1024 * 1024,
  bodyDepth: 32,
  headerBytes: 16 * 1024,
  /** For the whole request, headers and body; the answer takes as long as it takes. */
  requestMs: 10_000,
  /** How often slow requests are looked for. */
  checkMs: 1_000,
  keepAliveMs: 5_000,
  /** A stream nobody reads is ended when this much waits to be sent. */
  streamBacklogBytes: 1024 * 1024,
  heartbeatMs: 15_000,
} as const satisfies Record<string, number>;
