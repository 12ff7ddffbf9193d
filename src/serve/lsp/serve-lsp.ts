/**
 * The language server protocol over two streams, until the client says `exit` or is gone. It knows the protocol and nothing else: what is asked
 * and answered comes through the workspace. L7: when the client goes, everything that was begun for it ends, and nothing is left of it.
 */

import type { Readable, Writable } from 'node:stream';
import {
  CodeActionKind,
  createConnection,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  type Message,
  MessageType,
  type Position,
  PositionEncodingKind,
  ResponseError,
  ShowMessageRequest,
  TextDocumentSyncKind,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver';
import { createProtocolConnection } from 'vscode-languageserver-protocol/node';
import { packageVersion } from '../../kernel/base/package-files.ts';
import { isProcessGone } from '../../kernel/base/processes.ts';
import type { LocatedRoot, OpenSettings } from '../workspace/open-workspace.ts';
import type { AskUser } from './ask-in-editor.ts';
import { createDocuments, type Encoding, isPosition } from './documents.ts';
import { createEditorQuestions } from './editor-questions.ts';
import { createEditorRenames, renameCommand, undoCommand } from './editor-renames.ts';
import { createEditorRoots, type RootAnswers } from './editor-roots.ts';
import { type Complaint, FrameReader, FrameWriter } from './message-streams.ts';

export type LspSettings = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Aborted from outside to end, and from here when the client has gone: what it asked stops. */
  readonly session: AbortController;
  readonly cwd: string;
  /** Where the client names no folder. */
  readonly folder: string | undefined;
  readonly settings: OpenSettings;
  readonly openAnswers: (located: LocatedRoot) => RootAnswers;
  /** What is wrong with us, not with a request: for a log, never for the wire. */
  readonly onBug: (error: unknown) => void;
};

/** How often a client is looked for that died without closing its end. */
const watchMs = 3_000;

/** Whether it ended as the protocol wants it: after `shutdown`. */
export async function serveLsp(settings: LspSettings): Promise<'in order' | 'cut off'> {
  const { stdin, stdout, session, onBug } = settings;
  const ended = Promise.withResolvers<void>();
  const state: { phase: 'new' | 'open' | 'shut' } = { phase: 'new' };
  const writer = new FrameWriter(stdout);
  const reader = new FrameReader(stdin, judge, ({ id, error }) => writer.send({ jsonrpc: '2.0', id, error }));
  const connection = createConnection(
    (logger) => createProtocolConnection(reader, writer, logger),
    { shutdownReceived: false, initialize: watchClient, exit: () => ended.resolve() },
    undefined,
  );
  let encoding: Encoding = 'utf-16';
  let client: InitializeParams['capabilities'] = {};
  const documents = createDocuments(() => encoding);
  const roots = createEditorRoots({ ...settings, documents });
  const pending = new Set<Promise<unknown>>();
  const say = (kind: 'note' | 'warning', message: string) => {
    const type = kind === 'note' ? MessageType.Info : MessageType.Warning;
    void connection.sendNotification('window/showMessage', { type, message }).catch(() => {});
  };
  const editor = {
    ...{ roots, documents, say, signal: session.signal },
    encoding: () => encoding,
    askUser: () => (client.window?.showMessage === undefined ? undefined : askUser),
    can: () => {
      const edits = client.workspace?.workspaceEdit;
      return {
        versions: edits?.documentChanges === true,
        annotations: edits?.changeAnnotationSupport !== undefined,
      };
    },
  };
  const questions = createEditorQuestions(editor);
  const renames = createEditorRenames(editor);

  connection.onInitialize((params): InitializeResult | ResponseError<never> => {
    client = params.capabilities ?? {};
    encoding = chooseEncoding(client.general?.positionEncodings);
    const folders = params.workspaceFolders?.map(({ uri }) => uri);
    const given = folders ?? (params.rootUri == null ? [] : [params.rootUri]);
    roots.setFolders(given.length > 0 ? given : settings.folder === undefined ? [] : [settings.folder]);
    return {
      serverInfo: { name: 'codegenie', version: packageVersion() },
      capabilities: {
        positionEncoding: encoding === 'utf-8' ? PositionEncodingKind.UTF8 : PositionEncodingKind.UTF16,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        definitionProvider: true,
        referencesProvider: true,
        implementationProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        renameProvider: { prepareProvider: true, workDoneProgress: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.Refactor] },
        executeCommandProvider: { commands: [renameCommand, undoCommand], workDoneProgress: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });

  connection.onDidOpenTextDocument((params) => {
    const { uri, version, text } = params?.textDocument ?? {};
    if (typeof uri === 'string' && typeof text === 'string')
      documents.open({ uri, version: typeof version === 'number' ? version : 0, text });
  });
  connection.onDidChangeTextDocument((params) => {
    const { uri, version } = params?.textDocument ?? {};
    if (typeof uri !== 'string' || !Array.isArray(params.contentChanges)) return;
    if (documents.change(uri, typeof version === 'number' ? version : 0, params.contentChanges)) return;
    // From here on nobody knows what it says; what is on disk is at least that.
    documents.close(uri);
    say('warning', `a change of ${uri} was not understood; it is taken as it is on disk until it is opened again`);
  });
  connection.onDidCloseTextDocument((params) => {
    if (typeof params?.textDocument?.uri === 'string') documents.close(params.textDocument.uri);
  });
  connection.onNotification('workspace/didChangeWorkspaceFolders', (params: unknown) => {
    const { event } = (params ?? {}) as { readonly event?: { readonly added?: unknown; readonly removed?: unknown } };
    roots.changeFolders(urisOf(event?.added), urisOf(event?.removed));
  });

  connection.onDefinition((params, token) => serve(() => questions.definition(...placeOf(params), token)));
  connection.onReferences((params, token) =>
    serve(() => questions.references(...placeOf(params), params.context?.includeDeclaration === true, token)),
  );
  connection.onImplementation((params, token) => serve(() => questions.implementation(...placeOf(params), token)));
  connection.onDocumentSymbol((params, token) => {
    const isNested = client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
    return serve(() => questions.documentSymbols(uriOf(params), isNested, token));
  });
  connection.onWorkspaceSymbol((params, token) =>
    serve(() => questions.workspaceSymbols(text(params?.query, 'query'), token)),
  );
  connection.onPrepareRename((params, token) =>
    serve(async () => {
      const { name, range } = await questions.nameAt(...placeOf(params), token);
      return { range, placeholder: name };
    }),
  );
  connection.onRenameRequest((params, token, progress) =>
    serve(() => {
      const [uri, position] = placeOf(params);
      const newName = text(params.newName, 'newName');
      return withProgress(progress, `rename to ${newName}`, (onStep) =>
        renames.rename({ uri, position, newName }, token, onStep),
      );
    }),
  );
  connection.onCodeAction((params) =>
    serve(async () => {
      const only = params.context?.only;
      if (Array.isArray(only) && !only.some((kind) => kind === '' || CodeActionKind.Refactor === kind)) return [];
      const position = params.range?.start;
      if (!isPosition(position)) throw invalid('range');
      return [...(await renames.listActions(uriOf(params), position))];
    }),
  );
  connection.onExecuteCommand((params, token, progress) =>
    serve(() => {
      const [given] = Array.isArray(params?.arguments) ? params.arguments : [];
      const argument = (given ?? {}) as { readonly uri?: unknown; readonly newName?: unknown; readonly plan?: unknown };
      const uri = text(argument.uri, 'uri');
      if (params.command === undoCommand) {
        const plan = text(argument.plan, 'plan');
        return withProgress(progress, 'take back', (onStep) => renames.takeBack(uri, plan, token, onStep));
      }
      if (params.command !== renameCommand) throw invalid(`command: these are ${renameCommand} and ${undoCommand}`);
      const [, position] = placeOf({ ...argument, textDocument: { uri } });
      const newName = text(argument.newName, 'newName');
      const at = { uri, position, newName };
      return withProgress(progress, `rename to ${newName}`, (onStep) => renames.writeThroughJournal(at, token, onStep));
    }),
  );
  for (const name of ['end', 'close'] as const) stdin.once(name, () => ended.resolve());
  for (const name of ['error', 'close'] as const) stdout.once(name, () => ended.resolve());
  if (session.signal.aborted) ended.resolve();
  session.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  let watching: NodeJS.Timeout | undefined;
  connection.listen();
  await ended.promise;
  clearInterval(watching);
  // Questions stop; a change finishes, or the next writer takes it back.
  session.abort(new Error('the client is gone'));
  await Promise.allSettled(pending);
  await roots.close();
  connection.dispose();
  // An input that is open keeps the process.
  stdin.destroy();
  return state.phase === 'shut' ? 'in order' : 'cut off';

  /** What the protocol allows at which point of a session. */
  function judge(message: Message): Complaint | 'drop' | undefined {
    const { method, id } = message as { readonly method?: string; readonly id?: string | number | null };
    // An answer to something that we asked.
    if (method === undefined) return undefined;
    const complain = (code: number, says: string): Complaint | 'drop' =>
      id === undefined ? 'drop' : { id: id ?? null, error: { code, message: says } };
    if (method === 'exit') return undefined;
    if (state.phase === 'shut') return complain(ErrorCodes.InvalidRequest, 'the server was shut down');
    if (method === 'initialize' && id !== undefined) {
      if (state.phase !== 'new') return complain(ErrorCodes.InvalidRequest, 'the server is initialized already');
      state.phase = 'open';
      return undefined;
    }
    // What comes behind it may be in the same piece of the stream.
    if (method === 'shutdown' && id !== undefined && state.phase === 'open') state.phase = 'shut';
    if (state.phase === 'new') return complain(ErrorCodes.ServerNotInitialized, 'the first request is `initialize`');
    return undefined;
  }

  function watchClient({ processId }: InitializeParams): void {
    if (typeof processId !== 'number') return;
    watching = setInterval(() => {
      if (isProcessGone(processId)) ended.resolve();
    }, watchMs);
    watching.unref();
  }

  /** No answer of ours tells of a stack or a path of ours: what is a bug is logged, and said to be one. */
  async function serve<T>(act: () => T | Promise<T>): Promise<T | ResponseError<void>> {
    const work = (async () => act())();
    pending.add(work);
    try {
      return await work;
    } catch (error) {
      if (error instanceof ResponseError) return error;
      if (session.signal.aborted) return new ResponseError(LSPErrorCodes.ServerCancelled, 'the session ends');
      onBug(error);
      return new ResponseError(
        ErrorCodes.InternalError,
        'codegenie failed at this; CODEGENIE_DEBUG=1 tells why on its standard error',
      );
    } finally {
      pending.delete(work);
    }
  }

  async function askUser(message: string, choices: readonly string[]): ReturnType<AskUser> {
    const actions = choices.map((title) => ({ title }));
    const asked = connection.sendRequest(ShowMessageRequest.type, { type: MessageType.Info, message, actions });
    const stopped = new Promise<null>((resolve) =>
      session.signal.addEventListener('abort', () => resolve(null), { once: true }),
    );
    return (await Promise.race([asked, stopped]))?.title;
  }
}

async function withProgress<T>(
  progress: WorkDoneProgressReporter,
  title: string,
  act: (onStep: (says: string) => void) => Promise<T>,
): Promise<T> {
  progress.begin(title);
  try {
    return await act((says) => progress.report(says));
  } finally {
    progress.done();
  }
}

/** The first that the client names and we have; it need not name the one that all have. */
function chooseEncoding(given: unknown): Encoding {
  const known = Array.isArray(given) ? given.find((one) => one === 'utf-8' || one === 'utf-16') : undefined;
  return known === 'utf-8' ? 'utf-8' : 'utf-16';
}

function placeOf(params: {
  readonly textDocument?: { readonly uri?: unknown };
  readonly position?: unknown;
}): [uri: string, position: Position] {
  if (!isPosition(params?.position)) throw invalid('position');
  return [uriOf(params), params.position];
}

function uriOf(params: { readonly textDocument?: { readonly uri?: unknown } }): string {
  return text(params?.textDocument?.uri, 'textDocument.uri');
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw invalid(field);
  return value;
}

function invalid(field: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `${field} is missing or not what it has to be`);
}

function urisOf(folders: unknown): readonly string[] {
  if (!Array.isArray(folders)) return [];
  return folders.flatMap((one: { readonly uri?: unknown } | null) => (typeof one?.uri === 'string' ? [one.uri] : []));
}
