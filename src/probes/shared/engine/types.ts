/** The engine adapter as probes import it; it lives in the kernel because it keeps files of its own (`kernel/containers`). */

export * from '../../../kernel/containers/types.ts';
