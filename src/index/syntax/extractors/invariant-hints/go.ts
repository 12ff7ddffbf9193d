/** Go. An error that is passed on is no guard; one that is made, or a panic, is. */

import type { Node } from 'web-tree-sitter';
import { listChildren, type Visitors } from '../../walk-tree.ts';
import { type HintNotes, readTags } from './hints.ts';

const testName = /^Test(?!\p{Ll})/u;
const deprecated = /^[ \t]{0,80}(?:\/\/|\/\*)?[ \t*]{0,40}(Deprecated):/gm;

export function goHintVisitors(notes: HintNotes): Visitors {
  return {
    if_statement(node) {
      const [first] = statementsOf(node.childForFieldName('consequence'));
      const condition = node.childForFieldName('condition');
      if (first === undefined || condition === null || node.childForFieldName('alternative') !== null) return undefined;
      if (/\berr\b/.test(notes.head(condition, 300))) return undefined;
      const written = notes.head(first, 300);
      const throws = /^panic\(/.test(written) || /^return\b[^{]{0,200}\b(?:errors\.New|fmt\.Errorf)\(/.test(written);
      if (throws) notes.assertion('throw_guard', node);
      return undefined;
    },
    function_declaration(node) {
      const [name, parameters] = [node.childForFieldName('name'), node.childForFieldName('parameters')];
      const isTest = name !== null && testName.test(notes.head(name, 200));
      if (isTest && parameters !== null && /\*testing\.T\b/.test(notes.head(parameters, 100))) {
        notes.title(node, notes.head(name, 200));
      }
      return undefined;
    },
    call_expression(node) {
      const callee = node.childForFieldName('function');
      if (callee === null || !/^\w{1,40}\.Run$/.test(notes.head(callee, 50))) return undefined;
      const [title, body] = listChildren(node.childForFieldName('arguments'));
      const isLiteral = title?.type === 'interpreted_string_literal' || title?.type === 'raw_string_literal';
      if (isLiteral && body?.type === 'func_literal') notes.title(node, notes.head(title, 1_000));
      return undefined;
    },
    comment(node) {
      readTags(notes, node, deprecated, { deprecated: 'deprecated' });
      return undefined;
    },
  };
}

/** Newer grammars have a list between a block and its statements. */
function statementsOf(block: Node | null): readonly Node[] {
  const children = listChildren(block);
  return children[0]?.type === 'statement_list' ? listChildren(children[0]) : children;
}
