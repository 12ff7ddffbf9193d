/** The section `entrypoint`. */

import { namedOnly } from '../../gather/contract.ts';
import { z } from '../../kernel/base/schema.ts';
import { forms, inits } from '../dockerfile/dockerfile-section.ts';
import { signalHandlerMethods } from './signal-handlers.ts';

const text = namedOnly(z.string());

export const entrypointSection = z.strictObject({
  entrypoints: z.array(
    z.strictObject({
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
    }),
  ),
  /** Only from a completed shutdown scenario. */
  graceful_shutdown_observed: z.boolean().nullable(),
  graceful_shutdown_method: z.enum(signalHandlerMethods).nullable(),
});
