/**
 * What the new name would find at a place. A file that never says it declares nothing of that name, so everywhere in it the lookup ends in
 * the scope that all files share: one question for all such places instead of one for each. Not where others can put names into a scope of
 * the file (namespaces and enums go on in other files), and not for names that functions and modules bring along by themselves.
 */

import type * as ts from '../../../kernel/compiler/typescript-api.ts';
import type { NameToken, OpenProgram, RenameWorld } from '../in-job.ts';
import { flagsOf, type Meaning } from './name-positions.ts';
import { listStandingNames } from './standing-names.ts';

export type ResolveNewName = (program: OpenProgram, token: NameToken, meaning: Meaning) => ts.Symbol | undefined;

const bringsItself: ReadonlySet<string> = new Set([
  'arguments',
  'exports',
  'module',
  'require',
  'undefined',
  'globalThis',
]);

export function createNewNameResolver(world: RenameWorld): ResolveNewName {
  const { newName } = world.question;
  const saying = new Map<OpenProgram, Set<string>>();
  for (const { program, token } of listStandingNames(world, newName)) {
    const paths = saying.get(program) ?? new Set<string>();
    saying.set(program, paths.add(token.path));
  }
  const isSilent = new Map<string, boolean>();
  const shared = new Map<OpenProgram, Map<Meaning, ts.Symbol | undefined>>();

  const judge = (program: OpenProgram, path: string): boolean => {
    const key = `${program.key}\0${path}`;
    const known = isSilent.get(key);
    if (known !== undefined) return known;
    const text = program.sourceFile(path)?.text ?? '';
    const silent =
      !bringsItself.has(newName) && !saying.get(program)?.has(path) && !/\b(?:namespace|module|enum)\b/.test(text);
    isSilent.set(key, silent);
    return silent;
  };

  return (program, token, meaning) => {
    const { checker } = program.project;
    const ask = () => checker.resolveName(newName, flagsOf(meaning), token.node, false);
    if (!judge(program, token.path)) return ask();
    const found = shared.get(program) ?? new Map<Meaning, ts.Symbol | undefined>();
    shared.set(program, found);
    if (!found.has(meaning)) found.set(meaning, ask());
    return found.get(meaning);
  };
}
