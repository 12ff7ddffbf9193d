/** The lines between the compiler job and whoever asks it. */

import type { CompilerFailure } from './open-compiler.ts';
import type { CompilerAnswer, CompilerQuestion, ProgramSpec } from './types.ts';

export type JobLine =
  | { readonly kind: 'open'; readonly root: string; readonly programs: readonly ProgramSpec[] }
  | CompilerQuestion;

export type JobReply =
  | { readonly kind: 'opened'; readonly programs: readonly { readonly key: string; readonly files: number }[] }
  | CompilerAnswer
  | CompilerFailure;
