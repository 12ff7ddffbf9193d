/**
 * Files that a compiler takes into its programs and that a change does not edit unasked: what git ignores, what belongs to another repository
 * below this one (M13), and what the index cannot name or read as text. An edit of the first is part of no review, the second are not this
 * repository's to change, and the names or bytes of the last cannot be quoted.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Question } from '../../index/navigate/question.ts';
import { sha256Hex } from '../../kernel/base/hash.ts';
import { quotedPath } from '../../kernel/base/text.ts';
import { findStandIn } from '../../kernel/tree/shown-names.ts';
import type { ItemDraft } from '../compiler/session/messages.ts';
import type { Findings } from '../refactoring.ts';

export function isListed(question: Question, path: string): boolean {
  return question.file(path)?.presence === 'present';
}

/** The directory of the repository that an unlisted file belongs to, if it is another one: a submodule, or a clone inside the tree. */
export function findInnerRepository(question: Question, path: string): string | undefined {
  if (isListed(question, path)) return undefined;
  for (let directory = dirname(path); directory !== '.' && directory !== '/'; directory = dirname(directory))
    if (existsSync(join(question.view.root, directory, '.git'))) return directory;
  return undefined;
}

const why: Readonly<Record<string, string>> = {
  large: 'is too large to be edited',
  binary: 'is not text',
  encoding: 'is not UTF-8 text',
  secret: 'holds secrets and is not read',
  lfs: 'is kept elsewhere',
  unreadable: 'cannot be read',
};

/** Nothing is edited in unreadable files; that the change means them too is one question a file (mutation.md §2.6, `unreadable_file`). */
export function setUnreadableAside(found: Findings, question: Question): Findings {
  const reasonOf = (path: string): string | undefined => {
    if (findStandIn(path) !== undefined) return 'has a name that holds a secret';
    if (question.source(path) !== undefined) return undefined;
    const row = question.file(path);
    // What git ignores has no row and no reason; what is gone was there a moment ago.
    const isUnlisted = row === undefined && existsSync(join(question.view.root, path));
    const reason = row?.skipReason ?? (isUnlisted ? 'unreadable' : null);
    return reason === null ? undefined : (why[reason] ?? why['unreadable']);
  };
  const paths = new Set([...Object.keys(found.texts), ...[...found.edits, ...found.items].map(({ path }) => path)]);
  const unread = new Map([...paths].flatMap((path) => [[path, reasonOf(path)] as const].filter(([, one]) => one)));
  if (unread.size === 0) return found;
  const isRead = ({ path }: { readonly path: string }) => !unread.has(path);
  const asked = new Set(found.items.filter(({ kind }) => kind === 'unreadable_file').map(({ path }) => path));
  const isNamed = ({ path }: { readonly path: string }) => findStandIn(path) === undefined;
  const places = [...found.edits, ...found.items.filter((item) => !isNamed(item))];
  const items = [...Map.groupBy(places, ({ path }) => path)].flatMap(([own, at]): ItemDraft[] => {
    const path = findStandIn(own) ?? own;
    if (!unread.has(own) || asked.has(path)) return [];
    const many = at.length === 1 ? 'one place' : `${at.length} places`;
    const detail = `${quotedPath(path)} ${unread.get(own)}, and the compiler finds it there in ${many}`;
    return [{ path, start: 0, end: 0, kind: 'unreadable_file', detail, edits: {} }];
  });
  const secret = [...unread.keys()].flatMap((path) => [[findStandIn(path), found.texts[path] ?? ''] as const]);
  const unnamed = [...Map.groupBy(secret, ([standIn]) => standIn)].flatMap(([standIn, same]) =>
    standIn === undefined
      ? []
      : [
          [
            standIn,
            sha256Hex(
              same
                .map(([, hash]) => hash)
                .sort()
                .join(),
            ),
          ] as const,
        ],
  );
  return {
    ...found,
    unnamed: Object.fromEntries(unnamed),
    texts: Object.fromEntries(Object.entries(found.texts).filter(([path]) => !unread.has(path))),
    edits: found.edits.filter(isRead),
    items: [
      ...found.items.filter(isNamed).map((item) => ({
        ...item,
        edits: Object.fromEntries(Object.entries(item.edits).map(([option, edits]) => [option, edits.filter(isRead)])),
      })),
      ...items,
    ],
  };
}
