/**
 * Ties by a type parameter: a literal that is passed where a parameter is `T extends Owner` is of a type of its own, and its keys are its
 * own. Where the member of that name is optional, the literal fits if only one of the two is renamed, and is silently ignored.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import { declarationStart } from '../../declaration-name.ts';
import { createPlaces } from '../../declaration-places.ts';
import { placeKey, type RenameWorld } from '../../in-job.ts';
import { tokensNamed } from '../../tokens-named.ts';
import { attempt } from '../attempt.ts';
import { isFamilySymbol, memberDeclaration } from '../member-types.ts';
import { isOptional, lookUp, type Owner } from './doubted-family.ts';
import { placesOf, type TiedSite, type Ties } from './ties.ts';
import { wantedByParameter } from './wanted-by-parameter.ts';

export function findGenericArguments(world: RenameWorld, owners: readonly Owner[]): Ties {
  const ties = { missed: [] as TiedSite[], lost: [] as TiedSite[], gained: [] as TiedSite[] };
  for (const { program, token } of owners.length === 0 ? [] : tokensNamed(world.programs, world.oldName)) {
    const declaration = memberDeclaration(token.node);
    const literal = declaration?.parent;
    if (declaration === undefined || literal?.kind !== ts.SyntaxKind.ObjectLiteralExpression) continue;
    const place = { path: token.path, start: declarationStart(declaration), outside: false };
    const isOurs = world.familyKeys.has(placeKey(place));
    if (!isOurs && !owners.some((owner) => owner.isOptional)) continue;
    const site = { path: token.path, node: token.node };
    const wanted = attempt(() => wantedByParameter(program, literal), undefined);
    if (wanted === undefined) continue;
    const heard = (name: string) => attempt(() => lookUp(program, wanted, name).filter(isOptional), []);
    const isRenamed = (one: ts.Symbol) => attempt(() => isFamilySymbol(world, program, one), false);
    const members = heard(world.oldName);
    if (!isOurs) {
      if (members.some(isRenamed)) ties.lost.push({ ...site, others: [place] });
      continue;
    }
    const others = members.filter((one) => !isRenamed(one));
    if (others.length > 0) ties.missed.push({ ...site, others: placesOf(createPlaces(program), others) });
    if (heard(world.question.newName).length > 0) ties.gained.push({ ...site, others: null });
  }
  return ties;
}
