/**
 * A project with its edits written inside: `«a→b»` replaces `a` by `b`, `‹a→b›` does the same and is a declaration of the family. What a case
 * proves is then read where it stands.
 */

import { prove } from '../../src/mutate/compiler/proof/prove.ts';
import type {
  CompilerEdit,
  DeclarationPlace,
  ProgramSpec,
  ProofQuestion,
  ProofReport,
} from '../../src/mutate/compiler/session/messages.ts';
import { openTree } from './open-programs.ts';

export type MarkedProject = {
  readonly files: Readonly<Record<string, string>>;
  readonly edits: readonly CompilerEdit[];
  readonly family: readonly DeclarationPlace[];
};

export function readMarkedEdits(marked: Readonly<Record<string, string>>): MarkedProject {
  const edits: CompilerEdit[] = [];
  const family: DeclarationPlace[] = [];
  const files: Record<string, string> = {};
  for (const [path, source] of Object.entries(marked)) {
    let text = '';
    let done = 0;
    for (const match of source.matchAll(/(«|‹)([^→«‹]*)→([^»›]*)[»›]/g)) {
      const [whole, mark = '', oldText = '', newText = ''] = match;
      text += source.slice(done, match.index);
      done = match.index + whole.length;
      edits.push({ path, start: text.length, end: text.length + oldText.length, oldText, newText, form: 'plain' });
      if (mark === '‹') family.push({ path, start: text.length, outside: false });
      text += oldText;
    }
    files[path] = text + source.slice(done);
  }
  return { files, edits, family };
}

/** What the shadow proof says of the marked edits. The names are those of the first edit, unless given. */
export function proveMarked(
  marked: Readonly<Record<string, string>>,
  about: Partial<ProofQuestion> = {},
  specs?: readonly ProgramSpec[],
): ProofReport {
  const { files, edits, family } = readMarkedEdits(marked);
  const [first] = edits;
  return prove(openTree(files, specs), {
    kind: 'prove',
    oldName: first?.oldText ?? '',
    newName: first?.newText ?? '',
    edits,
    moves: [],
    reach: 'repo',
    family,
    isMember: false,
    ...about,
  });
}
