/**
 * What a build sees. Of the `dockerfile` probe: of each file, what its build stands on, copies, and calls healthy. Of the repository, as
 * declared inputs: the files in scope that `.dockerignore` does not leave out, and the files that COPY names though git ignores them. A
 * directory that git ignores cannot be listed here; `unseenSources` names those, and an image that was made of one is never taken from the
 * cache.
 */

import type { ProbeRepo } from '../../gather/contract.ts';
import type { Json } from '../../kernel/base/json.ts';
import { listAt, member, textAt } from '../../kernel/base/json-access.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { plainWords } from '../../kernel/formats/shell-words.ts';
import { compileDockerIgnore } from './docker-ignore.ts';

type StageView = {
  readonly index: number;
  readonly name: string | null;
  /** The image outside the file; null for none and for what the text does not tell. */
  readonly base: string | null;
  /** As an image holds it: `["CMD", …]`, `["CMD-SHELL", text]`, `["NONE"]`. */
  readonly healthcheck: readonly string[] | null;
};
export type DockerfileView = {
  readonly path: string;
  readonly stages: readonly StageView[];
  readonly finalStage: number | null;
  /** Images that are not made by the file itself; null for one that the text does not name. */
  readonly outside: readonly (string | null)[];
  /** Sources of COPY and ADD that are taken from the build context. */
  readonly sources: readonly string[];
};

export const dockerIgnoreFile = '.dockerignore';
/** Names with glob characters are matched one by one against all files: beyond this many, all files are inputs. */
const maxOddNames = 200;

export function findDockerfile(projected: Json | undefined, path: string): DockerfileView | undefined {
  const file = listAt(projected).find((candidate) => member(candidate, 'path') === path);
  if (file === undefined) return undefined;
  const finalStage = member(file, 'final_stage');
  return {
    path,
    finalStage: typeof finalStage === 'number' ? finalStage : null,
    stages: listAt(file, 'stages').map((stage, index) => {
      const base = textAt(stage, 'base_image_resolved') || null;
      return {
        index,
        name: textAt(stage, 'name') || null,
        base: base === 'scratch' ? null : base,
        healthcheck: healthcheckOf(member(stage, 'healthcheck')),
      };
    }),
    outside: outsideImages(file),
    sources: listAt(file, 'sources').filter((source) => typeof source === 'string'),
  };
}

/** A name with a variable may be another one with other build arguments: it is not told by the text. */
function outsideImages(file: Json): readonly (string | null)[] {
  const stages = listAt(file, 'stages');
  const own = new Set(
    stages.flatMap((stage, index) => [textAt(stage, 'name')?.toLowerCase() ?? String(index), String(index)]),
  );
  const named = [
    ...stages.flatMap((stage) => (member(stage, 'inherits_from') === null ? [textAt(stage, 'base_image')] : [])),
    ...listAt(file, 'from').map((from) => (typeof from === 'string' ? from : String(from))),
  ].filter((ref) => ref === null || (ref !== 'scratch' && !own.has(ref.toLowerCase())));
  return [...new Set(named.map((ref) => (ref === null || ref.includes('$') ? null : ref)))];
}

/** The stage that is built: by name, by number, or the last. */
export function findStage(view: DockerfileView | undefined, target: string | null): StageView | undefined {
  if (target === null) return view?.stages[view.finalStage ?? view.stages.length - 1];
  return view?.stages.find(
    ({ name, index }) => name?.toLowerCase() === target.toLowerCase() || String(index) === target,
  );
}

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

function healthcheckOf(check: Json | undefined): readonly string[] | null {
  const kind = textAt(check, 'kind');
  const command = textAt(check, 'command') || null;
  if (kind === 'none') return ['NONE'];
  if (kind !== 'cmd' || command === null) return null;
  return textAt(check, 'form') === 'exec' ? ['CMD', ...plainWords(command)] : ['CMD-SHELL', command];
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
