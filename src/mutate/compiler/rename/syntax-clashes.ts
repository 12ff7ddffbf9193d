/**
 * Names whose rules need no symbols (mutation.md §2.7): private names, which the classes around them decide about; labels, which the
 * statements around them do; and words that are reserved where the rename would write them.
 */

import * as ts from '../../../kernel/compiler/typescript-api.ts';
import { startsComponent } from '../../names/check-name.ts';
import { reservedWords } from '../../names/reserved-words.ts';
import type { RenameWorld } from '../in-job.ts';
import type { Clash } from '../types.ts';
import { makeClash, placeOfNode, tellPlace } from './clash-words.ts';
import { isFunctionLike } from './lexical-scope.ts';
import type { Write } from './list-writes.ts';
import { listStandingNames } from './standing-names.ts';

const K = ts.SyntaxKind;

export function findSyntaxClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { target } = world;
  if (target.token.kind === 'private') return findPrivateClashes(world, writes);
  if (target.token.kind === 'label') return findLabelClashes(world, writes);
  return writes.flatMap((write) => findReservedUse(world, write));
}

/** The class whose private names a place can use, nearest first. */
function* classesAround(node: ts.Node): Generator<ts.Node> {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
    if (ts.isClassLikeDeclaration(at)) yield at;
}

function declaresPrivate(owner: ts.Node, name: string): ts.Node | undefined {
  const { members } = owner as ts.Node & { readonly members: readonly ts.Node[] };
  for (const member of members) {
    const own = (member as { readonly name?: ts.Node }).name;
    if (own !== undefined && ts.isPrivateIdentifier(own) && own.text === name) return own;
  }
  return undefined;
}

function findPrivateClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { programs, question, oldName } = world;
  const { newName } = question;
  const owners = new Set<ts.Node>();
  const clashes: Clash[] = [];
  for (const { token } of writes) {
    for (const around of classesAround(token.node)) {
      const other = declaresPrivate(around, newName);
      const isOwner = declaresPrivate(around, oldName) !== undefined;
      if (isOwner) owners.add(around);
      if (other !== undefined) {
        const place = placeOfNode(programs, other);
        const detail = isOwner
          ? `The class already has \`${newName}\` at ${tellPlace(programs, place)}.`
          : `Here \`${newName}\` would mean the one of the inner class, declared at ${tellPlace(programs, place)}.`;
        clashes.push(makeClash(isOwner ? 'collision' : 'capture', token, place, detail));
      }
      if (isOwner) break;
    }
  }
  for (const { token } of listStandingNames(world, newName)) {
    for (const around of classesAround(token.node)) {
      if (declaresPrivate(around, newName) !== undefined) break;
      const own = owners.has(around) ? declaresPrivate(around, oldName) : undefined;
      if (own === undefined) continue;
      const place = placeOfNode(programs, token.node);
      const detail = `\`${newName}\` at ${tellPlace(programs, place)} means another class's today and would mean the renamed \`${oldName}\`.`;
      const at = { ...programs.place(own.getSourceFile().fileName), start: own.getStart(), end: own.getEnd() };
      clashes.push(makeClash('capture', at, place, detail));
      break;
    }
  }
  return clashes;
}

/** A label inside another of the same name is an error, whoever jumps. */
function findLabelClashes(world: RenameWorld, writes: readonly Write[]): readonly Clash[] {
  const { programs, question, oldName } = world;
  const labels = listStandingNames(world, question.newName).filter(
    ({ token }) => token.kind === 'label' && token.node.parent.kind === K.LabeledStatement,
  );
  return writes.flatMap(({ token }) => {
    const statement = token.node.parent;
    if (statement.kind !== K.LabeledStatement) return [];
    const other = labels.find(
      ({ token: { node } }) => isLabelAround(statement, node.parent) || isLabelAround(node.parent, statement),
    );
    if (other === undefined) return [];
    const place = placeOfNode(programs, other.token.node);
    const detail = `The label \`${question.newName}\` at ${tellPlace(programs, place)} and \`${oldName}\` are one inside the other.`;
    return [makeClash('collision', token, place, detail)];
  });
}

function isLabelAround(outer: ts.Node, inner: ts.Node): boolean {
  for (let at: ts.Node | undefined = inner; at !== undefined && !isFunctionLike(at); at = at.parent)
    if (at === outer) return true;
  return false;
}

/** A member may be called `delete`; a variable, also one that the same declaration makes, may not. */
function findReservedUse({ question: { newName } }: RenameWorld, write: Write): readonly Clash[] {
  const { token, declares, refers } = write;
  const words = reservedWords['typescript'];
  if ((declares !== null || refers !== 0) && words?.always.has(newName))
    return [makeClash('reserved_name', token, null, `\`${newName}\` is reserved and cannot be written here.`)];
  if (isTag(token.node) && startsComponent(newName) !== startsComponent(token.text)) {
    const kind = startsComponent(newName) ? 'a component, not an element' : 'an element, not a component';
    return [makeClash('invalid_name', token, null, `\`<${newName}>\` would be ${kind}.`)];
  }
  return [];
}

function isTag(node: ts.Node): boolean {
  const { parent } = node;
  return (
    parent.kind === K.JsxOpeningElement ||
    parent.kind === K.JsxSelfClosingElement ||
    parent.kind === K.JsxClosingElement
  );
}
