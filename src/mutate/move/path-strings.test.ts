import { expect, test } from 'vitest';
import { findConfigStems, findPathStrings } from './path-strings.ts';

const moves = new Map([['src/lib/a.ts', 'src/core/b.ts']]);

function rewrite(home: string, text: string, find = findPathStrings): string {
  const found = [...find(home, text, moves)].sort((a, b) => b.start - a.start);
  return found.reduce((sum, { start, end, newText }) => sum.slice(0, start) + newText + sum.slice(end), text);
}

test('a path counts from the root and from where it stands, in the way it is written', () => {
  expect(rewrite('package.json', '{"main":"./src/lib/a.ts","files":["src/lib/a.ts"]}')).toBe(
    '{"main":"./src/core/b.ts","files":["src/core/b.ts"]}',
  );
  expect(rewrite('src/lib/x.json', '["a.ts","./a.ts","/src/lib/a.ts"]')).toBe(
    '["../core/b.ts","../core/b.ts","/src/core/b.ts"]',
  );
  expect(rewrite('.github/workflows/ci.yml', 'run: node src/lib/a.ts --x')).toBe('run: node src/core/b.ts --x');
  expect(rewrite('docs/x.md', 'see [it](../src/lib/a.ts).')).toBe('see [it](../src/core/b.ts).');
});

test('what only looks like it is left alone', () => {
  for (const text of [
    'a.ts',
    'lib/a.ts',
    'src/lib/a.tsx',
    'src/lib/aa.ts',
    'x/src/lib/a.ts',
    'src/lib/a.ts.bak',
    'src/lib/a.ts/b',
  ])
    expect(findPathStrings('package.json', text, moves)).toEqual([]);
});

test('module configurations may leave the ending out, in whole strings', () => {
  expect(rewrite('tsconfig.json', '{"paths":{"x":["./src/lib/a"],"src/lib":["lib/a"]}}', findConfigStems)).toBe(
    '{"paths":{"x":["./src/core/b"],"src/lib":["lib/a"]}}',
  );
});
