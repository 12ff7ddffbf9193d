/** tRPC procedures: members of `router({ … })` whose value is built from a procedure; nested routers give dotted names. */

import type { Node } from 'web-tree-sitter';
import { listChildren } from '../../walk-tree.ts';
import type { HttpClientFact } from '../http-clients.ts';

type Call = { readonly callee: Node; readonly arguments: readonly Node[] };

const maxNesting = 8;

export function listProcedures(calls: readonly Call[]): HttpClientFact[] {
  const nested = new Set<number>();
  const facts: HttpClientFact[] = [];
  for (const { callee, arguments: given } of calls) {
    const [members] = given;
    if (members?.type !== 'object' || nested.has(members.id) || !isRouter(callee)) continue;
    collect(members, '', 0);
  }
  return facts;

  function collect(members: Node, prefix: string, depth: number): void {
    nested.add(members.id);
    for (const pair of members.namedChildren) {
      const key = pair.type === 'pair' ? pair.childForFieldName('key')?.text.replace(/['"]/g, '') : undefined;
      const value = pair.childForFieldName('value');
      if (key === undefined || value?.type !== 'call_expression') continue;
      const callee = value.childForFieldName('function');
      const inner = listChildren(value.childForFieldName('arguments'))[0];
      if (callee !== null && isRouter(callee) && inner?.type === 'object') {
        if (depth < maxNesting) collect(inner, `${prefix}${key}.`, depth + 1);
      } else if (isProcedure(value)) {
        const line = pair.startPosition.row + 1;
        facts.push({
          kind: 'trpc_procedure',
          line,
          library: '@trpc/server',
          base_url: null,
          literal: true,
          name: prefix + key,
        });
      }
    }
  }
}

function isRouter(callee: Node): boolean {
  const name = callee.type === 'member_expression' ? callee.childForFieldName('property')?.text : callee.text;
  return name === 'router' || name === 'createTRPCRouter' || name === 'createRouter' || name === 'mergeRouters';
}

/** `publicProcedure.input(…).query(…)`, `t.procedure.mutation(…)`: somewhere down the chain stands a procedure. */
function isProcedure(value: Node): boolean {
  let node: Node | null = value;
  for (let step = 0; step < 40 && node !== null; step += 1) {
    if (node.type === 'call_expression') node = node.childForFieldName('function');
    else if (node.type === 'member_expression') {
      if (/[pP]rocedure$/.test(node.childForFieldName('property')?.text ?? '')) return true;
      node = node.childForFieldName('object');
    } else return node.type === 'identifier' && /[pP]rocedure$/.test(node.text);
  }
  return false;
}
