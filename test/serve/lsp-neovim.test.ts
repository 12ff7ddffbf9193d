/** `codegenie lsp` in a real editor: Neovim without a screen, told by a script what its user would do. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryFile } from '../../src/kernel/exec/start-self.ts';
import { createMcpProject } from '../support/mcp-project.ts';
import { hasTool, quickPath } from '../support/tools.ts';

/** What stands in the documentation for versions before 0.11, then the user: each step writes what it saw. */
const script = (command: readonly string[], out: string) => `
local seen = {}
local function note(name, value) seen[name] = value end
local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') end
local client = vim.lsp.start_client({ name = 'codegenie', cmd = ${lua(command)}, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
local function ask(method, params)
  local all, err = vim.lsp.buf_request_sync(0, method, params, 60000)
  if all == nil then return { error = err } end
  for _, one in pairs(all) do
    local wrong = one.err or one.error
    if wrong ~= nil then return { error = wrong.message } end
    return one.result
  end
end
vim.wait(60000, function() return #vim.lsp.buf_get_clients(0) > 0 and vim.lsp.buf_get_clients(0)[client].initialized end, 20)
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// ä😀, not saved' })
vim.api.nvim_win_set_cursor(0, { 4, 22 })
local at = vim.lsp.util.make_position_params(0, 'utf-16')
at.context = { includeDeclaration = true }
local found = ask('textDocument/references', at)
note('references', found and #found)
local definition = ask('textDocument/definition', at)
note('definition', definition and definition[1] and definition[1].uri)
at.newName = 'shout'
note('refused', ask('textDocument/rename', at).error)
at.newName = 'salute'
local edit = ask('textDocument/rename', at)
note('edit_error', edit.error)
-- A script is one change to undo, where a user has two.
vim.cmd('let &undolevels = &undolevels')
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
note('renamed', lines())
local others = {}
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  if vim.api.nvim_buf_is_loaded(buffer) then
    table.insert(others, vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t') .. ':' .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, 1, false), ''))
  end
end
table.sort(others)
note('buffers', others)
vim.cmd('silent undo')
note('undone', lines())
vim.lsp.stop_client(client)
vim.wait(20000, function() return vim.lsp.client_is_stopped(client) end, 20)
note('stopped', vim.lsp.client_is_stopped(client))
local file = io.open(${lua([out]).slice(1, -1)}, 'w')
file:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
file:close()
vim.cmd('qa!')
`;

function lua(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(', ')}}`;
}

test.skipIf(!hasTool('nvim'))(
  'L3 in Neovim: references, a rename at an unsaved buffer, and its undo (skipped without nvim)',
  () => {
    const repo = createMcpProject({ 'package.json': '{"name":"greeter","private":true,"type":"module"}\n' });
    repo.commit();
    const before = repo.tree();
    const [file, out] = [join(repo.base, 'session.lua'), join(repo.base, 'seen.json')];
    writeFileSync(file, script([process.execPath, entryFile, 'lsp', '--no-daemon'], out));
    const ran = spawnSync('nvim', ['--headless', '--clean', '-n', 'src/main.ts', '-c', `luafile ${file}`, '-c', 'cq'], {
      cwd: repo.root,
      env: { PATH: quickPath(), HOME: repo.home },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(ran.status, `${ran.stdout}${ran.stderr}`).toBe(0);
    const seen = JSON.parse(readFileSync(out, 'utf8')) as Record<string, unknown>;
    const shown = "// ä😀, not saved\nimport { greet } from './greet.js';\n\nexport const said = greet('world');";
    expect(seen).toMatchObject({
      references: 4,
      definition: expect.stringMatching(/src\/greet\.ts$/),
      refused: expect.stringMatching(/refused: .*shout/),
      renamed: shown.replaceAll('greet }', 'salute }').replace('greet(', 'salute('),
      undone: shown,
      stopped: true,
    });
    expect(seen['buffers']).toEqual([
      'greet.ts:export function salute(name: string): string {',
      "index.ts:export { salute } from './greet.js';",
      'main.ts:// ä😀, not saved',
    ]);
    expect(repo.tree()).toEqual(before);
    repo.dispose();
  },
);
