/** `dynamic_access`: inside `with`, names are looked up in an object first, and only the running program knows which it finds there. */

import * as ts from '../../../languages/typescript/compiler/typescript-api.ts';
import type { OpenProgram, RenameWorld } from '../job/job-types.ts';
import type { ItemDraft } from '../session/messages.ts';
import { holdsFamily, isUntyped, type Site, tellFirst, typesAt, walkNodes } from './doubted-family.ts';

const K = ts.SyntaxKind;

export function findWiths(world: RenameWorld): readonly ItemDraft[] {
  const sites: Site[] = [];
  for (const program of world.programs.open)
    for (const path of program.files) {
      const file = program.sourceFile(path);
      if (file === undefined || !/\bwith\s*\(/.test(file.text)) continue;
      walkNodes(file, (node) => {
        if (node.kind !== K.WithStatement) return;
        const { expression, statement } = node as ts.Node & { expression: ts.Expression; statement: ts.Node };
        if (world.isMember ? mayBeOwner(world, program, expression) : holdsWrite(world, path, statement))
          sites.push({ path, node: expression });
      });
    }
  return tellFirst(
    'dynamic_access',
    sites,
    `Inside this \`with\`, names are looked up in the object first; it may have \`${world.oldName}\` or \`${world.question.newName}\``,
  );
}

function mayBeOwner(world: RenameWorld, program: OpenProgram, object: ts.Node): boolean {
  const [type] = typesAt(program, [object]);
  return type === undefined || isUntyped(type) || holdsFamily(world, program, type);
}

function holdsWrite(world: RenameWorld, path: string, body: ts.Node): boolean {
  return world.occurrences.some(
    ({ token, edit }) =>
      edit !== null && token.path === path && token.start >= body.getStart() && token.end <= body.end,
  );
}
