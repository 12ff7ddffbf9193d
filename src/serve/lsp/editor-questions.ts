/**
 * Questions of an editor: definition, references, implementation, symbols. Each is asked at the texts that the editor shows: of the work tree
 * where all of them are saved, at unsaved text where one is not (L1). L4: an answer is given only if the texts that its places are in are still
 * those it was asked at. L9: a list cannot say that it is not all, so that a lower bound is said beside it.
 */

import {
  type CancellationToken,
  type DocumentSymbol,
  type Location,
  LSPErrorCodes,
  type Position,
  type Range,
  ResponseError,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver';
import type { z } from '../../kernel/base/schema.ts';
import type { UnsavedTexts } from '../../kernel/tree/unsaved-texts.ts';
import def from '../operations/def.ts';
import implementations from '../operations/implementations.ts';
import type { Operation } from '../operations/operation.ts';
import outline from '../operations/outline.ts';
import refs from '../operations/refs.ts';
import symbols from '../operations/symbols.ts';
import type { AskOutcome } from '../workspace/workspace.ts';
import { type Documents, type Encoding, type Lines, linesOf } from './documents.ts';
import type { EditorFile, EditorRoot, EditorRoots } from './editor-roots.ts';

export type Editor = {
  readonly roots: EditorRoots;
  readonly documents: Documents;
  readonly encoding: () => Encoding;
  /** Ends with the session. */
  readonly signal: AbortSignal;
  /** One line beside an answer, which the editor shows where it can. */
  readonly say: (kind: 'note' | 'warning', text: string) => void;
};

const waitMs = 60_000;
const listed = 10_000;
const foundAtOnce = 200;

export function createEditorQuestions(editor: Editor) {
  return {
    async definition(uri: string, position: Position, token: CancellationToken): Promise<Location[] | null> {
      const asked = await askAt(editor, def, uri, position, token);
      if (asked === undefined) return null;
      const { definitions, modules } = asked.answer;
      return [
        ...definitions.flatMap((one) => asked.locate(one.path, one) ?? []),
        ...modules.flatMap((path) => asked.locate(path, { line: 1, col: 1, end_col: 1 }) ?? []),
      ];
    },
    async references(
      uri: string,
      position: Position,
      withDeclaration: boolean,
      token: CancellationToken,
    ): Promise<Location[] | null> {
      const asked = await askAt(editor, refs, uri, position, token, { limit: listed });
      if (asked === undefined) return null;
      const { files, count, target, unresolved } = asked.answer;
      const open = unresolved.reduce((sum, { hits }) => sum + hits.length, 0);
      if (count.relation === 'gte') {
        const more = open === 0 ? '' : `; ${open} more places could mean it`;
        editor.say(
          'warning',
          `at least ${count.value} references to ${target.name}: ${count.unresolved.join('; ')}${more}`,
        );
      } else if (open > 0) editor.say('note', `${open} more places could mean ${target.name}`);
      return files.flatMap(({ path, hits }) =>
        hits
          .filter(({ role }) => withDeclaration || role !== 'definition')
          .flatMap((hit) => asked.locate(path, hit) ?? []),
      );
    },
    async implementation(uri: string, position: Position, token: CancellationToken): Promise<Location[] | null> {
      const asked = await askAt(editor, implementations, uri, position, token, { limit: listed });
      if (asked === undefined) return null;
      const { implementations: found, count, target } = asked.answer;
      if (count.relation === 'gte')
        editor.say(
          'warning',
          `at least ${count.value} implementations of ${target.name}: ${count.unresolved.join('; ')}`,
        );
      return found.flatMap((one) => asked.locate(one.path, one) ?? []);
    },
    async documentSymbols(
      uri: string,
      isNested: boolean,
      token: CancellationToken,
    ): Promise<DocumentSymbol[] | SymbolInformation[] | null> {
      const file = await editor.roots.locate(uri);
      if (file === undefined) return null;
      const asked = await askRoot(editor, outline, file.root, { path: file.path }, token);
      const lines = asked?.lines(file.path);
      if (asked === undefined || lines === undefined) return null;
      const flat = asked.answer.symbols.flatMap((symbol) => {
        const found = symbolOf(symbol, lines);
        return found === undefined ? [] : [{ ...symbol, found }];
      });
      if (!isNested)
        return flat.map(({ found: { name, kind, selectionRange } }) => ({
          ...{ name, kind },
          location: { uri, range: selectionRange },
        }));
      const top: DocumentSymbol[] = [];
      const above: DocumentSymbol[] = [];
      for (const { depth, found } of flat) {
        above.length = Math.min(depth, above.length);
        const parent = above.at(-1);
        if (parent === undefined) top.push(found);
        else parent.children = [...(parent.children ?? []), found];
        above.push(found);
      }
      return top;
    },
    async workspaceSymbols(query: string, token: CancellationToken): Promise<SymbolInformation[]> {
      // Everything that is declared is no answer to a question.
      if (query === '') return [];
      const found: SymbolInformation[] = [];
      for (const root of await editor.roots.list()) {
        const asked = await askRoot(editor, symbols, root, { query, limit: foundAtOnce }, token);
        for (const symbol of asked?.answer.symbols ?? []) {
          const span = { line: symbol.line, col: symbol.col, end_col: symbol.col + symbol.name.length };
          const location = asked?.locate(symbol.path, span);
          const [, container] = /^(.*)\/[^/]*$/.exec(symbol.name_path) ?? [];
          if (location === undefined) continue;
          found.push({
            name: symbol.name,
            kind: kindOf(symbol.kind),
            location,
            ...(container && { containerName: container }),
          });
        }
      }
      return found;
    },
    /** What is at a place and can be asked about: its name and where that is written. */
    async nameAt(uri: string, position: Position, token: CancellationToken): Promise<{ name: string; range: Range }> {
      const asked = await askAt(editor, def, uri, position, token, {}, 'say why');
      const target = asked?.answer.target;
      if (asked === undefined || target == null) throw failed('there is no name of this repository here');
      const place = { ...target, end_col: target.col + target.name.length };
      const at = asked.locate(target.path, place);
      if (at === undefined) throw modified();
      return { name: target.name, range: at.range };
    },
  };
}

type Span = { readonly line: number; readonly col: number; readonly end_col: number };

type Asked<O> = {
  readonly answer: O;
  /** Throws where the text that the place is in is not the one that was asked. */
  locate(path: string, span: Span): Location | undefined;
  lines(path: string): Lines | undefined;
};

/** Undefined for a document in no root, and where nothing is that could be asked about. */
async function askAt<I, O extends object>(
  editor: Editor,
  operation: Operation<I, O>,
  uri: string,
  position: Position,
  token: CancellationToken,
  more: object = {},
  unknown: 'nothing' | 'say why' = 'nothing',
): Promise<Asked<O> | undefined> {
  const since = editor.documents.revision;
  const file = await editor.roots.locate(uri);
  const target = file && targetAt(editor, file, position);
  if (file === undefined || target === undefined) return undefined;
  return askRoot(editor, operation, file.root, { target, ...more }, token, { since, unknown });
}

/** As questions name a place. */
export function targetAt(editor: Editor, file: EditorFile, position: Position): string | undefined {
  const text = textOf(editor, file);
  if (text === undefined) return undefined;
  const lines = linesOf(text, editor.encoding());
  const { line, col } = lines.placeAt(lines.offsetAt(position));
  return `${file.path}:${line}:${col}`;
}

export function textOf(editor: Editor, file: EditorFile): string | undefined {
  const found = editor.roots.textOf(file);
  return typeof found === 'object' ? found.text : found;
}

async function askRoot<I, O extends object>(
  editor: Editor,
  operation: Operation<I, O>,
  root: EditorRoot,
  input: object,
  token: CancellationToken,
  { since = editor.documents.revision, unknown = 'nothing' as 'nothing' | 'say why' } = {},
): Promise<Asked<O> | undefined> {
  const call = signalOf(editor, token);
  const texts = await editor.roots.unsavedOf(root);
  // The place was read in a text that is not among these.
  if (since !== editor.documents.revision) throw modified();
  const outcome = await orCancelled(call, async () => {
    if (texts.size > 0) return root.answers.unsaved.ask(operation, input, { texts, signal: call.signal });
    const workspace = await root.answers.open(call.signal);
    return workspace.ask(operation, input, { onProgress: () => {}, waitMs });
  });
  if (outcome.kind === 'not_answered' && unknown === 'nothing') return undefined;
  if (outcome.kind !== 'answered') throw failed(whyNot(outcome));
  return { answer: outcome.answer, ...openPlaces(editor, root, texts, since) };
}

/** Places of an answer in the texts that it was asked at. */
function openPlaces(
  editor: Editor,
  root: EditorRoot,
  texts: UnsavedTexts,
  before: number,
): Pick<Asked<never>, 'locate' | 'lines'> {
  const known = new Map<string, Lines | undefined>();
  const lines = (path: string) => {
    if (!known.has(path)) {
      const text = textOf(editor, { root, path });
      const asked = texts
        .get(path)
        ?.toString('utf8')
        .replace(/^\uFEFF/, '');
      // Of other files the disk is asked, which the answer was compared with; of a buffer that changed meanwhile nobody knows.
      const isOther = asked !== undefined && asked !== text?.replace(/^\uFEFF/, '');
      const isLater =
        asked === undefined && before !== editor.documents.revision && editor.roots.isUnsaved({ root, path });
      if (isOther || isLater) throw modified();
      known.set(path, text === undefined ? undefined : linesOf(text, editor.encoding()));
    }
    return known.get(path);
  };
  return {
    lines,
    locate(path, { line, col, end_col }) {
      const of = lines(path);
      const [start, end] = [of?.offsetOf({ line, col }), of?.offsetOf({ line, col: end_col })];
      // The file was written since: there is nothing to show, and the next question is of what it says now.
      if (of === undefined || start === undefined || end === undefined) return undefined;
      const range = { start: of.positionAt(start), end: of.positionAt(end) };
      return { uri: editor.roots.uriOf({ root, path }), range };
    },
  };
}

export type Call = { readonly signal: AbortSignal; readonly token: CancellationToken };

export function signalOf(editor: Editor, token: CancellationToken): Call {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort(new Error('cancelled'));
  token.onCancellationRequested(() => stop.abort(new Error('cancelled')));
  return { signal: AbortSignal.any([editor.signal, stop.signal]), token };
}

/** What was cancelled ends as the protocol says, whatever it threw. */
export async function orCancelled<T>({ signal }: Call, act: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    const result = await act();
    signal.throwIfAborted();
    return result;
  } catch (error) {
    if (signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    throw error;
  }
}

export function failed(why: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, why);
}

export function modified(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.ContentModified, 'the text has changed since it was asked about; ask again');
}

export function whyNot(outcome: Exclude<AskOutcome<never>, { kind: 'answered' }>): string {
  switch (outcome.kind) {
    case 'not_answered':
      return [outcome.problem.message, ...outcome.problem.candidates.slice(0, 5)].join('\n');
    case 'config_invalid':
      return outcome.problems.map(({ file, message }) => `${file}: ${message}`).join('\n');
    default:
      return outcome.message;
  }
}

function symbolOf(symbol: OutlineSymbol, lines: Lines): DocumentSymbol | undefined {
  const { name, line, col, from_line: from, to_line: to } = symbol;
  const start = lines.offsetOf({ line, col });
  const end = lines.offsetOf({ line, col: col + name.length });
  if (start === undefined) return undefined;
  const selectionRange = { start: lines.positionAt(start), end: lines.positionAt(end ?? start) };
  const first = lines.offsetOf({ line: Math.min(from ?? line, line), col: 1 });
  const next = lines.offsetOf({ line: Math.max(to ?? line, line) + 1, col: 1 });
  const last = next === undefined ? lines.text.length : next - 1;
  const range = { start: lines.positionAt(first ?? start), end: lines.positionAt(Math.max(last, end ?? start)) };
  return { name: name === '' ? symbol.kind : name, kind: kindOf(symbol.kind), range, selectionRange };
}

type OutlineSymbol = z.infer<(typeof outline)['output']>['symbols'][number];

function kindOf(kind: OutlineSymbol['kind']): SymbolKind {
  return kinds[kind];
}

const kinds: Readonly<Record<OutlineSymbol['kind'], SymbolKind>> = {
  class: SymbolKind.Class,
  interface: SymbolKind.Interface,
  type: SymbolKind.Class,
  enum: SymbolKind.Enum,
  enum_member: SymbolKind.EnumMember,
  struct: SymbolKind.Struct,
  union: SymbolKind.Struct,
  trait: SymbolKind.Interface,
  impl: SymbolKind.Object,
  record: SymbolKind.Struct,
  namespace: SymbolKind.Namespace,
  package: SymbolKind.Package,
  function: SymbolKind.Function,
  method: SymbolKind.Method,
  constructor: SymbolKind.Constructor,
  getter: SymbolKind.Property,
  setter: SymbolKind.Property,
  property: SymbolKind.Property,
  field: SymbolKind.Field,
  variable: SymbolKind.Variable,
  constant: SymbolKind.Constant,
  macro: SymbolKind.Function,
  event: SymbolKind.Event,
  delegate: SymbolKind.Function,
};
