/** Where the tracer stands: outside the container, or in it, where the workload could reach its log. */

export const traceMethods = ['host_attach', 'in_container'] as const;
export type TraceMethod = (typeof traceMethods)[number];
