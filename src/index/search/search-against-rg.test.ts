/** Searching compared with ripgrep over the same files: every match it lists and no other (code-plane.md §11, test 10). */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMemorySource } from '../../../test/support/memory-search.ts';
import fc from '../../../test/support/properties.ts';
import { createRegexMatcher } from './match-regex.ts';
import { createSearchReader, type SearchAsk, searchText } from './search-text.ts';

const hasRg = spawnSync('rg', ['--version']).status === 0;

const files: Readonly<Record<string, string>> = {
  'src/user.ts':
    "import { get } from './get';\r\nexport function getUserName(id: number) {\r\n  return `user-$id`; // TODO: getUserName\r\n}\r\n",
  'src/get.ts':
    '/** Gets. */\nexport const get = (a: string, b = 1) => a.repeat(b) + a;\n\n\nconst aaa = "aaaa aa a";\nfoo foo\nfoo',
  'src/text.py': '\ufeffdef größe(Straße):\n    return "STRASSE ẞ \u212aelvin \u017fize Ελλάς ΕΛΛΆΣ 漢字 👍👍"\n',
  'docs/a b.md': '# Title\n\nSome_word some-word someword (some word)\n\ttabbed\tline  \n…dots… “quoted” ’s\n',
  'docs/odd.txt': 'lone\rreturn\nline\u2028separator\n\n$100 ^caret [x] {y} a.b a|b a*b\\c\n',
  'docs/no-end.txt': 'last line without end',
  'empty.txt': '',
  'one.txt': 'x',
};
const root = mkdtempSync(join(tmpdir(), 'search-rg-'));
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const source = createMemorySource(files, { readFile: createSearchReader(root) });
const matcher = createRegexMatcher();
afterAll(async () => {
  await matcher.close();
  rmSync(root, { recursive: true });
});

type Flags = Pick<SearchAsk, 'kind' | 'ignoreCase' | 'wholeWord'>;
type RgMatch = {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text: string };
    readonly line_number: number;
    readonly absolute_offset: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
};

/** `path:line:byteStart-byteEnd` of all matches that are not empty; undefined if rg does not take the pattern. */
function askRg(query: string, flags: Flags): string[] | undefined {
  const args = ['--json', '--no-config', '--no-ignore', '--hidden', '--no-messages'];
  if (flags.kind === 'literal') args.push('--fixed-strings');
  if (flags.ignoreCase) args.push('--ignore-case');
  if (flags.wholeWord) args.push('--word-regexp');
  const run = spawnSync('rg', [...args, '--', query, '.'], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0 && run.status !== 1) return undefined;
  const places: string[] = [];
  for (const line of run.stdout.split('\n')) {
    if (line === '') continue;
    const { type, data } = JSON.parse(line) as RgMatch;
    if (type !== 'match') continue;
    const path = data.path.text.replace(/^\.\//, '');
    // rg leaves a BOM out of its offsets.
    const base = data.absolute_offset + (files[path]?.startsWith('\ufeff') === true ? 3 : 0);
    for (const { start, end } of data.submatches) {
      if (end > start) places.push(`${path}:${data.line_number}:${base + start}-${base + end}`);
    }
  }
  return places.sort();
}

async function ask(query: string, flags: Flags): Promise<string[]> {
  const question = {
    query,
    ...flags,
    pathGlobs: [],
    languages: [],
    limit: 100_000,
    continueToken: null,
    deadlineMs: 60_000,
  };
  const outcome = await searchText(question, source, { now: () => performance.now(), matcher });
  if (outcome.kind !== 'answer') return [outcome.kind];
  const places = outcome.files.flatMap(({ path, hits }) =>
    hits
      .filter((hit) => hit.byteEnd > hit.byteStart)
      .map((hit) => `${path}:${hit.line}:${hit.byteStart}-${hit.byteEnd}`),
  );
  return places.sort();
}

const all = Object.values(files).join('\n').replaceAll('\ufeff', '');
const lines = all.split('\n').filter((line) => line !== '');
/** A part of some line, sometimes with a letter exchanged, sometimes in the other case. */
const literal = fc
  .tuple(
    fc.constantFrom(...lines),
    fc.nat(),
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom('as it is', 'upper', 'changed'),
  )
  .map(([line, at, length, how]) => {
    const chars = [...line];
    const part = chars.slice(at % chars.length, (at % chars.length) + length).join('');
    return how === 'upper' ? part.toUpperCase() : how === 'changed' ? `${part}q` : part;
  })
  .filter((part) => part !== '');
const flag = fc.boolean();

test.skipIf(!hasRg)('T13: literals are found where rg finds them', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(literal, flag, flag, async (query, ignoreCase, asWord) => {
      // Before version 14, rg took a sign beside the word for a part of it, and could lose the word behind.
      const wholeWord = asWord && /^\w(?:.*\w)?$/.test(query);
      const flags: Flags = { kind: 'literal', ignoreCase, wholeWord };
      const expected = askRg(query, flags);
      expect(await ask(query, flags)).toEqual(expected);
      found += expected?.length ?? 0;
    }),
    { numRuns: 250 },
  );
  expect(found).toBeGreaterThan(100);
});

/** What both languages of expressions write and mean the same way. */
const quoted = literal.map((part) =>
  part.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' ? sign : `\\${sign}`)),
);
const piece = fc.oneof(
  quoted,
  fc.constantFrom(
    '.',
    '[a-z]',
    '[^a-z ]',
    '[aeiou]',
    '[A-Z]',
    '.*',
    '.+',
    '[a-z]+',
    'a*',
    '(?:foo|get)',
    'o?',
    '[0-9]{1,3}',
    'a{2}',
    'a{1,2}?',
    '\\t',
    '\\r',
  ),
);
const regex = fc
  .tuple(
    fc.constantFrom('', '^'),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '$'),
    fc.option(quoted, { nil: undefined }),
  )
  // Of `^..|e` rg 13 also finds `me` in the middle of a line, so what is tied to the beginning has no alternative here.
  .map(
    ([head, pieces, tail, other]) =>
      `${head}${pieces.join('')}${tail}${other === undefined || head === '^' ? '' : `|${other}`}`,
  );

test.skipIf(!hasRg)('T13: regular expressions are found where rg finds them', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(regex, flag, async (query, ignoreCase) => {
      const flags: Flags = { kind: 'regex', ignoreCase, wholeWord: false };
      const expected = askRg(query, flags);
      fc.pre(expected !== undefined);
      expect(await ask(query, flags)).toEqual(expected);
      found += expected.length;
    }),
    { numRuns: 250 },
  );
  expect(found).toBeGreaterThan(100);
});

test
  .skipIf(!hasRg)
  .each(['foo', 'some', 'a', 'word', 'user', '-word', 'größe', 'fo+', 'get[A-Z][A-Za-z]+', '(?:some|some.word)'])(
  'T13: whole words of /%s/ are those of rg',
  async (query) => {
    const flags: Flags = { kind: 'regex', ignoreCase: false, wholeWord: true };
    expect(await ask(query, flags)).toEqual(askRg(query, flags));
  },
);
