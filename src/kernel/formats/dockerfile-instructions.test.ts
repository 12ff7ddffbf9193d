// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how Dockerfiles write variables

import { DockerfileParser } from 'dockerfile-ast';
import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { dockerfileLimits, readInstructions, readJsonForm, substitute, takeFlags } from './dockerfile-instructions.ts';

function shortly(text: string): readonly string[] {
  return readInstructions(text).instructions.map(({ keyword, text: rest, line }) =>
    `${line} ${keyword} ${rest}`.trim(),
  );
}

test('continuation lines are joined, comments and empty lines between them dropped', () => {
  expect(shortly('FROM a\nRUN x \\\n# why\n\n  # indented\n && y\\\nz \\  \n\nCMD b\n')).toEqual([
    '1 FROM a',
    '2 RUN x  && yz CMD b',
  ]);
  expect(shortly('FROM a\r\nRUN x \\\r\n  # why\r\n  y\r\nCMD b\r\n')).toEqual(['1 FROM a', '2 RUN x   y', '5 CMD b']);
});

test('a doubled escape character continues nothing', () => {
  expect(shortly('FROM a\nRUN echo \\\\\nCMD b')).toEqual(['1 FROM a', '2 RUN echo \\\\', '3 CMD b']);
});

test('directives count only before everything else', () => {
  const list = readInstructions('\ufeff#syntax = docker/dockerfile:1 \n# escape=`\nFROM a\nRUN x `\n y\n');
  expect(list).toMatchObject({ escape: '`', syntax: 'docker/dockerfile:1', problems: [] });
  expect(list.instructions).toHaveLength(2);
  expect(readInstructions('# a comment\n# escape=`\nFROM a').escape).toBe('\\');
  expect(readInstructions('\n# escape=`\nFROM a').escape).toBe('\\');
  expect(readInstructions('# escape=x\nFROM a').problems).toEqual([
    { line: 1, message: 'escape must be a backslash or a backtick' },
  ]);
});

test('here-documents are taken out, however many and however they are written', () => {
  const list = readInstructions(
    'FROM a\nRUN <<-"EOF" cat > x && 3<<B cat\n\tFROM $no\n\tEOF\nFROM x\nB\nCOPY <<A <<\'C\' /d/\nRUN q\nA\nRUN z\nC\nCMD y\n',
  );
  expect(list.problems).toEqual([]);
  expect(list.instructions.map(({ keyword, line, heredocs }) => ({ keyword, line, heredocs }))).toEqual([
    { keyword: 'FROM', line: 1, heredocs: [] },
    {
      keyword: 'RUN',
      line: 2,
      heredocs: [
        { name: 'EOF', expands: false, line: 3, content: 'FROM $no\n' },
        { name: 'B', expands: true, line: 5, content: 'FROM x\n' },
      ],
    },
    {
      keyword: 'COPY',
      line: 7,
      heredocs: [
        { name: 'A', expands: true, line: 8, content: 'RUN q\n' },
        { name: 'C', expands: false, line: 10, content: 'RUN z\n' },
      ],
    },
    { keyword: 'CMD', line: 12, heredocs: [] },
  ]);
});

test('a here-document starts after the whole line, and only in instructions that have one', () => {
  expect(shortly('FROM a\nRUN cat <<E > /x \\\n && foo\nhello\nE\nCMD y')).toEqual([
    '1 FROM a',
    '2 RUN cat <<E > /x  && foo',
    '6 CMD y',
  ]);
  expect(shortly('FROM a\nRUN echo "x <<E" $((1<<2)) <<<word\nENV X <<E\nCMD y')).toHaveLength(4);
  expect(shortly('FROM a\nONBUILD RUN <<E\nFROM no\nE\nCMD y')).toHaveLength(3);
});

test('an unterminated here-document costs its own instruction, not the rest of the file', () => {
  const list = readInstructions('FROM a\nRUN cat <<EOF;\nx\nCMD ["y"]\n');
  expect(list.problems).toEqual([{ line: 2, message: 'unterminated here-document <<EOF;' }]);
  expect(list.instructions.at(-1)).toMatchObject({ keyword: 'CMD', line: 4 });
});

test('instructions and lines are those of dockerfile-ast wherever it reads as the builder does', () => {
  const word = fc.constantFrom(
    'a',
    '-b',
    '/c',
    '"d e"',
    "'f'",
    '$X',
    '${Y:-z}',
    '&&',
    '\\\n ',
    '\\\n# note\n ',
    '[',
    'x=y',
  );
  const instruction = fc
    .tuple(fc.constantFrom('RUN', 'COPY', 'env', 'CMD', 'Label'), fc.array(word, { minLength: 1, maxLength: 6 }))
    .map(([keyword, words]) => `${keyword} first ${words.join(' ')} last`);
  const heredoc = fc
    .tuple(
      fc.constantFrom('EOF', '-EOF', '"EOF"'),
      fc.array(fc.constantFrom('FROM x', '', '# y', 'RUN \\', '\tz'), { maxLength: 4 }),
    )
    .map(([name, body]) => [`RUN cat <<${name} > /x`, ...body, 'EOF'].join('\n'));
  const comment = fc.constantFrom('# note', '', '  ');
  fc.assert(
    fc.property(fc.array(fc.oneof(instruction, heredoc, comment), { maxLength: 12 }), (parts) => {
      const text = `FROM base\n${parts.join('\n')}\n`;
      const theirs = DockerfileParser.parse(text)
        .getInstructions()
        .map((each) => `${each.getRange().start.line + 1} ${each.getKeyword()}`);
      expect(readInstructions(text).instructions.map(({ line, keyword }) => `${line} ${keyword}`)).toEqual(theirs);
    }),
    { numRuns: 300 },
  );
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

const values: Readonly<Record<string, string>> = { A: '1', EMPTY: '', LONG: 'x'.repeat(5_000) };
const lookup = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);

test.each([
  ['$A', '1'],
  ['${A}b$A', '1b1'],
  ['${NONE:-y}', 'y'],
  ['${EMPTY:-y}', 'y'],
  ['${EMPTY-y}', ''],
  ['${NONE-y}', 'y'],
  ['${A:+set}', 'set'],
  ['${EMPTY:+set}', ''],
  ['${EMPTY+set}', 'set'],
  ['${NONE:+set}', ''],
  ['${NONE:-${A:-z}}', '1'],
  ['${NONE:-a}${NONE:-}', 'a'],
  ['\'$A\' "$A" \\$A', '$A 1 $A'],
  ['"a\\nb"', 'a\\nb'],
  ['$', '$'],
  ['$1 $$ ${', '$1 $$ ${'],
])('%s → %s', (raw, text) => {
  expect(substitute(raw, '\\', lookup)).toEqual({ text, unresolved: [] });
});

test.each([
  ['/bin:$PATH', ['PATH']],
  ['${NONE}', ['NONE']],
  ['${A#pattern}', ['A']],
  ['${A/x/y}', ['A']],
  ['${NONE:?must be there}', ['NONE']],
  ['${NONE:-$OTHER}', ['OTHER']],
])('%s stays as written and is named', (raw, unresolved) => {
  const { text, unresolved: named } = substitute(raw, '\\', lookup);
  expect(named).toEqual(unresolved);
  expect(text).toContain('$');
});

test('G40 whatever the text, the answer comes and is bounded', () => {
  const part = fc.constantFrom('${', '$A', '${A:-', '}', '"', "'", '\\', '$LONG', 'x', ':', '{', '${NONE:+');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
      expect(substitute(parts.join(''), '\\', lookup).text.length).toBeLessThanOrEqual(dockerfileLimits.valueChars);
    }),
  );
});
