import { expect, test } from 'vitest';
import { jsonEditor } from './edit-entry.ts';

const at = ['mcpServers', 'codegenie'] as const;
const entry = { type: 'stdio', command: '/bin/node', args: ['/x.mjs', 'mcp'] };

const add = async (text: string) => {
  const edited = await jsonEditor.add(text, at, entry);
  if (edited.kind !== 'edited') throw new Error(JSON.stringify(edited));
  return edited.text;
};

test.each([
  ['an empty file', '', /^\{\n {2}"mcpServers": \{\n {4}"codegenie": \{/],
  ['nothing but space', ' \n', /^\{\n {2}"mcpServers"/],
  ['an empty object', '{}', /"mcpServers"/],
  ['other settings', '{\n  "theme": "dark"\n}\n', /^\{\n {2}"theme": "dark",\n {2}"mcpServers": \{\n {4}"codegenie"/],
  [
    'other servers',
    '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
    /"other": \{ "command": "x" \},\n {4}"codegenie"/,
  ],
])('%s', async (_, text, looks) => {
  const edited = await add(text);
  expect(edited).toMatch(looks);
  expect(JSON.parse(edited).mcpServers.codegenie).toEqual(entry);
  expect(await jsonEditor.add(edited, at, entry)).toEqual({ kind: 'unchanged' });
});

test.each([
  ['{ "mcpServers": { "other": { "command": "x" } } }', '{ "mcpServers": { "other": { "command": "x" }, "codegenie": '],
  ['{\n    // empty\n}', '{\n    // empty\n    "mcpServers": {\n        "codegenie": {'],
  ['{"mcpServers": {}}', '{"mcpServers": {\n  "codegenie": {'],
  ['{\n  "a": 1 // last\n}\n', '{\n  "a": 1, // last\n  "mcpServers": {\n    "codegenie": {'],
  ['{\n  "mcpServers": {\n    "a": {},\n    /* end */\n  }\n}\n', '    "a": {},\n    /* end */\n    "codegenie": {'],
])('%j is added to as its owner would', async (text, looks) => {
  expect(await add(text)).toContain(looks);
});

test('comments, trailing commas, tabs and CRLF stay, byte for byte', async () => {
  const text =
    '{\r\n\t// mine\r\n\t"theme": "dark", /* yes */\r\n\t"mcpServers": {\r\n\t\t"other": {"command": "x"}, // old\r\n\t},\r\n}\r\n';
  const edited = await add(text);
  for (const line of ['\t// mine\r\n', '"dark", /* yes */\r\n', '// old\r\n']) expect(edited).toContain(line);
  expect(edited).toMatch(/\r\n\t\t"codegenie": \{\r\n\t\t\t"type": "stdio"/);
  expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
  const removed = await jsonEditor.remove(edited, at);
  expect(removed).toMatchObject({ kind: 'edited' });
  expect(removed).toMatchObject({ text: expect.not.stringContaining('codegenie') });
});

test('an entry that is there keeps the fields the user gave it', async () => {
  const text = '{"mcpServers": {"codegenie": {"command": "old", "args": [], "env": {"A": "b"}, "disabled": true}}}';
  expect(JSON.parse(await add(text)).mcpServers.codegenie).toEqual({ ...entry, env: { A: 'b' }, disabled: true });
});

test.each([
  ['{\n  "a": 1,\n  "b" 2\n}', 'is not valid JSON: colon expected at line 3, column 7'],
  ['{"a": ', 'at line 1'],
  ['[]', 'the file is not an object'],
  ['{"mcpServers": []}', 'mcpServers is not an object'],
  ['{"mcpServers": {"codegenie": "x"}}', 'mcpServers.codegenie is not an object'],
])('%j is refused, with the place', async (text, why) => {
  expect(await jsonEditor.add(text, at, entry)).toEqual({ kind: 'refused', why: expect.stringContaining(why) });
});

test('taking out what is not there changes nothing', async () => {
  for (const text of ['', '{}', '{"mcpServers": {}}', '{"mcpServers": {"other": {}}}'])
    expect(await jsonEditor.remove(text, at)).toEqual({ kind: 'unchanged' });
});
