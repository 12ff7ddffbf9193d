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

/**
 * `relative` as seen from `directory`, normalised and without a trailing slash; `undefined` beyond the root. Every relative import
 * is joined once, so the usual ones are not taken apart.
 */
export function joinPath(directory: string, relative: string): string | undefined {
  let base = directory;
  let at = 0;
  while (relative.charCodeAt(at) === dot) {
    if (relative.startsWith('./', at)) at += 2;
    else if (relative.startsWith('../', at)) {
      if (base === '') return undefined;
      base = directoryOf(base);
      at += 3;
    } else break;
  }
  const rest = at === 0 ? relative : relative.slice(at);
  if (unusualSegment.test(rest)) return normalise(base, rest);
  return base === '' ? rest : `${base}/${rest}`;
}

/** `./x`, `../x`, `.`, `..`: what a module name must look like to be relative. */
export function isRelativeName(name: string): boolean {
  if (name.charCodeAt(0) !== dot) return false;
  const next = name.charCodeAt(1) === dot ? name.charCodeAt(2) : name.charCodeAt(1);
  return Number.isNaN(next) || next === slash;
}

const dot = 0x2e;
const slash = 0x2f;
// An empty segment, `.` or `..` anywhere, which a specifier hardly ever has behind its first letters.
const unusualSegment = /(?:^|\/)\.{0,2}(?:\/|$)/;

function normalise(directory: string, relative: string): string | undefined {
  const segments = directory === '' ? [] : directory.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
