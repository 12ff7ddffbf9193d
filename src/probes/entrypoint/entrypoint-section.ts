/** The section `entrypoint`, the ways in which a program may listen for a stop signal, and the sources that are looked at for them. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { forms, inits } from '../dockerfile/dockerfile-section.ts';

export const signalSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,go,py,java,kt,scala}'];

const signalHandlerMethods = [
  "process.on('SIGTERM')",
  'signal.Notify',
  'signal.signal(SIGTERM)',
  'addShutdownHook',
  'trap',
  'init',
] as const;
export type SignalHandlerMethod = (typeof signalHandlerMethods)[number];

const text = namedOnly(z.string());

const entrypoint = z.strictObject({
  dockerfile: text,
  form: z.enum(forms),
  argv: z.array(text),
  command: text.nullable(),
  /** As written; a shell counts as process 1 unless its text begins with `exec`. */
  pid_1_program: text.nullable(),
  init: z.enum(inits),
  /** Path in the repository, or in the image where it comes from elsewhere. */
  invokes_script_file: text.nullable(),
  /** Null: not all sources could be looked at, or there are none. */
  signal_handler_present: z.boolean().nullable(),
  /** `init`: nothing in the sources, but the init passes signals on. */
  signal_handler_method: z.enum(signalHandlerMethods).nullable(),
  effective_from: z.enum(['image', 'dockerfile']),
});
export type Entrypoint = z.output<typeof entrypoint>;

export const entrypointSection = z.strictObject({
  entrypoints: z.array(entrypoint),
  /** Only from a completed shutdown scenario. */
  graceful_shutdown_observed: z.boolean().nullable(),
  graceful_shutdown_method: z.enum(signalHandlerMethods).nullable(),
});
