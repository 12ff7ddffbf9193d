import { expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { parseRequirements } from './requirements.ts';

const limits = { maxBytes: 1 << 20 };
const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseRequirements(utf8(text), limits);

test('G40 arbitrary bytes never throw and always give an outcome', () => {
  const pieces = fc.constantFrom(
    '-r',
    '-e',
    'a',
    '==1',
    '[b]',
    ';',
    '#',
    '\\\n',
    '\n',
    ' ',
    '@',
    '--hash=',
    'egg=',
    ']',
    '\t',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 100 }),
        fc.array(pieces, { maxLength: 20 }).map((all) => utf8(all.join(''))),
      ),
      (bytes) => {
        expect(parseRequirements(bytes, limits).ok).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('names and specifiers; extras, markers, hashes and comments are dropped', () => {
  const text = `# pinned
Django==4.2.1 # comment
requests[security,socks] >= 2.8.1, == 2.8.* ; python_version < "2.7"
flask
-r other.txt
--requirement=more.txt
-cconstraints.txt
--index-url https://registry.example/simple
certifi==2024.1.1 \\
    --hash=sha256:aaaa \\
    --hash=sha256:bbbb
name @ https://registry.example/name-1.0.zip;x ; os_name == "nt"
-e git+https://git.example/x.git#egg=editable_one
./local/dir
https://registry.example/x.whl
zope.interface~=5.0
`;
  const outcome = parse(text);
  expect(outcome.ok && outcome.value).toEqual([
    { name: 'Django', spec: '==4.2.1', line: 2 },
    { name: 'requests', spec: '>= 2.8.1, == 2.8.*', line: 3 },
    { name: 'flask', spec: '', line: 4 },
    { name: 'certifi', spec: '==2024.1.1', line: 9 },
    { name: 'name', spec: '@ https://registry.example/name-1.0.zip;x', line: 12 },
    { name: 'editable_one', spec: '', line: 13 },
    { name: 'zope.interface', spec: '~=5.0', line: 16 },
  ]);
  expect(outcome.ok && outcome.notes.map(({ id, line, detail }) => `${line} ${id} ${detail}`)).toEqual([
    '5 nested_file -r',
    '6 nested_file --requirement',
    '7 nested_file -c',
    '8 option --index-url',
    '14 unnamed_requirement a path or URL without a name',
    '15 unnamed_requirement a path or URL without a name',
  ]);
});

test('CRLF, a continuation at the end of the file, nothing at all', () => {
  expect(parse('a==1\r\nb \\\r\n ==2\\')).toMatchObject({
    value: [{ name: 'a' }, { name: 'b', spec: '==2', line: 2 }],
  });
  expect(parse('')).toEqual({ ok: true, value: [], notes: [] });
});

test('five thousand of everything stays linear', () => {
  for (const piece of ['#', ' #', '\\\n', '[', ';', '@', '--', 'egg=']) {
    expect(parse(piece.repeat(5_000)).ok).toBe(true);
  }
});
