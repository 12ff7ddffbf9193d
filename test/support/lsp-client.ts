/** A real client library of the language server protocol, over the pipes of a real `codegenie lsp`. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import {
  createProtocolConnection,
  type InitializeParams,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { entryFile } from '../../src/kernel/exec/start-self.ts';
import { quickPath } from './tools.ts';

export type LspClient = {
  readonly connection: ProtocolConnection;
  readonly child: ChildProcess;
  /** What the editor was told to show. */
  readonly messages: string[];
  /** What a question of the server is answered with, in turn: a choice, or undefined for none. */
  readonly answers: (string | undefined)[];
  readonly asked: { readonly message: string; readonly actions: readonly string[] }[];
  /** What the editor shows of each document. */
  readonly texts: Map<string, string>;
  readonly stderr: () => string;
  uri(path: string): string;
  ask<T>(method: string, params: unknown): Promise<T>;
  open(path: string, text: string): Promise<void>;
  /** As an editor does without looking: the whole text. */
  edit(path: string, text: string): Promise<void>;
  close(path: string): Promise<void>;
  at(
    path: string,
    position: Position,
  ): { readonly textDocument: { readonly uri: string }; readonly position: Position };
  /** Ends in order; the exit code. */
  end(): Promise<number | null>;
};

export type LspStart = {
  readonly root: string;
  readonly home: string;
  readonly entry?: string;
  readonly flags?: readonly string[];
  readonly params?: Partial<InitializeParams>;
};

export function spawnLsp({ root, home, entry = entryFile, flags = ['--no-daemon'] }: LspStart): ChildProcess {
  return spawn(process.execPath, [entry, 'lsp', ...flags], {
    cwd: root,
    env: { PATH: quickPath(), HOME: home, CODEGENIE_DEBUG: '1' },
  });
}

export async function connectLsp(start: LspStart): Promise<LspClient & { readonly initialized: InitializeResult }> {
  const child = spawnLsp(start);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += String(chunk);
  });
  if (child.stdout === null || child.stdin === null) throw new Error('the program has no pipes');
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const messages: string[] = [];
  const answers: (string | undefined)[] = [];
  const asked: LspClient['asked'] = [];
  const texts = new Map<string, string>();
  const versions = new Map<string, number>();
  connection.onNotification('window/showMessage', ({ message }: { message: string }) => void messages.push(message));
  connection.onRequest(
    'window/showMessageRequest',
    ({ message, actions }: { message: string; actions: { title: string }[] }) => {
      asked.push({ message, actions: actions.map(({ title }) => title) });
      const answer = answers.shift();
      return answer === undefined ? null : { title: answer };
    },
  );
  connection.listen();
  // Otherwise what was asked of a program that is gone would wait for ever.
  child.once('exit', () => connection.dispose());
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(start.root).href, name: 'root' }],
    capabilities: {
      window: { showMessage: {}, workDoneProgress: true },
      workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
      textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
    },
    ...start.params,
  });
  await connection.sendNotification('initialized', {});
  const uri = (path: string) => pathToFileURL(`${start.root}/${path}`).href;
  const send = (path: string, text: string, method: 'open' | 'change') => {
    const version = (versions.get(uri(path)) ?? 0) + 1;
    versions.set(uri(path), version);
    texts.set(uri(path), text);
    const document = { uri: uri(path), version };
    return method === 'open'
      ? connection.sendNotification('textDocument/didOpen', {
          textDocument: { ...document, languageId: 'typescript', text },
        })
      : connection.sendNotification('textDocument/didChange', { textDocument: document, contentChanges: [{ text }] });
  };
  return {
    ...{ connection, child, messages, answers, asked, texts, uri, initialized },
    stderr: () => stderr,
    ask: (method, params) => connection.sendRequest(method, params),
    open: (path, text) => send(path, text, 'open'),
    edit: (path, text) => send(path, text, 'change'),
    close: (path) => connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(path) } }),
    at: (path, position) => ({ textDocument: { uri: uri(path) }, position }),
    async end() {
      const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      if (child.exitCode === null) {
        await connection.sendRequest('shutdown');
        await connection.sendNotification('exit');
      }
      await exited;
      connection.dispose();
      return child.exitCode;
    },
  };
}

/** As an editor applies an edit to the texts that it shows; UTF-16, lines by `\n`. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = ({ line, character }: Position) => (starts[line] ?? text.length) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
      text,
    );
}

/** Uri → its edits and the version they are of. */
export function editsOf({ documentChanges = [], changes = {} }: WorkspaceEdit): ReadonlyMap<string, TextEdit[]> {
  const versioned = documentChanges.flatMap((change) =>
    'edits' in change ? [[change.textDocument.uri, change.edits as TextEdit[]] as const] : [],
  );
  return new Map([...versioned, ...Object.entries(changes)]);
}
