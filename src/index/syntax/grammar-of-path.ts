/** The grammar for a path, by its extension. Apart from `grammars.ts` so that asking does not load the parser. */

import type { GrammarName } from './grammars.ts';

/** The grammars that the extractors of probes know. */
export type ProbeGrammar = Extract<
  GrammarName,
  'typescript' | 'tsx' | 'javascript' | 'python' | 'go' | 'rust' | 'java'
>;

const byExtension: Readonly<Record<string, ProbeGrammar>> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
};

export function findGrammar(path: string): ProbeGrammar | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}
