import { expect, test } from 'vitest';
import { parseSkill, type SkillOutcome } from './skill-file.ts';

function parse(...lines: string[]): SkillOutcome {
  return parseSkill(new TextEncoder().encode(lines.join('\n')));
}

function failure(outcome: SkillOutcome) {
  return outcome.kind === 'failed' ? outcome.failure : undefined;
}

test('both forms become one shape; lists that are not given restrict nothing', () => {
  expect(parse('---', 'id: a', 'applies_to_tasks: [t]', '---', 'body')).toMatchObject({
    kind: 'loaded',
    bodyOffset: 36,
    skill: { id: 'a', description: null, appliesToTasks: ['t'], appliesToLanguages: ['*'], conditions: [] },
    unknownKeys: [],
  });
  expect(
    parse(
      '---',
      'name: b',
      'description: "two\\nlines"',
      'applies_to:',
      '  conditions: [{monorepo: true, a.b: 1}]',
      '---',
    ),
  ).toMatchObject({
    kind: 'loaded',
    skill: {
      id: 'b',
      description: 'two lines',
      conditions: [
        { field: 'monorepo', equals: true },
        { field: 'a.b', equals: 1 },
      ],
    },
  });
});

test('CRLF and a byte order mark are accepted, and the offset counts the file’s own bytes', () => {
  const text = '---\r\nid: ä\r\n---\r\nbody';
  const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
  const outcome = parseSkill(bytes);
  expect(outcome.kind === 'loaded' && new TextDecoder().decode(bytes.subarray(outcome.bodyOffset))).toBe('body');
});

test('G21 unknown keys are reported and the skill still loads', () => {
  expect(parse('---', 'name: a', 'extra: 1', 'applies_to: {colour: red}', '---')).toMatchObject({
    kind: 'loaded',
    unknownKeys: ['extra', 'applies_to.colour'],
  });
});

test('G21 tags, deep nesting and alias bombs are unsafe', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x,x]',
    ...'bcdefg'.split('').map((key, n) => {
      const before = 'abcdef'[n];
      return `${key}: &${key} [${Array(10).fill(`*${before}`).join(',')}]`;
    }),
  ];
  expect(failure(parse('---', 'id: !!js/function "x"', '---'))).toEqual({ reason: 'unsafe_yaml' });
  expect(failure(parse('---', 'id: !ruby/object:Gem x', '---'))).toEqual({ reason: 'unsafe_yaml' });
  expect(failure(parse('---', 'id: a', `deep: ${'['.repeat(30)}${']'.repeat(30)}`, '---'))).toEqual({
    reason: 'unsafe_yaml',
  });
  expect(failure(parse('---', 'id: a', ...bomb, '---'))).toEqual({ reason: 'unsafe_yaml' });
  expect(failure(parse('---', 'id: [', '---'))).toEqual({ reason: 'unsafe_yaml' });
});

test('G21 a list at the top, no id, a wrong type: schema, with what is wrong', () => {
  expect(failure(parse('---', '- a', '---'))).toEqual({ reason: 'schema', details: 'front matter is not a mapping' });
  expect(failure(parse('---', 'description: x', '---'))).toMatchObject({
    reason: 'schema',
    details: expect.stringContaining('name'),
  });
  expect(failure(parse('---', 'id: 7', '---'))).toMatchObject({
    reason: 'schema',
    details: expect.stringContaining('id'),
  });
  expect(failure(parse('---', 'id: a', 'applies_to_tasks: all', '---'))).toMatchObject({ reason: 'schema' });
  expect(failure(parse('just text'))).toEqual({ reason: 'schema', details: 'no front matter' });
});

test('G21 unterminated front matter, also one that goes on beyond the head', () => {
  expect(failure(parse('---', 'id: a'))).toEqual({ reason: 'frontmatter_unterminated' });
  expect(failure(parse('---', 'id: a', `x: ${'y'.repeat(70_000)}`))).toEqual({ reason: 'frontmatter_unterminated' });
});

test('G21 bytes that are not UTF-8 are unsafe in the front matter and allowed in the body', () => {
  const front = new TextEncoder().encode('---\nid: a\n---\n');
  expect(parseSkill(new Uint8Array([...front, 0xff, 0xfe]))).toMatchObject({ kind: 'loaded', bodyOffset: 14 });
  const broken = Uint8Array.from(front);
  broken[8] = 0xff;
  expect(failure(parseSkill(broken))).toEqual({ reason: 'unsafe_yaml' });
});

test('G11 a key called __proto__ is data', () => {
  expect(parse('---', 'id: a', '__proto__: {polluted: true}', '---')).toMatchObject({ kind: 'loaded' });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
