/** A language server that is spoken to oddly, cut off, or asked what it cannot know. */

import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Location, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { applyEdits, connectLsp, editsOf, spawnLsp } from '../support/lsp-client.ts';
import { createMcpProject } from '../support/mcp-project.ts';
import { secretSamples } from '../support/secret-samples.ts';

let repo: FixtureRepo;
let before: Record<string, string>;
beforeAll(() => {
  repo = createMcpProject({ 'package.json': '{"name":"greeter","private":true,"type":"module"}\n' });
  repo.commit();
  before = repo.tree();
});
afterAll(() => {
  expect(repo.tree()).toEqual(before);
  repo.dispose();
});

const frame = (body: string | object) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};
const request = (id: number | string, method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id, method, params });
const hello = (params: object = {}) =>
  request('hello', 'initialize', {
    processId: null,
    rootUri: pathToFileURL(repo.root).href,
    capabilities: {},
    ...params,
  });

/** Frames as they come; resolves when `count` of them are there. */
function listen(child: ChildProcess) {
  let rest = Buffer.alloc(0);
  const got: Record<string, unknown>[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  child.stdout?.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.subarray(0, 60).toString('latin1'));
      if (head === null || rest.length < head[0].length + Number(head[1])) break;
      const end = head[0].length + Number(head[1]);
      got.push(JSON.parse(rest.subarray(head[0].length, end).toString()) as Record<string, unknown>);
      rest = rest.subarray(end);
    }
    for (const { count, resolve } of waiting) if (got.length >= count) resolve();
  });
  return {
    got,
    until: (count: number) =>
      got.length >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ count, resolve })),
  };
}

test('L6 what is no message is answered as such, and what comes after it is understood', async () => {
  const child = spawnLsp(repo);
  const said = listen(child);
  const send = (text: string | Buffer) => void child.stdin?.write(text);
  const outline = { textDocument: { uri: pathToFileURL(join(repo.root, 'src/main.ts')).href } };
  // Before it is initialized nothing else is answered, and exit would end it.
  send(frame(request(1, 'textDocument/documentSymbol', outline)));
  send(frame({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: null }));
  send(frame(hello()));
  await said.until(2);
  expect(said.got[0]).toMatchObject({ id: 1, error: { code: -32002 } });
  expect(said.got[1]).toMatchObject({
    id: 'hello',
    result: { capabilities: { renameProvider: { prepareProvider: true } } },
  });
  const odd: readonly (readonly [string | Buffer, object])[] = [
    [frame(hello()), { id: 'hello', error: { code: -32600 } }],
    [frame('{"jsonrpc":"2.0",'), { id: null, error: { code: -32700 } }],
    [frame('[]'), { id: null, error: { code: -32600 } }],
    [frame('null'), { id: null, error: { code: -32600 } }],
    [frame('"exit"'), { id: null, error: { code: -32600 } }],
    [frame({ id: 4, method: 'shutdown' }), { id: 4, error: { code: -32600 } }],
    [frame({ jsonrpc: '2.0', id: 5, method: 7 }), { id: 5, error: { code: -32600 } }],
    [frame({ jsonrpc: '2.0', id: { a: 1 }, method: 'shutdown' }), { id: null, error: { code: -32600 } }],
    ['X-Unknown: 1\r\n\r\n', { id: null, error: { code: -32700 } }],
    [`Content-Length: -4\r\n\r\n`, { id: null, error: { code: -32700 } }],
    [`content-type: x\r\ncontent-length: 2\r\n\r\n{}`, { id: null, error: { code: -32600 } }],
    [frame(request(6, 'no/such')), { id: 6, error: { code: -32601 } }],
    [frame(request(7, '__proto__')), { id: 7, error: { code: -32601 } }],
    [frame(request(8, 'textDocument/rename', {})), { id: 8, error: { code: -32602 } }],
    [frame(request(9, 'textDocument/rename', [1])), { id: 9, error: { code: -32602 } }],
    [
      frame(request(10, 'textDocument/definition', { textDocument: { uri: 7 }, position: { line: 0, character: 0 } })),
      { id: 10, error: { code: -32602 } },
    ],
    [
      frame(request(11, 'textDocument/definition', { ...outline, position: { line: -1, character: 0.5 } })),
      { id: 11, error: { code: -32602 } },
    ],
    [
      frame(request(12, 'workspace/executeCommand', { command: 'rm', arguments: [{ uri: 'file:///' }] })),
      { id: 12, error: { code: -32602 } },
    ],
    [frame(request(13, 'workspace/symbol', { query: { $ne: 1 } })), { id: 13, error: { code: -32602 } }],
    [
      frame(request(14, 'textDocument/documentSymbol', { textDocument: { uri: 'file://elsewhere/etc/passwd' } })),
      { id: 14, result: null },
    ],
    [
      frame(request(15, 'textDocument/documentSymbol', { textDocument: { uri: 'file:///etc/passwd' } })),
      { id: 15, result: null },
    ],
    [
      frame(
        request(16, 'textDocument/documentSymbol', {
          textDocument: { uri: `${pathToFileURL(repo.root).href}/../../etc/passwd` },
        }),
      ),
      { id: 16, result: null },
    ],
    [
      frame(request(17, 'textDocument/definition', { ...outline, position: { line: 1e9, character: 1e9 } })),
      { id: 17, result: null },
    ],
  ];
  for (const [bytes, answer] of odd) {
    const count = said.got.length + 1;
    send(bytes);
    await said.until(count);
    expect(said.got.at(-1)).toMatchObject(answer);
  }
  // Notifications that make no sense, a message in pieces, and one that is too long to be kept.
  for (const method of [
    'textDocument/didOpen',
    'textDocument/didChange',
    'textDocument/didClose',
    'workspace/didChangeWorkspaceFolders',
    '$/cancelRequest',
    '$/progress',
    'no/such',
  ])
    for (const params of [
      null,
      [],
      {},
      { textDocument: null },
      { textDocument: { uri: 'file:///x' }, contentChanges: [null] },
    ])
      send(frame({ jsonrpc: '2.0', method, params }));
  const long = 64 * 1024 ** 2 + 10;
  send(`Content-Length: ${long}\r\n\r\n`);
  for (let left = long; left > 0; left -= 1024 ** 2) send(Buffer.alloc(Math.min(left, 1024 ** 2), 'x'));
  for (const byte of frame(request(20, 'textDocument/documentSymbol', outline))) send(byte);
  const answerOf = (id: number) => said.got.find((one) => one['id'] === id);
  while (answerOf(20) === undefined) await said.until(said.got.length + 1);
  expect(answerOf(20)).toMatchObject({ result: [{ name: 'said' }] });
  expect(said.got).toContainEqual(
    expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
  );
  const count = said.got.length;
  send(frame(request(21, 'shutdown')));
  send(frame(request(22, 'textDocument/documentSymbol', outline)));
  await said.until(count + 2);
  expect(said.got.find(({ id }) => id === 22)).toMatchObject({ error: { code: -32600 } });
  expect(said.got.find(({ id }) => id === 21)).toMatchObject({ result: null });
  send(frame({ jsonrpc: '2.0', method: 'exit' }));
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});

test('L6 what is cancelled ends as that, and the next question is answered', async () => {
  const editor = await connectLsp(repo);
  await editor.open('src/main.ts', "import { greet } from './greet.js';\nexport const more = greet('a');\n");
  const at = editor.at('src/main.ts', { line: 1, character: 21 });
  for (const method of ['textDocument/rename', 'textDocument/references', 'textDocument/definition']) {
    const stop = new CancellationTokenSource();
    const params = { ...at, newName: 'salute', context: { includeDeclaration: true } };
    const asked = editor.connection.sendRequest(method, params, stop.token);
    stop.cancel();
    await expect(asked).rejects.toMatchObject({ code: -32800 });
  }
  // At its first step, when a compiler is at work for it.
  const stop = new CancellationTokenSource();
  const steps: string[] = [];
  editor.connection.onNotification('$/progress', ({ value }: { value: { kind: string; message?: string } }) => {
    steps.push(value.kind);
    if (value.kind === 'report') stop.cancel();
  });
  const asked = editor.connection.sendRequest(
    'textDocument/rename',
    { ...at, newName: 'salute', workDoneToken: 't' },
    stop.token,
  );
  await expect(asked).rejects.toMatchObject({ code: -32800 });
  expect(steps.slice(0, 2)).toEqual(['begin', 'report']);
  const edit = await editor.ask<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'salute' });
  expect(editsOf(edit).size).toBe(3);
  expect(await editor.end()).toBe(0);
});

test.each(['SIGKILL', 'end of input'])(
  'L7 a client that is gone takes the server along, and all that it started: %s',
  async (how) => {
    // A client of its own, which is killed: its pipes close, or are kept open by nobody.
    const editor = await connectLsp({ ...repo, params: { processId: null } });
    const { child } = editor;
    await editor.open('src/main.ts', "import { greet } from './greet.js';\nexport const more = greet('a');\n");
    const at = editor.at('src/main.ts', { line: 1, character: 21 });
    const begun = new Promise<void>((resolve) =>
      editor.connection.onNotification('$/progress', ({ value }: { value: { kind: string } }) => {
        if (value.kind === 'report') resolve();
      }),
    );
    void editor.connection
      .sendRequest('textDocument/rename', { ...at, newName: 'salute', workDoneToken: 't' })
      .catch(() => {});
    await begun;
    const started = descendantsOf(child.pid ?? 0);
    expect(started.length).toBeGreaterThan(0);
    const exited = once(child, 'exit');
    if (how === 'SIGKILL') child.kill('SIGKILL');
    else child.stdin?.end();
    const [code] = (await exited) as [number | null];
    expect(code).toBe(how === 'SIGKILL' ? null : 1);
    while (started.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
    // What a killed one left goes with the next.
    const next = await connectLsp(repo);
    await next.open('src/main.ts', 'export const more = 1;\n');
    await next.ask('textDocument/references', { ...at, context: { includeDeclaration: true } });
    expect(await next.end()).toBe(0);
    expect(execFileSync('ls', [join(repo.cacheDir, 'unsaved')], { encoding: 'utf8' })).toBe('');
  },
);

test('L7 an editor whose process is gone is gone, also where its pipes stay open', async () => {
  const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  const editor = await connectLsp({ ...repo, params: { processId: dead } });
  const [code] = (await once(editor.child, 'exit')) as [number];
  expect(code).toBe(1);
});

test('L4 columns are counted as the client says: UTF-8, with characters of every length before the name', async () => {
  const params = {
    capabilities: {
      general: { positionEncodings: ['utf-8', 'utf-16'] },
      workspace: { workspaceEdit: { documentChanges: true } },
    },
  };
  const editor = await connectLsp({ ...repo, params });
  expect(editor.initialized.capabilities.positionEncoding).toBe('utf-8');
  const line = "export const said = 'ä€😀' + greet('ü'); /* 😀 */ export const two = greet('x');";
  const text = `import { greet } from './greet.js';\r\n${line}\r\n`;
  await editor.open('src/main.ts', text);
  const bytes = (of: string, until: string, from = 0) => Buffer.byteLength(of.slice(0, of.indexOf(until, from)));
  const second = line.lastIndexOf('greet');
  const character = Buffer.byteLength(line.slice(0, second));
  const found = await editor.ask<Location[]>('textDocument/references', {
    ...editor.at('src/main.ts', { line: 1, character }),
    context: { includeDeclaration: false },
  });
  const here = found
    .filter(({ uri }) => uri === editor.uri('src/main.ts'))
    .map(({ range }) => [range.start.line, range.start.character, range.end.character]);
  expect(here).toEqual([
    [0, 9, 14],
    [1, bytes(line, 'greet'), bytes(line, 'greet') + 5],
    [1, character, character + 5],
  ]);
  // A change within a line, in bytes too.
  const document = { uri: editor.uri('src/main.ts'), version: 2 };
  const start = { line: 1, character: bytes(line, 'ä') };
  const end = { line: 1, character: bytes(line, "' +") };
  await editor.connection.sendNotification('textDocument/didChange', {
    textDocument: document,
    contentChanges: [{ range: { start, end }, text: '€' }],
  });
  const now = line.replace('ä€😀', '€');
  const place = { line: 1, character: bytes(now, 'greet') + 2 };
  const edits =
    editsOf(
      await editor.ask<WorkspaceEdit>('textDocument/rename', { ...editor.at('src/main.ts', place), newName: 'salute' }),
    ).get(editor.uri('src/main.ts')) ?? [];
  expect(
    edits.map(({ range, newText }) => [
      range.start.line,
      Buffer.from(range.start.line === 1 ? now : text)
        .subarray(range.start.character, range.end.character)
        .toString(),
      newText,
    ]),
  ).toEqual([
    [0, 'greet', 'salute'],
    [1, 'greet', 'salute'],
    [1, 'greet', 'salute'],
  ]);
  expect(await editor.end()).toBe(0);
});

test('L1 several roots, one that comes later, one behind a link, a file in none, and none at all', async () => {
  const other = createMcpProject({ 'src/other.ts': 'export function onlyOther() { return 1; }\nonlyOther();\n' });
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'lsp-')));
  const link = join(place, 'led');
  symlinkSync(other.root, link);
  writeFileSync(join(place, 'loose.ts'), 'export const loose = 1;\nloose;\n');
  const editor = await connectLsp(repo);
  const ask = (uri: string, line: number, character: number) =>
    editor.ask<Location[] | null>('textDocument/references', {
      textDocument: { uri },
      position: { line, character },
      context: { includeDeclaration: true },
    });
  const inOther = pathToFileURL(join(link, 'src/other.ts')).href;
  const loose = pathToFileURL(join(place, 'loose.ts')).href;
  expect(await ask(inOther, 0, 17)).toBeNull();
  await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
    event: { added: [{ uri: pathToFileURL(link).href, name: 'b' }], removed: [] },
  });
  const found = await ask(inOther, 0, 17);
  // As the editor calls it: the same file by another name would be another buffer.
  expect(found?.map(({ uri }) => uri)).toEqual([inOther, inOther]);
  expect(await editor.ask('workspace/symbol', { query: 'onlyOther' })).toMatchObject([
    { name: 'onlyOther', location: { uri: inOther } },
  ]);
  expect(await ask(loose, 0, 14)).toBeNull();
  await expect(
    editor.ask('textDocument/rename', {
      textDocument: { uri: loose },
      position: { line: 0, character: 14 },
      newName: 'x',
    }),
  ).rejects.toThrow('in no work tree');
  for (const uri of ['untitled:Untitled-1', 'file:///', 'not a uri', 'http://x/y'])
    expect(await ask(uri, 0, 0)).toBeNull();
  await editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
    event: { added: [], removed: [{ uri: pathToFileURL(link).href, name: 'b' }] },
  });
  expect(await ask(inOther, 0, 17)).toBeNull();
  expect(await editor.end()).toBe(0);

  const alone = await connectLsp({ ...repo, params: { workspaceFolders: null } });
  const params = { position: { line: 0, character: 17 }, context: { includeDeclaration: true } };
  const around = await alone.ask<Location[]>('textDocument/references', {
    ...params,
    textDocument: { uri: pathToFileURL(join(other.root, 'src/other.ts')).href },
  });
  expect(around).toHaveLength(2);
  expect(await alone.ask('textDocument/references', { ...params, textDocument: { uri: loose } })).toBeNull();
  expect(await alone.end()).toBe(0);
  rmSync(place, { recursive: true });
  other.dispose();
});

test('L8 what is said has passed the last door, and an edit that it would change is refused', async () => {
  const token = secretSamples.github_token?.[0]?.secret ?? '';
  const editor = await connectLsp(repo);
  const text = readFileSync(join(repo.root, 'src/main.ts'), 'utf8');
  await editor.open('src/main.ts', `${text}// ${token}\n`);
  const at = editor.at('src/main.ts', { line: 2, character: 21 });
  await expect(editor.ask('textDocument/rename', { ...at, newName: token })).rejects.toThrow(/secret|refused/);
  const hidden = await editor.ask<Location[]>('textDocument/references', {
    ...at,
    context: { includeDeclaration: true },
  });
  expect(JSON.stringify(hidden)).not.toContain(token);
  expect(JSON.stringify(editor.messages)).not.toContain(token);
  const edit = await editor.ask<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'salute' });
  expect(applyEdits(`${text}// ${token}\n`, editsOf(edit).get(editor.uri('src/main.ts')) ?? [])).toContain(token);
  expect(await editor.end()).toBe(0);
  expect(editor.stderr()).not.toContain(token);
  expect(Object.values(repo.written()).join('')).not.toContain(token);
});

function descendantsOf(pid: number): readonly number[] {
  const rows = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const found = new Set([pid]);
  for (const id of found) for (const [child = 0, parent] of rows) if (parent === id) found.add(child);
  found.delete(pid);
  return [...found];
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
