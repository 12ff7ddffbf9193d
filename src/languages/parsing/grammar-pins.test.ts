import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { blake3Hex } from '../../kernel/base/hash.ts';
import { checkGrammars, type GrammarPin, listPins, oxcPin } from './grammar-pins.ts';

const require = createRequire(import.meta.url);

test.each([...listPins()])('the pin of %s is the installed file', (name, pin: GrammarPin) => {
  const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(pin).toEqual({
    wasm: `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`,
    version: dependencies['@vscode/tree-sitter-wasm'],
    blake3: blake3Hex(readFileSync(require.resolve(pin.wasm))),
  });
});

test('the pin of oxc is the installed file, and part of what reads TypeScript', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(oxcPin).toEqual({
    wasm: oxcPin.wasm,
    version: devDependencies['oxc-parser'],
    blake3: blake3Hex(readFileSync(require.resolve(oxcPin.wasm))),
  });
  const read = (name: string) => (name === oxcPin.wasm ? new Uint8Array(3) : readFileSync(require.resolve(name)));
  expect(checkGrammars(['typescript', 'python'], read).map(({ state }) => state)).toEqual(['other', 'pinned']);
  expect(checkGrammars(['typescript'])[0]?.version).toContain(`oxc-${devDependencies['oxc-parser']}`);
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
