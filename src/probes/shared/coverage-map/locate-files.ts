/**
 * Paths of a coverage report → files of the repository. A report is written where the tests ran: with paths relative to a package, or
 * absolute on a machine whose checkout lay elsewhere.
 *
 * Rules. Relative paths are taken from one directory for the whole report: of those above it, the one from which most of its files
 * exist, the nearest first. An absolute path below the root is that file. Other absolute paths are matched by their end, with one prefix for
 * the whole report: the one under which most files exist. Two prefixes with equal claims prove nothing, and none is taken.
 * What lies outside is counted as such; what would lie inside and does not exist is missing.
 */

export type Located =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'outside' };

/** Deeper paths are nobody's source. */
const maxSegments = 64;
/** Enough of a report to see where it was written; a hostile one is not asked about every path. */
const witnesses = 2_000;
const maxBases = 8;

/** `paths` of one report; the answer has one entry for each distinct one. */
export function locateFiles(
  paths: Iterable<string>,
  world: { readonly root: string; readonly report: string; readonly hasFile: (path: string) => boolean },
): ReadonlyMap<string, Located> {
  const distinct = [...new Set(paths)].map((path) => [path, readPath(path)] as const);
  const root = segmentsOf(world.root);
  const bases = basesOf(world.report);
  const relative = distinct.flatMap(([, path]) => (path.absolute ? [] : [path.segments]));
  const foreign = distinct.flatMap(([, path]) =>
    path.absolute && below(path.segments, root) === undefined ? [path.segments] : [],
  );
  const base = pickBase(relative, bases, world.hasFile);
  const move = pickMove(foreign, bases, world.hasFile);
  return new Map(
    distinct.map(([written, { absolute, segments }]) => {
      const inside = absolute ? (below(segments, root) ?? moved(segments, move)) : joined(base, segments);
      return [written, inside === undefined ? { kind: 'outside' } : describe(inside, world.hasFile)];
    }),
  );
}

function describe(segments: readonly string[], hasFile: (path: string) => boolean): Located {
  const path = segments.join('/');
  if (hasFile(path)) return { kind: 'file', path };
  // Installed packages are no part of the repository, wherever they lie.
  return segments.includes('node_modules') ? { kind: 'outside' } : { kind: 'missing', path };
}

type ReportPath = { readonly absolute: boolean; readonly segments: readonly string[] };

function readPath(written: string): ReportPath {
  const path = written.replace(/^file:\/\//, '').replaceAll('\\', '/');
  return { absolute: path.startsWith('/') || /^[A-Za-z]:\//.test(path), segments: segmentsOf(path) };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/', maxSegments + 1).filter((segment) => segment !== '' && segment !== '.');
}

/** The directories a report's paths may be relative to: what is above its own, outwards, and its own last. A report outside says nothing. */
function basesOf(report: string): readonly (readonly string[])[] {
  if (report.startsWith('config:')) return [[]];
  const directory = segmentsOf(report).slice(0, -1);
  const bases: (readonly string[])[] = [];
  for (let depth = directory.length - 1; depth > 0; depth -= 1) bases.push(directory.slice(0, depth));
  return [...bases.slice(0, maxBases - 2), [], directory];
}

function pickBase(
  paths: readonly (readonly string[])[],
  bases: readonly (readonly string[])[],
  hasFile: (path: string) => boolean,
): readonly string[] {
  let best: { readonly base: readonly string[]; readonly found: number } = { base: [], found: 0 };
  for (const base of bases) {
    const found = paths.slice(0, witnesses).filter((path) => {
      const inside = joined(base, path);
      return inside !== undefined && hasFile(inside.join('/'));
    }).length;
    if (found > best.found) best = { base, found };
  }
  return best.base;
}

/** A prefix elsewhere, and the directory here that it stands for. */
type Move = { readonly from: readonly string[]; readonly to: readonly string[] };

function pickMove(
  paths: readonly (readonly string[])[],
  bases: readonly (readonly string[])[],
  hasFile: (path: string) => boolean,
): Move | undefined {
  const claims = new Map<string, { readonly move: Move; found: number }>();
  for (const segments of paths.slice(0, witnesses)) {
    if (segments.length > maxSegments || segments.includes('node_modules') || segments.includes('..')) continue;
    const moves = new Map<string, Move>();
    for (let cut = 0; cut < segments.length; cut += 1) {
      for (const to of bases) {
        if (!hasFile([...to, ...segments.slice(cut)].join('/'))) continue;
        moves.set(...shortest(segments.slice(0, cut), to));
      }
    }
    for (const [key, move] of moves) {
      const claim = claims.get(key);
      if (claim === undefined) claims.set(key, { move, found: 1 });
      else claim.found += 1;
    }
  }
  const [first, second] = [...claims.values()].sort((a, b) => b.found - a.found);
  return first === undefined || first.found === second?.found ? undefined : first.move;
}

/** `/ci/shop/app` for `app` is `/ci/shop` for the root: one claim, however it was found. */
function shortest(from: readonly string[], to: readonly string[]): [key: string, move: Move] {
  let shared = 0;
  while (shared < Math.min(from.length, to.length) && from.at(-1 - shared) === to.at(-1 - shared)) shared += 1;
  const move = { from: from.slice(0, from.length - shared), to: to.slice(0, to.length - shared) };
  return [`${move.from.join('/')}\0${move.to.join('/')}`, move];
}

function moved(segments: readonly string[], move: Move | undefined): readonly string[] | undefined {
  const rest = move === undefined ? undefined : below(segments, move.from);
  return move === undefined || rest === undefined ? undefined : joined(move.to, rest);
}

function below(segments: readonly string[], above: readonly string[]): readonly string[] | undefined {
  if (segments.length <= above.length || above.some((segment, at) => segments[at] !== segment)) return undefined;
  return joined([], segments.slice(above.length));
}

/** Undefined for a path that leaves the root. */
function joined(base: readonly string[], path: readonly string[]): readonly string[] | undefined {
  if (path.length > maxSegments) return undefined;
  const segments = [...base];
  for (const segment of path) {
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.length === 0 ? undefined : segments;
}
