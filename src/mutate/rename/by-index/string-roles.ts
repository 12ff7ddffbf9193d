/**
 * Strings that name things (mutation.md §2.6 `string_reference`, §2.8): `__all__` entries are part of a rename, arguments of `getattr`
 * and its like are questions, everything else is text and stays (M12). Told by the syntax around a string, never by its spelling alone.
 */

import { withSourceTree } from '../../../index/navigate/read-file-facts.ts';
import type { TextSpan } from '../../../languages/facts.ts';
import { isJavaScript } from '../../../languages/language-family.ts';
import type { Node } from '../../../languages/parsing/syntax-node.ts';

type StringRole =
  /** An entry of a literal `__all__`. */
  | 'all'
  /** Names a member or export while the program runs, or to a reader of types. */
  | 'reaching'
  /** A part of a dotted path: `"shop.base.helper"`. */
  | 'dotted'
  | 'text';

export async function readStringRoles(
  path: string,
  language: string,
  text: string,
  spans: readonly TextSpan[],
): Promise<readonly StringRole[]> {
  const roleOf =
    language === 'python'
      ? pythonRole
      : language === 'go'
        ? goRole
        : isJavaScript(language)
          ? javascriptRole
          : undefined;
  if (roleOf === undefined || spans.length === 0) return spans.map(() => 'text');
  return withSourceTree(path, language, text, ({ root }) =>
    spans.map((span) => {
      const node = findString(root, span.start);
      return node === null ? 'text' : roleOf(node, span, text);
    }),
  );
}

function findString(root: Node, at: number): Node | null {
  let found: Node | null = root.descendantForIndex(at, at);
  while (found !== null && !/(?:^|_)string(?:_literal)?$/.test(found.type)) found = found.parent;
  return found;
}

/** The string is the name and nothing else. */
function isWhole(node: Node, { start, end }: TextSpan, text: string): boolean {
  const before = text.slice(node.startIndex, start);
  const after = text.slice(end, node.endIndex);
  return /^[A-Za-z]{0,2}(?:"""|'''|["'`])$/.test(before) && /^(?:"""|'''|["'`])$/.test(after);
}

const reachingCalls =
  /(?:^|\.)(?:getattr|setattr|hasattr|delattr|attrgetter|methodcaller)$|(?:^|\.)patch\.(?:object|multiple)$/;
const maxDepth = 12;

function pythonRole(node: Node, span: TextSpan, text: string): StringRole {
  const whole = isWhole(node, span, text);
  let above: Node | null = node.parent;
  for (let depth = 0; above !== null && depth < maxDepth; depth += 1, above = above.parent) {
    const { type } = above;
    if (type === 'assignment' || type === 'augmented_assignment') {
      const left = textOf(above.childForFieldName('left'), text);
      if (left === '__all__') return whole ? 'all' : 'reaching';
      if (/^(?:__slots__|__match_args__)$/.test(left)) return 'reaching';
    }
    if (type === 'type') return 'reaching';
    if (type === 'call') {
      const callee = textOf(above.childForFieldName('function'), text);
      if (/^__all__\.(?:append|extend)$/.test(callee)) return whole ? 'all' : 'reaching';
      if (whole && reachingCalls.test(callee)) return 'reaching';
      if (/(?:^|\.)(?:cast|TypeVar|ForwardRef)$/.test(callee)) return 'reaching';
    }
    if (
      type === 'subscript' &&
      whole &&
      /__dict__$|^(?:globals|locals|vars)\(/.test(textOf(above.childForFieldName('value'), text))
    )
      return 'reaching';
    if (/_definition$|_statement$/.test(type) && type !== 'expression_statement') break;
  }
  return /\.$/.test(text.slice(node.startIndex, span.start)) &&
    /^["']?[\w.:]*["']$/.test(text.slice(span.end, node.endIndex))
    ? 'dotted'
    : 'text';
}

function goRole(node: Node, span: TextSpan, text: string): StringRole {
  const call = node.parent?.type === 'argument_list' ? node.parent.parent : null;
  const callee = textOf(call?.childForFieldName('function') ?? null, text);
  if (isWhole(node, span, text) && /\.(?:MethodByName|FieldByName|Lookup)$/.test(callee)) return 'reaching';
  // Templates name fields and methods: `{{ .Name }}`.
  const before = text.slice(node.startIndex, span.start);
  const isInTemplate = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  return isInTemplate && /\.$/.test(before) ? 'reaching' : 'text';
}

function javascriptRole(node: Node, span: TextSpan, text: string): StringRole {
  if (!isWhole(node, span, text)) return 'text';
  const { parent } = node;
  const isName =
    parent?.type === 'subscript_expression' ||
    parent?.type === 'computed_property_name' ||
    parent?.type === 'literal_type' ||
    (parent?.childForFieldName('key') ?? parent?.childForFieldName('name') ?? null)?.equals(node) === true ||
    (parent?.type === 'binary_expression' && textOf(parent.childForFieldName('operator'), text) === 'in');
  return isName ? 'reaching' : 'text';
}

function textOf(node: Node | null, text: string): string {
  return node === null ? '' : text.slice(node.startIndex, node.endIndex);
}
