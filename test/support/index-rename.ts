/** A tree, its index, and renames planned in it without the compiler: with real indexers, or with lexical scope alone. */

import { createQuestion, type Question } from '../../src/index/navigate/question.ts';
import { findSubject, findTokenAt, type Subject } from '../../src/index/navigate/subject.ts';
import { type CodeView, openCodeView } from '../../src/index/view/code-view.ts';
import { applyEdits } from '../../src/mutate/proof/lexical-proofs.ts';
import { type ForcedFindings, planForced } from '../../src/mutate/rename/by-index/forced-rename.ts';
import type { IndexFindings, IndexOutcome, IndexRename } from '../../src/mutate/rename/by-index/rename-by-index.ts';
import { planByIndex } from '../../src/mutate/rename/by-index/rename-by-index.ts';
import { createIndexedTree, type IndexedTree, sessionSettings } from './indexed-tree.ts';

export type IndexRenames = Pick<IndexedTree, 'root' | 'write' | 'git'> & {
  /** `at` is `path:text` with the target marked `«a»` in a part of a line that is unique. */
  plan(at: string, newName: string, options?: Partial<IndexRename>): Promise<IndexOutcome>;
  /** As `path:line:col old → new`, sorted; throws for anything but findings. */
  edits(at: string, newName: string, options?: Partial<IndexRename>): Promise<readonly string[]>;
  forced(at: string, newName: string): Promise<ForcedFindings>;
  show(path: string, start: number): string;
  /** Texts after the edits, by path. */
  apply(findings: Pick<IndexFindings, 'edits'>): ReadonlyMap<string, string>;
  dispose(): Promise<void>;
};

export async function openRenames(
  files: Readonly<Record<string, string>>,
  options: { readonly semantic: boolean },
): Promise<IndexRenames> {
  const tree = createIndexedTree(files);
  const settings = sessionSettings(tree.root, tree.stateDir, true);
  const semantic = { toolPaths: {}, maxFileMb: 512, onEvent: () => {} };
  /** Contexts follow the disk; indexers run only at the beginning. */
  const open = async (run: { readonly waitMs: null } | null): Promise<CodeView> => {
    const asked = options.semantic ? { semantic: { ...semantic, run } } : {};
    const opened = await openCodeView({ ...settings, waitMs: 100_000, ...asked });
    if (opened.kind !== 'open') throw new Error(opened.kind);
    return opened.view;
  };
  await (await open({ waitMs: null })).close();

  const ask = async <T>(at: string, use: (question: Question, subject: Subject) => Promise<T>): Promise<T> => {
    // Opened anew each time: what is on disk now is what is asked about.
    const view = await open(null);
    try {
      const question = createQuestion(view, { nowMs: Date.now, signal: new AbortController().signal });
      return await use(question, await findAt(question, at));
    } finally {
      await view.close();
    }
  };
  const read = new Map<string, string>();
  const plan: IndexRenames['plan'] = (at, newName, more = {}) =>
    ask(at, async (question, subject) => {
      const outcome = await planByIndex({ question, subject, newName, ...more });
      if (outcome.kind === 'findings')
        for (const path of Object.keys(outcome.texts)) read.set(path, question.source(path)?.text ?? '');
      return outcome;
    });
  const show = (path: string, start: number): string => {
    const before = (read.get(path) ?? '').slice(0, start).split('\n');
    return `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  };
  return {
    ...tree,
    plan,
    show,
    async edits(at, newName, more) {
      const outcome = await plan(at, newName, more);
      if (outcome.kind !== 'findings') throw new Error(JSON.stringify(outcome));
      return outcome.edits.map(({ path, start, newText }) => `${show(path, start)} ${newText}`);
    },
    forced: (at, newName) =>
      ask(at, async (question, subject) => {
        const outcome = await planForced({ question, subject, newName });
        if (outcome.kind !== 'forced') throw new Error(JSON.stringify(outcome));
        for (const path of Object.keys(outcome.texts)) read.set(path, question.source(path)?.text ?? '');
        return outcome;
      }),
    apply({ edits }) {
      const texts = new Map<string, string>();
      for (const [path, own] of Map.groupBy(edits, (edit) => edit.path)) {
        const after = applyEdits(read.get(path) ?? '', own);
        if (after.kind === 'unfit') throw new Error(`${path}: ${after.why}`);
        texts.set(path, after.text);
      }
      return texts;
    },
    dispose: () => tree.dispose(),
  };
}

async function findAt(question: Question, at: string): Promise<Subject> {
  const colon = at.indexOf(':');
  const path = at.slice(0, colon);
  const [before = '', name = '', after = ''] = at.slice(colon + 1).split(/[«»]/);
  const facts = await question.facts(path);
  const index = facts?.source.text.indexOf(`${before}${name}${after}`) ?? -1;
  const token = facts === undefined || index < 0 ? undefined : findTokenAt(facts, index + before.length);
  if (facts === undefined || token === undefined) throw new Error(`nothing at ${at}`);
  return findSubject(question, facts, token);
}
