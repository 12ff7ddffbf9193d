/**
 * Where a name stands today, unbound: binding is the dear part, and most rules about names ask the syntax around them first. Of a name
 * that the language confines to its file, only the files of the rename are looked at.
 */

import type { NameToken, OpenProgram, RenameWorld } from '../in-job.ts';
import { listNameTokens } from '../name-tokens.ts';

export type StandingName = { readonly program: OpenProgram; readonly token: NameToken };

const known = new WeakMap<RenameWorld, Map<string, readonly StandingName[]>>();

export function listStandingNames(world: RenameWorld, name: string): readonly StandingName[] {
  const byName = known.get(world) ?? new Map<string, readonly StandingName[]>();
  known.set(world, byName);
  const listed = byName.get(name) ?? findAll(world, name);
  byName.set(name, listed);
  return listed;
}

function findAll(world: RenameWorld, name: string): readonly StandingName[] {
  const own = new Set(world.occurrences.map(({ token }) => token.path));
  return world.programs.open.flatMap((program) =>
    program.files.flatMap((path) => {
      if (world.reach === 'file' && !own.has(path)) return [];
      const text = program.sourceFile(path)?.text ?? '';
      if (!text.includes(name) && !text.includes('\\')) return [];
      return listNameTokens(program, path).flatMap((token) => (token.text === name ? [{ program, token }] : []));
    }),
  );
}
