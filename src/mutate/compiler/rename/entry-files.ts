/**
 * Which source files a package shows to others: what its `package.json` names, followed back from build output to source, or else the
 * index files that packages have by custom. Pure: a list of files goes in, a part of it comes out.
 */

import type { Manifest } from './read-manifest.ts';

/** Where the compiler writes to and reads from, root-relative. */
export type BuildPaths = { readonly outDirs: readonly string[]; readonly rootDir: string | undefined };

export function listEntryFiles(manifest: Manifest, files: readonly string[], build: BuildPaths): readonly string[] {
  const own = files.filter((file) => manifest.directory === '' || file.startsWith(`${manifest.directory}/`));
  const known = new Set(own);
  const found = new Set<string>();
  for (const target of listTargets(manifest.fields)) {
    const path = join(manifest.directory, target);
    if (path === undefined) continue;
    for (const source of sourcesOf(path, build, manifest.directory))
      for (const file of source.includes('*') ? matchStar(source, own) : [source]) if (known.has(file)) found.add(file);
  }
  if (found.size === 0)
    for (const folder of ['', 'src', 'lib'])
      for (const extension of sourceExtensions) {
        const file = join(manifest.directory, folder === '' ? `index${extension}` : `${folder}/index${extension}`);
        if (file !== undefined && known.has(file)) found.add(file);
      }
  return [...found].sort();
}

/** Does it say where the package begins? Commands show no names to anybody. */
export function namesEntry({ fields }: Manifest): boolean {
  return listTargets({ ...fields, bin: undefined }).length > 0;
}

const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs'];

/** Every path that `main`, `module`, `types`, `exports` and `bin` name, under any condition. */
function listTargets(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const targets: string[] = [];
  const pending: unknown[] = ['main', 'module', 'browser', 'types', 'typings', 'exports', 'bin'].map(
    (key) => fields[key],
  );
  for (let value = pending.shift(); pending.length > 0 || value !== undefined; value = pending.shift()) {
    if (typeof value === 'string') targets.push(value);
    else if (typeof value === 'object' && value !== null) pending.push(...Object.values(value));
  }
  return targets;
}

/** The file itself, the source it is compiled from beside it, and the same below the source directory. */
function sourcesOf(path: string, build: BuildPaths, directory: string): readonly string[] {
  const places = [path];
  const roots = build.rootDir === undefined ? ['src', ''] : [build.rootDir];
  const outDirs =
    build.outDirs.length > 0
      ? build.outDirs
      : ['dist', 'lib', 'build', 'out', 'esm', 'cjs'].map((each) => join(directory, each) ?? each);
  for (const outDir of outDirs) {
    if (!path.startsWith(`${outDir}/`)) continue;
    const inner = path.slice(outDir.length + 1);
    for (const root of roots) {
      const base = build.rootDir === undefined ? (join(directory, root) ?? '') : root;
      places.push(base === '' ? inner : `${base}/${inner}`);
    }
  }
  return places.flatMap((place) => [place, ...withSourceExtensions(place)]);
}

function withSourceExtensions(path: string): readonly string[] {
  const bare = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  const folders = bare === path ? [`${path.replace(/\/$/, '')}/index`] : [];
  return [bare, ...folders].flatMap((each) => sourceExtensions.map((extension) => `${each}${extension}`));
}

function matchStar(pattern: string, files: readonly string[]): readonly string[] {
  const at = pattern.indexOf('*');
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  return files.filter(
    (file) => file.length >= pattern.length - 1 && file.startsWith(before) && file.endsWith(after.replaceAll('*', '')),
  );
}

/** Root-relative; undefined for a path that leads out of the package. */
function join(directory: string, path: string): string | undefined {
  const parts: string[] = directory === '' ? [] : directory.split('/');
  const floor = parts.length;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length <= floor) return undefined;
    else parts.pop();
  }
  return parts.join('/');
}
