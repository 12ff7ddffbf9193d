/** Where a file of a program lies: below the root and ours to edit, or somewhere else. */

const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages']);

/** Root-relative with `/`, or absolute and outside, which is also what installed packages inside the root are. */
export function placeFile(root: string, fileName: string): { readonly path: string; readonly outside: boolean } {
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (!fileName.startsWith(prefix)) return { path: fileName, outside: true };
  const path = fileName.slice(prefix.length);
  return path.split('/').some((segment) => packageFolders.has(segment))
    ? { path: fileName, outside: true }
    : { path, outside: false };
}
