/** Where a file of the image comes from in the repository, followed through COPY and from stage to stage. Existence is not looked at. */

import { absoluteIn, workingDirectory } from './stage-draft.ts';
import type { CopyDirective, Stage } from './types.ts';
import { type DockerfileRow, folderOf } from './upstream-dockerfiles.ts';

const searchPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Places looked at for one file: stages that copy from each other many times would multiply. */
const maxPlaces = 2_000;

/**
 * Paths of the repository that may be the file, likeliest first. The build context is the root or the folder of the Dockerfile;
 * whether a source is a file or a directory shows only in the repository: both readings are given.
 */
export function listCopySources(row: DockerfileRow, path: string): readonly string[] {
  const stage = row.final_stage === null ? undefined : row.stages[row.final_stage];
  if (stage === undefined || path === '' || path.includes('$')) return [];
  const places = path.includes('/') ? [path] : [...searchPath.map((folder) => `${folder}/${path}`), path];
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const place of places) collect(row, stage, absoluteIn(directoryOf(stage), place), found, seen);
  const folder = folderOf(row.path);
  const inContext = [...found].flatMap((source) => (folder === '' ? [source] : [source, `${folder}/${source}`]));
  return [...new Set(inContext)].filter(isPlainPath);
}

/** Declared inputs are a small language (`user:`, globs); what a Dockerfile names must stay a path in the repository. */
function isPlainPath(source: string): boolean {
  return (
    source !== '' && !/[*?[\]{}:!\\\n]/.test(source) && !source.split('/').some((part) => part === '..' || part === '.')
  );
}

/** The directive whose here-document is the file. */
export function findHeredocCopy(row: DockerfileRow, path: string): CopyDirective | undefined {
  const stage = row.final_stage === null ? undefined : row.stages[row.final_stage];
  if (stage === undefined) return undefined;
  const wanted = new Set(
    path.includes('/') ? [absoluteIn(directoryOf(stage), path)] : searchPath.map((folder) => `${folder}/${path}`),
  );
  return row.copy_directives.find(
    ({ sources, destination }) =>
      sources.length === 1 &&
      sources[0]?.startsWith('<<') === true &&
      wanted.has(destination.endsWith('/') ? `${destination}${sources[0].slice(2)}` : destination),
  );
}

function collect(row: DockerfileRow, stage: Stage, path: string, found: Set<string>, seen: Set<string>): void {
  const place = `${stage.index} ${path}`;
  if (seen.has(place) || seen.size >= maxPlaces) return;
  seen.add(place);
  // What is copied later lies over what was copied before.
  for (const copy of row.copy_directives.toReversed()) {
    if (copy.stage_index !== stage.index) continue;
    for (const source of copy.sources) {
      for (const inner of sourcesOf(source, copy.destination, path)) {
        if (copy.from === null) found.add(inner);
        else {
          const from = copy.from_stage_resolved === null ? undefined : row.stages[copy.from_stage_resolved];
          if (from !== undefined) collect(row, from, absoluteIn(directoryOf(from), `/${inner}`), found, seen);
        }
      }
    }
  }
  const parent = stage.inherits_from === null ? undefined : row.stages[stage.inherits_from];
  if (parent !== undefined) collect(row, parent, path, found, seen);
}

/** What of a source would land at the path, relative to the source's root. */
function sourcesOf(source: string, destination: string, path: string): readonly string[] {
  if (source.startsWith('<<') || /^[a-z]+:\/\//i.test(source) || source.includes('$')) return [];
  const from = source
    .replace(/^(?:\.?\/)+/, '')
    .replace(/^\.$/, '')
    .replace(/\/$/, '');
  const target = destination.endsWith('/') ? destination.slice(0, -1) : destination;
  const name = from.slice(from.lastIndexOf('/') + 1);
  if (path === target) return from === '' ? [] : [from];
  if (!path.startsWith(`${target}/`)) return [];
  const rest = path.slice(target.length + 1);
  if (name.includes('*') || name.includes('?')) {
    const folder = from.slice(0, from.length - name.length);
    return matches(name, rest.split('/')[0] ?? '') ? [`${folder}${rest}`] : [];
  }
  const asFolder = from === '' ? rest : `${from}/${rest}`;
  return rest === name ? [from, asFolder] : [asFolder];
}

function directoryOf(stage: Stage): string | null {
  return workingDirectory({ workdir: stage.workdir, base: stage.base_image_resolved });
}

/** `*` and `?` of one path segment, in linear time for each star. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let inName = 0;
  let star = -1;
  let retry = 0;
  while (inName < name.length) {
    if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[inName])) {
      at += 1;
      inName += 1;
    } else if (pattern[at] === '*') {
      star = at;
      retry = inName;
      at += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      inName = retry;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
