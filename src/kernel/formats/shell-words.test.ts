import { expect, test } from 'vitest';
import { collapseSpace, joinWords, splitWords, unquoteWord } from './shell-words.ts';

test('quotes keep words together and stay', () => {
  expect(splitWords(`a "b c"d 'e "f' g\\ h "i\\" j"`, '\\')).toEqual(['a', '"b c"d', `'e "f'`, 'g\\ h', '"i\\" j"']);
  expect(splitWords('C:\\a b` c "open', '`')).toEqual(['C:\\a', 'b` c', '"open']);
});

test('quotes and escapes are taken away as a shell does', () => {
  expect(unquoteWord(`a"b \\" \\n"'c\\d'\\e`)).toBe('ab " \\nc\\de');
});

test('a command of many lines is shown as one; quoted text keeps its blanks', () => {
  expect(collapseSpace('  a   &&\t b "c   d"  e\\  f ')).toBe('a && b "c   d" e\\  f');
  expect(joinWords(['sh', '-c', "it's $HOME", ''])).toBe(`sh -c 'it'\\''s $HOME' ''`);
});
