/**
 * The target of a question. How it may be written: `file:line:col`, `file:line`, a name path (`Class/method`, `/top`, `name[1]`), or a
 * name path in one file (`file.ts#name`, `file.ts:Class/method`). And the file it names, however that is written: from the current
 * directory or from the root, with `./`, absolute, by the end of its path, or by a link to it. What is not found says why where that is
 * known, and names the nearest.
 */

import { findNearest, listNearest, quotedPath } from '../../kernel/base/text.ts';
import { pathInRoot } from '../../kernel/tree/root.ts';
import type { ReadSession } from '../store/read-session.ts';
import { findFile, listAllPaths, listFilesBelow, type StoredFile } from '../store/stored-files.ts';
import { isFileNow } from '../sync/file-table.ts';
import type { CodeView } from '../view/code-view.ts';
import { type NotAnswered, notAnswered } from '../view/not-answered.ts';

export type Target =
  | { readonly kind: 'position'; readonly path: string; readonly line: number; readonly col: number | null }
  | { readonly kind: 'name'; readonly name: string; readonly path: string | null };

/** `cwd`: where a relative path may be meant from; the root otherwise. */
type FileTarget = { readonly path: string; readonly cwd?: string | undefined };

export type FoundFile = {
  readonly kind: 'found';
  readonly file: StoredFile;
  /** The link that was asked about, where `file` answers for it. */
  readonly alias: string | null;
};

/** Several readings, the likelier first: a colon may be part of a name. */
export function parseTarget(text: string): readonly Target[] {
  const given = text.trim();
  const position = /^(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?:?$/s.exec(given);
  if (position !== null) {
    const [, path = '', line = '', col] = position;
    return [{ kind: 'position', path, line: Number(line), col: col === undefined ? null : Number(col) }];
  }
  const whole: Target = { kind: 'name', name: given, path: null };
  const inFile = /^([^#]+)#(.+)$/s.exec(given) ?? /^(.*[./][^:]*):(?!:)(.+)$/s.exec(given);
  if (inFile === null) return [whole];
  const [, path = '', name = ''] = inFile;
  return [{ kind: 'name', name, path }, whole];
}

export function findTargetFile(session: ReadSession, view: CodeView, target: FileTarget): FoundFile | NotAnswered {
  const names = readNames(view.root, target);
  if (names.length === 0) {
    return notAnswered('invalid', `path: ${quotedPath(target.path)} lies outside ${view.root}`);
  }
  for (const name of names) {
    const file = findFile(session, name);
    if (file !== undefined) return settle(session, view, file);
  }
  for (const name of names) {
    const below = listFilesBelow(session, name === '' ? '' : `${name}/`, 20).map((file) => file.path);
    if (below.length > 0) {
      return notAnswered(
        'invalid',
        `path: ${name === '' ? 'the root' : quotedPath(name)} is a directory; name a file`,
        below,
      );
    }
    if (view.differences.added.has(name)) {
      return notAnswered(
        'not_found',
        `path: ${quotedPath(name)} is new on disk and not indexed yet; ask again in a moment`,
      );
    }
    if (isFileNow(view.root, name)) {
      return notAnswered(
        'not_found',
        `path: ${quotedPath(name)} is on disk and not in scope: an ignore rule, a built-in default or a nested repository leaves it out`,
      );
    }
  }
  return findBySuffix(session, view, names.at(-1) as string);
}

/** In the order they are tried. */
export function readNames(root: string, { path, cwd }: FileTarget): readonly string[] {
  const names = new Set<string>();
  for (const text of [path, path.replace(/(?::\d+){1,2}:?$/, '')]) {
    for (const from of [cwd ?? root, root]) {
      const name = pathInRoot(root, from, text);
      if (name !== undefined) names.add(name);
    }
  }
  return [...names];
}

function settle(session: ReadSession, view: CodeView, file: StoredFile): FoundFile | NotAnswered {
  if (file.kind === 'alias') {
    const end = file.canonicalPath === null ? undefined : findFile(session, file.canonicalPath);
    if (end !== undefined) return { kind: 'found', file: end, alias: file.path };
    return notAnswered(
      'not_found',
      `path: ${quotedPath(file.path)} is a link ${linkEnds[file.skipReason ?? ''] ?? 'to nowhere'}`,
    );
  }
  if (file.presence === 'absent') {
    return notAnswered('not_found', `path: ${quotedPath(file.path)} is tracked and not on disk (sparse checkout)`);
  }
  if (view.differences.gone.has(file.path)) {
    return notAnswered(
      'not_found',
      `path: ${quotedPath(file.path)} is no longer there, and the index does not know yet`,
    );
  }
  return { kind: 'found', file, alias: null };
}

const linkEnds: Readonly<Record<string, string>> = {
  directory: 'to a directory',
  outside_root: 'that leads outside the root',
  forbidden: 'into a directory that is never read',
  dangling: 'to nothing',
  loop: 'that leads back to itself',
  out_of_scope: 'to a file that is not in scope',
};

function findBySuffix(session: ReadSession, view: CodeView, name: string): FoundFile | NotAnswered {
  const all = listAllPaths(session);
  const ending = all.filter((path) => path.endsWith(`/${name}`));
  const [only] = ending;
  if (ending.length === 1 && only !== undefined) {
    const file = findFile(session, only);
    if (file !== undefined) return settle(session, view, file);
  }
  if (ending.length > 1) {
    return notAnswered('ambiguous', `path: ${ending.length} files end in ${quotedPath(name)}; name one`, ending);
  }
  const near = listNear(name, all);
  const hint = near.length === 0 ? '' : '; near it are';
  return notAnswered('not_found', `path: no file ${quotedPath(name)} in the index${hint}`, near);
}

/** By base name, which is what people remember. */
function listNear(name: string, all: readonly string[]): readonly string[] {
  const wanted = baseOf(name).toLowerCase();
  const bases = [...new Set(all.map(baseOf))];
  const holding = bases.filter((base) => base.toLowerCase().includes(wanted));
  const nearest = holding.length === 0 ? findNearest(wanted, bases) : undefined;
  const near = new Set(nearest === undefined ? listNearest(wanted, holding, 5) : [nearest]);
  return all.filter((path) => near.has(baseOf(path))).slice(0, 5);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
