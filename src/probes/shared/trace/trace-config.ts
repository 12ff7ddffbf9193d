/** The settings that a trace depends on. */

export const traceConfigKeys = [
  'runtime_trace.scenarios',
  'runtime_trace.scenario_timeout_s',
  'runtime_trace.aggregate_timeout_s',
  'runtime_trace.ready_after_s',
  'runtime_trace.smoke_test_command',
  'runtime_trace.strace_static',
  'containers.engine',
  'containers.memory_mb',
  'containers.pids',
  'containers.cpus',
] as const;
export type TraceConfigKey = (typeof traceConfigKeys)[number];
