/**
 * The grammars this code was written against: package version and hash of the wasm file. Another file would give other trees, so
 * whoever reports what a grammar saw says which one it was, and refuses one that is not the pinned one.
 * After an upgrade the test beside this file names the new hashes.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { blake3Hex } from '../../kernel/base/hash.ts';
import type { GrammarName } from './parse-source.ts';

export type GrammarPin = { readonly wasm: string; readonly version: string; readonly blake3: string };

export const grammarPins: Readonly<Record<ProbeGrammar, GrammarPin>> = {
  typescript: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm',
    version: '0.3.1',
    blake3: '54531d7f858516451e7442686af449b1f30a460fd3cb3506e00d6956960395eb',
  },
  tsx: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm',
    version: '0.3.1',
    blake3: 'e962e1f42274da22b750c193072bdad99fc9cc4b98cd1dfc62984f4b549c3712',
  },
  javascript: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm',
    version: '0.3.1',
    blake3: 'f032a9022d2ea8f12084da5bc87c481149a72d496c2377288c18c8ee24c24425',
  },
  python: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm',
    version: '0.3.1',
    blake3: '0bade44054aa795718a0e578a4e1ee7a178ae2701b03f2fffff6dcc036569bbb',
  },
  go: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm',
    version: '0.3.1',
    blake3: '006b2b9778d3078e066d1ddd1715e71bddf18d190269654ad600ba207047f72f',
  },
  rust: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
    version: '0.3.1',
    blake3: '224b8049210561e8f294f7a9a6ba0f5e473d9b31ea6815f3b40777b596057fd3',
  },
  java: {
    wasm: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
    version: '0.3.1',
    blake3: 'a9f4714922f7d7599966a18e58040e6f0b288c5d63ed14511260fcae03823adf',
  },
};

export type GrammarCheck = {
  readonly name: ProbeGrammar;
  /** `<package version>+blake3:<16 hex of the pinned file>`. */
  readonly version: string;
  readonly state: 'pinned' | 'other' | 'missing';
};

const require = createRequire(import.meta.url);

export function checkGrammars(
  names: readonly ProbeGrammar[],
  readWasm: (name: string) => Uint8Array = (name) => readFileSync(require.resolve(name)),
): readonly GrammarCheck[] {
  return names.map((name) => {
    const pin = grammarPins[name];
    return { name, version: `${pin.version}+blake3:${pin.blake3.slice(0, 16)}`, state: stateOf(pin, readWasm) };
  });
}

function stateOf(pin: GrammarPin, readWasm: (name: string) => Uint8Array): GrammarCheck['state'] {
  let bytes: Uint8Array;
  try {
    bytes = readWasm(pin.wasm);
  } catch {
    return 'missing';
  }
  return blake3Hex(bytes) === pin.blake3 ? 'pinned' : 'other';
}

// The grammar for a path, by its extension. Apart from `grammars.ts` so that asking does not load the parser.

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
