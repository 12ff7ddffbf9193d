/** Module names as paths. A join is done for every relative import there is, so the usual ones are not taken apart. */

import { directoryOf } from '../shared/root-paths.ts';

/** `relative` as seen from `directory`, normalised and without a trailing slash; `undefined` beyond the root. */
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
