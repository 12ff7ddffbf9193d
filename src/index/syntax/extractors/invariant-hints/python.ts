/** Python. */

import type { Node } from 'web-tree-sitter';
import { listChildren, type Visitors } from '../../walk-tree.ts';
import { type ContractTag, type HintNotes, readTags } from './hints.ts';

const tagPattern = /^[ \t]{0,80}(?:["']{3})?[ \t]{0,80}(:raises?\b|raises:|\.\. deprecated::)/gim;
const tags: Readonly<Record<string, ContractTag>> = {
  ':raises': 'throws',
  ':raise': 'throws',
  'raises:': 'throws',
  '.. deprecated::': 'deprecated',
};
const models = new Set(['BaseModel', 'RootModel', 'BaseSettings', 'GenericModel']);

export function pythonHintVisitors(notes: HintNotes): Visitors {
  /** Names of classes that are models: imported, or declared here as one. */
  const known = new Set<string>();
  return {
    assert_statement(node) {
      notes.assertion('assert', node);
      return undefined;
    },
    if_statement(node) {
      const body = node.childForFieldName('consequence');
      const [first] = listChildren(body);
      if (first?.type !== 'raise_statement' || node.childForFieldName('alternative') !== null) return undefined;
      // `raise` and `raise error` pass on what was somebody else's rule; classes begin with a capital.
      if (/^raise\s+(?![a-z_]\w*\s*$)\S/.test(notes.head(first, 200))) notes.assertion('throw_guard', node);
      return undefined;
    },
    call(node) {
      const callee = node.childForFieldName('function');
      if (callee !== null && /^(?:typing(?:_extensions)?\.)?assert_never$/.test(notes.head(callee, 40))) {
        notes.assertion('exhaustive_never', node);
      }
      return undefined;
    },
    function_definition(node) {
      const name = node.childForFieldName('name');
      const returns = node.childForFieldName('return_type');
      if (name !== null && /^test(?:_|[A-Z0-9]|$)/.test(notes.head(name, 200)))
        notes.title(node, notes.head(name, 200));
      if (returns !== null && /^(?:\w{1,40}\.)?Type(?:Guard|Is)\[/.test(notes.head(returns, 60))) {
        notes.assertion('type_guard', node, { start: node.startIndex, end: returns.endIndex });
      }
      return undefined;
    },
    import_from_statement(node) {
      const module = node.childForFieldName('module_name');
      if (module === null || !/^pydantic(?:_settings)?(?:\.|$)/.test(notes.head(module, 60))) return undefined;
      for (const child of listChildren(node).slice(1)) {
        const [name, alias] = [child.childForFieldName('name') ?? child, child.childForFieldName('alias')];
        if (models.has(notes.head(name, 40))) known.add(notes.head(alias ?? name, 100));
      }
      return undefined;
    },
    class_definition(node) {
      const [name, bases] = [node.childForFieldName('name'), node.childForFieldName('superclasses')];
      if (name === null || bases === null) return undefined;
      const isModel = listChildren(bases)
        .slice(0, 20)
        .some((base) => isModelBase(notes.head(base, 100)));
      if (!isModel) return undefined;
      const declared = notes.head(name, 100);
      known.add(declared);
      notes.validator('pydantic', node, declared);
      return undefined;
    },
    string(node: Node) {
      if (node.parent?.type === 'expression_statement') readTags(notes, node, tagPattern, tags);
      return undefined;
    },
  };

  function isModelBase(base: string): boolean {
    const plain = base.split('[')[0] ?? '';
    const [module, name] = plain.split('.');
    return known.has(plain) || (/^pydantic(?:_settings)?$/.test(module ?? '') && models.has(name ?? ''));
  }
}
