/** A scripted editor: a real client library over the pipes of a real `codegenie lsp`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type {
  CodeAction,
  DocumentSymbol,
  Location,
  Position,
  PrepareRenameResult,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import type { FixtureRepo } from '../support/fixture-repo.ts';
import { applyEdits, connectLsp, editsOf, type LspClient } from '../support/lsp-client.ts';
import { createMcpProject } from '../support/mcp-project.ts';

const greet = 'src/greet.ts';
const main = 'src/main.ts';
let repo: FixtureRepo;
let editor: LspClient;
let before: Record<string, string>;

beforeAll(async () => {
  repo = createMcpProject({ 'package.json': '{"name":"greeter","private":true,"type":"module"}\n' });
  repo.commit();
  before = repo.tree();
});
afterAll(() => repo.dispose());
beforeEach(async () => {
  editor = await connectLsp(repo);
});
afterEach(async () => {
  expect(await editor.end()).toBe(0);
  expect(readdirSync(join(repo.cacheDir, 'unsaved'))).toEqual([]);
});

const disk = (path: string) => readFileSync(join(repo.root, path), 'utf8');

/** `path:line:character` of the protocol, and the text there. */
function show(locations: readonly Location[] | null): readonly string[] {
  return (locations ?? [])
    .map(({ uri, range: { start, end } }) => {
      const text = (editor.texts.get(uri) ?? disk(uri.replace(editor.uri(''), ''))).split('\n')[start.line] ?? '';
      return `${uri.replace(editor.uri(''), '')}:${start.line}:${start.character} ${text.slice(start.character, end.character)}`;
    })
    .sort();
}

const references = (path: string, position: Position, includeDeclaration = true) =>
  editor.ask<Location[] | null>('textDocument/references', {
    ...editor.at(path, position),
    context: { includeDeclaration },
  });
const renameAt = (path: string, position: Position, newName: string) =>
  editor.ask<WorkspaceEdit>('textDocument/rename', { ...editor.at(path, position), newName });

test('L1 a session: open, edit without saving, ask, rename, undo, close', async () => {
  expect(show(await references(greet, { line: 0, character: 16 }))).toEqual([
    'src/greet.ts:0:16 greet',
    'src/index.ts:0:9 greet',
    'src/main.ts:0:9 greet',
    'src/main.ts:2:20 greet',
  ]);
  await editor.open(main, disk(main));
  const edited = `// a line, not saved\n${disk(main)}export const again = greet('you');\n`;
  await editor.edit(main, edited);
  expect(show(await references(main, { line: 1, character: 10 }))).toEqual([
    'src/greet.ts:0:16 greet',
    'src/index.ts:0:9 greet',
    'src/main.ts:1:9 greet',
    'src/main.ts:3:20 greet',
    'src/main.ts:4:21 greet',
  ]);
  expect(show(await references(main, { line: 1, character: 10 }, false))).not.toContain('src/greet.ts:0:16 greet');
  expect(
    show(await editor.ask<Location[]>('textDocument/definition', editor.at(main, { line: 4, character: 24 }))),
  ).toEqual(['src/greet.ts:0:16 greet']);
  const symbols = await editor.ask<DocumentSymbol[]>('textDocument/documentSymbol', {
    textDocument: { uri: editor.uri(main) },
  });
  expect(symbols.map(({ name, selectionRange }) => [name, selectionRange.start.line])).toEqual([
    ['said', 3],
    ['again', 4],
  ]);
  const found = await editor.ask<SymbolInformation[]>('workspace/symbol', { query: 'again' });
  expect(found.map(({ name, location }) => [name, location.range.start])).toEqual([
    ['again', { line: 4, character: 13 }],
  ]);
  expect(
    await editor.ask<PrepareRenameResult>('textDocument/prepareRename', editor.at(main, { line: 4, character: 24 })),
  ).toEqual({
    range: { start: { line: 4, character: 21 }, end: { line: 4, character: 26 } },
    placeholder: 'greet',
  });

  const edit = await renameAt(main, { line: 4, character: 22 }, 'salute');
  expect(edit.changeAnnotations?.['codegenie']?.description).toContain('proven');
  const edits = editsOf(edit);
  expect([...edits.keys()].map((uri) => uri.replace(editor.uri(''), '')).sort()).toEqual([greet, 'src/index.ts', main]);
  const renamed = applyEdits(edited, edits.get(editor.uri(main)) ?? []);
  expect(renamed).toBe(edited.replaceAll('greet(', 'salute(').replace('{ greet }', '{ salute }'));
  expect(editor.messages.at(-1)).toMatch(
    /proven, 5 edits in 3 files, at the text of 1 unsaved buffer; nothing is written/,
  );
  expect(repo.tree()).toEqual(before);

  // The editor applies it, and undoes it: each is a change like any other.
  for (const [uri, changes] of edits) {
    const path = uri.replace(editor.uri(''), '');
    if (path !== main) await editor.open(path, applyEdits(disk(path), changes));
  }
  await editor.edit(main, renamed);
  expect(show(await references(main, { line: 4, character: 22 }))).toContain('src/main.ts:4:21 salute');
  await editor.edit(main, edited);
  for (const path of [greet, 'src/index.ts']) await editor.edit(path, disk(path));
  expect(show(await references(main, { line: 4, character: 22 }))).toContain('src/main.ts:4:21 greet');
  // Given up without saving: it is the disk again.
  for (const path of [greet, 'src/index.ts', main]) await editor.close(path);
  editor.texts.clear();
  expect(show(await references(greet, { line: 0, character: 16 }))).toHaveLength(4);
  expect(repo.tree()).toEqual(before);
});

describe('L3 what is not proven', () => {
  test('is refused with its reason', async () => {
    await expect(renameAt(greet, { line: 0, character: 16 }, 'shout')).rejects.toThrow(/refused: .*shout/);
    await expect(renameAt(greet, { line: 0, character: 16 }, 'not a name')).rejects.toThrow(/refused/);
    await expect(renameAt(greet, { line: 1, character: 3 }, 'x')).rejects.toThrow(/refused|no name/);
    await expect(
      editor.ask('textDocument/prepareRename', editor.at(greet, { line: 1, character: 3 })),
    ).rejects.toThrow();
    expect(repo.tree()).toEqual(before);
  });

  test('is asked by messages, at the unsaved text', async () => {
    await editor.open(main, disk(main));
    const edited =
      "import { greet } from './greet.js';\nconst one = { greet };\nconst any: any = one;\nexport const said = any.greet('x');\n";
    await editor.edit(main, edited);
    const at = [main, { line: 1, character: 15 }, 'salute'] as const;
    // Without an answer nothing happens.
    await expect(renameAt(...at)).rejects.toThrow('a question was left open');
    expect(editor.asked.length).toBeGreaterThan(0);
    expect(editor.asked[0]?.actions).toContain('stop');
    const shown = editor.asked.length;
    editor.answers.push('stop');
    await expect(renameAt(...at)).rejects.toThrow('a question was left open');
    expect(editor.asked.length).toBe(shown + 1);
    editor.asked.length = 0;
    editor.answers.push(...Array.from({ length: 5 }, () => 'leave'));
    const edit = await renameAt(...at).catch((error: Error) => error.message);
    expect(edit).toMatchObject({ documentChanges: expect.anything() });
    expect(editor.asked.every(({ message }) => message.includes('src/'))).toBe(true);
    expect(repo.tree()).toEqual(before);
  });
});

test('L9 a list that may not be all is said to be so, with the reason', async () => {
  await editor.open(main, disk(main));
  expect(await references(main, { line: 0, character: 10 })).toHaveLength(4);
  expect(editor.messages).toEqual([]);
  await editor.edit(main, `${disk(main)}const any: any = await import(String(said));\nany.greet();\n`);
  expect((await references(main, { line: 0, character: 10 }))?.length).toBeGreaterThanOrEqual(4);
  expect(editor.messages).toEqual([
    expect.stringMatching(/^(at least \d+ references to greet: .+|\d+ more places could mean greet)/),
  ]);
});

describe('L5 writing', () => {
  const rename = (position: Position, newName: string) =>
    editor.ask<string>('workspace/executeCommand', {
      command: 'codegenie.rename',
      arguments: [{ uri: editor.uri(main), position, newName }],
    });
  const actions = (position: Position) =>
    editor.ask<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: editor.uri(main) },
      range: { start: position, end: position },
      context: { diagnostics: [] },
    });

  test('only by a command, through the journal, while nothing is unsaved; and it is taken back', async () => {
    const at = { line: 2, character: 22 };
    await editor.open(main, disk(main));
    expect(await actions(at)).toEqual([]);
    await renameAt(main, at, 'salute');
    const [offered] = await actions(at);
    expect(offered?.title).toContain('greet to salute');
    expect(await actions({ line: 1, character: 0 })).toEqual([]);
    expect(repo.tree()).toEqual(before);

    await editor.edit(main, `${disk(main)}// not saved\n`);
    expect(await actions(at)).toEqual([]);
    await expect(rename(at, 'salute')).rejects.toThrow(/save first: src\/main.ts/);
    expect(repo.tree()).toEqual(before);
    await editor.edit(main, disk(main));

    const said = await editor.ask<string>('workspace/executeCommand', {
      command: offered?.command?.command,
      arguments: offered?.command?.arguments,
    });
    expect(said).toMatch(/proven, 4 edits in 3 files; written to disk/);
    expect(disk(main)).toBe("import { salute } from './greet.js';\n\nexport const said = salute('world');\n");
    await editor.edit(main, disk(main));
    const [back] = await actions(at);
    expect(back?.title).toBe('Take back: rename of greet to salute');
    const undo = { command: back?.command?.command, arguments: back?.command?.arguments };
    expect(await editor.ask<string>('workspace/executeCommand', undo)).toBe('taken back: rename of greet to salute');
    expect(repo.tree()).toEqual(before);
    await expect(editor.ask('workspace/executeCommand', undo)).rejects.toThrow();
  });
});

describe('L4 positions', () => {
  test('L4 1,000 rapid edits leave it alive and right, and what was asked between them is of its text or not given', async () => {
    await editor.open(main, disk(main));
    let text = disk(main);
    let version = 1;
    const asked: Promise<unknown>[] = [];
    for (let at = 0; at < 1_000; at += 1) {
      version += 1;
      const line = at % 3;
      const insert = `/* ${at} ä😀 */\n`;
      const changes = [{ range: { start: { line, character: 0 }, end: { line, character: 0 } }, text: insert }];
      const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
      text = text.slice(0, starts[line]) + insert + text.slice(starts[line]);
      const document = { uri: editor.uri(main), version };
      await editor.connection.sendNotification('textDocument/didChange', {
        textDocument: document,
        contentChanges: changes,
      });
      if (at % 100 !== 50) continue;
      const now = text;
      const line0 = now.split('\n').findIndex((one) => one.startsWith('import'));
      asked.push(
        references(main, { line: line0, character: 10 }).then(
          (found) => {
            const lines = now.split('\n');
            for (const { uri, range } of found ?? [])
              if (uri === editor.uri(main))
                expect(lines[range.start.line]?.slice(range.start.character, range.end.character)).toBe('greet');
          },
          (error: { readonly code: number }) => expect(error.code).toBe(-32801),
        ),
      );
    }
    await Promise.all(asked);
    editor.texts.set(editor.uri(main), text);
    const lines = text.split('\n');
    const at = { line: lines.findIndex((one) => one.startsWith('import')), character: 10 };
    const found = show(await references(main, at));
    expect(found).toHaveLength(4);
    expect(found.every((one) => one.endsWith(' greet'))).toBe(true);
    const edits = editsOf(await renameAt(main, at, 'salute')).get(editor.uri(main)) ?? [];
    expect(applyEdits(text, edits)).toBe(text.replace('greet }', 'salute }').replace("greet('", "salute('"));
    expect(repo.tree()).toEqual(before);
  });
});

test('L7 nothing of a session is left', () => {
  expect(existsSync(join(repo.root, '.codegenie'))).toBe(false);
});
