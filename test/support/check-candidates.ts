/**
 * S4 and R5 for one import in one tree, by brute force: each file that could come or go does so, and the answer may change only if the
 * candidates said so. The whole resolution is compared, candidates included, because a stored row must equal a fresh one.
 */

import { expect } from 'vitest';
import {
  type CreateResolve,
  type ImportRequest,
  maxCandidates,
  type Resolution,
} from '../../src/languages/resolving/resolution.ts';
import { worldOf } from './resolve-world.ts';

export type CandidateCase = {
  readonly create: CreateResolve;
  /** Configuration files, which stay as they are. */
  readonly configs: Readonly<Record<string, string>>;
  readonly present: readonly string[];
  /** Files that may come or go. */
  readonly universe: readonly string[];
  /** Which names each file provides. */
  readonly provides?: Readonly<Record<string, readonly string[]>>;
  readonly from: string;
  readonly request: ImportRequest;
  /** Candidates whose coming only closes a place, and which are no answer themselves. */
  readonly isGuard?: (path: string) => boolean;
};

export function checkCandidates(given: CandidateCase): Resolution {
  const { from, present, universe } = given;
  const resolution = ask(given, present);
  const { targets, candidates, reason } = resolution;
  expect(targets.length === 0, 'targets are empty iff there is a reason').toBe(reason !== null);
  expect(candidates.length).toBeLessThanOrEqual(maxCandidates);
  expect(new Set(candidates).size).toBe(candidates.length);
  expect(candidates.filter((candidate) => candidate === '' || candidate.split('/').includes('..'))).toEqual([]);
  for (const target of targets) expect(isAsked(given, resolution, target), `${target} was asked for`).toBe(true);

  const pathCandidates = candidates.filter((candidate) => !candidate.endsWith('/') && !/^[a-z]+:/.test(candidate));
  for (const path of new Set([...universe, ...pathCandidates])) {
    if (path === from || Object.hasOwn(given.configs, path)) continue;
    const isHere = present.includes(path);
    const then = ask(given, isHere ? present.filter((file) => file !== path) : [...present, path]);
    const change = `${isHere ? 'without' : 'with'} ${path}`;
    if (!isAsked(given, resolution, path)) expect(then, change).toEqual(resolution);
    else if (isHere && targets.includes(path)) expect(then.targets, change).not.toContain(path);
    else if (!isHere && candidates.includes(path)) {
      expect(then, change).not.toEqual(resolution);
      if (reason === null && given.isGuard?.(path) !== true) expect(then.targets, change).toContain(path);
    }
  }
  return resolution;
}

function isAsked({ provides = {} }: CandidateCase, { candidates }: Resolution, path: string): boolean {
  const directory = `${path.slice(0, Math.max(0, path.lastIndexOf('/')))}/`;
  return [path, directory, ...(provides[path] ?? [])].some((token) => candidates.includes(token));
}

function ask({ create, configs, provides = {}, from, request }: CandidateCase, present: readonly string[]): Resolution {
  const files = Object.fromEntries([...present, from].map((path) => [path, '']));
  const providers: Record<string, string[]> = {};
  for (const path of Object.keys(files)) {
    for (const name of provides[path] ?? []) providers[name] = [...(providers[name] ?? []), path];
  }
  return create(worldOf({ ...files, ...configs }, providers))(from, request);
}
