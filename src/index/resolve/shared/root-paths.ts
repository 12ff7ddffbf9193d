/** Root-relative paths as text: `/`-separated, no `.` or `..`, the root itself `''`. Nothing here can name a place outside the root. */

export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Both must be in normal form. */
export function below(directory: string, rest: string): string {
  if (directory === '') return rest;
  return rest === '' ? directory : `${directory}/${rest}`;
}

/** `relative` as written in a source or a configuration file; `null` where it is absolute or leaves the root. */
export function joinInRoot(directory: string, relative: string): string | null {
  if (relative.startsWith('/')) return null;
  const segments = directory === '' ? [] : directory.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}

/** Is `path` the directory itself or below it? */
export function isWithin(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

/** The directory itself and every one above it up to the root, nearest first. */
export function* ancestorsOf(directory: string): Generator<string> {
  for (let at = directory; at !== ''; at = directoryOf(at)) yield at;
  yield '';
}
