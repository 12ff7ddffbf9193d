/**
 * `untyped_access`: somebody looks the old name up in something of type `any`, `unknown` or an error. The compiler binds such a name to
 * nothing, so whether it means the renamed member is for a reader to say.
 */

import * as ts from '../../../../kernel/compiler/typescript-api.ts';
import type { EditForm } from '../../../outcome.ts';
import type { BoundToken, RenameWorld } from '../../in-job.ts';
import { tokensNamed } from '../../tokens-named.ts';
import type { CompilerItem } from '../../types.ts';
import { attempt } from '../attempt.ts';
import { isUntyped } from './doubted-family.ts';

export function findUntypedAccesses(world: RenameWorld): readonly CompilerItem[] {
  if (!world.isMember || world.oldName.startsWith('#')) return [];
  const planned = new Set(world.occurrences.map(({ token }) => `${token.path}\0${token.start}`));
  return tokensNamed(world.programs, world.oldName).flatMap((bound) => {
    if (planned.has(`${bound.token.path}\0${bound.token.start}`)) return [];
    // M14: where the compiler fails on the receiver, nothing is known of it.
    const found = attempt(() => findAccess(bound), { receiver: 'something', form: formOf(bound) });
    if (found === undefined) return [];
    const { token } = bound;
    const text = token.node.getSourceFile().text.slice(token.start, token.end);
    const newText =
      found.form === 'destructured_property' ? `${world.question.newName}: ${text}` : world.question.newName;
    const { path, start, end } = token;
    const isString = token.kind === 'string' || token.kind === 'template';
    return [
      {
        path,
        start,
        end,
        kind: isString ? 'string_reference' : 'untyped_access',
        detail: `\`${world.oldName}\` is looked up in ${found.receiver}, of which the compiler knows nothing.`,
        edits: { rename: [{ path, start, end, oldText: text, newText, form: found.form }] },
      },
    ];
  });
}

function formOf({ token: { node, kind } }: BoundToken): EditForm {
  const { parent } = node;
  if (kind === 'string' || kind === 'template') return 'string';
  return ts.isBindingElement(parent) && parent.propertyName === undefined ? 'destructured_property' : 'plain';
}

type Access = { readonly receiver: string; readonly form: EditForm };

function findAccess({ program, token }: BoundToken): Access | undefined {
  const { checker } = program.project;
  const { node } = token;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return isUntyped(checker.getTypeAtLocation(parent.expression)) ? say(parent.expression, 'plain') : undefined;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
    return isUntyped(checker.getTypeAtLocation(parent.expression)) ? say(parent.expression, 'string') : undefined;
  if (ts.isJsxAttribute(parent) && parent.name === node) {
    const tag = (parent.parent.parent as { readonly tagName?: ts.Node }).tagName;
    return tag !== undefined && isUntyped(checker.getTypeAtLocation(tag)) ? say(tag, 'plain') : undefined;
  }
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent))
    return findDestructured(program.project, parent, node);
  return undefined;
}

function findDestructured({ checker }: ts.Project, element: ts.BindingElement, node: ts.Node): Access | undefined {
  if (element.dotDotDotToken !== undefined) return undefined;
  const isKey = element.propertyName === node;
  if (!isKey && (element.name !== node || element.propertyName !== undefined)) return undefined;
  if (!isUntyped(checker.getTypeAtLocation(element.parent))) return undefined;
  return { receiver: 'what is taken apart here', form: isKey ? 'plain' : 'destructured_property' };
}

function say(receiver: ts.Node, form: EditForm): Access {
  const text = receiver.getText().replaceAll(/\s+/g, ' ');
  return { receiver: `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``, form };
}
