import { expect, test } from 'vitest';
import { createGrepTally, idsOnLine, parseRgLine } from './gather-ripgrep-curated.ts';

test.each([
  ["spawn('/bin/sh')", ['bin_path', 'spawn_call']],
  ['execFileSync(x)', ['exec_call']],
  ['/usr/sbin/nginx', ['bin_path']],
  ['if (os.platform() === "x")', ['platform_check']],
  ['LD_PRELOAD=/x', ['ld_preload']],
  ['{ shell : true }', ['shell_true']],
  ['/tmp/x', ['tmp_path']],
  ['myexec (x)', []],
  ['respawn(x)', []],
])('%s', (line, ids) => {
  expect(idsOnLine(line)).toEqual(ids);
});

test('messages of rg; a name that is not UTF-8 is none', () => {
  const match = (path: object) =>
    JSON.stringify({ type: 'match', data: { path, lines: { text: 'x\n' }, line_number: 2 } });
  expect(parseRgLine(match({ text: './a' }))).toEqual({ kind: 'match', path: 'a', line: 2, text: 'x\n' });
  expect(parseRgLine(match({ bytes: '/w==' }))).toEqual({ kind: 'other' });
  expect(parseRgLine('{"type":"begin","data":{"path":{"text":"a"}}}')).toEqual({ kind: 'other' });
  expect(
    parseRgLine('{"type":"end","data":{"path":{"text":"a"},"binary_offset":7,"stats":{"matched_lines":1}}}'),
  ).toEqual({
    kind: 'end',
    path: 'a',
    matchedLines: 1,
    isBinary: true,
  });
});

test.each(['', '{', '[]', '{"type":"match"}', '{"type":"match","data":{}}', '{"type":"news","data":{}}'])(
  'G32 %j is no message',
  (line) => {
    expect(parseRgLine(line)).toEqual({ kind: 'broken' });
  },
);

test('G37 what is kept does not depend on the order in which it came', () => {
  const places = Array.from({ length: 50 }, (_, at) => ({ path: `f${at % 7}`, line: at }));
  const keep = (list: typeof places) => {
    const tally = createGrepTally(10);
    for (const { path, line } of list) tally.add('p', path, line, 'x');
    return { total: tally.total, counts: tally.counts('p'), list: tally.list() };
  };
  expect(keep([...places].reverse())).toEqual(keep(places));
  expect(keep(places)).toMatchObject({ total: 50, counts: { matches: 50, files: 7 } });
  expect(keep(places).list.length).toBe(10);
});

test('G22 a secret at the edge of the snippet is redacted before the line is cut', () => {
  const key = ['AKIA', 'Q7ZX3MWLPD2NVB6K'].join('');
  const tally = createGrepTally(10);
  tally.add('p', 'a', 1, `${'x '.repeat(95)}${key} and more`);
  const snippet = tally.list()[0]?.snippet ?? '';
  expect(snippet.length).toBeLessThanOrEqual(200);
  expect(snippet).not.toContain('AKIA');
});
