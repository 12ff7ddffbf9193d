/**
 * Renames of an editor. L3: what is returned is a workspace edit that has passed every check of a commit, at the texts that the editor shows; it is
 * the editor's to apply and to undo, and says so. What is refused is an error that says why, what is asked is asked by messages. L5: only a
 * command, which the user chose, writes, through the journal and with our undo, and only while the editor shows what is on disk.
 */

import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type Command,
  type Position,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { readText } from '../../index/view/code-view.ts';
import { visibleText } from '../../kernel/secrets/outgoing.ts';
import type { Outcome, PlanView } from '../../mutate/answer.ts';
import type { Edit } from '../../mutate/plans/plan.ts';
import type { AnyAnswer, Change } from '../changes/change.ts';
import { planCommit, planShow, planUndo } from '../changes/plan-requests.ts';
import rename from '../changes/rename.ts';
import { plural, quotedPath } from '../operations/answer-words.ts';
import type { AskOutcome } from '../workspace/workspace.ts';
import { type AskUser, askInEditor } from './ask-in-editor.ts';
import { linesOf } from './documents.ts';
import {
  type Call,
  type Editor,
  failed,
  modified,
  orCancelled,
  signalOf,
  targetAt,
  textOf,
  whyNot,
} from './editor-questions.ts';
import type { EditorFile, EditorRoot } from './editor-roots.ts';

export const renameCommand = 'codegenie.rename';
export const undoCommand = 'codegenie.undo';

export type RenamingEditor = Editor & {
  /** Undefined where the editor has no way to ask. */
  readonly askUser: () => AskUser | undefined;
  readonly can: () => { readonly versions: boolean; readonly annotations: boolean };
};

export type Steps = (says: string) => void;

/** A rename that was asked for here: what a code action offers to write. */
type Remembered = { readonly file: EditorFile; readonly name: string; readonly newName: string };
type Written = { readonly root: EditorRoot; readonly plan: string; readonly title: string };

const waitMs = 60_000;
const kept = 20;

/** What a plan is asked of: the workspace, or unsaved text, where a commit hands its edits over. */
type Planner = <I, O extends AnyAnswer>(change: Change<I, O>, input: object) => Promise<Reply<O>>;
type Reply<O> =
  | { readonly kind: 'answered'; readonly answer: O; readonly handed: readonly Edit[] }
  | Exclude<AskOutcome<never>, { kind: 'answered' }>;

export function createEditorRenames(editor: RenamingEditor) {
  const remembered: Remembered[] = [];
  const written: Written[] = [];

  const find = async (uri: string, position: Position) => {
    const file = await editor.roots.locate(uri);
    const target = file && targetAt(editor, file, position);
    if (file === undefined || target === undefined) throw failed('this file is in no work tree that is open here');
    return { file, target };
  };

  return {
    async rename(
      at: { readonly uri: string; readonly position: Position; readonly newName: string },
      token: CancellationToken,
      onStep: Steps,
    ): Promise<WorkspaceEdit> {
      const before = editor.documents.revision;
      const { file, target } = await find(at.uri, at.position);
      const { root } = file;
      const call = signalOf(editor, token);
      const texts = await editor.roots.unsavedOf(root);
      if (before !== editor.documents.revision) throw modified();
      const planner: Planner = (change, input) =>
        root.answers.unsaved.change(change, input, { texts, signal: call.signal, onStep });
      const read = (path: string) =>
        texts
          .get(path)
          ?.toString('utf8')
          .replace(/^\uFEFF/, '') ?? readText(root.root, path)?.text;
      const done = await decide(call, planner, { target, newName: at.newName, read });
      if (done === undefined) throw failed('nothing was renamed: a question was left open');
      // What was proven is of texts that the editor does not show any more.
      if (before !== editor.documents.revision) throw modified();
      const edit = toWorkspaceEdit(root, done.handed, done.plan);
      const name = done.plan.symbol.name;
      remembered.unshift({ file, name, newName: at.newName });
      remembered.splice(kept);
      const unsaved = texts.size === 0 ? '' : `, at the text of ${plural(texts.size, 'unsaved buffer')}`;
      editor.say(
        'note',
        `${summary(done.plan, done.handed)}${unsaved}; nothing is written: your editor applies it and can undo it`,
      );
      return edit;
    },

    /** Without a press of the user nothing is planned: what is offered is what was asked for here before. */
    async listActions(uri: string, position: Position): Promise<readonly CodeAction[]> {
      const file = await editor.roots.locate(uri);
      if (file === undefined) return [];
      const action = (title: string, command: string, argument: object): CodeAction => ({
        title,
        kind: CodeActionKind.Refactor,
        command: { title, command, arguments: [argument] } satisfies Command,
      });
      const text = textOf(editor, file);
      const lines = text === undefined ? undefined : linesOf(text, editor.encoding());
      const offset = lines?.offsetAt(position) ?? 0;
      const isUnsaved = (await editor.roots.unsavedOf(file.root)).size > 0;
      const offers = isUnsaved
        ? []
        : remembered.filter(
            (one) =>
              one.file.root === file.root && one.file.path === file.path && wordAt(text ?? '', offset) === one.name,
          );
      const last = written.find(({ root }) => root === file.root);
      return [
        ...offers.map(({ name, newName }) =>
          action(`Rename ${name} to ${newName} on disk, through codegenie’s journal`, renameCommand, {
            ...{ uri, position, newName },
          }),
        ),
        ...(last === undefined ? [] : [action(`Take back: ${last.title}`, undoCommand, { uri, plan: last.plan })]),
      ];
    },

    async writeThroughJournal(
      at: { readonly uri: string; readonly position: Position; readonly newName: string },
      token: CancellationToken,
      onStep: Steps,
    ): Promise<string> {
      const { file, target } = await find(at.uri, at.position);
      const { root } = file;
      const call = signalOf(editor, token);
      await refuseUnsaved(root);
      const workspace = await root.answers.open(call.signal);
      const planner: Planner = async (change, input) => {
        // The disk is what was looked at: it must be what the editor shows when it is written, too.
        if (change.name === planCommit.name) await refuseUnsaved(root);
        const outcome = await workspace.change(change, input, { onProgress: () => {}, onStep, waitMs });
        return outcome.kind === 'answered' ? { ...outcome, handed: [] } : outcome;
      };
      const read = (path: string) => readText(root.root, path)?.text;
      const done = await decide(call, planner, { target, newName: at.newName, read });
      if (done === undefined) throw failed('nothing was renamed: a question was left open');
      const title = `rename of ${done.plan.symbol.name} to ${done.plan.new_name}`;
      written.unshift({ root, plan: done.plan.id, title });
      written.splice(kept);
      const says = `${summary(done.plan, undefined)}; written to disk. Take it back by a code action here, or \`codegenie plan undo ${done.plan.id}\``;
      editor.say('note', says);
      return says;
    },

    async takeBack(uri: string, plan: string, token: CancellationToken, onStep: Steps): Promise<string> {
      const file = await editor.roots.locate(uri);
      if (file === undefined) throw failed('this file is in no work tree that is open here');
      const call = signalOf(editor, token);
      await refuseUnsaved(file.root);
      const outcome = await orCancelled(call, async () => {
        const workspace = await file.root.answers.open(call.signal);
        return workspace.change(planUndo, { plan_id: plan }, { onProgress: () => {}, onStep, waitMs });
      });
      if (outcome.kind !== 'answered') throw failed(whyNot(outcome));
      const { outcome: undone } = outcome.answer;
      if (undone.kind !== 'ok') throw failed(whyRefused(undone));
      const at = written.findIndex((one) => one.plan === plan);
      const [one] = at < 0 ? [] : written.splice(at, 1);
      const says = `taken back: ${one?.title ?? plan}`;
      editor.say('note', says);
      return says;
    },
  };

  async function refuseUnsaved(root: EditorRoot): Promise<void> {
    const unsaved = [...(await editor.roots.unsavedOf(root)).keys()];
    if (unsaved.length === 0) return;
    const more = unsaved.length > 5 ? ` and ${unsaved.length - 5} more` : '';
    throw failed(
      `save first: ${unsaved.slice(0, 5).map(quotedPath).join(', ')}${more} is not on disk as your editor shows it`,
    );
  }

  /** Planned, asked about, and committed, which is all that can be done to a plan. Undefined where the user left it. */
  async function decide(
    call: Call,
    planner: Planner,
    of: { readonly target: string; readonly newName: string; readonly read: (path: string) => string | undefined },
  ): Promise<{ readonly plan: PlanView; readonly handed: readonly Edit[] } | undefined> {
    return orCancelled(call, async () => {
      let { outcome } = answerOf(await planner(rename, { target: of.target, new_name: of.newName }));
      // A commit may find a new question, once.
      for (let round = 0; round < 3; round += 1) {
        const plan = planOf(outcome);
        if (plan === undefined) throw failed(whyRefused(outcome));
        const answers =
          outcome.kind === 'ok' && plan.to_quote.length === 0 ? {} : await ask(planner, outcome, plan, of.read);
        if (answers === undefined) return undefined;
        const request = { plan_id: plan.id, plan_hash: plan.hash, ...(Object.keys(answers).length > 0 && { answers }) };
        const committed = answerOf(await planner(planCommit, request));
        outcome = committed.outcome;
        if (outcome.kind === 'ok') return { plan: outcome.plan, handed: committed.handed };
      }
      throw failed(whyRefused(outcome));
    });
  }

  async function ask(planner: Planner, outcome: Outcome, plan: PlanView, textOf: (path: string) => string | undefined) {
    const askUser = editor.askUser();
    if (askUser === undefined) throw failed(whyRefused(outcome));
    const show = async (planId: string, from: number) => {
      const page = await planner(planShow, { plan_id: planId, from });
      return page.kind === 'answered' ? page.answer.outcome : undefined;
    };
    return askInEditor({ askUser, textOf, show }, outcome, plan);
  }

  function toWorkspaceEdit(root: EditorRoot, handed: readonly Edit[], plan: PlanView): WorkspaceEdit {
    const annotation = 'codegenie';
    const { versions, annotations } = editor.can();
    const byPath = Map.groupBy(handed, ({ path }) => path);
    const files = [...byPath].map(([path, edits]) => {
      const file = { root, path };
      const found = editor.roots.textOf(file);
      const text = typeof found === 'object' ? found.text : found;
      const lines = text === undefined ? undefined : linesOf(text, editor.encoding());
      const changes = edits.map(({ line, col, oldText, newText }): TextEdit => {
        const start = lines?.offsetOf({ line, col });
        if (lines === undefined || start === undefined) throw modified();
        const end = start + oldText.length;
        if (lines.text.slice(start, end) !== oldText) throw modified();
        // L8: the last door would make another edit of it.
        if (visibleText(newText) !== newText) throw failed('the new name has the form of a secret token');
        const range = { start: lines.positionAt(start), end: lines.positionAt(end) };
        return { range, newText, ...(annotations && versions && { annotationId: annotation }) };
      });
      const uri = editor.roots.uriOf(file);
      if (visibleText(uri) !== uri) throw failed('the name of a file that is edited has the form of a secret token');
      return { uri, version: typeof found === 'object' ? found.version : null, changes };
    });
    if (!versions) return { changes: Object.fromEntries(files.map(({ uri, changes }) => [uri, changes])) };
    const label = `codegenie: ${plan.symbol.name} to ${plan.new_name}`;
    const description = `${plan.provenance}; applied and undone by the editor`;
    return {
      documentChanges: files.map(({ uri, version, changes }) => ({ textDocument: { uri, version }, edits: changes })),
      ...(annotations && { changeAnnotations: { [annotation]: { label, description } } }),
    };
  }
}

/** The identifier that an offset is in, or just behind. */
function wordAt(text: string, offset: number): string {
  const [before] = /[\p{ID_Continue}$#]*$/u.exec(text.slice(Math.max(0, offset - 200), offset)) ?? [''];
  const [behind] = /^[\p{ID_Continue}$]*/u.exec(text.slice(offset, offset + 200)) ?? [''];
  return `${before}${behind}`;
}

function answerOf<O extends AnyAnswer>(reply: Reply<O>): O & { readonly handed: readonly Edit[] } {
  if (reply.kind !== 'answered') throw failed(whyNot(reply));
  return { ...reply.answer, handed: reply.handed };
}

/** One that can be committed. */
function planOf(outcome: Outcome): PlanView | undefined {
  if (outcome.kind === 'needs_decision') return outcome.plan ?? undefined;
  return outcome.kind === 'ok' && outcome.state === 'planned' ? outcome.plan : undefined;
}

function summary(plan: PlanView, handed: readonly Edit[] | undefined): string {
  const edits = handed?.length ?? plan.files.reduce((sum, file) => sum + file.edits, 0);
  const files = handed === undefined ? plan.files.length : new Set(handed.map(({ path }) => path)).size;
  return `${plan.symbol.name} to ${plan.new_name}: ${plan.provenance}, ${plural(edits, 'edit')} in ${plural(files, 'file')}`;
}

function whyRefused(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'refused': {
      const [first] = outcome.evidence;
      const where = first === undefined ? '' : ` (${quotedPath(first.at.file)}:${first.at.line}:${first.at.col})`;
      return [`refused: ${outcome.detail}${where}`, ...outcome.alternatives].join('\n');
    }
    case 'blocked':
      return `not now: ${outcome.detail}`;
    case 'unsupported':
      return `not supported: ${outcome.detail}`;
    case 'needs_decision': {
      const { plan } = outcome;
      if (plan === null) return 'several declarations are meant: ask at one of them';
      const asked = plan.items
        .slice(0, 5)
        .map(({ at, detail }) => `${quotedPath(at.file)}:${at.line}:${at.col} ${detail}`);
      const count = plural(plan.questions, 'question');
      return [`${count} to answer, and this editor has no way to ask`, ...asked].join('\n');
    }
    default:
      return 'it is only planned';
  }
}
