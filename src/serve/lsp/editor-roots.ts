/**
 * The work trees an editor is in, and what of each is unsaved. A document belongs to the deepest root that holds it; one in none is not ours to
 * say anything of. Without a folder a file means the git work tree around it, and nothing without one: a loose file is no reason to read a
 * home directory.
 */

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readText } from '../../index/view/code-view.ts';
import { findRoot } from '../../kernel/tree/root.ts';
import type { UnsavedTexts } from '../../kernel/tree/unsaved-texts.ts';
import type { WorkspaceFactory } from '../mcp/create-server.ts';
import type { UnsavedAnswers } from '../unsaved/unsaved-answers.ts';
import { type LocatedRoot, locateRoot, type OpenSettings } from '../workspace/open-workspace.ts';
import type { Documents, OpenDocument } from './documents.ts';

/** What answers for one root: its workspace at what is on disk, and one at unsaved text. */
export type RootAnswers = {
  readonly open: WorkspaceFactory;
  readonly unsaved: UnsavedAnswers;
  close(): Promise<void>;
};

export type EditorRoot = {
  readonly root: string;
  /** The same as the editor writes it, where that leads over links. */
  readonly shownAs: string;
  readonly answers: RootAnswers;
};

export type EditorFile = { readonly root: EditorRoot; readonly path: string };

export type EditorRoots = {
  /** Instead of those before. */
  setFolders(uris: readonly string[]): void;
  changeFolders(added: readonly string[], removed: readonly string[]): void;
  /** Where a document lies; undefined for what is no file, or in no root. */
  locate(uri: string): Promise<EditorFile | undefined>;
  /** All of them, for questions about none in particular. */
  list(): Promise<readonly EditorRoot[]>;
  uriOf(file: EditorFile): string;
  /** Text that an editor has and the disk has not, as it would be saved. */
  unsavedOf(root: EditorRoot): Promise<UnsavedTexts>;
  /** Whether the editor shows other text than the disk has. */
  isUnsaved(file: EditorFile): boolean;
  /** As an editor sees the file now; undefined for what is none, or not text. */
  textOf(file: EditorFile): OpenDocument | string | undefined;
  close(): Promise<void>;
};

type RootsSettings = {
  readonly cwd: string;
  readonly settings: OpenSettings;
  readonly documents: Documents;
  readonly openAnswers: (located: LocatedRoot) => RootAnswers;
};

export function createEditorRoots({ cwd, settings, documents, openAnswers }: RootsSettings): EditorRoots {
  let folders: readonly string[] = [];
  const known = new Map<string, Promise<EditorRoot | undefined>>();
  const byRoot = new Map<string, EditorRoot>();

  const openFolder = async (folder: string): Promise<EditorRoot | undefined> => {
    const located = await locateRoot(folder, cwd, settings);
    if (located.kind !== 'located') return undefined;
    const before = byRoot.get(located.root);
    if (before !== undefined) return before;
    const isSame = realOf(folder) === located.root;
    const root = { root: located.root, shownAs: isSame ? folder : located.root, answers: openAnswers(located) };
    byRoot.set(located.root, root);
    return root;
  };
  const folderRoot = (folder: string) => {
    const found = known.get(folder) ?? openFolder(folder);
    known.set(folder, found);
    return found;
  };
  const list = async () => {
    const found = await Promise.all(folders.map(folderRoot));
    return [...new Set(found.filter((root) => root !== undefined))];
  };
  const locate = async (uri: string): Promise<EditorFile | undefined> => {
    const absolute = pathOfUri(uri);
    if (absolute === undefined) return undefined;
    const real = realOf(absolute);
    let roots = await list();
    if (folders.length === 0) {
      const around = findRoot(dirname(real), '/');
      const tree = around.kind !== 'root' ? undefined : around.isGit ? around.root : (around.enclosing ?? undefined);
      const root = tree === undefined ? undefined : await folderRoot(tree);
      roots = root === undefined ? [] : [root];
    }
    const [root] = roots
      .filter(({ root }) => real.startsWith(root === '/' ? '/' : `${root}/`))
      .sort((a, b) => b.root.length - a.root.length);
    return root === undefined ? undefined : { root, path: real.slice(root.root.length + 1) };
  };
  /** The editor's own name for it, where it has it open: there is one buffer of a file. */
  const findOpen = ({ root, path }: EditorFile): OpenDocument | undefined =>
    documents.find(uriAt(root.shownAs, path)) ??
    documents.list().find(({ uri }) => {
      const absolute = pathOfUri(uri);
      return absolute !== undefined && realOf(absolute) === `${root.root}/${path}`;
    });

  return {
    setFolders(uris) {
      folders = uris.flatMap((uri) => pathOfUri(uri) ?? []);
    },
    changeFolders(added, removed) {
      const gone = new Set(removed.map(pathOfUri));
      const more = added.flatMap((uri) => pathOfUri(uri) ?? []);
      folders = [...new Set([...folders.filter((folder) => !gone.has(folder)), ...more])];
    },
    locate,
    list,
    uriOf: (file) => findOpen(file)?.uri ?? uriAt(file.root.shownAs, file.path),
    async unsavedOf(root) {
      const texts = new Map<string, Buffer>();
      for (const document of documents.list()) {
        const file = await locate(document.uri);
        if (file?.root !== root) continue;
        const bytes = findUnsaved(root.root, file.path, document);
        if (bytes !== undefined) texts.set(file.path, bytes);
      }
      return texts;
    },
    isUnsaved(file) {
      const document = findOpen(file);
      return document !== undefined && findUnsaved(file.root.root, file.path, document) !== undefined;
    },
    textOf: (file) => findOpen(file) ?? readText(file.root.root, file.path)?.text,
    async close() {
      await Promise.allSettled([...byRoot.values()].map(({ answers }) => answers.close()));
    },
  };
}

/** As it would be saved; undefined where it is. */
function findUnsaved(root: string, path: string, document: OpenDocument): Buffer | undefined {
  const disk = readText(root, path);
  const text = document.text.replace(/^\uFEFF/, '');
  return disk?.text === text ? undefined : Buffer.from(disk?.bom === true ? `\uFEFF${text}` : text);
}

function uriAt(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href;
}

function pathOfUri(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    // On another host, or with a slash that was escaped.
    return undefined;
  }
}

/** Of what is not there yet, where it would be. */
function realOf(absolute: string): string {
  try {
    return realpathSync.native(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realOf(parent), basename(absolute));
  }
}
