/**
 * The path patterns of CODEOWNERS: gitignore's, without negation and character ranges. A pattern covers what lies below the
 * directory it matches, except that `docs/*` stays within `docs`. Matching never backtracks further than the last star, so that a
 * pattern and a path of n and m characters cost at most n × m, whoever wrote them.
 */

const STAR = -1;
const ANY = -2;

/** Code units, `STAR` and `ANY` of one name; `null` stands for any number of directories. */
type Segment = readonly number[] | null;
export type PathPattern = { readonly segments: readonly Segment[] };

const star: Segment = [STAR];

/** Undefined for what forges refuse: negation, character ranges. `\x` stands for x. */
export function parsePathPattern(text: string): PathPattern | undefined {
  if (text.startsWith('!') || hasRange(text)) return undefined;
  const body = text.replace(/^\/+/, '').replace(/\/+$/, '');
  const isDirectory = text.endsWith('/');
  const names = body === '' ? [] : body.split(/\/+/);
  const segments: Segment[] = names.map((name) => (name === '**' ? null : readSegment(name)));
  // A slash at the beginning or in the middle anchors the pattern at the root.
  const anchored = text.startsWith('/') || names.length > 1;
  const last = names.at(-1);
  const below: Segment[] = isDirectory || last === '**' ? [null, star] : last === '*' && anchored ? [] : [null];
  return { segments: [...(anchored ? [] : [null]), ...segments, ...below] };
}

export function matchesPath({ segments }: PathPattern, names: readonly string[]): boolean {
  let at = 0;
  let name = 0;
  let retryAt = -1;
  let retryName = 0;
  while (name < names.length) {
    const segment = segments[at];
    if (segment === null) {
      retryAt = at;
      retryName = name;
      at += 1;
    } else if (segment !== undefined && matchesName(segment, names[name] as string)) {
      at += 1;
      name += 1;
    } else if (retryAt >= 0) {
      retryName += 1;
      name = retryName;
      at = retryAt + 1;
    } else return false;
  }
  while (segments[at] === null) at += 1;
  return at === segments.length;
}

/** The names of a pattern without wildcards that covers a file or a whole directory from the root on; else undefined. */
export function literalPath({
  segments,
}: PathPattern): { readonly path: string; readonly itself: boolean } | undefined {
  const end = segments.indexOf(null);
  if (end <= 0) return undefined;
  const tail = segments.slice(end + 1);
  if (tail.length > 0 && !(tail.length === 1 && tail[0] === star)) return undefined;
  const names: string[] = [];
  for (const segment of segments.slice(0, end)) {
    if (segment === null || segment.some((unit) => unit < 0)) return undefined;
    names.push(segment.map((unit) => String.fromCharCode(unit)).join(''));
  }
  return { path: names.join('/'), itself: tail.length === 0 };
}

function matchesName(segment: readonly number[], name: string): boolean {
  let at = 0;
  let char = 0;
  let retryAt = -1;
  let retryChar = 0;
  while (char < name.length) {
    const unit = segment[at];
    if (unit === STAR) {
      retryAt = at;
      retryChar = char;
      at += 1;
    } else if (unit !== undefined && (unit === ANY || unit === name.charCodeAt(char))) {
      at += 1;
      char += 1;
    } else if (retryAt >= 0) {
      retryChar += 1;
      char = retryChar;
      at = retryAt + 1;
    } else return false;
  }
  while (segment[at] === STAR) at += 1;
  return at === segment.length;
}

function readSegment(name: string): Segment {
  if (/^\*+$/.test(name)) return star;
  const units: number[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const char = name.charAt(at);
    if (char === '\\' && at + 1 < name.length) {
      at += 1;
      units.push(name.charCodeAt(at));
    } else if (char === '*') {
      if (units.at(-1) !== STAR) units.push(STAR);
    } else units.push(char === '?' ? ANY : name.charCodeAt(at));
  }
  return units;
}

function hasRange(text: string): boolean {
  return /[[\]]/.test(text.replace(/\\./g, ''));
}
