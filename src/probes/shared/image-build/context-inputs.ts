/**
 * What a build can see of the repository, as declared inputs: the files in scope that `.dockerignore` does not leave out, and the
 * files that COPY names though git ignores them. A directory that git ignores cannot be listed here; `unseenSources` names those, and
 * an image that was made of one is never taken from the cache.
 */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import { compileDockerIgnore } from '../engine/docker-ignore.ts';

export const dockerIgnoreFile = '.dockerignore';
/** Names with glob characters are matched one by one against all files: beyond this many, all files are inputs. */
const maxOddNames = 200;

export async function readDockerIgnore(repo: ProbeRepo): Promise<string> {
  const outcome = await repo.inputs.read(dockerIgnoreFile, limits.textBytes);
  return outcome.kind === 'read' ? decodeLenient(outcome.bytes) : '';
}

export async function deriveContextInputs(repo: ProbeRepo, sources: readonly string[]): Promise<readonly string[]> {
  const named = literalSources(sources).filter(isPlainName);
  const ignoreText = await readDockerIgnore(repo);
  if (ignoreText.trim() === '') return ['**', ...named];
  const isIgnored = compileDockerIgnore(ignoreText);
  const kept = repo.scope.files.map(({ path }) => path).filter((path) => !isIgnored(path));
  const odd = kept.filter((path) => !isPlainName(path));
  if (odd.length > maxOddNames) return ['**', ...named];
  return [...kept.filter(isPlainName), ...odd.map(escapeName), ...named.filter((path) => !isIgnored(path))];
}

/** COPY sources that name neither an input nor a directory of inputs: a directory that git ignores, or nothing. */
export function unseenSources(sources: readonly string[], ids: Iterable<string>): readonly string[] {
  const seen = new Set<string>();
  for (const id of ids) {
    for (let end = id.length; end > 0; end = id.lastIndexOf('/', end - 1)) {
      const path = id.slice(0, end);
      if (seen.has(path)) break;
      seen.add(path);
    }
  }
  return literalSources(sources).filter((path) => !seen.has(path));
}

/** Without wildcards, variables, here-documents and addresses; relative to the root, which itself says nothing. */
function literalSources(sources: readonly string[]): readonly string[] {
  return sources.flatMap((source) => {
    if (/[*?[\]\\$]|^<<|^[a-z]+:\/\/|^git@/i.test(source)) return [];
    const names = source.split('/').filter((name) => name !== '' && name !== '.');
    return names.length === 0 || names.includes('..') || ['.git', '.codegenie'].includes(names[0] ?? '')
      ? []
      : [names.join('/')];
  });
}

/** A path that the grammar of declared inputs reads as itself. */
function isPlainName(path: string): boolean {
  return !/[*?[\]{}\\:]/.test(path);
}

function escapeName(path: string): string {
  return path.replace(/^[a-z]|[*?[\]{}\\]/gi, '\\$&');
}
