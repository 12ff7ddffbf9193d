import { describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { documentOf } from '../../../test/support/scip-document.ts';
import type { ScipDocument } from '../../kernel/formats/scip.ts';
import type { Family } from '../../languages/projects/context-spec.ts';
import { occurrenceForms, occurrenceStride } from '../store/document-facts.ts';
import { describeDocument, sortOccurrences } from './describe-document.ts';
import { createShapes } from './symbol-shape.ts';

function describeText(document: ScipDocument, text: string | Uint8Array, family: Family = 'typescript') {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const shapeOf = createShapes(family);
  return describeDocument(document, {
    path: document.relativePath,
    contentHash: 'h',
    bytes,
    family,
    encoding: 2,
    shapeOf,
  });
}

/** `text form name` of every occurrence, in order. */
function formsOf(marked: string, family: Family = 'typescript', owner?: string): readonly string[] {
  const { document, text } = documentOf(`src/a.${family}`, marked, owner === undefined ? {} : { owner });
  const described = describeText(document, text, family);
  if (described.kind === 'rejected') return [`rejected: ${described.why}`];
  const { occurrences, names } = described.draft;
  const rows: string[] = [];
  for (let at = 0; at < occurrences.length; at += occurrenceStride) {
    const written = Buffer.from(text).toString('utf8', occurrences[at], occurrences[at + 1]);
    rows.push(`${written} ${occurrenceForms[occurrences[at + 4] as number]} ${names[occurrences[at + 2] as number]}`);
  }
  return rows;
}

describe('forms that scip-typescript is seen to emit', () => {
  const cases: readonly (readonly [shows: string, marked: string, forms: readonly string[]])[] = [
    ['the file itself', '«|=src/`a.ts`/»x', [' synthetic a.ts']],
    [
      'a constructor and its class',
      'class K { «constructor|=src/`a.ts`/K#`<constructor>`().»() {} } new «K|src/`a.ts`/K#`<constructor>`().»()',
      ['constructor keyword K', 'K name K'],
    ],
    [
      'accessors',
      "k.«acc|src/`a.ts`/K#`<get>acc`().»; k[«'acc'|src/`a.ts`/K#`<set>acc`().»]",
      ['acc name acc', "'acc' string acc"],
    ],
    [
      'quoted and computed keys',
      '{ «\'a-b\'|=src/`a.ts`/`\'a-b\'0`:»: 1, [«"c"|src/`a.ts`/`["c"]0`:»]: 2 }',
      ["'a-b' string a-b", '"c" string c'],
    ],
    ['numbered keys', '{ «x|=src/`a.ts`/x0:»: 1, «x1|=src/`a.ts`/x10:»: 2 }', ['x name x', 'x1 name x1']],
    [
      'two keys that are numbered alike',
      '{ «x1|=src/`a.ts`/x10:»: 2, «x|src/`a.ts`/x10:»: 1 }',
      ['x1 name x1', 'x alias x1'],
    ],
    ['JSX attributes without quotes', '<a «data-x|src/`a.ts`/P#`\'data-x\'`.»="1" />', ['data-x name data-x']],
    ['private names', 'this.«#p|src/`a.ts`/K#`#p`.»', ['#p name #p']],
    ['module specifiers', "import «'./b.js'|src/`b.ts`/»", ["'./b.js' module b.ts"]],
    [
      'an import alias and its uses',
      "import { «foo|src/`b.ts`/foo.» as «bar|src/`b.ts`/foo.» } from './b';\n«bar|src/`b.ts`/foo.»()",
      ['foo name foo', 'bar alias foo', 'bar alias foo'],
    ],
    [
      'a default import',
      "import «any|src/`b.ts`/foo().» from './b'; «any|src/`b.ts`/foo().»()",
      ['any alias foo', 'any alias foo'],
    ],
    [
      'a namespace import',
      "import type * as «ns|src/`b.ts`/» from './b'; «ns|src/`b.ts`/».x",
      ['ns alias b.ts', 'ns alias b.ts'],
    ],
    [
      'a name that another file exported under it',
      "import {\n  // why\n  «bar|src/`b.ts`/foo.»,\n} from './b';",
      ['bar alias foo'],
    ],
    [
      'export aliases',
      "export { «foo|src/`a.ts`/foo.» as «'a b'|local 3», «foo|src/`a.ts`/foo.» as «baz|src/`a.ts`/foo.» }",
      ['foo name foo', "'a b' string a b", 'foo name foo', 'baz alias foo'],
    ],
    ['default', "export { «default|src/`b.ts`/foo().» } from './b'", ['default keyword foo']],
    ['new.target', 'new.«target|src/`a.ts`/K#»', ['target keyword K']],
    [
      'a class renamed by its import',
      "import { «K|src/`b.ts`/K#» as «C|src/`b.ts`/K#» } from './b'; new «C|src/`b.ts`/K#`<constructor>`().»()",
      ['K name K', 'C alias K', 'C alias K'],
    ],
    [
      'escapes in names',
      'const «\\u0061b|=src/`a.ts`/`\\u0061b`.» = 1; «ab|src/`a.ts`/`\\u0061b`.»',
      ['\\u0061b name \\u0061b', 'ab alias \\u0061b'],
    ],
    ['locals without a definition', "import «x|local 0» from './b'; «y|local 0»", ['x name x', 'y alias x']],
  ];
  test.each(cases)('%s', (_, marked, forms) => {
    expect(formsOf(marked)).toEqual(forms);
  });
});

describe('forms of other indexers', () => {
  const python = 'scip-python python proj 0.1 ';
  const module = '«|=`pkg.sub.m`/__init__:»';
  const pythonCases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'an alias is narrowed to the name',
      'from x import «Base as B|`pkg.core`/Base#»\n«B|`pkg.core`/Base#»()',
      ['Base name Base', 'B alias Base'],
    ],
    ['parentheses are left out', 'x = «(\n  Base\n)|`pkg.core`/Base#»', ['Base name Base']],
    ['dotted modules', 'import «pkg.core|`pkg.core`/__init__:»', ['pkg.core module core']],
    ['forward references', "x: '«Base|`pkg.core`/Base#»'", ['Base string Base']],
    ['dunders', '«__name__|`pkg.sub.m`/»', ['__name__ keyword m']],
    ['names of a star import', 'from pkg import *\n«B|pkg/__init__:»', ['B alias pkg']],
    ['the new name of a module', 'from pkg import «core as c|local 0»; «c|local 0»', ['c name c', 'c name c']],
  ];
  test.each(pythonCases)('scip-python: %s', (_, marked, forms) => {
    expect(formsOf(module + marked, 'python', python).slice(1)).toEqual(forms);
  });

  test('scip-python: the module of a relative import is the one that the dots lead to', () => {
    const marked = `${module}from «..core|core/__init__:» import a\nfrom . import «other|other/__init__:»\n`;
    const { document, text } = documentOf('pkg/sub/m.py', marked, { owner: python });
    const described = describeText(document, text, 'python');
    const raws =
      described.kind === 'described' ? described.draft.shapes.map(({ raw }) => raw.slice(python.length)) : [];
    expect(raws).toContain('`pkg.core`/__init__:');
    expect(raws).toContain('`pkg.sub.other`/__init__:');
  });

  const go = 'scip-go gomod example.com/fix . ';
  const goCases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'import paths',
      'import "«example.com/fix/inner|`example.com/fix/inner`/»"\n«inner|`example.com/fix/inner`/».F()',
      ['example.com/fix/inner module inner', 'inner name inner'],
    ],
    [
      'import aliases',
      'import «in|`example.com/fix/inner`/» "x"\n«in|`example.com/fix/inner`/».F()',
      ['in alias inner', 'in alias inner'],
    ],
    ['the package clause', 'package «main|=`example.com/fix/cmd/x`/»', ['main alias x']],
    [
      'packages that are not called like their path',
      'var x «sqlite3|`github.com/mattn/go-sqlite3`/».Conn',
      ['sqlite3 alias go-sqlite3'],
    ],
    ['versions', 'var x «yaml|`gopkg.in/yaml.v3`/».Node', ['yaml name yaml']],
  ];
  test.each(goCases)('scip-go: %s', (_, marked, forms) => {
    expect(formsOf(marked, 'go', go)).toEqual(forms);
  });
});

describe('R12 texts that do not fit', () => {
  test('a word that nothing introduces is no alias', () => {
    expect(formsOf('«bar|src/`b.ts`/foo.»()')).toEqual([expect.stringMatching(/^rejected: 1 of 1 texts/)]);
    expect(formsOf('x as «bar|src/`b.ts`/foo.»')).toEqual([expect.stringMatching(/^rejected/)]);
  });

  test('a range inside of a word fits nothing', () => {
    expect(formsOf('xx«foo|src/`b.ts`/foo.»')).toEqual([expect.stringMatching(/^rejected/)]);
    expect(formsOf('«foo|src/`b.ts`/foo.»xx')).toEqual([expect.stringMatching(/^rejected/)]);
  });

  test('one text in 200 is dropped and becomes a gap, two refuse the document', () => {
    const good = 'foo;\n'.replace('foo', '«foo|src/`b.ts`/foo.»').repeat(399);
    const one = documentOf('src/a.ts', `${good}«bar|src/\`b.ts\`/foo.»;\n`);
    const described = describeText(one.document, one.text);
    expect(described).toMatchObject({ kind: 'described', draft: { gaps: [{ name: 'bar', start: 1995, end: 1998 }] } });
    const three = documentOf('src/a.ts', `${good}${'«bar|src/`b.ts`/foo.»;\n'.repeat(3)}`);
    expect(describeText(three.document, three.text)).toMatchObject({ kind: 'rejected' });
  });

  test('known faults of a tool are dropped and do not count, unless they are many', () => {
    const owner = 'scip-python python proj 0.1 ';
    const fault = 'path.«join|scip-python python python-stdlib 3.11 posixpath/basename().»()\n';
    const { document, text } = documentOf('pkg/m.py', `«|=\`pkg.m\`/__init__:»${fault}`, { owner });
    expect(describeText(document, text, 'python')).toMatchObject({
      kind: 'described',
      draft: { gaps: [{ name: 'join' }] },
    });
    const many = documentOf('pkg/m.py', `«|=\`pkg.m\`/__init__:»${fault.repeat(20)}`, { owner });
    expect(describeText(many.document, many.text, 'python').kind).toBe('rejected');
  });

  test('a document whose text was shifted is accepted only if every text still fits', () => {
    const names = fc.constantFrom('a', 'ab', 'abc', 'foo', 'x1', 'ns');
    const statement = fc
      .tuple(names, fc.constantFrom(' = ', '(', ', ', ';\n', '.', ' + ', '\n'), fc.boolean())
      .map(
        ([name, rest, quoted]) =>
          (quoted ? `«'${name}'|src/\`b.ts\`/${name}.»` : `«${name}|src/\`b.ts\`/${name}.»`) + rest,
      );
    const sources = fc.array(statement, { minLength: 3, maxLength: 30 }).map((parts) => parts.join(''));
    const edits = fc.record({
      at: fc.nat(),
      added: fc.constantFrom('', ' ', 'x', '\n', 'foo', "'"),
      removed: fc.nat(3),
    });
    fc.assert(
      fc.property(sources, edits, (marked, { at, added, removed }) => {
        const { document, text } = documentOf('src/a.ts', marked);
        const place = at % (text.length + 1);
        const edited = text.slice(0, place) + added + text.slice(place + removed);
        const described = describeText(document, edited);
        if (described.kind === 'rejected') return;
        const lines = edited.split('\n');
        for (const { range, symbol } of document.occurrences) {
          const [line = 0, start = 0, end = 0] = range;
          const written = lines[line]?.slice(start, end) ?? '';
          expect(written.replace(/^'(.*)'$/, '$1')).toBe(/(\w+)\.$/.exec(symbol)?.[1]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test('R17 a name that our indexer got no answer about becomes an item, and the document is kept', () => {
  const { document, text } = documentOf(
    'src/a.ts',
    '«foo|=src/`a.ts`/foo.» = «lost|`<gap>`.» + «foo|src/`a.ts`/foo.»;',
  );
  const described = describeText(document, text);
  if (described.kind !== 'described') throw new Error(described.why);
  expect(described.draft.gaps.map(({ symbol, name }) => ({ symbol, name }))).toEqual([{ symbol: null, name: 'lost' }]);
  expect(described.draft.occurrences).toHaveLength(2 * 9);
});

describe('ranges', () => {
  const a = documentOf('src/a.ts', '«foo|=src/`a.ts`/foo.» = 1;\n');
  test.each([
    ['of another length', [0, 0]],
    ['that end before they begin', [0, 3, 0]],
    ['outside of the line', [0, 0, 90]],
    ['outside of the text', [7, 0, 3]],
  ])('ranges %s refuse the document', (_, range) => {
    const [first] = a.document.occurrences;
    const document = { ...a.document, occurrences: first === undefined ? [] : [first, { ...first, range }] };
    expect(describeText(document, a.text).kind).toBe('rejected');
  });

  test('R16 the same document in three encodings has the same occurrences, BOM or not', () => {
    const marked = "«变量|=src/`a.ts`/`变量`.» = '😀' + «e|=local 0»;\r\n«变量|src/`a.ts`/`变量`.»";
    for (const bom of ['', '\ufeff']) {
      const found = ([1, 2, 3] as const).map((encoding) => {
        const { document, text } = documentOf('src/a.ts', bom + marked, { encoding });
        const described = describeText(document, text);
        return described.kind === 'described' ? [...described.draft.occurrences] : described.why;
      });
      expect(found[0]).toEqual(found[1]);
      expect(found[2]).toEqual(found[1]);
      expect(found[1]?.slice(0, 2)).toEqual(bom === '' ? [0, 6] : [3, 9]);
    }
  });

  test('a BOM that the index counts is found out by what fits', () => {
    const { document, text } = documentOf('src/a.ts', '\ufeff«bom|=src/`a.ts`/bom.» = 1;');
    const counted = document.occurrences.map((occurrence) => ({ ...occurrence, range: [0, 1, 4] }));
    for (const occurrences of [document.occurrences, counted]) {
      const described = describeText({ ...document, occurrences }, text);
      expect(described.kind === 'described' && [...described.draft.occurrences.slice(0, 2)]).toEqual([3, 6]);
    }
  });
});

const row = (start: number, end: number, symbol: number, roles = 0): readonly number[] => [
  start,
  end,
  symbol,
  roles,
  0,
  0,
  start,
  0,
  end,
];
const rowsOf = (sorted: Int32Array): (readonly number[])[] =>
  Array.from({ length: sorted.length / occurrenceStride }, (_, at) => [
    ...sorted.subarray(at * occurrenceStride, at * occurrenceStride + 4),
  ]);

test('what is said twice is one occurrence with the roles of both', () => {
  const { sorted } = sortOccurrences(Int32Array.from([...row(5, 8, 1, 1), ...row(0, 3, 0), ...row(5, 8, 1, 8)]));
  expect(rowsOf(sorted)).toEqual([
    [0, 3, 0, 0],
    [5, 8, 1, 9],
  ]);
});

test('D8 of two that cross the later one is taken out; nested and equal ones stay', () => {
  const rows = [...row(0, 10, 0), ...row(0, 4, 1), ...row(2, 4, 2), ...row(2, 4, 3), ...row(3, 6, 4), ...row(4, 12, 5)];
  const { sorted, crossing } = sortOccurrences(Int32Array.from(rows));
  expect(rowsOf(sorted).map(([start, end]) => [start, end])).toEqual([
    [0, 4],
    [0, 10],
    [2, 4],
    [2, 4],
  ]);
  expect(crossing).toEqual([
    [3, 6, 4],
    [4, 12, 5],
  ]);
});

test('sorted by start, end and symbol, no two equal, none crossing, whatever comes in', () => {
  const any = fc
    .tuple(fc.nat(12), fc.nat(6), fc.nat(3))
    .map(([start, length, symbol]) => row(start, start + length, symbol));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 20 }), (given) => {
      const { sorted, crossing } = sortOccurrences(Int32Array.from(given.flat()));
      const rows = rowsOf(sorted);
      for (const [at, [start = 0, end = 0, symbol = 0]] of rows.entries()) {
        const before = rows[at - 1];
        if (before !== undefined) {
          const [otherStart = 0, otherEnd = 0, otherSymbol = 0] = before;
          expect(start - otherStart || end - otherEnd || symbol - otherSymbol).toBeGreaterThan(0);
        }
        for (const [otherStart = 0, otherEnd = 0] of rows) {
          expect(otherStart < start && start < otherEnd && otherEnd < end).toBe(false);
        }
      }
      const distinct = new Set(given.map(([start, end, symbol]) => `${start} ${end} ${symbol}`));
      expect(rows.length + crossing.length).toBe(distinct.size);
    }),
  );
});
