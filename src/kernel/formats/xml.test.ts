import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { parseXml, type XmlElement } from './xml.ts';

const limits = { maxBytes: 1 << 20, maxDepth: 64 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseXml(utf8(text), limits);

test('G40 arbitrary bytes never throw and always give an outcome', () => {
  const xmlish = fc
    .array(
      fc.constantFrom(
        '<a',
        '>',
        '</a>',
        '/>',
        ' b="c"',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '?>',
        '&amp;',
        '&',
        ';',
        '<',
        '"',
      ),
      {
        maxLength: 20,
      },
    )
    .map((pieces) => utf8(pieces.join('')));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), xmlish), (bytes) => {
      expect(typeof parseXml(bytes, limits).ok).toBe('boolean');
    }),
    { numRuns: 2_000 },
  );
});

test('G40 a tree that was written comes back equal', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,5}$/);
  const words = fc.string({ unit: fc.constantFrom(...'ab<>&"\'é1') });
  const attributes = fc.dictionary(name, words).map((members) => new Map(Object.entries(members)));
  const leaf = fc.record({ name, attributes, children: fc.constant([]), text: words });
  const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
    element: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ name, attributes, children: fc.array(tie('element'), { maxLength: 3 }), text: words }),
    ),
  }));
  const escaped = (raw: string) =>
    raw
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&#34;')
      .replaceAll("'", '&#x27;');
  const write = (tree: XmlElement): string => {
    const members = [...tree.attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
    const inner = escaped(tree.text) + tree.children.map(write).join('\n<!-- c -->');
    return inner === '' ? `<${tree.name}${members}/>` : `<${tree.name}${members}>${inner}</${tree.name}>`;
  };
  fc.assert(
    fc.property(element, (tree) => {
      expect(parse(`<?xml version="1.0"?>\n${write(tree)}\n`)).toEqual({ ok: true, value: tree, notes: [] });
    }),
  );
});

test('a pom: attributes, comments, CDATA, entities', () => {
  const outcome = parse(
    '\ufeff<?xml version="1.0"?><!-- c --><project xmlns="http://maven">\n<artifactId> a&amp;b </artifactId><n><![CDATA[<x>]]>y</n><e k=\'v "1"\' /></project>',
  );
  expect(outcome.ok && outcome.value.attributes.get('xmlns')).toBe('http://maven');
  expect(outcome.ok && outcome.value.children.map(({ name, text }) => `${name}=${text}`)).toEqual([
    'artifactId=a&b',
    'n=<x>y',
    'e=',
  ]);
  expect(outcome.ok && outcome.value.children[2]?.attributes.get('k')).toBe('v "1"');
});

test('G10 no document type, hence no entities to multiply or fetch', () => {
  expect(parse('<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>\n<a>&b;</a>')).toEqual({
    ok: false,
    failure: { kind: 'malformed', line: 2, detail: 'xml: a document type is not read' },
  });
  expect(parse('<a>\n&b;</a>')).toMatchObject({ failure: { kind: 'malformed', detail: 'xml: unknown entity' } });
});

test('G10 depth: the root element is 0', () => {
  const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels);
  expect(parse(nested(65)).ok).toBe(true);
  expect(parse(nested(66))).toEqual({ ok: false, failure: { kind: 'depth_cap_exceeded', cap: 64 } });
  expect(parse('<a>'.repeat(10_000))).toMatchObject({ failure: { kind: 'depth_cap_exceeded' } });
});

test.each([
  ['nothing', '', 1],
  ['a wrong closing tag', '<a>\n<b></a></b>', 2],
  ['an element that is not closed', '<a>\n\n', 3],
  ['two roots', '<a/>\n<b/>', 2],
  ['text outside', '<a/>\nx', 1],
  ['an attribute without quotes', '<a>\n<b c=d/></a>', 2],
  ['an attribute twice', '<a b="1" b="2"/>', 1],
  ['attributes without white space', '<a b="1"c="2"/>', 1],
  ['an unterminated comment', '<a>\n<!-- </a>', 2],
  ['a character that is none', '<a>&#0;</a>', 1],
  ['a surrogate', '<a>&#xD800;</a>', 1],
])('malformed with its line: %s', (_, text, line) => {
  expect(parse(text)).toMatchObject({ ok: false, failure: { kind: 'malformed', line } });
});

test('five thousand of everything stays linear', () => {
  for (const piece of ['&', '&amp;', '<', '<!--', '<![CDATA[', ' a="b"', '<a/>', ']]>', '"', '=']) {
    for (const text of [piece.repeat(5_000), `<a>${piece.repeat(5_000)}`, `<a ${piece.repeat(5_000)}`]) {
      expect(typeof parse(text).ok).toBe('boolean');
    }
  }
});
