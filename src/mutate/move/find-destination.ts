/**
 * Where a file is to be: a path below the root that nothing has, in a place that the index looks at, of the same language. Names and stats
 * alone are looked at.
 */

import { posix } from 'node:path';
import { listAllPaths } from '../../index/store/queries/list-paths.ts';
import { stripControls } from '../../kernel/base/text.ts';
import { isVendoredPath } from '../../kernel/repo/foreign-files.ts';
import { type IgnoreRule, judgeEntry } from '../../kernel/repo/ignore-rules.ts';
import { languageOf } from '../../kernel/repo/language.ts';
import { pathInRoot } from '../../kernel/repo/path-in-root.ts';
import { createDirectoryGuard, lstatOf } from '../../kernel/repo/safe-read.ts';
import { judgeScope } from '../../kernel/repo/scope-layers.ts';
import { readIgnoreFiles } from '../../kernel/repo/walk-paths.ts';
import type { RefusedReason } from '../outcome.ts';
import type { LookingWorld } from '../refactoring.ts';
import type { MoveInput } from './request.ts';

export type Destination =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly detail: string };

type World = Pick<LookingWorld, 'root' | 'question'>;

/** `isTree`: `from` is a directory, whose name says nothing of a language. */
export function findDestination(world: World, from: string, { to, cwd }: MoveInput, isTree = false): Destination {
  const { root } = world;
  const named = pathInRoot(root, cwd ?? root, to);
  if (named === undefined) return refuse('invalid_name', `${to} lies outside ${root}`);
  const isDirectory = named === '' || /[/\\]\.{0,2}$/.test(to) || lstatOf(`${root}/${named}`)?.kind === 'directory';
  const path = isDirectory ? posix.join(named, posix.basename(from)) : named;
  if (path === from) return refuse('same_name', `${from} is there already`);
  return (
    refuseName(from, path, isTree) ??
    refusePlace(world, isTree ? `${path}/x` : path) ??
    refuseTaken(world, from, path) ?? { kind: 'path', path }
  );
}

function refuseName(from: string, path: string, isTree: boolean): Destination | undefined {
  if (path === '' || hasControls(path)) return refuse('invalid_name', 'a path with control characters, or none');
  if (isTree) return undefined;
  const [was, is] = [from, path].map((one) => languageOf(one));
  if (was !== is) {
    const says = (language: string | null | undefined) => language ?? 'no language that is known';
    return refuse(
      'invalid_name',
      `${from} is ${says(was)}, and ${path} would be ${says(is)}; a move keeps the language`,
    );
  }
  const [wasDeclaration, isDeclaration] = [from, path].map((one) => /\.d\.[cm]?ts$/.test(one));
  if (wasDeclaration !== isDeclaration)
    return refuse('invalid_name', `one of ${from} and ${path} is a declaration file, and the other is code`);
  return undefined;
}

function refusePlace({ root, question }: World, path: string): Destination | undefined {
  if (isVendoredPath(path)) return refuse('vendored', `${path} lies among vendored code, which is not written to`);
  const guard = createDirectoryGuard(root);
  const known = question.ask(listAllPaths);
  const rules = (name: string) => readIgnoreFiles(root, known, name, guard);
  const verdict = judgeScope({
    path,
    tracked: false,
    gitIgnored: isIgnored(rules('.gitignore'), path),
    cplRules: rules('.cplignore'),
  });
  // A directory that tools usually write to is somebody's own where files of theirs are in it.
  const isOwn = verdict.layer === 'defaults' && known.some((one) => posix.dirname(one) === posix.dirname(path));
  if (!verdict.in && !isOwn) return refuse('invalid_name', `${path} ${whyOut[verdict.layer]}`);
  const parents = path.split('/').slice(0, -1);
  for (const [at] of parents.entries()) {
    const directory = parents.slice(0, at + 1).join('/');
    const found = lstatOf(`${root}/${directory}`);
    if (found === undefined) break;
    if (found.kind === 'directory' && lstatOf(`${root}/${directory}/.git`) === undefined) continue;
    const why = { file: 'a file', link: 'a link', other: 'no directory', directory: 'another repository' }[found.kind];
    return refuse(found.kind === 'directory' ? 'invalid_name' : 'collision', `${directory} is ${why}`);
  }
  return undefined;
}

const whyOut: Readonly<Record<string, string>> = {
  hard: 'lies in a directory that is never written to',
  git: 'is ignored by git',
  cplignore: 'is left out by .cplignore',
  defaults: 'lies in a directory that tools write to, which is not looked at',
};

/** As git asks it: on the way down, and nothing below an ignored directory can come back. */
function isIgnored(rules: readonly IgnoreRule[], path: string): boolean {
  const names = path.split('/');
  return names.some((_, at) => {
    const entry = names.slice(0, at + 1).join('/');
    return judgeEntry(rules, at === names.length - 1 ? entry : `${entry}/`) === 'ignored';
  });
}

function refuseTaken({ root, question }: World, from: string, path: string): Destination | undefined {
  const found = lstatOf(`${root}/${path}`);
  const isSelf = found !== undefined && found.stat.ino === lstatOf(`${root}/${from}`)?.stat.ino;
  if (isSelf && path.toLowerCase() === from.toLowerCase())
    return refuse('case_clash', `${path} and ${from} are one file on this volume; rename it by way of another name`);
  if (found !== undefined || question.file(path)?.presence === 'present')
    return refuse('collision', `${path} exists already`);
  const twin = question.ask(listAllPaths).find((one) => one !== from && one.toLowerCase() === path.toLowerCase());
  if (twin !== undefined)
    return refuse(
      'case_clash',
      `${path} and ${twin} would differ in case alone, which some file systems do not tell apart`,
    );
  return undefined;
}

function hasControls(path: string): boolean {
  return stripControls(path) !== path;
}

function refuse(reason: RefusedReason, detail: string): Destination {
  return { kind: 'refused', reason, detail };
}
