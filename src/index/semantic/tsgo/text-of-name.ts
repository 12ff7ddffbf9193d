import type { Node } from '../../../languages/typescript/compiler/typescript-api.ts';

/** What a name says, escapes resolved: of an identifier or a literal; '' of anything else. */
export function textOfName(node: Node | undefined): string {
  return (node as { readonly text?: string } | undefined)?.text ?? '';
}
