import { expect, test } from 'vitest';
import {
  collapseSpace,
  joinWords,
  readJsonForm,
  splitWords,
  takeFlags,
  unquoteWord,
} from './dockerfile-instructions.ts';

test('quotes keep words together and stay', () => {
  expect(splitWords(`a "b c"d 'e "f' g\\ h "i\\" j"`, '\\')).toEqual(['a', '"b c"d', `'e "f'`, 'g\\ h', '"i\\" j"']);
  expect(splitWords('C:\\a b` c "open', '`')).toEqual(['C:\\a', 'b` c', '"open']);
});

test('quotes and escapes are taken away as a shell does', () => {
  expect(unquoteWord(`a"b \\" \\n"'c\\d'\\e`)).toBe('ab " \\nc\\de');
});

test('flags end at the first other word', () => {
  expect(takeFlags('--mount=type=cache,target=/x --network=none npm --flag ci')).toEqual({
    flags: [
      { name: 'mount', value: 'type=cache,target=/x' },
      { name: 'network', value: 'none' },
    ],
    rest: 'npm --flag ci',
  });
  expect(takeFlags('--link -- --odd')).toEqual({ flags: [{ name: 'link', value: null }], rest: '--odd' });
});

test.each([
  ['["a", "b c"]', 'array'],
  ['[]', 'array'],
  ['[ "a" ,\t"b" ]', 'array'],
  ["['a', 'b']", 'malformed'],
  ['["a", "b"', 'malformed'],
  ['["a",]', 'malformed'],
  ['[1]', 'malformed'],
  ['[node, index.js]', 'malformed'],
  ['["a"] && b', 'malformed'],
  ['[ "$a" = "b" ] && c', 'text'],
  ['[ -f /x ]', 'text'],
  ['[[ -f /x ]]', 'text'],
  ['npm start', 'text'],
])('%s is %s', (text, kind) => {
  expect(readJsonForm(text).kind).toBe(kind);
});

test('a command of many lines is shown as one; quoted text keeps its blanks', () => {
  expect(collapseSpace('  a   &&\t b "c   d"  e\\  f ')).toBe('a && b "c   d" e\\  f');
  expect(joinWords(['sh', '-c', "it's $HOME", ''])).toBe(`sh -c 'it'\\''s $HOME' ''`);
});
