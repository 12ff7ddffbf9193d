import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import fc from '../../../test/support/properties.ts';
import { canonicalJson } from '../base/json.ts';
import { parseYaml, parseYamlDocuments, parseYamlObject, parseYamlStrings, splitFrontmatter } from './yaml.ts';

const limits = { maxBytes: 1 << 22, maxDepth: 64 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseYaml(utf8(text), limits);
const outcomeOf = (text: string) => {
  const outcome = parse(text);
  return outcome.ok ? outcome.value : outcome.failure;
};

const yamlish = fc
  .array(
    fc.constantFrom(
      ...'abc:-?[]{},#&*!|>\'"%@ \n\t~<.0\\',
      ': ',
      '- ',
      '\n  ',
      '&a ',
      '*a',
      '<<: ',
      '!!x ',
      '---\n',
      '|\n ',
    ),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(''));

describe('G40 total', () => {
  test('G40 arbitrary bytes never throw and always give an outcome', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        for (const parser of [parseYaml, parseYamlObject, parseYamlDocuments, parseYamlStrings]) {
          expect(typeof parser(bytes, limits).ok).toBe('boolean');
        }
      }),
    );
  });

  test('G40 text made of YAML indicators never throws, and what comes out is JSON', () => {
    fc.assert(
      fc.property(yamlish, (text) => {
        const outcome = parse(text);
        if (outcome.ok) expect(JSON.parse(JSON.stringify(outcome.value))).toEqual(outcome.value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('G40 what the library writes comes back equal', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain = JSON.parse(canonicalJson(value as never));
        const outcome = parse(stringify(plain, { aliasDuplicateObjects: false }));
        // As text: the matchers overlook an own `__proto__`.
        expect(outcome.ok && canonicalJson(outcome.value)).toBe(canonicalJson(plain));
      }),
    );
  });
});

describe('G10 depth', () => {
  const tooDeep = { ok: false, failure: { kind: 'depth_cap_exceeded', cap: 64 } };

  test.each([
    ['flow lists', '['.repeat(100_000)],
    ['flow mappings', '{a: '.repeat(100_000)],
    ['lists on one line', '- '.repeat(100_000)],
    ['keys on one line', '? '.repeat(100_000)],
    ['indented mappings', Array.from({ length: 500 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    [
      'a chain of aliases',
      Array.from({ length: 80 }, (_, n) => `- &a${n} [${n === 0 ? '' : `*a${n - 1}`}]`).join('\n'),
    ],
  ])('G10 %s', (_, text) => {
    expect(parse(text)).toEqual(tooDeep);
  });

  test('G10 the root container is depth 0', () => {
    expect(parse('['.repeat(65) + ']'.repeat(65)).ok).toBe(true);
    expect(parse('['.repeat(66) + ']'.repeat(66))).toEqual(tooDeep);
    expect(parse(`${'- '.repeat(65)}x`).ok).toBe(true);
    expect(parse(`${'- '.repeat(66)}x`)).toEqual(tooDeep);
    expect(parseYaml(utf8('a: {b: {c: 1}}'), { ...limits, maxDepth: 2 }).ok).toBe(true);
    expect(parseYaml(utf8('a: {b: {c: {}}}'), { ...limits, maxDepth: 2 }).ok).toBe(false);
  });
});

describe('G10 aliases', () => {
  const exceeded = { ok: false, failure: { kind: 'expansion_cap_exceeded', cap: 100_000 } };

  test('G10 a billion laughs', () => {
    const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
    for (let n = 1; n < 9; n += 1)
      lines.push(
        `a${n}: &a${n} [${Array(9)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
      );
    expect(parse(lines.join('\n'))).toEqual(exceeded);
  });

  test('G10 a wide chain is paid per reference, although the values are shared', () => {
    const anchor = `a: &a [${Array(1000).fill('x').join(', ')}]\n`;
    expect(parse(`${anchor}b: [${Array(99).fill('*a').join(', ')}]`).ok).toBe(true);
    expect(parse(`${anchor}b: [${Array(100).fill('*a').join(', ')}]`)).toEqual(exceeded);
  });

  test('G10 a long text cannot be repeated without bound either', () => {
    expect(parse(`a: &a "${'x'.repeat(1 << 20)}"\nb: [${Array(200).fill('*a').join(', ')}]`)).toEqual(exceeded);
  });

  test('a document without aliases may be larger than the budget', () => {
    expect(parse(`[${'1,'.repeat(100_001)}]`).ok).toBe(true);
  });

  test('the last definition of an anchor counts, a missing one and a cycle are malformed', () => {
    expect(outcomeOf('- &a 1\n- *a\n- &a 2\n- *a')).toEqual([1, 1, 2, 2]);
    expect(outcomeOf('a: 1\nb: *c')).toEqual({ kind: 'malformed', line: 2, detail: 'yaml: unknown alias' });
    expect(outcomeOf('a: &a\n  b: *a')).toMatchObject({ kind: 'malformed', line: 2 });
  });

  test('merge keys: own keys win, then the earlier source', () => {
    const text = 'a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 3\nd:\n  <<: *a\n  <<: *b\n';
    expect(outcomeOf(text)).toMatchObject({ c: { x: 3, y: 1, z: 2 }, d: { x: 1, y: 1, z: 2 } });
    expect(outcomeOf('a:\n  <<: 1')).toMatchObject({ kind: 'malformed', line: 2 });
    expect(outcomeOf('"<<": 1')).toEqual({ '<<': 1 });
  });
});

test('G10 custom tags have no effect and are noted', () => {
  const text =
    'a: !!js/function "x"\nb: !Ref c\nd: !!binary aGk=\ne: !!python/object/apply:os.system [ls]\nf: !!set {g}\n';
  const outcome = parse(text);
  expect(outcome).toMatchObject({ value: { a: 'x', b: 'c', d: 'aGk=', e: ['ls'], f: { g: null } } });
  expect(outcome.ok && outcome.notes.map(({ id, line }) => `${id}:${line}`)).toEqual(
    [1, 2, 3, 4, 5].map((line) => `unknown_tag:${line}`),
  );
});

test('G10 a version directive does not bring back the types of YAML 1.1', () => {
  expect(outcomeOf('%YAML 1.1\n---\na: 2020-01-01\nb: yes\nc: 0o17\n')).toEqual({ a: '2020-01-01', b: 'yes', c: 15 });
});

test('G10 a document of more tokens than memory allows is refused', () => {
  expect(parseYaml(utf8(`[${','.repeat(1 << 22)}`), { maxBytes: 1 << 23, maxDepth: 64 })).toMatchObject({
    failure: { kind: 'expansion_cap_exceeded' },
  });
});

test('G11 __proto__ is data, in every kind of mapping', () => {
  for (const text of ['__proto__: {p: 1}', '{__proto__: {p: 1}}', 'a: &a {__proto__: {p: 1}}\n<<: *a']) {
    const outcome = parseYamlObject(utf8(text), limits);
    expect(outcome.ok && Object.hasOwn(outcome.value, '__proto__')).toBe(true);
  }
  expect(({} as Record<string, unknown>)['p']).toBeUndefined();
});

test('scalars are JSON: dates and non-finite numbers stay text, there is no minus zero', () => {
  expect(outcomeOf('[2020-01-01, .inf, -.INF, .nan, 1e999, on, yes, ~, 0x10, "1", 1.5]')).toEqual([
    '2020-01-01',
    '.inf',
    '-.INF',
    '.nan',
    '1e999',
    'on',
    'yes',
    null,
    16,
    '1',
    1.5,
  ]);
  expect(Object.is(outcomeOf('-0'), 0)).toBe(true);
  expect(outcomeOf('a: |\n  x\n  y\nb: >-\n  x\n  y\n')).toEqual({ a: 'x\ny\n', b: 'x y' });
});

test('keys are the text that was written', () => {
  expect(outcomeOf('8080: a\n1.10: b\ntrue: c\non: d\n"e": f\n&x g: 1\n*x : 2\n')).toMatchObject({
    kind: 'malformed',
    detail: 'yaml: duplicate key',
  });
  expect(outcomeOf('8080: a\n1.10: b\ntrue: c\non: d')).toEqual({ '8080': 'a', '1.10': 'b', true: 'c', on: 'd' });
});

test.each([
  ['a duplicate key', 'a: 1\nb: 2\na: 3', 3],
  ['a collection as a key', 'a: 1\n? [b]\n: c', 2],
  ['a template', 'a: 1\nb: {{ .Values.c }}', 2],
  ['a tab as indentation', 'a:\n\tb: 1', 2],
  ['an unterminated string', 'a: "x\n', 2],
  ['an unterminated list', 'a: [1,\n', 2],
  ['a stray bracket', 'a: 1\n]', 2],
  ['two documents', 'a: 1\n---\nb: 2', 3],
])('malformed with its line: %s', (_, text, line) => {
  expect(parse(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});

test('documents: empty ones are dropped, none at all is null, an object is asked for by name', () => {
  expect(parseYamlDocuments(utf8('---\na: 1\n---\n# none\n---\n- 2\n...\n'), limits)).toMatchObject({
    value: [{ a: 1 }, [2]],
  });
  expect(outcomeOf('a: 1\n---\n')).toEqual({ a: 1 });
  expect(outcomeOf('# nothing')).toBeNull();
  expect(parseYamlObject(utf8('# nothing'), limits).ok).toBe(false);
  expect(parseYamlObject(utf8('- a'), limits).ok).toBe(false);
  expect(parseYamlDocuments(utf8('a: 1\n---\nb: ]'), limits)).toMatchObject({ failure: { line: 3 } });
});

test('scalars as strings, for lockfiles', () => {
  expect(parseYamlStrings(utf8('a: 1.10\nb: true\nc:\nd: "x"\n'), limits)).toMatchObject({
    value: { a: '1.10', b: 'true', c: '', d: 'x' },
  });
});

test('G10 five thousand of everything ends', () => {
  for (const piece of [
    '- ',
    '? ',
    ': ',
    '!a ',
    '&a ',
    '*a ',
    '#',
    '"',
    "'",
    '\\',
    ',',
    '|\n',
    '---\n',
    '%a\n',
    '${{ secrets.',
    '\t',
    '\r',
  ]) {
    for (const text of [
      piece.repeat(5_000),
      `a: ${piece.repeat(5_000)}`,
      `"${piece.repeat(5_000)}"`,
      `[${piece.repeat(5_000)}`,
    ]) {
      expect(typeof parse(text).ok).toBe('boolean');
    }
  }
});

test.each([
  ['a body only', '# Title\n---\n', { kind: 'none', bodyOffset: 0 }],
  ['nothing', '', { kind: 'none', bodyOffset: 0 }],
  ['four dashes', '----\na\n----\n', { kind: 'none', bodyOffset: 0 }],
  ['front matter', '---\nid: a\n---\nbody', { kind: 'found', yaml: 'id: a\n', bodyOffset: 14 }],
  ['CRLF', '---\r\nid: a\r\n---\r\nbody', { kind: 'found', yaml: 'id: a\r\n', bodyOffset: 17 }],
  ['bytes, not characters', '---\nid: é\n---\nbody', { kind: 'found', yaml: 'id: é\n', bodyOffset: 15 }],
  ['a BOM', '\ufeff---\na\n---\nb', { kind: 'found', yaml: 'a\n', bodyOffset: 13 }],
  ['an empty one', '---\n---\n', { kind: 'found', yaml: '', bodyOffset: 8 }],
  ['no line end after it', '---\na\n---', { kind: 'found', yaml: 'a\n', bodyOffset: 9 }],
  ['invisible white space', '--- \na\n---\t\nb', { kind: 'found', yaml: 'a\n', bodyOffset: 12 }],
  ['unterminated', '---\na\n --- \n', { kind: 'unterminated' }],
])('%s', (_, text, split) => {
  expect(splitFrontmatter(text)).toEqual(split);
});

test('G40 the body is what remains after the offset', () => {
  const lines = fc.array(fc.constantFrom('---', 'a: é', '', ' ---', '--', '😀'), { maxLength: 6 });
  fc.assert(
    fc.property(lines, fc.constantFrom('\n', '\r\n'), (all, end) => {
      const text = all.join(end);
      const split = splitFrontmatter(text);
      if (split.kind !== 'found') return;
      const body = new TextDecoder().decode(new TextEncoder().encode(text).subarray(split.bodyOffset));
      expect(text.endsWith(body)).toBe(true);
      expect(
        text
          .slice(0, text.length - body.length)
          .trimEnd()
          .endsWith('---'),
      ).toBe(true);
    }),
  );
});
