/** Names of runs as probes import them (`kernel/containers/run-id.ts`). */

export * from '../../../kernel/containers/run-id.ts';
