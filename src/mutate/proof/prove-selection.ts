/**
 * Step 10 of a commit (mutation.md §6): the parse proof and the shadow proof of exactly what is selected. M30: what is applied was proven
 * as one selection, not as a union of parts that were proven apart; only the main group alone of a proven plan has been already.
 */

import { findFile } from '../../index/store/stored-files.ts';
import type { CodeView } from '../../index/view/code-view.ts';
import { quotedPath } from '../../kernel/base/text.ts';
import type { Answer, WitnessFact } from '../answer.ts';
import type { CompilerEdit, ProofPlace, ProofReport } from '../compiler/session/messages.ts';
import { blockedAnswer, refusedAnswer, unsupportedAnswer } from '../plans/answers.ts';
import type { Edit, Isomorphism, Plan } from '../plans/plan.ts';
import type { DiskFile, DiskFiles } from '../plans/plan-files.ts';
import { findMainGroup, isForced, riskyGroups, type Selection } from '../plans/selection.ts';
import type { Loc } from '../vocabulary.ts';
import type { MutationWorld } from '../world.ts';
import { applyEdits, parseProof, scopeProof, type TextEdit } from './lexical-proofs.ts';

export type Binding = 'proven' | 'scope_proven' | 'not_proven';

type Proven =
  | { readonly kind: 'holds'; readonly binding: Binding }
  | { readonly kind: 'answer'; readonly answer: Answer };

type EditedFile = {
  readonly path: string;
  readonly language: string | null;
  readonly text: string;
  readonly edits: readonly TextEdit[];
};

const compilerLanguages: ReadonlySet<string | null> = new Set(['typescript', 'javascript']);

export async function proveSelection(
  world: MutationWorld,
  plan: Plan,
  selection: Selection,
  edits: readonly Edit[],
  disk: DiskFiles,
): Promise<Proven> {
  const main = findMainGroup(plan);
  const isMainAlone = selection.groups.every(({ id, edits: own }) => id === main?.id || own.length === 0);
  if (isMainAlone && main?.provenance === 'proven' && !hasUnlisted(world.view, plan))
    return { kind: 'holds', binding: 'proven' };
  const files = listEditedFiles(world.view, edits, disk);
  for (const file of files) {
    const broken = await checkParse(file, disk);
    if (broken !== undefined) return broken;
  }
  const isCompiled = files.some(({ language }) => compilerLanguages.has(language)) || plan.isomorphism != null;
  if (!isCompiled) return proveByScope(plan, selection, files, disk);
  if (hasAccepted(plan, selection, 'proof_unavailable')) return { kind: 'holds', binding: 'not_proven' };
  const report = await askCompiler(world, plan, files);
  switch (report.kind) {
    case 'proven':
      return { kind: 'holds', binding: 'proven' };
    case 'disproved': {
      const more = report.more > 0 ? ` and ${report.more} more` : '';
      const what =
        report.reason === 'bindings_change'
          ? 'names would come to mean something else'
          : 'the compiler would report other errors than before';
      return refuse(report.reason, `${what}: ${report.places.length} places${more}`, report.places, disk);
    }
    case 'gaps': {
      const open = report.places.filter(({ at }) => !isAskedAbout(plan, at, disk));
      // The caller looked at each of them, which is not a proof.
      if (open.length + report.more === 0) return { kind: 'holds', binding: 'not_proven' };
      const says = `the compiler could not say what ${open.length + report.more} names mean`;
      return refuse('bindings_change', says, open, disk);
    }
    default:
      return isForced(plan) ? proveByScope(plan, selection, files, disk) : unproven(plan, report);
  }
}

/** Programs take in files that no sweep sees: where there are some, there may be others by now. */
function hasUnlisted(view: CodeView, { files, isomorphism }: Plan): boolean {
  return isomorphism?.reach === 'repo' && files.some(({ path }) => !view.read((session) => findFile(session, path)));
}

type Unasked = { readonly kind: 'unavailable' | 'failed'; readonly reason?: string; readonly detail: string };

async function askCompiler(
  world: MutationWorld,
  plan: Plan,
  files: readonly EditedFile[],
): Promise<ProofReport | Unasked> {
  // Only for the selections that need it.
  const { listImporting, listPrograms } = await import('../compiler/session/choose-programs.ts');
  world.onProgress('proving that every name keeps its meaning');
  const paths = new Set([...plan.files.map(({ path }) => path), ...files.map(({ path }) => path)]);
  // The same programs as when it was planned, and those that see what else is edited now.
  const planned = new Set(plan.contextKeys);
  const edited = files.map(({ path }) => path);
  const seeing = plan.isomorphism?.reach === 'file' ? [] : listImporting(world.view, edited);
  const own = new Set(listPrograms(world.view, new Set([...paths, ...seeing])).map(({ key }) => key));
  const programs = listPrograms(world.view).filter(({ key }) => own.has(key) || planned.has(key));
  const job = await world.openCompiler(programs);
  if (job.kind === 'unavailable') return job;
  try {
    const edits = files.flatMap(({ path, edits: own }) => own.map((edit): CompilerEdit => ({ path, ...edit })));
    const isomorphism = plan.isomorphism ?? guessIsomorphism(plan, world.view);
    return await job.ask({ kind: 'prove', ...isomorphism, edits, moves: plan.moves });
  } finally {
    await job.close();
  }
}

/** For a forced plan, which knows a place and a name and no more. Everything is compared, so nothing can slip through. */
function guessIsomorphism(plan: Plan, view: CodeView): Isomorphism {
  const { name, definedAt } = plan.symbol;
  const text = view.readText(definedAt.file)?.text ?? '';
  const start = offsetIn(text, definedAt);
  return {
    oldName: name,
    newName: plan.newName,
    reach: 'repo',
    family: [{ path: definedAt.file, start, outside: false }],
    isMember: false,
  };
}

/** Languages without a compiler, and forced plans whose compiler could not be asked. */
async function proveByScope(
  plan: Plan,
  selection: Selection,
  files: readonly EditedFile[],
  disk: DiskFiles,
): Promise<Proven> {
  const risky = riskyGroups(plan);
  let isCovered = !selection.groups.some(({ id, itemId }) => risky.has(id) || itemId !== null);
  for (const { path, language, text, edits } of files) {
    const proof = language === null ? undefined : await scopeProof(path, language, text, edits);
    if (proof === undefined || proof.kind === 'cannot') isCovered = false;
    else if (proof.kind === 'breaks') {
      const places = proof.places.map(({ start, end, says }) => ({
        at: { path, start, end },
        before: '',
        after: says,
      }));
      return refuse('bindings_change', `${quotedPath(path)}: names would come to mean something else`, places, disk);
    }
  }
  return { kind: 'holds', binding: isCovered ? 'scope_proven' : 'not_proven' };
}

async function checkParse({ path, language, text, edits }: EditedFile, disk: DiskFiles): Promise<Proven | undefined> {
  const edited = applyEdits(text, edits);
  const proof = await parseProof(path, language, text, edited.kind === 'edited' ? edited.text : text, edits);
  if (proof.kind === 'holds') return undefined;
  const places = proof.places.map(({ start, end, says }) => ({ at: { path, start, end }, before: '', after: says }));
  return refuse('parse_breaks', `${quotedPath(path)}: the edited file would not parse as before`, places, disk);
}

function unproven(plan: Plan, { kind, reason, detail }: Unasked): Proven {
  const says = `this selection has to be proved by the compiler, which could not be asked: ${detail}`;
  const answer =
    kind === 'unavailable' && (reason === 'missing_tool' || reason === 'sandbox_missing')
      ? unsupportedAnswer(reason, says, { can_force_syntactic: true })
      : blockedAnswer('refresh_failed', says, { plan_id: plan.id, can_force_syntactic: true });
  return { kind: 'answer', answer };
}

function listEditedFiles(view: CodeView, edits: readonly Edit[], disk: DiskFiles): readonly EditedFile[] {
  return [...Map.groupBy(edits, ({ path }) => path)].map(([path, own]) => {
    const file = disk.get(path);
    const language = view.read((session) => findFile(session, path))?.language ?? null;
    return { path, language, text: file?.source?.text ?? '', edits: own.map((edit) => toTextEdit(edit, file)) };
  });
}

function toTextEdit({ line, col, oldText, newText, form }: Edit, file: DiskFile | undefined): TextEdit {
  const start = file?.lines().offsetOf(line - 1, col - 1) ?? 0;
  return { start, end: start + oldText.length, oldText, newText, form };
}

function hasAccepted(plan: Plan, { options }: Selection, kind: Plan['items'][number]['kind']): boolean {
  return plan.items.some((item) => item.kind === kind && options[item.id] === 'accept');
}

/** M18: a name whose binding could not be compared counts only where it was asked about and answered. */
function isAskedAbout(plan: Plan, at: ProofPlace['at'], disk: DiskFiles): boolean {
  return plan.items.some(
    ({ kind, path, line, col }) =>
      kind === 'indexer_gap' &&
      path === at.path &&
      disk
        .get(path)
        ?.lines()
        .offsetOf(line - 1, col - 1) === at.start,
  );
}

function refuse(
  reason: 'bindings_change' | 'new_diagnostics' | 'parse_breaks',
  detail: string,
  places: readonly ProofPlace[],
  disk: DiskFiles,
): Proven {
  const evidence = places.map(({ at, before, after }): WitnessFact => {
    const text = before === '' ? after : `before: ${before}; after: ${after}`;
    return { type: 'diagnostic', at: locOf(at, disk.get(at.path)), text, provenance: 'proven' };
  });
  return { kind: 'answer', answer: refusedAnswer(reason, detail, { evidence }) };
}

function locOf({ path, start }: ProofPlace['at'], file: DiskFile | undefined): Loc {
  const lines = file?.lines();
  if (lines === undefined) return { file: path, line: 1, col: 1 };
  const line = lines.lineOf(start);
  return { file: path, line: line + 1, col: start - (lines.offsetOf(line, 0) ?? start) + 1 };
}

function offsetIn(text: string, { line, col }: Loc): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return start + col - 1;
}
