/** Calls that look a function up by its name in a string. */

import type { Node } from 'web-tree-sitter';
import type { DynamicSite } from '../../facts.ts';

const lookup = /^(?:dlsym|dlvsym|GetProcAddress|g_module_symbol|SDL_LoadFunction)$/;
const anyLookup = /\b(?:dlsym|dlvsym|GetProcAddress|g_module_symbol|SDL_LoadFunction)\b/;

export function findDynamicSymbols(root: Node, text: string): DynamicSite[] {
  if (!anyLookup.test(text)) return [];
  const sites: DynamicSite[] = [];
  for (const call of root.descendantsOfType('call_expression')) {
    const called = call?.childForFieldName('function');
    if (!call || !called || called.endIndex - called.startIndex > 64) continue;
    const name = text.slice(called.startIndex, called.endIndex).replace(/^::/, '');
    if (!lookup.test(name)) continue;
    const literal = call.childForFieldName('arguments')?.namedChildren.find((child) => child.type === 'string_literal');
    const written = literal === undefined ? '' : text.slice(literal.startIndex, literal.endIndex);
    const asked = /^"([^"\\]*)"$/.exec(written)?.[1] ?? null;
    sites.push({ kind: 'reflection', name: asked, start: call.startIndex, end: call.endIndex });
  }
  return sites;
}
