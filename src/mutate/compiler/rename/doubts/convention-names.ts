/** `convention_name`: the renamed export or method is one that a framework of the package calls by that name. */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import { placeKey, type RenameWorld } from '../../in-job.ts';
import type { CompilerItem } from '../../types.ts';
import { dependenciesOf, findManifest } from '../read-manifest.ts';
import { conventions } from './convention-table.ts';
import { site } from './sites.ts';

export function findConventionNames(world: RenameWorld): readonly CompilerItem[] {
  const { oldName, programs } = world;
  const rules = conventions.filter(({ names }) => names.has(oldName));
  if (rules.length === 0) return [];
  return world.occurrences.flatMap(({ token }) => {
    if (!world.familyKeys.has(placeKey({ path: token.path, start: token.start, outside: false }))) return [];
    const kind = kindOf(world, token.node);
    const manifest = kind === undefined ? undefined : findManifest(programs.root, token.path);
    if (manifest === undefined) return [];
    const wanted = dependenciesOf(manifest);
    const rule = rules.find(
      ({ packages, kind: its, where }) =>
        its === kind && (where === null || where.test(token.path)) && packages.some((name) => wanted.has(name)),
    );
    if (rule === undefined) return [];
    const framework = rule.packages.find((name) => wanted.has(name));
    return [site('convention_name', token.path, token.node, `\`${framework}\` calls \`${oldName}\` by its name.`)];
  });
}

/** A member of a class, or something a module may show. */
function kindOf({ isMember, reach }: RenameWorld, node: ts.Node): 'export' | 'member' | undefined {
  if (isMember) return ts.isClassLikeDeclaration(node.parent.parent) ? 'member' : undefined;
  return reach === 'repo' ? 'export' : undefined;
}
