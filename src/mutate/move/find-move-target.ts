/**
 * What is to move, file by file, and where to. A directory is all the files in scope below it; it is moved only if each of them could be
 * moved by itself, so that nothing of it is left behind unsaid.
 */

import { findTargetFile } from '../../index/state/target/find-target-file.ts';
import { isNotAnswered } from '../../index/state/target/not-answered.ts';
import { listFilesBelow, type StoredFile } from '../../index/store/queries/find-file.ts';
import { hasSyntax } from '../../index/syntax/has-syntax.ts';
import { pathInRoot } from '../../kernel/repo/path-in-root.ts';
import { lstatOf } from '../../kernel/repo/safe-read.ts';
import { findFamily, isJavaScript } from '../../languages/language-family.ts';
import type { Answer } from '../answer.ts';
import { notFound } from '../outcomes.ts';
import { refusedAnswer, unsupportedAnswer } from '../plans/answers.ts';
import type { LookingWorld } from '../refactoring.ts';
import { findDestination } from './find-destination.ts';
import { listTwins } from './list-twins.ts';
import type { Moves } from './moved-tree.ts';
import { whyOtherStays } from './other-languages.ts';
import { directoryOf, pathNamed } from './path-style.ts';
import type { MoveInput } from './request.ts';

export type MoveTarget = {
  readonly kind: 'target';
  readonly from: string;
  readonly to: string;
  readonly isDirectory: boolean;
  readonly moves: Moves;
  readonly notes: readonly string[];
};

type Found = MoveTarget | { readonly kind: 'answer'; readonly answer: Answer };

/** More is a reorganisation, which nobody can look through. */
const mostFiles = 1_000;

export function findMoveTarget(world: LookingWorld, input: MoveInput): Found {
  const { question, root } = world;
  const named = pathInRoot(root, input.cwd ?? root, input.file);
  if (named !== undefined && named !== '' && lstatOf(`${root}/${named}`)?.kind === 'directory')
    return findDirectory(world, named, input);
  const found = question.ask((session) => findTargetFile(session, question.view, { path: input.file, cwd: input.cwd }));
  if (isNotAnswered(found))
    return { kind: 'answer', answer: { ...notFound(found), next: 'Name a file or a directory that is in scope.' } };
  const { path: from } = found.file;
  if (found.alias !== null)
    return refused('not_renamable', `${found.alias} is a link to ${from}; move one of them by hand`);
  const destination = findDestination(world, from, input);
  if (destination.kind === 'refused') return refused(destination.reason, destination.detail);
  const { path: to } = destination;
  const twins = listTwins(question, from, to);
  if (twins.kind === 'refused') return refused('collision', twins.detail);
  const stays = whyItStays(world, found.file, twins.moves);
  return stays ?? { kind: 'target', from, to, isDirectory: false, moves: twins.moves, notes: twins.notes };
}

function findDirectory(world: LookingWorld, from: string, input: MoveInput): Found {
  const { question } = world;
  const files = question
    .ask((session) => listFilesBelow(session, `${from}/`, mostFiles + 1))
    .filter(({ presence }) => presence === 'present');
  if (files.length === 0) return refused('no_symbol', `${from} is a directory in which no file is in scope`);
  if (files.length > mostFiles) return refused('not_renamable', `${from} has more than ${mostFiles} files`);
  const destination = findDestination(world, from, input, true);
  if (destination.kind === 'refused') return refused(destination.reason, destination.detail);
  const { path: to } = destination;
  if (to.startsWith(`${from}/`)) return refused('collision', `${to} lies in ${from} itself`);
  const moves = new Map(files.map(({ path }) => [path, `${to}${path.slice(from.length)}`]));
  for (const file of files) {
    if (file.kind === 'alias') return refused('not_renamable', `${file.path} is a link; move it by hand`);
    const stays = whyItStays(world, file, moves);
    if (stays !== undefined) return stays;
  }
  const notes = [`${files.length} files move; what is not in scope below ${from} stays there`];
  return { kind: 'target', from, to, isDirectory: true, moves, notes };
}

const leading = /(?:url\(\s*["']?|@(?:import|use|forward)\s+(?:url\()?["'])(\.{1,2}\/[^"')\s]*)/g;

function whyItStays({ question }: LookingWorld, file: StoredFile, moves: Moves): Found | undefined {
  const { path, language } = file;
  if (file.vendored) return refused('vendored', `${path} is vendored code, which is not edited`);
  const source = question.source(path);
  if (source === undefined) return refused('encoding', `${path} is not text that can be read; move it by hand`);
  if (language !== null && hasSyntax(language) && !isJavaScript(language)) {
    const why = whyOtherStays(question, language, path, moves.get(path) ?? path);
    if (why !== undefined) return unsupported(why);
  }
  if (moves.size === 1 && findFamily('typescript')?.holders?.test(path) === true)
    return unsupported(`${path} holds code that is not parsed, so its imports cannot be written anew`);
  if (language !== 'css') return undefined;
  const own = [...source.text.matchAll(leading)].map((match) => pathNamed(directoryOf(path), match[1] ?? ''));
  const outside = own.find((one) => !moves.has(one));
  return outside === undefined
    ? undefined
    : unsupported(`${path} leads to ${outside} by a relative path, and paths in style sheets are not followed`);
}

function refused(...[reason, detail]: Parameters<typeof refusedAnswer>): Found {
  return { kind: 'answer', answer: refusedAnswer(reason, detail) };
}

function unsupported(detail: string): Found {
  return { kind: 'answer', answer: unsupportedAnswer('language', detail, { can_force_syntactic: false }) };
}
