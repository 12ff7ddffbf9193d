import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { checkGrammars, grammarPins, type ProbeGrammar } from './grammar-pins.ts';
import { wasmOf } from './parse-source.ts';

const require = createRequire(import.meta.url);
const names = Object.keys(grammarPins) as ProbeGrammar[];

test.each(names)('the pin of %s is the installed file', (name) => {
  const { wasm, version, blake3 } = grammarPins[name];
  const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect({ wasm, version, blake3 }).toEqual({
    wasm: wasmOf(name),
    version: dependencies['@vscode/tree-sitter-wasm'],
    blake3: blake3Hex(readFileSync(require.resolve(wasm))),
  });
});

test('another file and no file are told apart', () => {
  const [pinned] = checkGrammars(['go']);
  expect(pinned?.state).toBe('pinned');
  expect(checkGrammars(['go'], () => new Uint8Array(3))).toEqual([{ ...pinned, state: 'other' }]);
  const gone = () => {
    throw new Error('gone');
  };
  expect(checkGrammars(['go'], gone)).toEqual([{ ...pinned, state: 'missing' }]);
});
