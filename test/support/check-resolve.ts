/** One way to write down what a resolver should answer: a tree, and a table of imports with their answers. */

import { expect } from 'vitest';
import type { CreateResolve, ImportRequest, Resolution } from '../../src/languages/resolving/resolution.ts';
import { requestOf, worldOf } from './resolve-world.ts';

export type ResolveTree = {
  readonly files: Readonly<Record<string, string>>;
  readonly provides?: Readonly<Record<string, readonly string[]>>;
};

/** `targets` as one text, separated by spaces, or the reason and what is external: `external numpy`. */
export function answerOf(
  create: CreateResolve,
  { files, provides = {} }: ResolveTree,
  from: string,
  specifier: string,
  more: Partial<ImportRequest> = {},
): string {
  const { targets, reason, external } = resolveIn(create, { files, provides }, from, specifier, more);
  return reason === null ? targets.join(' ') : [reason, external].filter((part) => part !== null).join(' ');
}

export function resolveIn(
  create: CreateResolve,
  { files, provides = {} }: ResolveTree,
  from: string,
  specifier: string,
  more: Partial<ImportRequest> = {},
): Resolution {
  const resolution = create(worldOf({ [from]: '', ...files }, provides))(from, requestOf(specifier, more));
  expect(resolution.targets.length === 0).toBe(resolution.reason !== null);
  return resolution;
}

/** A tree of empty files. */
export function filesOf(...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [path, '']));
}
