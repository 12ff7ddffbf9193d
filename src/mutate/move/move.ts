/** Moving a file or a directory, with every import of it and every relative path in it. */

import type { Question } from '../../index/navigate/question.ts';
import { allProvides } from '../../index/store/stored-imports.ts';
import { loadFileTable } from '../../index/sync/file-table.ts';
import { createNameProviders, createTreeWorld } from '../../index/sync/tree-world.ts';
import { quotedPath } from '../../kernel/base/text.ts';
import { directoryOf } from '../../languages/resolving/root-paths.ts';
import { listPrograms } from '../compiler/session/choose-programs.ts';
import type { ProgramSpec } from '../compiler/session/messages.ts';
import { asAnswer, blockedAnswer, placeOf, unsupportedAnswer } from '../plans/answers.ts';
import { defineRefactoring, type Findings, type FoundOrNot, type LookingWorld } from '../refactoring.ts';
import { collectChanges } from './collect-changes.ts';
import { MoveInput } from './move-request.ts';
import { findMoveTarget, type MoveTarget } from './move-target.ts';
import type { MoveChanges, Moves } from './moved-tree.ts';
import { stemOf } from './path-style.ts';

export default defineRefactoring({
  kind: 'move_file',
  name: 'move',
  says: 'move a file, or the files of a directory, and write every path that leads to it, or from it, anew',
  input: MoveInput,
  languages: ['typescript', 'javascript', 'python', 'go'],
  async find(world, input) {
    const target = findMoveTarget(world, input);
    return target.kind === 'answer' ? target : findByImports(world, target);
  },
  nextAfterRefused: {
    no_symbol: 'Name a file or a directory of the repository.',
    not_renamable: 'Move what the link leads to.',
    invalid_name: 'Choose another path in the repository, of the same language and not ignored.',
    same_name: 'It is there already: there is nothing to do.',
    collision: 'Choose a path that is free, or move the other file first.',
  },
});

/**
 * Moving a file of TypeScript, JavaScript or data: what the tree’s own imports say has to be written anew, and a compiler job that can
 * prove that every name keeps its meaning. Where no project has any of the files, there is nothing a compiler could say.
 */
async function findByImports(
  world: LookingWorld,
  { from, to, moves, isDirectory, notes }: MoveTarget,
): Promise<FoundOrNot> {
  const { question, view } = world;
  const startedMs = world.nowMs();
  world.onProgress(`looking for what names ${quotedPath(from)}`);
  const [table, provides] = view.read((moment) => [loadFileTable(moment), allProvides(moment)]);
  const tree = createTreeWorld(view.root, table, createNameProviders(provides).filesProviding);
  const changes = await collectChanges(question, tree, { moves, directory: isDirectory ? { from, to } : null });
  const programs = choosePrograms(world, moves, changes);
  const opened = programs.length === 0 ? null : await world.openCompiler(programs);
  if (opened?.kind === 'unavailable') {
    const { reason, detail } = opened;
    return asAnswer(
      reason === 'failed'
        ? blockedAnswer('refresh_failed', `the compiler could not be asked: ${detail}`, {})
        : unsupportedAnswer(reason, detail, { can_force_syntactic: false }),
    );
  }
  const { edits, items, texts } = changes;
  const findings: Findings = {
    kind: 'findings',
    symbol: {
      key: `file:${from}`,
      name: from,
      namePath: from,
      kind: isDirectory ? 'directory' : 'file',
      definedAt: { file: [...moves.keys()][0] ?? from, line: 1, col: 1 },
    },
    newName: to,
    title: `move ${quotedPath(from)} to ${quotedPath(to)}`,
    edits,
    items,
    moves: [...moves].map(([one, other]) => ({ from: one, to: other })),
    clashes: [],
    texts,
    contextKeys: programs.map(({ key }) => key),
    census: {
      planned: edits.length,
      other_symbol: 0,
      string: items.length,
      comment: changes.mentions.length,
      unaccounted: 0,
    },
    notes: [...notes, ...notesAbout(question, changes, moves)],
    bounds: {
      files_scanned: changes.scanned,
      files_not_scanned: changes.notScanned.slice(0, 20),
      contexts: programs.map(({ key }) => key).slice(0, 20),
      budget_ms: 30_000,
      spent_ms: Math.round(world.nowMs() - startedMs),
      truncated: false,
    },
    isomorphism: opened === null ? null : { oldName: '', newName: '', reach: 'repo', family: [], isMember: false },
    provenance: 'resolved',
    risky: [],
    job: opened,
  };
  return findings;
}

/** Those that have a file which takes part, and those whose configuration may mean the new place. */
function choosePrograms({ view }: LookingWorld, moves: Moves, { edits, items }: MoveChanges): readonly ProgramSpec[] {
  const chosen = items.flatMap((item) => Object.values(item.edits).flat());
  const taking = new Set([...moves.keys(), ...[...edits, ...chosen].map(({ path }) => path)]);
  const holding = new Set(listPrograms(view, taking).map(({ key }) => key));
  if (holding.size === 0) return [];
  const mayMean = ({ config }: ProgramSpec) => {
    if (config === null) return false;
    const directory = directoryOf(config);
    return [...moves.values()].some((to) => directory === '' || to.startsWith(`${directory}/`));
  };
  return listPrograms(view).filter((program) => holding.has(program.key) || mayMean(program));
}

function notesAbout(question: Question, { mentions, edits }: MoveChanges, moves: Moves): readonly string[] {
  const notes: string[] = [];
  const [first] = mentions;
  if (first !== undefined) {
    const { line } = placeOf(question, first);
    const many =
      mentions.length === 1
        ? 'a mention in prose stays as it is:'
        : `${mentions.length} mentions in prose stay as they are, first`;
    notes.push(`${many} ${quotedPath(first.path)}:${line}`);
  }
  for (const [from, to] of [...moves].slice(0, moves.size <= 2 ? 1 : 0)) {
    const lines = question.file(from)?.lines ?? 0;
    const changed = edits.filter(({ path }) => path === from).length;
    // What git takes for a rename is at least half as it was.
    if (changed * 2 > lines)
      notes.push(`${changed} of ${lines} lines change: git may see a new file; commit the move before other edits`);
    const [was, is] = [from, to].map((path) => stemOf(path).replace(/^.*\//, ''));
    const named = question.symbols(from).find(({ name, parent }) => parent < 0 && name === was);
    if (named !== undefined && was !== is)
      notes.push(`the file was named after \`${named.name}\`, which keeps its name; \`codegenie rename\` renames it`);
    if (from !== to && from.toLowerCase() === to.toLowerCase())
      notes.push(
        `${quotedPath(from)} and ${quotedPath(to)} differ in case alone, which some file systems do not tell apart`,
      );
  }
  return notes;
}
