/**
 * Texts that stand in for files of one tree, for all that this thread or process reads of its code: what an editor shows and has not
 * saved. They are known at the doors of reading (`readSource`, the stat screen, the listing, the compiler's disk) and not handed from
 * function to function, so that no reader can see a buffer where another sees the disk (decision 0041). Nobody sets them but a thread
 * that serves such questions alone (`serve/unsaved/unsaved-worker.ts`), and the compiler that it starts. Git reads the disk: what is ignored is not theirs
 * to say.
 */

/** By path from the root, the bytes as they would be saved. */
export type UnsavedTexts = ReadonlyMap<string, Buffer>;

const none: UnsavedTexts = new Map();
let current: { readonly root: string; readonly texts: UnsavedTexts } | undefined;

export function setUnsavedTexts(root: string, texts: UnsavedTexts): void {
  current = texts.size === 0 ? undefined : { root, texts };
}

export function unsavedTexts(root: string): UnsavedTexts {
  return current?.root === root ? current.texts : none;
}

export function findUnsaved(root: string, path: string): Buffer | undefined {
  return current === undefined ? undefined : unsavedTexts(root).get(path);
}
