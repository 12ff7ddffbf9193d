/** The fields of the envelope that no probe owns, and how the coordinator came by each. A test holds this equal to the schema. */

export const headFields: ReadonlyMap<string, string> = new Map([
  ['schema_version', 'the version of the envelope this program writes'],
  ['schema_versions', 'the version of each delivered section, as its probe declares it'],
  [
    'repo',
    'read from git before the first probe ran: origin without credentials, HEAD, branch, and the files that differ from HEAD',
  ],
  ['gathered_at', 'the clock when the gather started; differs from run to run'],
  ['gather_duration_ms', 'measured over the whole gather; differs from run to run'],
  ['run_id', 'drawn at random for this gather; it is on every line of its log'],
  ['gather_status', 'partial if a selected probe is degraded, failed, timed out or lacks what it needs; else complete'],
  ['probe_failures', 'exactly the probes that make the gather partial'],
  [
    'task_context',
    'the task that was asked for, and what this machine offered: program version, sandbox, container engine',
  ],
  ['warnings', 'what was noticed about configuration and publishing, outside any probe'],
  ['redaction', 'counted while every probe output was redacted, before anything was written'],
  ['raw_artifacts', 'the artifacts published with this context, hashed as they were written'],
  ['probes', 'what became of every registered probe, recorded around its run'],
]);
