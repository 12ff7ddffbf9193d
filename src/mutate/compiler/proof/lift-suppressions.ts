/**
 * What the compiler is told not to say, it is asked to say in both halves of a proof: `@ts-ignore`, `@ts-expect-error` and `@ts-nocheck` are
 * made unreadable at equal length, so that every offset stays, and JavaScript is checked. An error that a comment hides would be hidden
 * before and after alike, and with it a property that got lost. Errors that exist before are allowed as themselves, so that there are
 * more of them does no harm.
 */

import type { OpenProgram, Programs } from '../in-job.ts';

export type Lifted = {
  /** Other texts than the compiler has read, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Some JavaScript is read and not judged. */
  readonly checksJs: boolean;
};

export function liftSuppressions(programs: Programs, paths: ReadonlySet<string> | null): Lifted {
  const texts = new Map<string, string>();
  let checksJs = false;
  for (const program of programs.open) {
    const isJsUnchecked = leavesJsUnchecked(program);
    for (const path of program.files) {
      if (paths !== null && !paths.has(path)) continue;
      if (isJsUnchecked && isJs.test(path)) checksJs = true;
      const text = texts.has(path) ? undefined : program.sourceFile(path)?.text;
      if (text?.includes('@ts-')) {
        const lifted = lift(text);
        if (lifted !== text) texts.set(path, lifted);
      }
    }
  }
  return { texts, checksJs };
}

/** Files of a program whose errors stay unseen, whatever was tried. */
export function listUnchecked(program: OpenProgram): readonly string[] {
  return leavesJsUnchecked(program) ? program.files.filter((path) => isJs.test(path)) : [];
}

const isJs = /\.[cm]?jsx?$/;

function leavesJsUnchecked({ project }: OpenProgram): boolean {
  return project.compilerOptions['checkJs'] !== true;
}

/** The last letter goes; the rest keeps what a documentation comment is made of. */
export function lift(text: string): string {
  return text.replaceAll(/@ts-(ignor|expect-erro|nochec)[erk]/g, '@ts-$1_');
}
