/** What a trace says, as sorted sets; of several scenarios the union. */

export type TraceFacts = {
  readonly binaries_executed: readonly string[];
  readonly shared_libs_loaded: readonly string[];
  readonly cert_paths_read: readonly string[];
  readonly files_read: readonly string[];
  /** A count: the same shell started twice counts twice. */
  readonly shell_invocations: number;
  readonly outbound: readonly string[];
  readonly inbound: readonly string[];
};

export const noFacts: TraceFacts = {
  binaries_executed: [],
  shared_libs_loaded: [],
  cert_paths_read: [],
  files_read: [],
  shell_invocations: 0,
  outbound: [],
  inbound: [],
};

export function uniteFacts(facts: readonly TraceFacts[]): TraceFacts {
  const unite = (of: (one: TraceFacts) => readonly string[]): readonly string[] => sortedSet(facts.flatMap(of));
  return {
    binaries_executed: unite((one) => one.binaries_executed),
    shared_libs_loaded: unite((one) => one.shared_libs_loaded),
    cert_paths_read: unite((one) => one.cert_paths_read),
    files_read: unite((one) => one.files_read),
    shell_invocations: facts.reduce((sum, one) => sum + one.shell_invocations, 0),
    outbound: unite((one) => one.outbound),
    inbound: unite((one) => one.inbound),
  };
}

export function sortedSet(values: Iterable<string>): readonly string[] {
  // By code units, as `compareCodeUnits` has it; without a function to call it is several times faster on a long list.
  return [...new Set(values)].sort();
}
