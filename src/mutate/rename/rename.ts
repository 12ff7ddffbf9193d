/**
 * Renaming a symbol everywhere it is meant, and nowhere else: where it begins, then TypeScript and JavaScript. Of these the text of the tree
 * says where the name stands, and the compiler job says what it means there, at the bytes of now. A file that one of the job's programs
 * covers is fresh by construction, so no index has to be refreshed first (decision 0019). Other languages, and renames that are forced,
 * are in `by-index`.
 */

import type { Question } from '../../index/navigate/question.ts';
import { findTargetFile, parseTarget } from '../../index/navigate/question-target.ts';
import { findOneSubject, lineAt } from '../../index/navigate/subject.ts';
import { listAllPaths } from '../../index/store/stored-files.ts';
import { listFilesMatchingName } from '../../index/store/stored-text.ts';
import { isNotAnswered, type NotAnswered, notAnswered } from '../../index/view/not-answered.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { plural, quotedPath, shown } from '../../kernel/base/text.ts';
import { listIdentifierRuns } from '../../languages/identifiers.ts';
import { isJavaScript } from '../../languages/language-family.ts';
import { checkName } from '../../languages/naming.ts';
import { findEndlessConfig, listImporting, listPrograms } from '../compiler/session/choose-programs.ts';
import {
  type CodeSpan,
  type CompilerEdit,
  type CompilerFailure,
  type CompilerJob,
  cannotFollow,
  type ItemDraft,
  proofQuestion,
  type Refusal,
  type RenameFindings,
  type RenameQuestion,
} from '../compiler/session/messages.ts';
import { declarationTwin } from '../move/move-target.ts';
import {
  asAnswer,
  blockedAnswer,
  notFound,
  placeOf,
  refusedAnswer,
  refusedBy,
  unsupportedAnswer,
} from '../plans/answers.ts';
import { isListed } from '../plans/uneditable-files.ts';
import { emptyWitness } from '../questions/candidates.ts';
import { defineRefactoring, type FoundOrNot, type LookingWorld } from '../refactoring.ts';
import { findDistBoundaries, findTwins, findUnfollowedImports } from './compiler-blind-spots.ts';
import { accountCensus, findNameSpans, type NameSpans, spanKey } from './names-in-text.ts';
import { RenameInput, type RenameTarget } from './rename-request.ts';
import { findTextReferences } from './text-references.ts';

export default defineRefactoring({
  kind: 'rename',
  name: 'rename',
  says: 'rename a symbol and everything that means it',
  input: RenameInput,
  languages: ['typescript', 'javascript', 'python', 'go'],
  async find(world, input) {
    const target = await findRenameTarget(world.question, input);
    if (isNotAnswered(target)) return { kind: 'answer', answer: notFound(target) };
    // Members may have reserved words for names; what it really is, is known later and asked again.
    const about = { kind: 'property', isPrivateName: input.new_name.startsWith('#'), isJsxComponent: false };
    const problem = checkName(target.language, target.name, input.new_name, about);
    if (problem !== undefined) return { kind: 'answer', answer: refusedAnswer(problem.reason, problem.detail) };
    if (input.mode === 'force_syntactic') {
      const { findForced } = await import('./by-index/forced-rename.ts');
      return findForced(world, target, input);
    }
    if (isJavaScript(target.language)) return findByCompiler(world, target, input);
    const { findByIndex } = await import('./by-index/rename-by-index.ts');
    return findByIndex(world, target, input);
  },
});

/**
 * Where it begins: a file and an offset, from a position or a name path. In TypeScript and JavaScript the compiler decides what stands
 * there; here only the text is looked at. A name of several things is a question back (mutation.md §2.1).
 */
async function findRenameTarget(
  question: Question,
  ask: { readonly target: string; readonly cwd?: string | undefined },
): Promise<RenameTarget | NotAnswered> {
  const [first] = parseTarget(ask.target);
  if (first?.kind === 'position' && first.col !== null) {
    const found = question.ask((session) => findTargetFile(session, question.view, { path: first.path, cwd: ask.cwd }));
    if (isNotAnswered(found)) return found;
    const { path, language } = found.file;
    if (language !== null && isJavaScript(language)) return findInText(question, path, language, first.line, first.col);
  }
  const one = await findOneSubject(question, ask);
  if (isNotAnswered(one)) return one;
  const { subject, facts } = one;
  const { path, language } = facts;
  return { kind: 'target', path, language, offset: subject.token.start, name: subject.token.text, subject };
}

function findInText(
  question: Question,
  path: string,
  language: string,
  lineNumber: number,
  col: number,
): RenameTarget | NotAnswered {
  const source = question.source(path);
  if (source === undefined) return notAnswered('not_found', `target: ${quotedPath(path)} cannot be read as text`);
  const line = lineAt(source.text, lineNumber);
  if (line === undefined) return notAnswered('invalid', `target: ${quotedPath(path)} has no line ${lineNumber}`);
  const offset = line.start + col - 1;
  const runs = listIdentifierRuns(source.text.slice(line.start, line.end), language);
  const at = offset - line.start;
  // Just behind a name still means it, unless the next one begins right there.
  const run =
    runs.find(({ start, end }) => at >= start && at < end) ??
    runs.find(
      ({ start, end }) =>
        at >= start - 1 &&
        at <= end &&
        (at === end || (line.start + start === offset + 1 && source.text[offset] === '#')),
    );
  if (col < 1 || offset > line.end || run === undefined) {
    const near = runs.map(({ name, start }) => `${path}:${lineNumber}:${start + 1} ${shown(name, 80)}`);
    return notAnswered('not_found', `target: no identifier at ${quotedPath(path)}:${lineNumber}:${col}`, near);
  }
  return { kind: 'target', path, language, offset: line.start + run.start, name: run.name, subject: null };
}

// By the compiler.

async function findByCompiler(world: LookingWorld, target: RenameTarget, request: RenameInput): Promise<FoundOrNot> {
  const { view } = world;
  const own = listPrograms(view, new Set([target.path]));
  // One program alone is the one to open, and it opens while the name is looked for.
  const opening = own.length === 1 && listPrograms(view).length === 1 ? world.openCompiler(own) : undefined;
  let kept: CompilerJob | null = null;
  try {
    const found = await findWith(world, target, request, opening);
    if (found.kind === 'findings') kept = found.job;
    return found;
  } finally {
    const job = await opening;
    if (job?.kind === 'open' && job !== kept) await job.close();
  }
}

async function findWith(
  world: LookingWorld,
  target: RenameTarget,
  request: RenameInput,
  opening: ReturnType<LookingWorld['openCompiler']> | undefined,
): Promise<FoundOrNot> {
  const { question } = world;
  const startedMs = world.nowMs();
  const spans = findNameSpans(question, target.name, target.language, isPrivateAt(question, target));
  if (spans.truncated) {
    return asAnswer(
      blockedAnswer('truncated', `\`${target.name}\` stands in more places than can be looked at`, {
        witness: { ...emptyWitness, bounds: boundsOf(spans, [], world.nowMs() - startedMs) },
      }),
    );
  }
  let holding: ReadonlySet<string> = new Set([
    ...spans.kin.map(({ path }) => path),
    ...(isDeclaredIn(question, target) ? listImporting(world.view, [target.path]) : [target.path]),
  ]);
  let first = opening;
  // Each round opens programs that the one before did not, so there are few: most renames need one.
  for (;;) {
    const endless = findEndlessConfig(world.view, holding);
    if (endless !== undefined)
      return asAnswer(
        blockedAnswer('refresh_failed', `the compiler cannot be asked: ${endless}`, {
          can_force_syntactic: true,
          more: 'Mend the configuration, then ask again.',
        }),
      );
    const programs = listPrograms(world.view, holding);
    world.onProgress(`asking the compiler about ${target.name}`);
    const job = await (first ?? world.openCompiler(programs));
    first = undefined;
    if (job.kind === 'unavailable') {
      const { reason, detail } = job;
      if (reason === 'failed')
        return asAnswer(blockedAnswer('refresh_failed', `the compiler could not be asked: ${detail}`, {}));
      return asAnswer(unsupportedAnswer(reason, detail, { can_force_syntactic: true }));
    }
    let keepsJob = false;
    try {
      const ask = questionOf(target, request, spans);
      const answer = await job.ask(ask);
      const wider = answer.kind === 'findings' ? listSeeing(world, answer, request.new_name, holding) : holding;
      if (listPrograms(world.view, wider).length > programs.length) {
        holding = wider;
        continue;
      }
      const found = await account(world, target, request, spans, { job, ask, answer });
      if (found.kind === 'answer') return found;
      keepsJob = true;
      const contextKeys = programs.map(({ key }) => key);
      return { ...found, contextKeys, bounds: boundsOf(spans, contextKeys, world.nowMs() - startedMs), job };
    } finally {
      if (!keepsJob) await job.close();
    }
  }
}

/** The index says that the file declares it, so others may see it; of what it does not know, the compiler says so later. */
function isDeclaredIn(question: Question, { path, name }: RenameTarget): boolean {
  return question.symbols(path).some((symbol) => symbol.name === name);
}

/** Where what is renamed can be seen, and where the new name is spelt, which it might meet. */
function listSeeing(
  { view, question }: LookingWorld,
  { reach, edits, family }: RenameFindings,
  newName: string,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  if (reach === 'file') return before;
  const declaring = [...edits, ...family.filter(({ outside }) => !outside)].map(({ path }) => path);
  const spelling = question.ask((session) => listFilesMatchingName(session, newName));
  return new Set([...before, ...listImporting(view, declaring), ...spelling.map(({ path }) => path)]);
}

function isPrivateAt(question: Question, { path, offset }: RenameTarget): boolean {
  return question.source(path)?.text[offset - 1] === '#';
}

type Accounted =
  | Extract<FoundOrNot, { kind: 'answer' }>
  | Omit<Extract<FoundOrNot, { kind: 'findings' }>, 'contextKeys' | 'bounds' | 'job'>;

function questionOf(target: RenameTarget, request: RenameInput, spans: NameSpans): RenameQuestion {
  return {
    kind: 'rename',
    path: target.path,
    offset: target.offset,
    newName: request.new_name,
    aliasPolicy: request.alias_policy,
    publicNames: request.public_names,
    census: spans.kin,
  };
}

async function account(
  world: LookingWorld,
  target: RenameTarget,
  request: RenameInput,
  spans: NameSpans,
  asked: {
    readonly job: CompilerJob;
    readonly ask: RenameQuestion;
    readonly answer: RenameFindings | Refusal | CompilerFailure;
  },
): Promise<Accounted> {
  const { question } = world;
  const { job, ask, answer } = asked;
  if (answer.kind === 'failed') return noAnswer(answer);
  if (answer.kind === 'refused') return asAnswer(refusedBy(answer, question));
  const problem = checkName(target.language, answer.symbol.name, request.new_name, {
    kind: answer.symbol.kind,
    isPrivateName: answer.symbol.name.startsWith('#'),
    isJsxComponent: false,
  });
  if (problem !== undefined) return asAnswer(refusedAnswer(problem.reason, problem.detail));
  const keeping = await askKeeping(job, ask, request, answer);
  if (keeping?.kind === 'failed') return noAnswer(keeping);
  const { edits, items: publicItems } = splitPublic(answer, keeping);
  const isomorphism = {
    oldName: answer.symbol.name,
    newName: request.new_name,
    reach: answer.reach,
    family: answer.family,
    isMember: answer.isMember,
  };
  if (answer.clashes.length === 0) job.expect?.(proofQuestion(isomorphism, edits, []));
  // While the compiler looks for doubts, this process looks at what needs nothing of them.
  const doubting = job.ask({ ...ask, kind: 'doubt' });
  const names = { oldName: target.name, newName: request.new_name };
  const census = await accountCensus(question, spans, {
    accounts: answer.census,
    reach: answer.reach,
    home: target.path,
    newName: request.new_name,
  });
  const gaps = answer.references.agrees ? [] : gapItems(question, answer, request.new_name);
  const twins = findTwins(question, answer, names);
  const elsewhere = [
    ...findDistBoundaries(question, answer),
    ...twins,
    ...findTextReferences(question, spans.texts, answer, target.name),
  ];
  const unlisted = hashUnlisted(question, answer);
  const doubts = await doubting;
  if (doubts.kind === 'failed') return noAnswer(doubts);
  if (doubts.kind === 'refused') return asAnswer(refusedBy(doubts, question));
  const beyond = [...findUnfollowedImports(question, answer, doubts.items, names), ...elsewhere];
  const doubted = doubts.items.flatMap((item) => [item, ...(item.edits['rename'] ?? [])]);
  const { definedAt, name, namePath, kind } = answer.symbol;
  const place = placeOf(world.question, definedAt);
  return {
    kind: 'findings',
    symbol: { key: `${definedAt.path}#${namePath}`, name, namePath, kind, definedAt: place },
    newName: request.new_name,
    title: `rename ${kind} \`${name}\` to \`${request.new_name}\``,
    edits,
    items: [
      ...checkTies(question, doubts.items.filter(isOpenBeside(twins))),
      ...publicItems,
      ...census.items(doubted),
      ...gaps,
      ...beyond,
    ],
    moves: [],
    clashes: answer.clashes,
    texts: { ...unlisted, ...answer.texts },
    census: census.counts,
    notes: [...answer.notes, ...notesAbout(world, census.commentsAt, answer, request)],
    isomorphism,
    provenance: 'resolved',
    risky: [],
  };
}

/** Only where the name is public and the request does not say what to do about it. */
async function askKeeping(
  job: CompilerJob,
  ask: RenameQuestion,
  request: RenameInput,
  answer: RenameFindings,
): Promise<RenameFindings | Refusal | CompilerFailure | undefined> {
  if (request.public_names !== 'ask' || answer.publicAt.length === 0) return undefined;
  return job.ask({ ...ask, publicNames: 'keep' });
}

/** What both ways have in common is the main group; the rest is the question. */
function splitPublic(
  renaming: RenameFindings,
  keeping: RenameFindings | Refusal | undefined,
): { readonly edits: readonly CompilerEdit[]; readonly items: readonly ItemDraft[] } {
  const [at] = renaming.publicAt;
  if (keeping === undefined || at === undefined) return { edits: renaming.edits, items: [] };
  const seen = `users of the package see this name (${plural(renaming.publicAt.length, 'export')})`;
  if (keeping.kind === 'refused') {
    const detail = `${seen}, and it cannot be kept beside the new one: ${keeping.detail}`;
    return {
      edits: renaming.edits,
      items: [{ ...at, kind: 'public_api', detail, edits: {}, options: ['rename', 'stop'] }],
    };
  }
  const keyOf = (edit: CompilerEdit) => JSON.stringify([edit.path, edit.start, edit.end, edit.newText]);
  const kept = new Set(keeping.edits.map(keyOf));
  const renamed = new Set(renaming.edits.map(keyOf));
  const rename = renaming.edits.filter((edit) => !kept.has(keyOf(edit)));
  const keep = keeping.edits.filter((edit) => !renamed.has(keyOf(edit)));
  const item: ItemDraft = { ...at, kind: 'public_api', detail: seen, edits: { rename, keep_alias: keep } };
  return { edits: renaming.edits.filter((edit) => kept.has(keyOf(edit))), items: [item] };
}

/** The compiler's own search found what the plan does not change. */
function gapItems(question: Question, { references, census }: RenameFindings, newName: string): readonly ItemDraft[] {
  // Its search goes through shorthands to the other side of them, which is bound to something else and stays.
  const settled = new Set(census.filter(({ account }) => account === 'other_symbol').map(spanKey));
  return references.onlyThere
    .filter((span) => !settled.has(spanKey(span)))
    .map((span) => ({
      ...span,
      kind: 'indexer_gap' as const,
      detail: 'the compiler’s search for references names it, and the plan does not',
      edits: { rename: [{ ...span, oldText: textAt(question, span), newText: newName, form: 'plain' as const }] },
    }));
}

/** Files that take part in the proof and that no sweep compares: the plan must name them. */
function hashUnlisted(question: Question, { files = [] }: RenameFindings): Readonly<Record<string, string>> {
  const listed = new Set(question.ask(listAllPaths));
  const hashes = files.flatMap((path) => {
    const text = listed.has(path) ? undefined : question.source(path)?.text;
    return text === undefined ? [] : [[path, sha256Hex(text)] as const];
  });
  return Object.fromEntries(hashes);
}

function textAt(question: Question, { path, start, end }: CodeSpan): string {
  return question.source(path)?.text.slice(start, end) ?? '';
}

function notesAbout(
  world: LookingWorld,
  commentsAt: readonly { readonly path: string; readonly start: number }[],
  answer: RenameFindings,
  request: RenameInput,
): readonly string[] {
  const notes: string[] = [];
  const [comment] = commentsAt;
  if (comment !== undefined) {
    const { file, line } = placeOf(world.question, comment);
    const says = `mention \`${answer.symbol.name}\` and stay as they are, first at ${quotedPath(file)}:${line}`;
    notes.push(
      commentsAt.length === 1
        ? `a comment mentions \`${answer.symbol.name}\` and stays as it is, at ${quotedPath(file)}:${line}`
        : `${commentsAt.length} comments ${says}`,
    );
  }
  const base = answer.symbol.definedAt.path.replace(/^.*\//, '').replace(/\.[^.]*(?:\.[^.]*)?$/, '');
  if (answer.reach === 'repo' && base.toLowerCase() === answer.symbol.name.toLowerCase())
    notes.push(
      `the file ${quotedPath(answer.symbol.definedAt.path)} is named after it; \`codegenie move\` renames files (${base} → ${request.new_name})`,
    );
  return notes;
}

function boundsOf(spans: NameSpans, contexts: readonly string[], spentMs: number) {
  return {
    files_scanned: spans.scanned,
    files_not_scanned: spans.notScanned.slice(0, 20),
    contexts: contexts.slice(0, 20),
    budget_ms: 30_000,
    spent_ms: Math.round(spentMs),
    truncated: spans.truncated,
  };
}

function noAnswer({ detail }: CompilerFailure) {
  return asAnswer(blockedAnswer('refresh_failed', `the compiler gave no answer: ${detail}`, {}));
}

/** What a declaration file describes is asked about in the script itself, where that says the name. */
function isOpenBeside(twins: readonly ItemDraft[]): (item: ItemDraft) => boolean {
  const asked = new Set(twins.map(({ path }) => path));
  return ({ kind, path }) => kind !== 'ambient_name' || !asked.has(declarationTwin(path) ?? '');
}

/** M13: what is tied by shape is renamed along only where all of it stands in files that are edited without being asked about. */
function checkTies(question: Question, items: readonly ItemDraft[]): readonly ItemDraft[] {
  return items.map((item) => {
    const edits = item.kind === 'structural_tie' ? (item.edits['rename'] ?? []) : [];
    const why = edits.map(({ path }) => whyNotEdited(question, path)).find((one) => one !== undefined);
    return why === undefined ? item : cannotFollow(item, why);
  });
}

function whyNotEdited(question: Question, path: string): string | undefined {
  const row = question.file(path);
  if (row === undefined || !isListed(question, path)) return `${quotedPath(path)} is no part of the repository`;
  if (row.vendored) return `${quotedPath(path)} is vendored code`;
  if (row.generated) return `${quotedPath(path)} is generated`;
  if (row.conflicted) return `${quotedPath(path)} has merge conflict markers`;
  return question.source(path) === undefined ? `${quotedPath(path)} cannot be read as text` : undefined;
}
