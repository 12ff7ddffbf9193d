import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tomlEditor } from './edit-entry.ts';

const at = ['mcp_servers', 'codegenie'] as const;
const entry = { command: 'C:\\node "24"\\node.exe', args: ['/x.mjs', 'mcp'] };

const add = async (text: string) => {
  const edited = await tomlEditor.add(text, at, entry);
  if (edited.kind !== 'edited') throw new Error(JSON.stringify(edited));
  return edited.text;
};
const entryIn = (text: string) =>
  (parse(text) as Record<string, Record<string, unknown>>)['mcp_servers']?.['codegenie'];

test.each([
  ['an empty file', '', '[mcp_servers.codegenie]\n'],
  ['a file without a last newline', 'model = "x"', 'model = "x"\n\n[mcp_servers.codegenie]\n'],
  ['a file with one', 'model = "x" # mine\n', 'model = "x" # mine\n\n[mcp_servers.codegenie]\n'],
  [
    'another server',
    '[mcp_servers.other]\ncommand = "y"\n',
    '[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.codegenie]\n',
  ],
  ['CRLF', 'model = "x"\r\n', 'model = "x"\r\n\r\n[mcp_servers.codegenie]\r\n'],
])('%s', async (_, text, begins) => {
  const edited = await add(text);
  expect(edited.startsWith(begins)).toBe(true);
  expect(entryIn(edited)).toEqual(entry);
  expect(await tomlEditor.add(edited, at, entry)).toEqual({ kind: 'unchanged' });
});

test('an old entry is written anew in its place, with what the user gave it', async () => {
  const text =
    '[mcp_servers . "codegenie"] # mine\ncommand = "old"\nstartup_timeout_sec = 20\nargs = []\n\n[mcp_servers.codegenie.env]\nA = "b"\n\n# next\n[profiles.x]\nmodel = "y"\n';
  const edited = await add(text);
  expect(entryIn(edited)).toEqual({ ...entry, startup_timeout_sec: 20, env: { A: 'b' } });
  expect(edited).toContain('# mine');
  expect(edited).toContain('\n# next\n[profiles.x]\nmodel = "y"\n');
});

test('taken out with the tables below it, and nothing else', async () => {
  const text =
    '# head\n[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.codegenie]\ncommand = "old"\n\n[mcp_servers.codegenie.env]\nA = "b"\n\n# next\n[profiles.x]\nmodel = "y"\n';
  const removed = await tomlEditor.remove(text, at);
  expect(removed).toEqual({
    kind: 'edited',
    text: '# head\n[mcp_servers.other]\ncommand = "y"\n\n# next\n[profiles.x]\nmodel = "y"\n',
  });
});

test.each([
  ['an inline parent', 'mcp_servers = { other = { command = "x" } }\n'],
  ['an inline entry', '[mcp_servers]\ncodegenie = { command = "old" }\n'],
  ['dotted keys', 'mcp_servers.codegenie.command = "old"\n'],
  ['a list over several lines', '[mcp_servers.codegenie]\ncommand = "old"\nargs = [\n  "a",\n]\n'],
  [
    'a header inside a text',
    'note = """\n[mcp_servers.codegenie]\ncommand = "x"\n"""\nmcp_servers.codegenie.command = "old"\n',
  ],
])('%s is left to its owner', async (_, text) => {
  expect(await tomlEditor.add(text, at, entry)).toEqual({ kind: 'refused', why: expect.stringContaining('by hand') });
});

test('a broken file is refused, with the place', async () => {
  const refused = await tomlEditor.add('a = 1\nb = = 2\n', at, entry);
  expect(refused).toEqual({
    kind: 'refused',
    why: expect.stringMatching(/is not valid TOML: .* at line 2, column \d/),
  });
});
