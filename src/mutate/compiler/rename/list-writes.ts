/**
 * Every place where a rename writes the new name, in every program that has the file, with what the new name will be there. A form that
 * keeps a local name (`import { b as a }`) writes the new one only as somebody else's, so it has no part in scopes.
 */

import type * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { AliasPolicy, EditForm } from '../../outcome.ts';
import type { RenameWorld } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';
import type { CompilerEdit } from '../types.ts';
import { type Meaning, meanings, positionOf } from './name-positions.ts';
import type { StandingName } from './standing-names.ts';

export type Write = StandingName & {
  readonly edit: CompilerEdit;
  /** What is declared under the new name, in a scope. */
  readonly declares: ts.Node | null;
  /** What the new name is looked up as, in scopes; 0: it is not. */
  readonly refers: Meaning;
  /** Declared in, or looked up in, some type. */
  readonly isMember: boolean;
};

export function listWrites(world: RenameWorld): readonly Write[] {
  const edits = new Map<string, Map<number, CompilerEdit>>();
  for (const { token, edit } of world.occurrences) {
    if (edit === null) continue;
    const inFile = edits.get(token.path) ?? new Map<number, CompilerEdit>();
    edits.set(token.path, inFile.set(token.start, edit));
  }
  const { aliasPolicy } = world.question;
  return world.programs.open.flatMap((program) =>
    [...edits].flatMap(([path, inFile]) =>
      listNameTokens(program, path).flatMap((token) => {
        const edit = inFile.get(token.start);
        return edit === undefined ? [] : [{ program, token, edit, ...rolesOf(edit.form, token.node, aliasPolicy) }];
      }),
    ),
  );
}

type Roles = Pick<Write, 'declares' | 'refers' | 'isMember'>;

const none: Roles = { declares: null, refers: 0, isMember: false };

/**
 * Under `through`, local names are meant to be the names of what they stand for. A destructured local keeps its own all the same (M11),
 * but where it could not follow because the new name is taken, the two would read as if they belonged together: that is refused, and
 * `keep_local` is the way to ask for it.
 */
function rolesOf(form: EditForm, node: ts.Node, policy: AliasPolicy): Roles {
  switch (form) {
    case 'shorthand_value':
      return { ...none, refers: meanings.value };
    case 'export_keeps_public':
      return { ...none, refers: meanings.all };
    case 'destructured_property':
      return { ...none, declares: policy === 'through' ? node.parent : null, isMember: true };
    case 'shorthand_property':
    case 'string':
      return { ...none, isMember: true };
    case 'destructured_local':
    case 'import_local':
      return { ...none, declares: node.parent };
    case 'import_keeps_local':
    case 'export_public':
    case 'specifier':
      return none;
    case 'plain':
    case 'jsdoc': {
      const position = positionOf(node);
      if (position.kind === 'declares') return { ...none, declares: position.declaration };
      if (position.kind === 'refers') return { ...none, refers: position.meaning };
      return { ...none, isMember: position.kind === 'member' };
    }
  }
}
