/**
 * `untyped_boundary`: a value of type `any` or `unknown` is declared to be an owner of the renamed property (`JSON.parse(text) as X`,
 * `const x: X = body`, `return body`), or to hold owners one level down. Whoever made that value did so under the old name, and the
 * compiler cannot know.
 */

import type * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../../in-job.ts';
import type { CompilerItem } from '../../types.ts';
import { attempt } from '../attempt.ts';
import { beforeAssertions, readClaimsIn } from './claims.ts';
import { filesNaming, holdsFamily, isUntyped, type Owner, partsOf, typesAt } from './doubted-family.ts';
import { countCut, site, sitesMax } from './sites.ts';

export function findUntypedBoundaries(world: RenameWorld, owners: readonly Owner[]): readonly CompilerItem[] {
  const data = owners.filter(({ isData }) => isData);
  if (data.length === 0) return [];
  const found = new Map<string, CompilerItem>();
  for (const { program, path, file } of filesNaming(world, data)) {
    const { claims, types } = readClaimsIn(program, file);
    claims.forEach(({ value, type }, at) => {
      if (!isUntyped(types[at])) return;
      if (!claimsFamily(world, program, attempt(type, undefined))) return;
      // `this as any as X`: it was an owner all along, and is renamed with it.
      const made = beforeAssertions(value);
      if (made !== value && holdsFamily(world, program, typesAt(program, [made])[0])) return;
      const detail = `What this is was not made under the eyes of the compiler; it may carry \`${world.oldName}\`.`;
      found.set(`${path}\0${value.getStart()}`, site('untyped_boundary', path, value, detail));
    });
  }
  return countCut([...found.values()]);
}

/** An owner, a list or a promise of owners, or an object that has one of these for a property. */
export function claimsFamily(world: RenameWorld, program: OpenProgram, type: ts.Type | undefined): boolean {
  if (type === undefined) return false;
  if (holdsFamily(world, program, type)) return true;
  return attempt(() => innerTypes(program, type).some((inner) => holdsFamily(world, program, inner)), false);
}

function innerTypes(program: OpenProgram, type: ts.Type): readonly ts.Type[] {
  const { checker } = program.project;
  return partsOf(program, type).flatMap((part) => {
    if (!part.isObjectType()) return [];
    if (part.isTypeReference()) {
      const held = checker.getTypeArguments(part);
      if (held.length > 0) return [...held];
    }
    const properties = checker.getPropertiesOfType(part).slice(0, sitesMax);
    return properties.flatMap((property) => checker.getTypeOfSymbol(property) ?? []);
  });
}
