import { expect, test } from 'vitest';
import { scrambled } from '../../../test/support/secret-samples.ts';
import { compilePattern, type TextMatch } from './find-matches.ts';
import { createLineTexts, noSecretsKnown } from './line-texts.ts';

function find(text: string, query: string): readonly TextMatch[] {
  const compiled = compilePattern({ kind: 'literal', query, ignoreCase: false, wholeWord: false });
  if (compiled.kind === 'invalid') throw new Error(compiled.detail);
  return compiled.find(Buffer.from(text), { max: 1_000, from: 0 });
}

const secret = `${'gh'}p_${scrambled(36, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 11)}`;

test('P8: a secret is masked wherever a block of the text begins or ends', () => {
  const blockBytes = 16 * 1024;
  for (const from of [0, blockBytes - 60, blockBytes - 20, blockBytes - 1, blockBytes, 2 * blockBytes - 30]) {
    for (const filler of ['x\n', 'é\n']) {
      const before = filler.repeat(Math.ceil(from / Buffer.byteLength(filler)));
      const text = `${before}const a = '${secret}'; // needle\n${filler.repeat(12_000)}needle\n`;
      const known = noSecretsKnown();
      for (let look = 0; look < 2; look += 1) {
        const lineText = createLineTexts(Buffer.from(text), known);
        const [first, second] = find(text, 'needle').map(lineText);
        expect(first).toBe(`const a = '${'*'.repeat(secret.length)}'; // needle`);
        expect(second).toBe('needle');
      }
    }
  }
});

test('P8: a secret is masked whether or not others were looked for before', () => {
  const text = `needle\n${'word\n'.repeat(5_000)}needle '${secret}'\n${'word\n'.repeat(5_000)}needle '${secret}'`;
  const known = noSecretsKnown();
  const matches = find(text, 'needle');
  const inOrder = matches.map(createLineTexts(Buffer.from(text), known));
  const backwards = [...matches].reverse().map(createLineTexts(Buffer.from(text), noSecretsKnown()));
  expect(inOrder).toEqual([...backwards].reverse());
  expect(inOrder.join('\n')).not.toContain(secret.slice(4));
});
